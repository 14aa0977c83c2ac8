//! Errors of decoding, with the path of the field.

use std::fmt;

use thiserror::Error;

use crate::quoted::{OneLine, Short};

/// A body that cannot be decoded, and the path of the field that is wrong.
#[derive(Clone, PartialEq, Eq, Error)]
#[error("{}{}", place(self.path()), .0.cause)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    path: String,
    cause: Cause,
}

/// The reason why a body cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Cause {
    /// There is no object in the body.
    #[error("the body is empty")]
    Empty,
    /// The body does not begin with `k8s\0`.
    #[error("the body does not begin with `k8s\\0`, so it is not protobuf of Kubernetes")]
    Prefix,
    /// The bytes end inside of a value, or a length leads beyond their end.
    #[error("the bytes end inside of a value")]
    Truncated,
    /// A number has more than 10 bytes.
    #[error("a number has more than 10 bytes")]
    LongNumber,
    /// A field has the number 0, or one that is out of range.
    #[error("a field has the number 0, or one that is out of range")]
    FieldNumber,
    /// A wire type that protobuf does not have.
    #[error("{0} is not a wire type")]
    UnknownWireType(u8),
    /// The end of a group that did not begin.
    #[error("a group ends that did not begin")]
    EndOfGroup,
    /// The field has another wire type than its type.
    #[error("expected {expected}, found {found}")]
    WireType {
        /// What the type of the field needs.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A text is not UTF-8.
    #[error("a text is not UTF-8")]
    NotUtf8,
    /// A text that should be JSON is not.
    #[error("a text that should be JSON is not")]
    NotJson,
    /// A time that the types for times cannot hold.
    #[error("the time is more than 290,000 years from 1970")]
    TimeOutOfRange,
    /// Messages nest too deep.
    #[error("messages nest more than {limit} deep")]
    TooDeep {
        /// The deepest level that is read.
        limit: u8,
    },
    /// The body has an object of another kind.
    #[error("expected an object of kind `{expected}`, found {}", Short(found))]
    OtherKind {
        /// The kind that was expected, with its `apiVersion`.
        expected: String,
        /// The kind that is there, with its `apiVersion`.
        found: String,
    },
}

fn place(path: &str) -> String {
    match path {
        "" => String::new(),
        path => format!("{}: ", OneLine(path)),
    }
}

impl Error {
    /// The field that is wrong, such as `items[3].spec.leaseName`; empty for the body itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// The reason.
    pub fn cause(&self) -> &Cause {
        &self.0.cause
    }

    /// The error in the field of this name.
    #[must_use]
    pub(super) fn inside(mut self, name: &str) -> Self {
        let path = &self.0.path;
        let dot = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        self.0.path = format!("{name}{dot}{path}");
        self
    }

    /// The error in the item of this index.
    #[must_use]
    pub(super) fn at(self, index: usize) -> Self {
        self.inside(&format!("[{index}]"))
    }
}

impl From<Cause> for Error {
    #[cold]
    fn from(cause: Cause) -> Self {
        Self(Box::new(Inner { path: String::new(), cause }))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, cause } = &*self.0;
        f.debug_struct("Error").field("path", path).field("cause", cause).finish()
    }
}
