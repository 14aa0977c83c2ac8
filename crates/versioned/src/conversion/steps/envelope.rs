//! The text of the annotation that keeps what a version cannot hold.
//!
//! It is compact JSON with sorted keys: `{"fields":{…},"filled":{…},"format":1,"version":"v1alpha1"}`.
//! `fields` has the values of fields, as they were in `version`. `filled` has the values that a policy put
//! in the place of absent ones; it is left out when there are none.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::conversion::Finding;
use crate::json::canonical;

/// How many bytes all keys and values of an object's annotations may have together; servers reject more.
pub const ANNOTATIONS_LIMIT: usize = 262_144;

/// The format that is written, and the only one that is read.
const FORMAT: u64 = 1;

/// Values by the paths of their fields.
pub(super) type Fields = BTreeMap<Cow<'static, str>, Value>;

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Envelope {
    pub(super) fields: Fields,
    #[serde(default, skip_serializing_if = "Fields::is_empty")]
    pub(super) filled: Fields,
    format: u64,
    version: Cow<'static, str>,
}

impl Envelope {
    pub(super) fn new(version: &'static str) -> Self {
        Self {
            fields: Fields::new(),
            filled: Fields::new(),
            format: FORMAT,
            version: Cow::Borrowed(version),
        }
    }

    /// The text; nothing if the values nest too deep to be read again.
    pub(super) fn write(&self) -> Option<String> {
        canonical(serde_json::to_value(self).ok()?).ok()
    }

    /// Reads what was kept of objects of one of `versions`.
    ///
    /// # Errors
    /// What is wrong with the text. Nothing larger than what can be written is looked at.
    pub(super) fn read(text: &str, versions: &[&str]) -> Result<Self, Finding> {
        if text.len() > ANNOTATIONS_LIMIT {
            let reason = format!("more than {ANNOTATIONS_LIMIT} bytes");
            return Err(malformed(text, reason));
        }
        let value: Value =
            serde_json::from_str(text).map_err(|error| malformed(text, error.to_string()))?;
        match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => {}
            Some(other) => return Err(unsupported(text, format!("format {other}"))),
            None => return Err(malformed(text, "no format number".to_owned())),
        }
        let envelope =
            Self::deserialize(value).map_err(|error| malformed(text, error.to_string()))?;
        if versions.contains(&&*envelope.version) {
            Ok(envelope)
        } else {
            let reason = format!(
                "kept from `{}`, not `{}`",
                envelope.version,
                versions.join("` or `")
            );
            Err(unsupported(text, reason))
        }
    }
}

fn malformed(text: &str, reason: String) -> Finding {
    let text = text.to_owned();
    Finding::Malformed { text, reason }
}

fn unsupported(text: &str, reason: String) -> Finding {
    let text = text.to_owned();
    Finding::Unsupported { text, reason }
}

#[cfg(test)]
mod tests {
    use super::{ANNOTATIONS_LIMIT, Envelope, Finding};
    use serde_json::json;

    #[test]
    fn keys_are_sorted() {
        let mut envelope = Envelope::new("v1");
        envelope
            .fields
            .insert("spec.b".into(), json!([1, {"b": 1, "a": 2}]));
        envelope.fields.insert("spec.a".into(), json!(null));
        let text =
            r#"{"fields":{"spec.a":null,"spec.b":[1,{"a":2,"b":1}]},"format":1,"version":"v1"}"#;
        assert_eq!(envelope.write().unwrap(), text);
        envelope.filled.insert("spec.a".into(), json!("x"));
        let text = envelope.write().unwrap();
        assert!(
            text.contains(r#"}]},"filled":{"spec.a":"x"},"format":1"#),
            "{text}"
        );
        let read = Envelope::read(&text, &["v1"]).unwrap();
        assert_eq!(
            (read.fields, read.filled),
            (envelope.fields, envelope.filled)
        );
    }

    #[test]
    fn whatever_else_it_says() {
        let huge = format!(
            r#"{{"fields":{{}},"format":1,"version":"{}"}}"#,
            "v".repeat(ANNOTATIONS_LIMIT)
        );
        let nested = "[".repeat(100_000);
        let malformed = [
            "",
            "null",
            "[]",
            "{",
            r#""text""#,
            "{}",
            r#"{"format":"1"}"#,
            r#"{"format":-1}"#,
            r#"{"format":1.0}"#,
            r#"{"format":1}"#,
            r#"{"fields":[],"format":1,"version":"v1"}"#,
            r#"{"fields":{},"format":1,"version":1}"#,
            r#"{"fields":{},"format":1,"version":"v1","more":1}"#,
            "\u{0}",
            &huge,
            &nested,
        ];
        for text in malformed {
            let finding = Envelope::read(text, &["v1"]).unwrap_err();
            assert!(
                matches!(&finding, Finding::Malformed { text: found, .. } if found == text),
                "{finding}"
            );
        }
        let unsupported = [
            r#"{"format":2}"#,
            r#"{"format":0,"fields":7}"#,
            r#"{"fields":{},"format":1,"version":"v2"}"#,
        ];
        for text in unsupported {
            let finding = Envelope::read(text, &["v1"]).unwrap_err();
            assert!(
                matches!(&finding, Finding::Unsupported { text: found, .. } if found == text),
                "{finding}"
            );
        }
    }
}
