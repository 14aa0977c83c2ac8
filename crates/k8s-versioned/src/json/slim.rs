//! Objects without managed fields and annotations.

use std::ops::{Deref, DerefMut};

use serde::{Deserialize, Deserializer};

use super::typed::Typed;
use crate::{Kind, Lifecycle};

/// A `T` that is decoded without `managedFields` and annotations, which are most of the size of many objects.
///
/// Decoding skips them in the metadata of every object in the `T`, so they cost no memory and little time. It suits a
/// watch, a cache or an election. **Do not replace an object with such a value**: the annotations would be lost.
///
/// `T` is an object, a list, or another type that holds objects.
///
/// ```
/// use k8s_versioned::{Slim, meta::v1::ObjectMeta};
///
/// let json = r#"{"name": "a", "annotations": {"b": "c"}, "managedFields": [{"manager": "d"}]}"#;
/// let Slim(metadata) = serde_json::from_str::<Slim<ObjectMeta>>(json)?;
/// assert_eq!(metadata, ObjectMeta::default().with_name("a"));
/// # Ok::<(), serde_json::Error>(())
/// ```
///
/// A list is never an object, as in [`from_json`](crate::from_json).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slim<T>(pub T);

impl<T> Deref for Slim<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Slim<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Slim<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        T::deserialize(Typed::skipping(deserializer, &["managedFields", "annotations"])).map(Self)
    }
}

/// The kind is that of the `T`.
impl<T: Kind> Kind for Slim<T> {
    const GROUP: &'static str = T::GROUP;
    const VERSION: &'static str = T::VERSION;
    const KIND: &'static str = T::KIND;
    const API_VERSION: &'static str = T::API_VERSION;
    const ACCEPTED_API_VERSIONS: &'static str = T::ACCEPTED_API_VERSIONS;
    const LIFECYCLE: Option<Lifecycle> = T::LIFECYCLE;

    fn continue_token(&self) -> Option<&str> {
        self.0.continue_token()
    }
}
