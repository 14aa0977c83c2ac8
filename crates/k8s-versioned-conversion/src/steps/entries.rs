//! The text of the annotation that keeps values. `docs/conversion-annotation.md` specifies it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Finding;
use k8s_versioned::json::depth;

/// The most bytes that all keys and values of an object's annotations may have together; servers reject more.
pub const ANNOTATIONS_LIMIT: usize = 262_144;

/// The most levels of lists and objects in the text. Any parser reads that.
const MAX_DEPTH: usize = 100;

/// The format that is written.
const FORMAT: u64 = 2;

/// Values by the paths of their fields.
type Fields = BTreeMap<String, Value>;

/// Fields by the version that has them.
type Versions = BTreeMap<String, Fields>;

/// The content of the annotation.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Entries {
    fields: Versions,
    /// The values that policies have put in the place of absent ones.
    #[serde(skip_serializing_if = "Versions::is_empty")]
    filled: Versions,
}

/// Format 1 had room for one version.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format1 {
    fields: Fields,
    #[serde(default)]
    filled: Fields,
    #[serde(rename = "format")]
    _format: u64,
    version: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Format2 {
    fields: Versions,
    #[serde(default)]
    filled: Versions,
    #[serde(rename = "format")]
    _format: u64,
}

/// The reason why a text is not read.
#[derive(Debug, PartialEq)]
pub(super) enum Unread {
    Malformed(String),
    Unsupported(String),
}

impl Unread {
    pub(super) fn finding(self, text: String) -> Finding {
        match self {
            Self::Malformed(reason) => Finding::Malformed { text, reason },
            Self::Unsupported(reason) => Finding::Unsupported { text, reason },
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
    pub(super) fn read(text: &str) -> Result<Self, Unread> {
        if text.len() > ANNOTATIONS_LIMIT {
            let reason = format!("more than {ANNOTATIONS_LIMIT} bytes");
            return Err(Unread::Malformed(reason));
        }
        if depth(text.as_bytes()) > MAX_DEPTH {
            let reason = format!("lists and objects nest deeper than {MAX_DEPTH} levels");
            return Err(Unread::Malformed(reason));
        }
        let value: Value = serde_json::from_str(text)?;
        let (fields, filled) = match value.get("format").and_then(Value::as_u64) {
            Some(1) => {
                let read = Format1::deserialize(value)?;
                let of = |fields| Versions::from([(read.version.clone(), fields)]);
                (of(read.fields), of(read.filled))
            }
            Some(FORMAT) => {
                let read = Format2::deserialize(value)?;
                (read.fields, read.filled)
            }
            Some(other) => return Err(Unread::Unsupported(format!("format {other}"))),
            None => return Err(Unread::Malformed("no format number".to_owned())),
        };
        let mut entries = Self { fields, filled };
        entries.fields.retain(|_, fields| !fields.is_empty());
        entries.filled.retain(|_, fields| !fields.is_empty());
        Ok(entries)
    }

    /// The text; `None` if the values nest too deep to be read again.
    pub(super) fn write(&self) -> Option<String> {
        let mut value = self.to_value();
        value.as_object_mut()?.insert("format".to_owned(), FORMAT.into());
        let text = value.to_string();
        (depth(text.as_bytes()) <= MAX_DEPTH).then_some(text)
    }

    /// The entries as JSON with sorted keys, without the format.
    pub(super) fn to_value(&self) -> Value {
        let mut value = serde_json::to_value(self).unwrap_or_default();
        value.sort_all_objects();
        value
    }

    pub(super) fn is_empty(&self) -> bool {
        self.fields.is_empty() && self.filled.is_empty()
    }

    /// Adds the kept value of a field, and the value that a policy has put in its place.
    pub(super) fn insert(
        &mut self,
        (version, path): (&str, &str),
        value: Value,
        filled: Option<Value>,
    ) {
        let all = [(&mut self.fields, Some(value)), (&mut self.filled, filled)];
        for (versions, value) in all {
            if let Some(value) = value {
                let fields = versions.entry(version.to_owned()).or_default();
                fields.insert(path.to_owned(), value);
            }
        }
    }

    /// Removes the kept value of a field, and the value that a policy has put in its place.
    pub(super) fn remove(
        &mut self,
        (version, path): (&str, &str),
    ) -> (Option<Value>, Option<Value>) {
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

    /// Removes the entry of a version.
    pub(super) fn split_off(&mut self, version: &str) -> Self {
        let take = |versions: &mut Versions| versions.remove_entry(version).into_iter().collect();
        Self { fields: take(&mut self.fields), filled: take(&mut self.filled) }
    }
}
