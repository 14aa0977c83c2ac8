//! Values that a conversion makes up, because the type of the target requires them.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::{Context, FieldLocations, Kept, json};
use crate::conversion::ConversionFinding;
use crate::conversion::item_names::ItemsAround;
use crate::field::join;

impl<P> Context<'_, P> {
    /// Notes that a value of the target is made up: nobody knows the real one, and the conversion back drops it. Its type requires
    /// one.
    pub(crate) fn make_up(&mut self, places: FieldLocations, value: &impl Serialize) {
        if let Some((version, path)) = places.first() {
            let place = ((*version).to_owned(), self.items.named(path).into_owned());
            self.made_up_now.insert(place, json(value));
        }
    }

    /// [`make_up`](Self::make_up) in the entry of the target, as another version can keep a value of its own in the entry of the lowest
    /// one.
    pub(crate) fn make_up_own(&mut self, places: FieldLocations, value: &impl Serialize) {
        let own = places.iter().position(|(version, _)| *version == self.to);
        self.make_up(own.and_then(|own| places.get(own..)).unwrap_or(places), value);
    }

    /// Returns `true` if this conversion makes up or fills a value of each of these fields of the target.
    pub fn makes_up_all(&self, fields: &[FieldLocations]) -> bool {
        fields.iter().all(|places| {
            self.named(places).any(|(version, path)| {
                let is_filled = |kept: &Kept| kept.filled.is_some();
                self.made_up_now.contains_key(&(version.to_owned(), path.to_string()))
                    || self.kept.get(&(version, path)).is_some_and(is_filled)
            })
        })
    }

    /// Returns `true` if a conversion has made up or filled the value of each of these fields of the source.
    pub(crate) fn has_made_up_all(&self, fields: &[FieldLocations]) -> bool {
        fields.iter().all(|places| {
            self.named(places).any(|(version, path)| {
                self.carried.value_at(version, &path) == Some(Value::Null)
                    || self.made_up.contains_key(&(version.to_owned(), path.into_owned()))
            })
        })
    }

    /// Returns `true` if a conversion has made up the values of these required fields of an object of the source.
    pub(crate) fn has_made_up_fields(&self, around: FieldLocations, required: &[&str]) -> bool {
        let own = around.iter().find(|(version, _)| *version == self.from);
        !required.is_empty()
            && own.is_some_and(|(_, object)| {
                required.iter().all(|name| {
                    let path = join(object, name);
                    let is_field =
                        |(version, own): &(&str, &str)| *version == self.from && *own == path;
                    let mut fields = self.fields.iter();
                    let places = fields.find(|places| places.iter().any(&is_field));
                    places.is_some_and(|places| self.has_made_up_all(&[*places]))
                })
            })
    }

    /// Notes that the values of these fields of the source are made up: the object around them is absent. Their steps look for the note.
    pub fn note_absent(&mut self, fields: &[FieldLocations]) {
        for places in fields {
            let first = self.named(places).next();
            let place = first.map(|(version, path)| (version, path.into_owned()));
            self.absent.extend(place);
        }
    }

    /// Forgets the values with which this conversion fills these fields of the target: the object around them is absent.
    pub fn forget_filled(&mut self, fields: &[FieldLocations]) {
        for places in fields {
            let filled: Vec<_> = self.named(places).collect();
            for place in filled {
                let is_filled = |kept: &Kept| kept.filled.is_some();
                if self.kept.get(&place).is_some_and(is_filled)
                    && let Some(kept) = self.kept.remove(&place)
                {
                    self.report.take_back_filled(&kept.path);
                }
            }
        }
    }

    /// Reports the required fields of a made-up object of the target, which has no values for them, and [notes](Self::note_made_up) that it is
    /// made up.
    pub(crate) fn make_up_object(&mut self, around: FieldLocations, required: &[&str]) {
        if required.is_empty() {
            return;
        }
        self.report_lacking(around, required);
        self.note_made_up(around, required);
    }

    /// Notes that an object of the target is made up, as are its required fields that other versions lack.
    pub(crate) fn note_made_up(&mut self, around: FieldLocations, required: &[&str]) {
        if required.is_empty() {
            return;
        }
        self.make_up(around, &Value::Object(serde_json::Map::new()));
        let own = around.iter().find(|(version, _)| *version == self.to);
        for (name, (_, object)) in required.iter().zip(own.into_iter().cycle()) {
            let path = join(object, name);
            let is_field = |(version, own): &(&str, &str)| *version == self.to && *own == path;
            if let Some(places) = self.fields.iter().find(|places| places.iter().any(&is_field)) {
                self.make_up(places, &Value::Null);
            }
        }
    }

    /// Returns `true` if a value of the source is the one that a conversion has made up: this one, or an empty one of an object that it
    /// has made.
    pub(crate) fn is_made_up(
        &mut self,
        places: FieldLocations,
        live: &impl Serialize,
        is_empty: bool,
    ) -> bool {
        let noted = self.take_made_up(places);
        if self.is_absent(places) {
            return is_empty;
        }
        let Some(value) = noted else {
            return false;
        };
        let is_made_up = if value.is_null() { is_empty } else { value == json(live) };
        if !is_made_up {
            self.report_source(places, ConversionFinding::Redundant { value });
        }
        is_made_up
    }

    /// Returns `true` if the object around a field of the source is absent.
    fn is_absent(&self, places: FieldLocations) -> bool {
        let is_noted = |(version, path): (_, Cow<'_, str>)| {
            self.absent.contains(&(version, path.into_owned()))
        };
        !self.absent.is_empty() && self.named(places).any(is_noted)
    }

    fn take_made_up(&mut self, places: FieldLocations) -> Option<Value> {
        if self.made_up.is_empty() {
            return None;
        }
        let places =
            self.named(places).map(|(version, path)| (version.to_owned(), path.into_owned()));
        let places: Vec<(String, String)> = places.collect();
        places.iter().fold(None, |found, place| self.made_up.remove(place).or(found))
    }

    /// Takes back what was reported about fields inside a sub-object that the target does not have, and that their values are made up.
    pub(crate) fn take_back_inside(&mut self, places: FieldLocations) {
        let path = self.path_in(places, self.to);
        self.report.take_back_inside(&path, self.items.reported_before());
        drop_inside(&mut self.made_up_now, places, &self.items);
    }

    /// Drops the notes about values inside an object that is gone, as it was made up.
    pub(crate) fn drop_made_up_inside(&mut self, around: FieldLocations) {
        drop_inside(&mut self.made_up, around, &self.items);
    }
}

/// Drops what is inside these places.
fn drop_inside(
    made_up: &mut BTreeMap<(String, String), Value>,
    places: FieldLocations,
    items: &ItemsAround,
) {
    if made_up.is_empty() {
        return;
    }
    for (version, path) in places {
        let around = items.named(path);
        for inside in ['.', '['].map(|sign| format!("{around}{sign}")) {
            // Each item of a list drops its own values, and reads no values of other items.
            let dropped: Vec<_> = made_up
                .range(((*version).to_owned(), inside.clone())..)
                .map(|(place, _)| place)
                .take_while(|(of, path)| of == version && path.starts_with(&inside))
                .cloned()
                .collect();
            for place in dropped {
                made_up.remove(&place);
            }
        }
    }
}
