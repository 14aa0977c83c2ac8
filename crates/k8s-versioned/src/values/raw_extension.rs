//! Any JSON value that keeps the bytes of a protobuf body.

#[cfg(feature = "protobuf")]
use std::borrow::Cow;
#[cfg(feature = "protobuf")]
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::de::DeserializeOwned;
#[cfg(feature = "protobuf")]
use serde::ser::Error as _;
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
///
/// Servers store any bytes that a client sends as protobuf. Bytes that are not JSON, such as an object in protobuf, are kept,
/// too: [`not_json`](Self::not_json) returns them, and the value is `null`. Like a server, encoding them as JSON fails.
#[derive(Clone, Debug, Default)]
pub struct RawExtension {
    value: Value,
    /// The bytes of a protobuf body, unless the value is written as these bytes anyway.
    #[cfg(feature = "protobuf")]
    came_as: Option<CameAs>,
}

/// The bytes of a protobuf body.
#[cfg(feature = "protobuf")]
#[derive(Clone, Debug)]
enum CameAs {
    Json(Box<[u8]>),
    NotJson(Box<[u8]>),
}

impl Serialize for RawExtension {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[cfg(feature = "protobuf")]
        if let Some(bytes) = self.not_json() {
            return Err(S::Error::custom(NotJson(bytes.len())));
        }
        AnyFormat(&self.value).serialize(serializer)
    }
}

/// The bytes cannot be encoded as JSON.
#[cfg(feature = "protobuf")]
struct NotJson(usize);

#[cfg(feature = "protobuf")]
impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value came from a protobuf body as {} bytes that are not JSON", self.0)
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

    /// The bytes that came from a protobuf body and are not JSON.
    #[cfg(feature = "protobuf")]
    pub fn not_json(&self) -> Option<&[u8]> {
        match &self.came_as {
            Some(CameAs::NotJson(bytes)) => Some(bytes),
            _ => None,
        }
    }

    /// From the bytes of a protobuf body, which are kept if the value is written as other bytes.
    #[cfg(feature = "protobuf")]
    pub(crate) fn of_protobuf(bytes: &[u8]) -> Self {
        let Ok(value) = crate::from_json::<Value>(bytes) else {
            return Self { value: Value::Null, came_as: Some(CameAs::NotJson(bytes.into())) };
        };
        let written = Self::from(value);
        let is_kept = written.to_protobuf().as_deref() != Some(bytes);
        Self { came_as: is_kept.then(|| CameAs::Json(bytes.into())), ..written }
    }

    /// The bytes that protobuf has; `None` for `null`.
    #[cfg(feature = "protobuf")]
    pub(crate) fn to_protobuf(&self) -> Option<Cow<'_, [u8]>> {
        match (&self.came_as, &self.value) {
            (Some(CameAs::Json(bytes) | CameAs::NotJson(bytes)), _) => Some(Cow::Borrowed(bytes)),
            (None, Value::Null) => None,
            (None, value) => Some(Cow::Owned(value.to_string().into_bytes())),
        }
    }

    /// Decodes the value as a `T`.
    ///
    /// # Errors
    ///
    /// The value is not a `T`, or not JSON.
    pub fn decode<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        #[cfg(feature = "protobuf")]
        if let Some(bytes) = self.not_json() {
            return Err(serde_json::Error::custom(NotJson(bytes.len())));
        }
        T::deserialize(&self.value)
    }
}

impl PartialEq for RawExtension {
    fn eq(&self, other: &Self) -> bool {
        #[cfg(feature = "protobuf")]
        if self.not_json() != other.not_json() {
            return false;
        }
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
            came_as: None,
        }
    }
}

impl From<RawExtension> for Value {
    fn from(extension: RawExtension) -> Self {
        extension.value
    }
}
