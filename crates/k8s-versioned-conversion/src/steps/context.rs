//! The state that the steps of one conversion share.

use std::collections::BTreeMap;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::entries::{ANNOTATIONS_LIMIT, Entries};
use crate::{ConversionReport, Finding, Options, path};
use k8s_versioned::wire::ZeroValue;

/// A field that can be kept: the versions that have it in the form that is kept, lowest first, and its path in each.
///
/// The value is kept under the first of them and comes back in each of them. So the bytes of the annotation do not
/// depend on the versions that an object went through.
pub type Places = &'static [(&'static str, &'static str)];

/// One conversion: from one version of an object, or of a part of it, to another.
pub struct Context<'a, P> {
    /// The policies of the caller about absent fields.
    pub policies: &'a P,
    pub(super) report: &'a mut ConversionReport,
    from: &'static str,
    to: &'static str,
    /// The key of the annotation that keeps values; `None` for a part of an object.
    key: Option<&'a str>,
    /// The entries of the source's annotation that no step has taken.
    carried: Entries,
    /// The values that this conversion keeps, by the path in the source.
    kept: BTreeMap<&'static str, Kept>,
}

/// A value to keep.
struct Kept {
    places: Places,
    value: Value,
    filled: Option<Value>,
}

impl<'a, P> Context<'a, P> {
    /// The conversion of a part of an object, which has no annotation.
    pub fn of_part(
        (from, to): (&'static str, &'static str),
        policies: &'a P,
        report: &'a mut ConversionReport,
    ) -> Self {
        Self {
            policies,
            report,
            from,
            to,
            key: None,
            carried: Entries::default(),
            kept: BTreeMap::new(),
        }
    }

    /// The conversion of an object. It takes the annotation out of the object. `default_key` is the key unless the
    /// options have another.
    pub fn of_object(
        versions: (&'static str, &'static str),
        options: &'a Options<P>,
        default_key: &'static str,
        annotations: &mut BTreeMap<String, String>,
        report: &'a mut ConversionReport,
    ) -> Self {
        let key = options.annotation_key(default_key);
        let mut context = Self::of_part(versions, &options.policies, report);
        context.key = Some(key);
        if let Some(text) = annotations.remove(key) {
            context.read(text);
        }
        context
    }

    fn read(&mut self, text: String) {
        match Entries::read(&text) {
            Ok(entries) if entries.is_empty() => {
                let value = Value::Object(serde_json::Map::new());
                self.report_annotation(Finding::Redundant { value });
            }
            Ok(entries) => {
                self.carried = entries;
                self.discard_entry(self.from, "the object has these fields itself");
            }
            Err(reason) => self.report_annotation(reason.finding(text)),
        }
    }

    /// Ends the conversion: puts the annotation into the result.
    ///
    /// Where the annotations would exceed the limit of servers, the values that this conversion keeps are lost. Where
    /// they still would, the carried entries are lost, too.
    pub fn finish(mut self, annotations: &mut BTreeMap<String, String>) {
        // Nearly every object. Row: convert.
        if self.carried.is_empty() && self.kept.is_empty() {
            return;
        }
        self.discard_entry(self.to, "no conversion keeps these fields");
        let mut all = self.carried.clone();
        for kept in self.kept.values() {
            let place = kept.places.first().copied().unwrap_or_default();
            all.insert(place, kept.value.clone(), kept.filled.clone());
        }
        if self.write(&all, annotations) {
            self.report_kept(|value| Finding::Preserved { value });
            return;
        }
        self.report_kept(|value| Finding::TooLarge { value });
        let carried = std::mem::take(&mut self.carried);
        if !self.write(&carried, annotations) {
            let value = carried.to_value();
            self.report_annotation(Finding::TooLarge { value });
        }
    }

    /// Ends the conversion of a part: the values that it would keep are lost.
    pub fn lose(mut self) {
        self.report_kept(|value| Finding::Lost { value });
    }

    /// Writes the annotation, if it fits.
    fn write(&self, entries: &Entries, annotations: &mut BTreeMap<String, String>) -> bool {
        let Some(key) = self.key.filter(|_| !entries.is_empty()) else {
            return true;
        };
        let sizes = annotations.iter().map(|(key, value)| key.len() + value.len());
        let others = sizes.sum::<usize>() + key.len();
        let text = entries.write();
        let text = text.filter(|text| others + text.len() <= ANNOTATIONS_LIMIT);
        let fits = text.is_some();
        annotations.extend(text.map(|text| (key.to_owned(), text)));
        fits
    }

    /// Keeps the value of a field of the source, and the value that a policy has put in its place.
    pub(super) fn keep(&mut self, places: Places, value: &impl Serialize, filled: Option<Value>) {
        self.keep_nothing(places, value);
        let value = json(value);
        let kept = Kept { places, value, filled };
        self.kept.insert(path_in(places, self.from), kept);
    }

    /// Keeps no value of a field of the source, because the target holds all of it. A kept value of the field is stale.
    pub(super) fn keep_nothing(&mut self, places: Places, live: &impl Serialize) {
        for place in places {
            let (kept, filled) = self.carried.remove(*place);
            if let Some(kept) = kept.or(filled) {
                let live = json(live);
                self.report_source(places, Finding::Stale { kept, live });
            }
        }
    }

    /// Takes the kept value of a field of the target.
    pub(super) fn take(&mut self, places: Places) -> Option<Taken> {
        let path = path_in(places, self.to);
        let mut taken: Option<Taken> = None;
        for place in places {
            let found = match self.carried.remove(*place) {
                (None, None) => continue,
                (value, filled) => Taken { path, value, filled },
            };
            match &taken {
                Some(_) => found.malformed("kept twice", self.report),
                None => taken = Some(found),
            }
        }
        taken
    }

    /// Reports a finding about a field of the target.
    pub(super) fn report_target(&mut self, places: Places, finding: Finding) {
        self.report.add(path_in(places, self.to), finding);
    }

    /// Reports a finding about a field of the source.
    pub(super) fn report_source(&mut self, places: Places, finding: Finding) {
        self.report.add(path_in(places, self.from), finding);
    }

    fn report_kept(&mut self, finding: impl Fn(Value) -> Finding) {
        for (path, kept) in std::mem::take(&mut self.kept) {
            self.report.add(path, finding(kept.value));
        }
    }

    /// Discards the carried entry of a version.
    fn discard_entry(&mut self, version: &str, reason: &str) {
        let entry = self.carried.split_off(version);
        if !entry.is_empty() {
            // The paths of its fields come from the annotation and can be any text, so the report shows them as a
            // value.
            let (text, reason) = (entry.to_value().to_string(), reason.to_owned());
            self.report_annotation(Finding::Unsupported { text, reason });
        }
    }

    fn report_annotation(&mut self, finding: Finding) {
        if let Some(key) = self.key {
            self.report.add(path::annotation(key), finding);
        }
    }
}

fn path_in(places: Places, version: &str) -> &'static str {
    let place = places.iter().find(|(other, _)| *other == version);
    place.map_or("", |(_, path)| path)
}

/// A kept value.
pub(super) struct Taken {
    path: &'static str,
    value: Option<Value>,
    filled: Option<Value>,
}

impl Taken {
    /// The kept value, and the value that a policy has put in its place; `None`, and a report, if they have other
    /// types.
    pub(super) fn decode<T: DeserializeOwned, F: DeserializeOwned>(
        &self,
        report: &mut ConversionReport,
    ) -> Option<(T, Option<F>)> {
        let Some(value) = &self.value else {
            self.malformed("a policy's value without a kept value", report);
            return None;
        };
        let value = self.read(value, report)?;
        let filled = match &self.filled {
            Some(filled) => Some(self.read(filled, report)?),
            None => None,
        };
        Some((value, filled))
    }

    /// The kept value of a field that has no policy.
    pub(super) fn value<T: DeserializeOwned>(&self, report: &mut ConversionReport) -> Option<T> {
        let (value, filled) = self.decode::<T, Value>(report)?;
        if filled.is_some() {
            self.malformed("no policy fills this field", report);
            return None;
        }
        Some(value)
    }

    fn read<T: DeserializeOwned>(&self, value: &Value, report: &mut ConversionReport) -> Option<T> {
        let decoded = T::deserialize(value);
        decoded.map_err(|error| self.malformed(&error.to_string(), report)).ok()
    }

    /// Reports a value that no conversion writes.
    pub(super) fn malformed(&self, reason: &str, report: &mut ConversionReport) {
        let mut value = match (&self.value, &self.filled) {
            (Some(value), None) => value.clone(),
            (value, filled) => serde_json::json!({"kept": value, "filled": filled}),
        };
        value.sort_all_objects();
        let (text, reason) = (value.to_string(), reason.to_owned());
        report.add(self.path, Finding::Malformed { text, reason });
    }
}

pub(super) fn is_zero<T: ZeroValue + PartialEq>(value: &T) -> bool {
    *value == T::zero_value()
}

/// A field as JSON. This fails only for maps whose keys are not strings, and API objects have none.
pub(super) fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}
