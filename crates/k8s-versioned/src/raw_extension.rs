//! Any JSON value that keeps the text of a protobuf body.

#[cfg(feature = "protobuf")]
use std::borrow::Cow;
use std::hash::{Hash, Hasher};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use crate::values::AnyFormat;

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
///
/// The text of a protobuf body is written to protobuf as it came, with the order of its keys. Two values are equal if their
/// JSON is equal.
#[derive(Clone, Debug, Default)]
pub struct RawExtension {
    value: Value,
    /// The text of a protobuf body, unless the value is written as this text anyway.
    #[cfg(feature = "protobuf")]
    text: Option<Box<str>>,
}

impl Serialize for RawExtension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        AnyFormat(&self.value).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RawExtension {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Value::deserialize(deserializer).map(Self::from)
    }
}

impl RawExtension {
    /// The object as a JSON value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// From JSON text, which is kept if the value is written as another text.
    #[cfg(feature = "protobuf")]
    pub(crate) fn of_protobuf(json: &str) -> Result<Self, serde_json::Error> {
        let written = Self::from(crate::from_json::<Value>(json.as_bytes())?);
        let text = (written.to_protobuf().as_deref() != Some(json)).then(|| json.into());
        Ok(Self { text, ..written })
    }

    /// The JSON text that protobuf has; `None` for `null`.
    #[cfg(feature = "protobuf")]
    pub(crate) fn to_protobuf(&self) -> Option<Cow<'_, str>> {
        match (&self.text, &self.value) {
            (Some(text), _) => Some(Cow::Borrowed(text)),
            (None, Value::Null) => None,
            (None, value) => Some(Cow::Owned(value.to_string())),
        }
    }

    /// Decodes the value as a `T`.
    ///
    /// # Errors
    ///
    /// The value is not a `T`.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        T::deserialize(&self.value)
    }
}

impl PartialEq for RawExtension {
    fn eq(&self, other: &Self) -> bool {
        self.value == other.value
    }
}

impl Eq for RawExtension {}

impl Hash for RawExtension {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.value.hash(state);
    }
}

impl From<Value> for RawExtension {
    fn from(value: Value) -> Self {
        Self {
            value,
            #[cfg(feature = "protobuf")]
            text: None,
        }
    }
}

impl From<RawExtension> for Value {
    fn from(extension: RawExtension) -> Self {
        extension.value
    }
}
