//! What was kept aside, on the way back.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::envelope::{Envelope, Fields};
use super::{Finding, Report, path};

/// Values that were kept aside of an object of the target version. What they say is not to be trusted:
/// anybody may have written the annotation.
#[derive(Debug, Default)]
pub struct Kept {
    fields: Fields,
    filled: Fields,
}

impl Kept {
    /// Nothing: where there are no annotations.
    pub fn none() -> Self {
        Self::default()
    }

    /// Takes out the annotation `key`, with what was kept of an object of one of `versions`.
    pub fn take(
        annotations: &mut BTreeMap<String, String>,
        key: &str,
        versions: &[&str],
        report: &mut Report,
    ) -> Self {
        let Some(text) = annotations.remove(key) else {
            return Self::none();
        };
        let finding = match Envelope::read(&text, versions) {
            Ok(Envelope { fields, filled, .. }) if fields.is_empty() && filled.is_empty() => {
                let value = json!({});
                Finding::Redundant { value }
            }
            Ok(Envelope { fields, filled, .. }) => return Self { fields, filled },
            Err(finding) => finding,
        };
        report.add(path::annotation(key), finding);
        Self::none()
    }

    /// The kept value of a field. One that is no `T` is reported, and so is one with a value that a policy
    /// has put in its place: no policy is about this field.
    pub(super) fn value<T: DeserializeOwned>(
        &mut self,
        path: &'static str,
        report: &mut Report,
    ) -> Option<T> {
        let kept = self.of(path)?;
        let (value, filled) = kept.decode::<T, Value>(report)?;
        if filled.is_some() {
            kept.malformed("no policy fills this field", report);
            return None;
        }
        Some(value)
    }

    /// What was kept of a field, and what a policy has put in its place.
    pub(super) fn of(&mut self, path: &'static str) -> Option<KeptField> {
        Some(KeptField {
            path,
            value: self.fields.remove(path)?,
            filled: self.filled.remove(path),
        })
    }

    /// Reports what no field has asked for; `key` is the annotation's.
    pub fn finish(self, key: &str, report: &mut Report) {
        let of = |fields: Fields, reason| fields.into_iter().map(move |field| (field, reason));
        let kept = of(self.fields, "no such field is ever kept");
        let filled = of(
            self.filled,
            "the value of a policy, in the place of nothing",
        );
        for ((path, value), reason) in kept.chain(filled) {
            // Not as a path: it is a text from the annotation, which may hold anything.
            let text = Value::from_iter([(path.into_owned(), value)]).to_string();
            let reason = reason.to_owned();
            let finding = Finding::Unsupported { text, reason };
            report.add(path::annotation(key), finding);
        }
    }
}

/// What was kept of one field.
pub(super) struct KeptField {
    path: &'static str,
    value: Value,
    filled: Option<Value>,
}

impl KeptField {
    /// The kept value, and the one that a policy has put in its place; nothing, and a report, if they have
    /// other types.
    pub(super) fn decode<T: DeserializeOwned, F: DeserializeOwned>(
        &self,
        report: &mut Report,
    ) -> Option<(T, Option<F>)> {
        let value = self.read(&self.value, report)?;
        let filled = match &self.filled {
            Some(filled) => Some(self.read(filled, report)?),
            None => None,
        };
        Some((value, filled))
    }

    fn read<T: DeserializeOwned>(&self, value: &Value, report: &mut Report) -> Option<T> {
        let decoded = T::deserialize(value);
        decoded
            .map_err(|error| self.malformed(&error.to_string(), report))
            .ok()
    }

    /// Reports that no conversion has written this.
    pub(super) fn malformed(&self, reason: &str, report: &mut Report) {
        let text = match &self.filled {
            Some(filled) => json!({"kept": self.value, "filled": filled}).to_string(),
            None => self.value.to_string(),
        };
        let reason = reason.to_owned();
        report.add(self.path, Finding::Malformed { text, reason });
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Kept, Report};
    use crate::conversion::testing::kept;

    #[test]
    fn what_no_field_asks_for_is_reported() {
        let mut report = Report::new();
        kept("spec.old", "[1]", "\"x\"").finish("example.com/kept", &mut report);
        assert_eq!(
            report.to_string(),
            "metadata.annotations[example.com/kept]: discarded, as it is not for this conversion (no such field \
             is ever kept): {\"spec.old\":[1]}\n\
             metadata.annotations[example.com/kept]: discarded, as it is not for this conversion (the value of a \
             policy, in the place of nothing): {\"spec.old\":\"x\"}"
        );
    }

    #[test]
    fn an_annotation_without_a_field_says_nothing() {
        let text = r#"{"fields":{},"format":1,"version":"v1"}"#;
        let mut annotations = BTreeMap::from([("k".to_owned(), text.to_owned())]);
        let mut report = Report::new();
        Kept::take(&mut annotations, "k", &["v1"], &mut report).finish("k", &mut report);
        assert!(annotations.is_empty());
        let expected = "metadata.annotations[k]: needlessly kept in the annotation: {}";
        assert_eq!(report.to_string(), expected);
    }

    #[test]
    fn nothing_is_kept_where_nothing_was() {
        let mut report = Report::new();
        let mut kept = Kept::none();
        assert_eq!(kept.value::<i32>("spec.a", &mut report), None);
        kept.finish("example.com/kept", &mut report);
        assert!(report.is_empty());
    }
}
