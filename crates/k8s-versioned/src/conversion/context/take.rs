//! Taking the values back that earlier conversions have kept.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Context, FieldLocations, Taken, json};
use crate::conversion::ConversionFinding;
use crate::conversion::steps::FieldValue;
use crate::wire::is_zero;

impl<P> Context<'_, P> {
    /// Takes the kept value of a field of the target.
    #[inline]
    pub(crate) fn take(&mut self, places: FieldLocations) -> Option<Taken> {
        // Nearly every object. Hot path, row `convert claims` of the benches.
        let is_empty = self.carried.is_empty() && self.made_up.is_empty();
        if is_empty { None } else { self.take_carried(places) }
    }

    /// Takes what is kept of a field of the target whose absent value a conversion has filled. Other kept values stay.
    pub(crate) fn take_filled(&mut self, places: FieldLocations) -> Option<Taken> {
        if self.carried.is_empty() {
            return None;
        }
        let filled =
            self.named(places).find(|(version, path)| self.carried.is_filled(version, path));
        let (version, place) = filled?;
        let (value, filled) = self.carried.remove(version, &place);
        Some(Taken { path: self.path_in(places, self.to), value, filled })
    }

    fn take_carried(&mut self, places: FieldLocations) -> Option<Taken> {
        let path = self.path_in(places, self.to);
        let mut taken: Option<Taken> = None;
        for (version, place) in self.named(places).collect::<Vec<_>>() {
            let mut made_up = || self.made_up.remove(&(version.to_owned(), place.to_string()));
            let found = match self.carried.remove(version, &place) {
                (None, None) => match made_up() {
                    None => continue,
                    filled => Taken { path: path.clone(), value: None, filled },
                },
                (value, filled) => Taken { path: path.clone(), value, filled },
            };
            match &taken {
                Some(_) => found.malformed("kept twice", self.report),
                None => taken = Some(found),
            }
        }
        taken
    }

    /// The kept text of a field, which stays in the annotation.
    pub(crate) fn kept_text(&self, places: FieldLocations) -> Option<&str> {
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| self.carried.text_at(version, &path))
    }

    /// The kept value of a field, which stays in the annotation. `None` if it cannot be read.
    pub(crate) fn kept_value<T: DeserializeOwned>(&self, places: FieldLocations) -> Option<T> {
        if self.carried.is_empty() {
            return None;
        }
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| T::deserialize(self.carried.value_at(version, &path)?).ok())
    }

    /// The kept object of a field, which stays in the annotation.
    pub(crate) fn kept_object(
        &self,
        places: FieldLocations,
    ) -> Option<serde_json::Map<String, Value>> {
        let mut kept = self.named(places);
        kept.find_map(|(version, path)| match self.carried.value_at(version, &path)? {
            Value::Object(members) => Some(members),
            _ => None,
        })
    }

    /// Takes the kept value of a field. `None`, and a report, if it cannot be read.
    #[inline]
    pub(crate) fn take_kept<T: DeserializeOwned>(&mut self, places: FieldLocations) -> Option<T> {
        self.take(places)?.value(self.report)
    }

    /// Takes a kept value that says that an empty object was there. `None`, and a report, if it says more.
    pub(crate) fn take_empty(&mut self, places: FieldLocations, empty: &Value) -> Option<Value> {
        let kept = self.take(places)?;
        let value = kept.value::<Value>(self.report)?;
        if value != *empty {
            kept.malformed("no conversion keeps the fields of this object here", self.report);
            return None;
        }
        Some(value)
    }

    /// Takes the kept value of a field that no policy fills. `None`, and a report, if it cannot be read or is empty.
    pub(crate) fn take_value<T: FieldValue>(&mut self, places: FieldLocations) -> Option<T> {
        let taken = self.take(places)?;
        let value = match taken.null() {
            Some(null) => null,
            None => taken.value::<T>(self.report)?,
        };
        if is_zero(&value) {
            let value = json(&value);
            self.report_target(places, ConversionFinding::Redundant { value });
            return None;
        }
        Some(value)
    }

    /// The kept value if the live value is still the result of its conversion, else the value that comes `back` from only
    /// the live value.
    pub(crate) fn restore<T: PartialEq + Serialize>(
        &mut self,
        places: FieldLocations,
        kept: T,
        unedited: bool,
        back: T,
        live: Value,
    ) -> T {
        let value = json(&kept);
        let (result, finding) = if kept == back {
            (back, ConversionFinding::Redundant { value })
        } else if unedited {
            (kept, ConversionFinding::Restored { value })
        } else {
            (back, ConversionFinding::Stale { kept: value, live })
        };
        self.report_target(places, finding);
        result
    }
}
