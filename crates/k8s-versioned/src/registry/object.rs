//! Objects whose type is known only at run time.

use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

/// A decoded object of any type of a registry.
///
/// Every type that can be encoded, compared and printed implements it.
pub trait DecodedObject: Any + fmt::Debug + Send + Sync {
    /// The object as a JSON value.
    ///
    /// # Errors
    ///
    /// The type's own `Serialize` fails.
    fn encode(&self) -> Result<Value, serde_json::Error>;

    /// The object as JSON text.
    ///
    /// # Errors
    ///
    /// The type's own `Serialize` fails.
    fn encode_json(&self) -> Result<Vec<u8>, serde_json::Error>;

    /// The object, to downcast it to its type.
    fn as_any(&self) -> &dyn Any;

    /// Returns `true` if the other object is of the same type and equal.
    fn equals(&self, other: &dyn DecodedObject) -> bool;
}

impl<T> DecodedObject for T
where
    T: Serialize + PartialEq + fmt::Debug + Send + Sync + 'static,
{
    fn encode(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self)
    }

    fn encode_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }

    fn as_any(&self) -> &dyn Any {
        self
    }

    fn equals(&self, other: &dyn DecodedObject) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
}
