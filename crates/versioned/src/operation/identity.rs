//! Which object a text is about.

use std::fmt;

use serde::Deserialize;

use crate::Quoted;

/// Which object a JSON text is about, as far as the text can be read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Deserialize)]
#[serde(default, rename_all = "camelCase")]
#[non_exhaustive]
pub struct Identity {
    /// `metadata.namespace`.
    pub namespace: Option<String>,
    /// `metadata.name`.
    pub name: Option<String>,
    /// `metadata.resourceVersion`: a watch can go on after it.
    pub resource_version: Option<String>,
}

/// An object of which nothing else is read.
#[derive(Default, Deserialize)]
struct Identified {
    #[serde(default)]
    metadata: Identity,
}

impl Identity {
    /// Reads the metadata of an object; nothing is known of a text that is none.
    pub(super) fn of(json: &str) -> Self {
        let object: Identified = serde_json::from_str(json).unwrap_or_default();
        object.metadata
    }
}

/// Writes what is known in brackets, after a space; nothing if nothing is known.
impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("namespace", &self.namespace),
            ("name", &self.name),
            ("resourceVersion", &self.resource_version),
        ];
        let known = parts.iter().filter_map(|(of, value)| Some((of, value.as_ref()?)));
        let known = known.map(|(of, value)| format!("{of} {}", Quoted(value)));
        let known: Vec<String> = known.collect();
        if known.is_empty() {
            return Ok(());
        }
        write!(f, " ({})", known.join(", "))
    }
}
