//! An object inside another one.

use std::ops::{Deref, DerefMut};

use serde::de::{Deserialize, Deserializer};
use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::json::Checked;
use crate::wire;

/// An object inside another one, such as a claim in the `volumeClaimTemplates` of a `StatefulSet`.
///
/// It is written with `apiVersion` and `kind` if it came with one of them: servers keep both as they are sent.
///
/// ```
/// use k8s_versioned::{Embedded, meta::v1::DeleteOptions};
///
/// for json in [r#"{"apiVersion":"v1","kind":"DeleteOptions","orphanDependents":true}"#, r#"{"orphanDependents":true}"#] {
///     let options: Embedded<DeleteOptions> = serde_json::from_str(json)?;
///     assert_eq!(options.orphan_dependents, Some(true));
///     assert_eq!(serde_json::to_string(&options)?, json);
/// }
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Embedded<T> {
    /// The object, with a type of its own.
    pub object: T,
    /// `true` to write `apiVersion` and `kind`.
    pub typed: bool,
}

impl<T> From<T> for Embedded<T> {
    /// An object that is written without `apiVersion` and `kind`, as servers do not need them.
    fn from(object: T) -> Self {
        Self { object, typed: false }
    }
}

impl<T> Deref for Embedded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.object
    }
}

impl<T> DerefMut for Embedded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.object
    }
}

impl<T: Serialize> Serialize for Embedded<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.typed {
            self.object.serialize(serializer)
        } else {
            wire::untyped(&self.object, serializer)
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Embedded<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let value = Value::deserialize(deserializer)?;
        let typed = ["apiVersion", "kind"].iter().any(|name| value.get(name).is_some());
        let object = T::deserialize(Checked::new(value)).map_err(serde::de::Error::custom)?;
        Ok(Self { object, typed })
    }
}

#[cfg(feature = "schemars")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Embedded<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        generator.subschema_for::<T>()
    }
}
