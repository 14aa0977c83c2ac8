//! Objects of lists and watches that cannot be decoded.

use std::fmt;

use serde::Deserialize;
use thiserror::Error;

use k8s_versioned::{Quoted, Short};

/// An item of a list, or the object of an event, that cannot be decoded.
#[derive(Debug, Error)]
#[error("{}{} cannot be decoded: {}", self.position(), self.identity(), Short(&reason.to_string()))]
#[non_exhaustive]
pub struct ObjectError {
    /// The position in the list, from 0; `None` in a watch.
    pub index: Option<usize>,
    /// `metadata.namespace`, if it can be read.
    pub namespace: Option<String>,
    /// `metadata.name`, if it can be read.
    pub name: Option<String>,
    /// `metadata.resourceVersion`, if it can be read. A watch can continue from it.
    pub resource_version: Option<String>,
    /// The JSON of the object; empty if it came as protobuf.
    pub json: String,
    /// The reason why it cannot be decoded.
    #[source]
    pub reason: serde_json::Error,
}

/// An object of which only the metadata is read.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Identified {
    metadata: Identity,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
struct Identity {
    namespace: Option<String>,
    name: Option<String>,
    resource_version: Option<String>,
}

impl ObjectError {
    pub(super) fn new(index: Option<usize>, json: &str, reason: serde_json::Error) -> Self {
        let Identified { metadata } = serde_json::from_str(json).unwrap_or_default();
        let Identity { namespace, name, resource_version } = metadata;
        Self { index, namespace, name, resource_version, json: json.to_owned(), reason }
    }

    fn position(&self) -> impl fmt::Display {
        match self.index {
            Some(index) => format!("item {index}"),
            None => "the object of an event".to_owned(),
        }
    }

    /// The known parts in brackets, after a space; empty if none is known.
    fn identity(&self) -> impl fmt::Display {
        let parts = [
            ("namespace", &self.namespace),
            ("name", &self.name),
            ("resourceVersion", &self.resource_version),
        ];
        let known = parts.iter().filter_map(|(of, value)| Some((of, value.as_ref()?)));
        let known = known.map(|(of, value)| format!("{of} {}", Quoted(value)));
        let known: Vec<String> = known.collect();
        if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
    }
}
