//! Objects whose type is known only at run time.

use std::any::Any;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::GroupVersionKind;
use crate::quoted::{OneLine, Short};

/// A decoded object of any type of a registry.
///
/// Every type that can be encoded, compared and printed implements it.
pub trait Object: Any + fmt::Debug + Send + Sync {
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
    fn equals(&self, other: &dyn Object) -> bool;
}

impl<T> Object for T
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

    fn equals(&self, other: &dyn Object) -> bool {
        other.as_any().downcast_ref::<T>() == Some(self)
    }
}

/// A text or a value that does not decode as an object of its kind.
#[derive(Debug)]
pub struct DecodeError {
    kind: GroupVersionKind,
    path: String,
    reason: serde_json::Error,
}

fn place(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!("{}: ", OneLine(path)),
    }
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = self.reason.to_string();
        write!(f, "cannot decode {}: {}{}", self.kind, place(&self.path), Short(&reason))
    }
}

impl std::error::Error for DecodeError {}

impl DecodeError {
    pub(super) fn new(kind: GroupVersionKind, path: String, reason: serde_json::Error) -> Self {
        Self { kind, path, reason }
    }

    /// The kind that was expected.
    pub fn kind(&self) -> &GroupVersionKind {
        &self.kind
    }

    /// The field that does not decode. It is known for a value; it is empty for a text.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The reason. It is part of the message.
    pub fn reason(&self) -> &serde_json::Error {
        &self.reason
    }
}
