//! Lists that one bad item does not spoil.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Value};
use thiserror::Error;

use super::answer::from_json;
use super::{Answer, BodyError};
use crate::List;
use crate::wire::{self, ApiVersion, KindName, ZeroValue};

/// A list whose items are decoded one by one: the good ones, and what is wrong with the others.
///
/// It is as lenient as the list itself, where a `null` item is one without any fields.
pub struct Tolerant<L: List> {
    /// The metadata of the list.
    pub metadata: L::Metadata,
    /// The items that could be decoded.
    pub items: Vec<L::Item>,
    /// The items that could not.
    pub errors: Vec<ItemError>,
}

/// An item of a list that cannot be decoded.
#[derive(Debug, Error)]
#[error("item {index}{}: {reason}", Named(.namespace, .name))]
pub struct ItemError {
    /// The position in the list, from 0.
    pub index: usize,
    /// Its namespace, as far as it can be told.
    pub namespace: Option<String>,
    /// Its name, as far as it can be told.
    pub name: Option<String>,
    /// The item as it came.
    pub json: String,
    /// Why it cannot be decoded.
    #[source]
    pub reason: serde_json::Error,
}

impl<L> Answer for Tolerant<L>
where
    L: List<Metadata: DeserializeOwned + ZeroValue, Item: DeserializeOwned + ZeroValue>,
{
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        let wire: Wire<'_, L> = from_json(content_type, body)?;
        let mut list = Self {
            metadata: wire.metadata.unwrap_or_else(L::Metadata::zero_value),
            items: Vec::new(),
            errors: Vec::new(),
        };
        for (index, item) in wire.items.unwrap_or_default().into_iter().enumerate() {
            match wire::null_is_zero(&mut Deserializer::from_str(item.get())) {
                Ok(item) => list.items.push(item),
                Err(reason) => list.errors.push(ItemError::new(index, item.get(), reason)),
            }
        }
        Ok(list)
    }

    fn kind(&self) -> &'static str {
        <L as crate::Kind>::KIND
    }
}

#[derive(Deserialize)]
#[serde(
    bound(deserialize = "L::Metadata: DeserializeOwned"),
    expecting = "a list of objects"
)]
struct Wire<'a, L: List> {
    #[serde(default, rename = "apiVersion")]
    _api_version: ApiVersion<L>,
    #[serde(default, rename = "kind")]
    _kind: KindName<L>,
    #[serde(default = "Option::default")]
    metadata: Option<L::Metadata>,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}

impl ItemError {
    fn new(index: usize, json: &str, reason: serde_json::Error) -> Self {
        let item: Value = serde_json::from_str(json).unwrap_or_default();
        let text = |pointer: &str| {
            let text = item.pointer(pointer).and_then(Value::as_str);
            text.map(str::to_owned)
        };
        Self {
            index,
            namespace: text("/metadata/namespace"),
            name: text("/metadata/name"),
            json: json.to_owned(),
            reason,
        }
    }
}

/// ` (namespace/name)`, as far as they are known.
struct Named<'a>(&'a Option<String>, &'a Option<String>);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(namespace), Some(name)) => write!(f, " ({namespace}/{name})"),
            (None, Some(name)) => write!(f, " ({name})"),
            (_, None) => Ok(()),
        }
    }
}

// Written out, because derives would ask the same of `L`.
impl<L: List> fmt::Debug for Tolerant<L>
where
    L::Item: fmt::Debug,
    L::Metadata: fmt::Debug,
{
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tolerant")
            .field("metadata", &self.metadata)
            .field("items", &self.items)
            .field("errors", &self.errors)
            .finish()
    }
}
