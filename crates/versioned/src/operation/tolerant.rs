//! Lists that one bad item does not spoil.

use std::fmt;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Deserializer;
use serde_json::value::RawValue;
use thiserror::Error;

use super::answer::from_json;
use super::{Answer, BodyError, Identity};
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
#[error("item {index}{identity}: {reason}")]
#[non_exhaustive]
pub struct ItemError {
    /// The position in the list, from 0.
    pub index: usize,
    /// Which object it is, as far as that can be told.
    pub identity: Identity,
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
        Self {
            index,
            identity: Identity::of(json),
            json: json.to_owned(),
            reason,
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
