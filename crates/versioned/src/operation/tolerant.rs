//! Lists that one bad item does not spoil.

use serde::Deserialize;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::answer::from_json;
use super::{Answer, BodyError, ObjectError};
use crate::json::typed::Typed;
use crate::meta::v1::ListMeta;
use crate::wire::{self, ApiVersion, KindName};
use crate::{List, Resource};

/// A list whose items are decoded one by one: the good ones, and what is wrong with the others.
///
/// It is as lenient as the list itself, where a `null` item is one without any fields.
#[derive(Debug)]
#[non_exhaustive]
pub struct Tolerant<T: Resource> {
    /// The metadata of the list.
    pub metadata: ListMeta,
    /// The items that could be decoded.
    pub items: Vec<T>,
    /// The items that could not.
    pub errors: Vec<ObjectError>,
}

impl<T: Resource> Answer for Tolerant<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        // Nearly every list is good. Row: the tolerant list.
        if let Ok(List { metadata, items, .. }) = from_json(content_type, body) {
            return Ok(Self { metadata, items, errors: Vec::new() });
        }
        let wire: Wire<'_, T> = from_json(content_type, body)?;
        let mut list = Self {
            metadata: wire.metadata.unwrap_or_default(),
            items: Vec::new(),
            errors: Vec::new(),
        };
        for (index, item) in wire.items.unwrap_or_default().into_iter().enumerate() {
            match wire::null_is_zero(Typed::new(&mut Deserializer::from_str(item.get()))) {
                Ok(item) => list.items.push(item),
                Err(reason) => list.errors.push(ObjectError::new(Some(index), item.get(), reason)),
            }
        }
        Ok(list)
    }

    fn kind(&self) -> &'static str {
        T::LIST_KIND
    }

    fn continue_token(&self) -> Option<&str> {
        self.metadata.continue_token()
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Resource", expecting = "a list of objects")]
struct Wire<'a, T: Resource> {
    #[serde(default, rename = "apiVersion")]
    _api_version: ApiVersion<List<T>>,
    #[serde(default, rename = "kind")]
    _kind: KindName<List<T>>,
    #[serde(default)]
    metadata: Option<ListMeta>,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}
