//! Keeping values of the source that the target cannot hold.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;

use super::{Context, FieldLocations, Kept, json};
use crate::conversion::ConversionFinding;
use crate::conversion::annotation::Entries;

impl<P> Context<'_, P> {
    /// Converts a value of the source into a form that may hold less of it. The annotation keeps the value, unless the
    /// conversion back makes it of that form.
    pub(crate) fn reduce(
        &mut self,
        places: FieldLocations,
        value: &impl Serialize,
        comes_back: bool,
    ) {
        if comes_back {
            self.keep_nothing(places, value);
        } else {
            self.keep(places, value, None);
        }
    }

    /// Keeps the value of a field of the source, and the value that a policy has put in its place.
    pub(crate) fn keep(
        &mut self,
        places: FieldLocations,
        value: &impl Serialize,
        filled: Option<Value>,
    ) {
        // The entry of the target would not be read again.
        let place = places.iter().find(|(version, _)| *version != self.to);
        self.keep_at(place, places, value, filled);
    }

    /// Keeps the value of a field of the source that other versions with its field cannot hold either.
    pub(crate) fn keep_own(&mut self, places: FieldLocations, value: &impl Serialize) {
        let place = places.iter().find(|(version, _)| *version == self.from);
        self.keep_at(place, places, value, None);
    }

    /// Keeps that a field which the source and the target require is absent in other versions, and the value that fills it. `around` has its
    /// path in every version.
    pub(crate) fn keep_absent(
        &mut self,
        places: FieldLocations,
        around: FieldLocations,
        filled: Value,
    ) {
        self.keep(places, &Value::Null, Some(filled));
        let path = self.path_in(around, self.from);
        for place in self.named(places).collect::<Vec<_>>() {
            self.kept.entry(place).and_modify(|kept| kept.path.clone_from(&path));
        }
    }

    fn keep_at(
        &mut self,
        place: Option<&(&'static str, &'static str)>,
        places: FieldLocations,
        value: &impl Serialize,
        filled: Option<Value>,
    ) {
        self.keep_nothing(places, value);
        let (version, template) = place.or(places.first()).copied().unwrap_or_default();
        let place = (version, self.items.named(template));
        let path = self.path_in(places, self.from);
        self.kept.insert(place, Kept { path, template, value: json(value), filled });
    }

    /// Keeps no value of a field of the source, because the target holds all of it. A kept value of the field is stale.
    pub(crate) fn keep_nothing(&mut self, places: FieldLocations, live: &impl Serialize) {
        if self.carried.is_empty() && self.made_up.is_empty() {
            return;
        }
        for (version, path) in self.named(places).collect::<Vec<_>>() {
            let made_up = self.made_up.remove(&(version.to_owned(), path.to_string()));
            let (kept, filled) = self.carried.remove(version, &path);
            // A client can write a value both whole and in parts.
            let again = self.carried.remove(version, &path).0;
            for kept in kept.or(filled).or(made_up).into_iter().chain(again) {
                let live = json(live);
                self.report_source(places, ConversionFinding::Stale { kept, live });
            }
        }
    }

    /// Keeps no values of fields inside a sub-object that has none of its own: only that they are absent.
    pub(crate) fn keep_nothing_inside(&mut self, places: FieldLocations) {
        if self.kept.is_empty() {
            return;
        }
        for place in self.places_inside(places).collect::<Vec<_>>() {
            if self.kept.get(&place).is_some_and(|kept| kept.filled.is_none()) {
                self.kept.remove(&place);
            }
        }
    }

    /// Whether the annotation has, or will have, a value of a field inside this sub-object.
    pub(crate) fn keeps_inside(&self, places: FieldLocations) -> bool {
        self.keeps_inside_but(places, &[])
    }

    /// [`keeps_inside`](Self::keeps_inside), without the values of fields inside some others.
    pub(crate) fn keeps_inside_but(&self, places: FieldLocations, others: FieldLocations) -> bool {
        if self.keeps_nothing_yet() {
            return false;
        }
        let is_other = |(version, path): &(&str, Cow<'_, str>)| {
            others.iter().any(|(of, other)| {
                let rest = path.strip_prefix(&*self.items.named(other));
                of == version && rest.is_some_and(|it| it.is_empty() || it.starts_with(['.', '[']))
            })
        };
        // A value that this conversion fills was absent.
        let is_value = |kept: &Kept| kept.filled.is_none();
        self.places_inside(places).filter(|place| !is_other(place)).any(|place| {
            let is_carried = self.carried.has_at(place.0, &place.1);
            is_carried || self.kept.get(&place).is_some_and(is_value)
        })
    }

    /// Discards the carried values of fields inside a sub-object that the source does not have.
    pub(crate) fn discard_inside(&mut self, places: FieldLocations) {
        if self.carried.is_empty() {
            return;
        }
        let mut discarded = Entries::default();
        for (version, path) in self.places_inside(places).collect::<Vec<_>>() {
            let (value, filled) = self.carried.remove(version, &path);
            discarded.insert(version, &path, value, filled);
        }
        self.discard(&discarded, "the object around these fields is absent");
    }

    /// The places of the fields that some version has inside this sub-object, in all versions.
    fn places_inside(
        &self,
        places: FieldLocations,
    ) -> impl Iterator<Item = (&'static str, Cow<'static, str>)> {
        let is_inside = |(version, path): &(&str, &str)| {
            let own = places.iter().find(|(other, _)| other == version);
            own.and_then(|(_, own)| path.strip_prefix(own))
                .is_some_and(|rest| rest.starts_with('.') || rest.starts_with("[\""))
        };
        let fields = self.fields.iter().filter(move |field| field.iter().any(&is_inside));
        fields.flat_map(|field| self.named(field))
    }
}
