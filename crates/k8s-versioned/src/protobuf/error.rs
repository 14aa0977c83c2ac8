//! Errors of decoding, with the path of the field.

use std::fmt;

use crate::LocatedError;
use crate::field::{PathRef, join};
use crate::quoted::{Short, place};

/// A body that cannot be decoded, and the path of the field that is wrong.
#[derive(Clone, PartialEq, Eq)]
pub struct Error(Box<Inner>);

#[derive(Clone, PartialEq, Eq)]
struct Inner {
    path: String,
    cause: ProtobufCause,
}

/// The reason why a body cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProtobufCause {
    /// There is no object in the body.
    Empty,
    /// The body does not begin with `k8s\0`.
    Prefix,
    /// The bytes end inside of a value, or a length leads beyond their end.
    Truncated,
    /// A number has more than 10 bytes.
    LongNumber,
    /// A field has the number 0, or its number is out of range.
    FieldNumber,
    /// A wire type that protobuf does not have.
    UnknownWireType(u8),
    /// The end of a group that did not begin.
    EndOfGroup,
    /// The field has another wire type than its type.
    WireType {
        /// What the type of the field needs.
        expected: &'static str,
        /// What is there.
        found: &'static str,
    },
    /// A string is not UTF-8.
    NotUtf8,
    /// A time that the types for times cannot hold.
    TimeOutOfRange,
    /// Messages nest too deep.
    TooDeep {
        /// The deepest level that is read.
        limit: u8,
    },
    /// The body has an object of another kind.
    OtherKind {
        /// The kind that was expected, with its `apiVersion`.
        expected: String,
        /// The kind that is there, with its `apiVersion`.
        found: String,
    },
}

impl fmt::Display for ProtobufCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Empty => "the body is empty",
            Self::Prefix => {
                "the body does not begin with `k8s\\0`, so it is not protobuf of Kubernetes"
            }
            Self::Truncated => "the bytes end inside of a value",
            Self::LongNumber => "a number has more than 10 bytes",
            Self::FieldNumber => "a field has the number 0, or one that is out of range",
            Self::UnknownWireType(wire_type) => {
                return write!(f, "{wire_type} is not a wire type");
            }
            Self::EndOfGroup => "a group ends that did not begin",
            Self::WireType { expected, found } => {
                return write!(f, "expected {expected}, found {found}");
            }
            Self::NotUtf8 => "a string is not UTF-8",
            Self::TimeOutOfRange => "the time is more than 290,000 years from 1970",
            Self::TooDeep { limit } => return write!(f, "messages nest more than {limit} deep"),
            Self::OtherKind { expected, found } => {
                let found = Short(found);
                return write!(f, "expected {expected}, found {found}");
            }
        })
    }
}

impl std::error::Error for ProtobufCause {}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", place(self.path()), self.cause())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(self.cause())
    }
}

impl Error {
    /// The field that is wrong, such as `items[3].spec.leaseName`; empty for the body itself.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// What is wrong with the bytes, without the place.
    pub fn cause(&self) -> &ProtobufCause {
        &self.0.cause
    }

    /// The error in the field of this name.
    #[must_use]
    pub(super) fn inside(mut self, name: &str) -> Self {
        self.0.path = join(name, &self.0.path);
        self
    }

    /// The error in the field of this number. A struct that Go embeds has no name in JSON.
    #[cold]
    #[must_use]
    pub(super) fn inside_field(self, names: &[(u32, &str)], number: u32) -> Self {
        match names.iter().find(|(other, _)| *other == number) {
            Some((_, name)) => self.inside(name),
            None => self,
        }
    }

    /// The error in the value of a map with this key. Go writes the key before the value.
    #[cold]
    #[must_use]
    pub(super) fn inside_key(self, key: &str) -> Self {
        self.inside(&PathRef::Root.child(key).to_string())
    }

    /// The error in the item of this index.
    #[must_use]
    pub(super) fn at(self, index: usize) -> Self {
        self.inside(&format!("[{index}]"))
    }
}

impl From<Error> for LocatedError {
    fn from(error: Error) -> Self {
        Self::new(error.path(), error.cause())
    }
}

impl From<ProtobufCause> for Error {
    #[cold]
    fn from(cause: ProtobufCause) -> Self {
        Self(Box::new(Inner { path: String::new(), cause }))
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner { path, cause } = &*self.0;
        f.debug_struct("Error").field("path", path).field("cause", cause).finish()
    }
}
