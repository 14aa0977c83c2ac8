//! Any JSON value, as a value.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// Any JSON value: an object whose kind is known at run time only, or a field without a schema.
///
/// ```
/// use k8s_versioned::Json;
/// use serde_json::json;
///
/// let object = Json::from(json!([1, 2]));
/// assert_eq!(object.decode::<Vec<u8>>()?, [1, 2]);
/// assert!(Json::default().value().is_null());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Json(Value);

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AnyFormat(&self.0).serialize(serializer)
    }
}

/// A value for any format. `serde_json` writes null as a unit, which some formats write as an empty list.
pub(crate) struct AnyFormat<'a>(pub(crate) &'a Value);

impl Serialize for AnyFormat<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Value::Null => serializer.serialize_none(),
            Value::Array(items) => serializer.collect_seq(items.iter().map(AnyFormat)),
            Value::Object(members) => {
                serializer.collect_map(members.iter().map(|(key, value)| (key, AnyFormat(value))))
            }
            scalar => scalar.serialize(serializer),
        }
    }
}

impl Json {
    /// Borrows the value.
    pub fn value(&self) -> &Value {
        &self.0
    }

    /// Borrows the value, mutable.
    pub fn value_mut(&mut self) -> &mut Value {
        &mut self.0
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

impl From<Value> for Json {
    fn from(value: Value) -> Self {
        Self(value)
    }
}

impl From<Json> for Value {
    fn from(json: Json) -> Self {
        json.0
    }
}
