//! The text of the annotation that keeps values. `docs/reference/conversion-annotation.md` specifies it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::ConversionFinding;
use crate::json::depth;

/// The maximum size of all keys and values of an object's annotations together, in bytes; servers reject more.
pub const ANNOTATIONS_LIMIT: usize = crate::names::ANNOTATIONS_LIMIT;

/// The most levels of lists and objects in the text. Any parser reads that.
const MAX_DEPTH: usize = 100;

/// The number of the format. Lower ones were never released.
const FORMAT: u64 = 2;

/// Values by the paths of their fields.
type Fields = BTreeMap<String, Value>;

/// Fields by the version that has them.
type Versions = BTreeMap<String, Fields>;

/// The content of the annotation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Entries {
    fields: Versions,
    /// The values that policies supplied for absent fields.
    #[serde(skip_serializing_if = "Versions::is_empty")]
    filled: Versions,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    fields: Versions,
    #[serde(default)]
    filled: Versions,
    #[serde(rename = "format")]
    _format: u64,
}

/// The reason why a text is not read.
#[derive(Debug, PartialEq)]
pub(crate) enum Unread {
    Malformed(String),
    Unsupported(String),
}

impl Unread {
    pub(crate) fn finding(self, text: String) -> ConversionFinding {
        match self {
            Self::Malformed(reason) => ConversionFinding::Malformed { text, reason },
            Self::Unsupported(reason) => ConversionFinding::Unsupported { text, reason },
        }
    }
}

impl From<serde_json::Error> for Unread {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}

impl Entries {
    /// Reads the text of an annotation.
    ///
    /// # Errors
    /// The text cannot be read, or is larger than a conversion writes.
    pub(crate) fn read(text: &str) -> Result<Self, Unread> {
        if text.len() > ANNOTATIONS_LIMIT {
            let reason = format!("more than {ANNOTATIONS_LIMIT} bytes");
            return Err(Unread::Malformed(reason));
        }
        if depth(text.as_bytes()) > MAX_DEPTH {
            let reason = format!("lists and objects nest deeper than {MAX_DEPTH} levels");
            return Err(Unread::Malformed(reason));
        }
        let value: Value = serde_json::from_str(text)?;
        let Text { fields, filled, .. } = match value.get("format").and_then(Value::as_u64) {
            Some(FORMAT) => Text::deserialize(value)?,
            Some(other) => return Err(Unread::Unsupported(format!("format {other}"))),
            None => return Err(Unread::Malformed("no format number".to_owned())),
        };
        let mut entries = Self { fields, filled };
        entries.fields.retain(|_, fields| !fields.is_empty());
        entries.filled.retain(|_, fields| !fields.is_empty());
        Ok(entries)
    }

    /// The text; `None` if the values nest too deep to be read again.
    pub(crate) fn write(&self) -> Option<String> {
        let mut value = self.to_value();
        value.as_object_mut()?.insert("format".to_owned(), FORMAT.into());
        let text = value.to_string();
        (depth(text.as_bytes()) <= MAX_DEPTH).then_some(text)
    }

    /// The entries as JSON with sorted keys, without the format.
    pub(crate) fn to_value(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value.sort_all_objects();
        value
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.filled.is_empty()
    }

    /// Adds the kept value of a field, and the value that a policy has put in its place.
    pub(crate) fn insert(
        &mut self,
        version: &str,
        path: &str,
        value: Option<Value>,
        filled: Option<Value>,
    ) {
        let all = [(&mut self.fields, value), (&mut self.filled, filled)];
        for (versions, value) in all {
            if let Some(value) = value {
                let fields = versions.entry(version.to_owned()).or_default();
                fields.insert(path.to_owned(), value);
            }
        }
    }

    /// The values of all versions, by their paths.
    pub(crate) fn into_values(self) -> impl Iterator<Item = (String, Value)> {
        self.fields.into_values().flatten()
    }

    /// Returns `true` if there are values of a version.
    pub(crate) fn has_version(&self, version: &str) -> bool {
        self.fields.contains_key(version)
    }

    /// Returns `true` if there is a value of a field, whatever its version.
    pub(crate) fn has(&self, path: &str) -> bool {
        let mut all = self.fields.values().chain(self.filled.values());
        all.any(|fields| fields.contains_key(path))
    }

    /// The kept value of a field.
    pub(crate) fn get(&self, version: &str, path: &str) -> Option<&Value> {
        self.fields.get(version)?.get(path)
    }

    /// Removes the kept value of a field, and the value that a policy has put in its place.
    pub(crate) fn remove(&mut self, version: &str, path: &str) -> (Option<Value>, Option<Value>) {
        let remove = |versions: &mut Versions| {
            let fields = versions.get_mut(version)?;
            let value = fields.remove(path);
            if fields.is_empty() {
                versions.remove(version);
            }
            value
        };
        (remove(&mut self.fields), remove(&mut self.filled))
    }

    /// Removes the values that conversions have made up: nothing else is kept of these fields.
    pub(crate) fn take_made_up(&mut self) -> BTreeMap<(String, String), Value> {
        let mut made_up = BTreeMap::new();
        for (version, filled) in &mut self.filled {
            let kept = self.fields.get(version);
            let is_kept = |path: &String| kept.is_some_and(|kept| kept.contains_key(path));
            let (noted, others): (Fields, Fields) =
                std::mem::take(filled).into_iter().partition(|(path, _)| !is_kept(path));
            *filled = others;
            made_up.extend(noted.into_iter().map(|(path, value)| ((version.clone(), path), value)));
        }
        self.filled.retain(|_, fields| !fields.is_empty());
        made_up
    }

    /// Removes the values that are chosen by version and path.
    pub(crate) fn split_off(&mut self, chosen: impl Fn(&str, &str) -> bool) -> Self {
        let take = |versions: &mut Versions| {
            let mut taken = Versions::new();
            for (version, fields) in versions.iter_mut() {
                let (out, kept): (Fields, Fields) =
                    std::mem::take(fields).into_iter().partition(|(path, _)| chosen(version, path));
                *fields = kept;
                taken.insert(version.clone(), out);
            }
            for versions in [versions, &mut taken] {
                versions.retain(|_, fields| !fields.is_empty());
            }
            taken
        };
        Self { fields: take(&mut self.fields), filled: take(&mut self.filled) }
    }
}

/// The tests of the generated conversions cover the steps.
#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{ANNOTATIONS_LIMIT, Entries, Unread};

    /// The text of an annotation whose one value is a list in lists, three levels inside.
    fn nested(levels: usize) -> String {
        let (open, close) = ("[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"fields":{{"v1":{{"spec.a":{open}{close}}}}},"format":2}}"#)
    }

    /// The same depth can be read and written.
    #[test]
    fn depth_is_limited() {
        let entries = Entries::read(&nested(97)).unwrap();
        assert_eq!(entries.write(), Some(nested(97)));
        let deeper = json!([entries.to_value()["fields"]["v1"]["spec.a"]]);
        let mut entries = Entries::default();
        entries.insert("v1", "spec.a", Some(deeper), None);
        assert_eq!(entries.write(), None);
    }

    #[test]
    fn malformed_and_unsupported_texts_are_not_read() {
        let huge = "v".repeat(ANNOTATIONS_LIMIT);
        let huge = format!(r#"{{"fields":{{"v1":{{"spec.a":"{huge}"}}}},"format":2}}"#);
        let nested = nested(98);
        let malformed = [
            "",
            "null",
            "[]",
            "{",
            r#""text""#,
            "{}",
            r#"{"format":"2"}"#,
            r#"{"format":-1}"#,
            r#"{"format":2.0}"#,
            r#"{"format":2}"#,
            r#"{"fields":[],"format":2}"#,
            r#"{"fields":{},"format":2,"version":"v1"}"#,
            r#"{"fields":{"spec.a":1},"format":2}"#,
            r#"{"fields":{},"filled":1,"format":2}"#,
            "\u{0}",
            &huge,
            &nested,
        ];
        for text in malformed {
            let unread = Entries::read(text).unwrap_err();
            assert!(matches!(&unread, Unread::Malformed(_)), "{text}: {unread:?}");
        }
        for text in [
            r#"{"format":3}"#,
            r#"{"format":0,"fields":7}"#,
            r#"{"fields":{},"format":1,"version":"v1"}"#,
        ] {
            let unread = Entries::read(text).unwrap_err();
            assert!(matches!(&unread, Unread::Unsupported(_)), "{text}: {unread:?}");
        }
    }
}
