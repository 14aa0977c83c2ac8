//! Any JSON value.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Any JSON value, such as an object whose kind is known at run time only.
///
/// ```
/// use k8s_versioned::RawExtension;
/// use serde_json::json;
///
/// let object = RawExtension::from(json!([1, 2]));
/// assert_eq!(object.decode::<Vec<u8>>()?, [1, 2]);
/// assert!(RawExtension::default().value().is_null());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawExtension(Value);

impl Serialize for RawExtension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawExtension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self)
    }
}

impl RawExtension {
    /// The value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Decodes the value as a `T`.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.0)
    }
}

impl From<Value> for RawExtension {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl From<RawExtension> for Value {
    fn from(extension: RawExtension) -> Self {
        extension.0
    }
}
