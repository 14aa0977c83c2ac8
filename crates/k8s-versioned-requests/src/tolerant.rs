//! Lists with items that do not decode.

use serde::Deserialize;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use super::answer::from_json;
use super::{Answer, BodyError, ObjectError};
use k8s_versioned::json::Checked;
use k8s_versioned::meta::v1::ListMeta;
use k8s_versioned::wire::{self, ApiVersion, KindName};
use k8s_versioned::{List, Resource};

/// The items of a list that decode, and the errors of the others: see
/// [`Request::tolerant`](super::Request::tolerant).
#[derive(Debug)]
pub struct TolerantList<T: Resource> {
    /// The list of the items that decode.
    pub list: List<T>,
    /// The errors of the others.
    pub errors: Vec<ObjectError>,
}

impl<T: Resource> Answer for TolerantList<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        // Nearly every list is good. Row: the tolerant list.
        if let Ok(list) = from_json(content_type, body) {
            return Ok(Self { list, errors: Vec::new() });
        }
        let wire: Wire<'_, T> = from_json(content_type, body)?;
        let (mut items, mut errors) = (Vec::new(), Vec::new());
        for (index, item) in wire.items.unwrap_or_default().into_iter().enumerate() {
            match wire::null_is_zero(Checked::new(&mut Deserializer::from_str(item.get()))) {
                Ok(item) => items.push(item),
                Err(reason) => errors.push(ObjectError::new(Some(index), item.get(), reason)),
            }
        }
        let list = List::new(items).with_metadata(wire.metadata.unwrap_or_default());
        Ok(Self { list, errors })
    }

    fn kind(&self) -> &'static str {
        T::LIST_KIND
    }

    fn continue_token(&self) -> Option<&str> {
        self.list.metadata.continue_token()
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
