//! What was kept aside, on the way back.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::Value;

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
        match Envelope::read(&text, versions) {
            Ok(Envelope { fields, filled, .. }) => Self { fields, filled },
            Err(finding) => {
                report.add(path::annotation(key), finding);
                Self::none()
            }
        }
    }

    /// The kept value of a field. One that is no `T` is reported, and so is one with a value that a policy
    /// has put in its place: no policy is about this field.
    pub(super) fn value<T: DeserializeOwned>(
        &mut self,
        path: &'static str,
        report: &mut Report,
    ) -> Option<T> {
        match self.value_and_filled::<T, Value>(path, report)? {
            (value, None) => Some(value),
            (_, Some(filled)) => {
                malformed(path, &filled, "no policy fills this field", report);
                None
            }
        }
    }

    /// The kept value of a field, and the one that a policy has put in its place.
    pub(super) fn value_and_filled<T: DeserializeOwned, F: DeserializeOwned>(
        &mut self,
        path: &'static str,
        report: &mut Report,
    ) -> Option<(T, Option<F>)> {
        let value = self.fields.remove(path)?;
        let filled = self.filled.remove(path);
        let filled = match filled {
            Some(filled) => Some(decode(path, &filled, report)?),
            None => None,
        };
        Some((decode(path, &value, report)?, filled))
    }

    /// Reports what no field has asked for; `key` is the annotation's.
    pub fn finish(self, key: &str, report: &mut Report) {
        for (path, value) in self.fields.into_iter().chain(self.filled) {
            // Not as a path: it is a text from the annotation, which may hold anything.
            let text = Value::from_iter([(path.into_owned(), value)]).to_string();
            let reason = "no such field is ever kept".to_owned();
            let finding = Finding::Unsupported { text, reason };
            report.add(path::annotation(key), finding);
        }
    }
}

fn decode<T: DeserializeOwned>(
    path: &'static str,
    value: &Value,
    report: &mut Report,
) -> Option<T> {
    match T::deserialize(value) {
        Ok(decoded) => Some(decoded),
        Err(error) => {
            malformed(path, value, &error.to_string(), report);
            None
        }
    }
}

/// Reports a kept value that no conversion has written.
pub(super) fn malformed(path: &'static str, value: &Value, reason: &str, report: &mut Report) {
    let (text, reason) = (value.to_string(), reason.to_owned());
    report.add(path, Finding::Malformed { text, reason });
}

#[cfg(test)]
mod tests {
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
             metadata.annotations[example.com/kept]: discarded, as it is not for this conversion (no such field \
             is ever kept): {\"spec.old\":\"x\"}"
        );
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
