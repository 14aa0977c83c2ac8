//! Answers to a deletion.

use super::answer::{TypeName, from_json};
use super::{Answer, BodyError};
use k8s_versioned::Kind;
use k8s_versioned::meta::v1::Status;

/// The answer to a deletion.
///
/// The documents state a `Status`. Servers send it where the object is gone. They send the object where it stays until
/// its finalizers are removed, and the list of the deleted objects for a collection. The answer to a dry run is the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deletion<T> {
    /// The deletion is complete, unless the request was a dry run.
    Status(Box<Status>),
    /// An object that waits for its finalizers, or the list of the deleted objects.
    Returned(T),
}

impl<T> Deletion<T> {
    /// The object or the list that the server returned.
    pub fn returned(&self) -> Option<&T> {
        match self {
            Self::Status(_) => None,
            Self::Returned(returned) => Some(returned),
        }
    }

    /// The object or the list that the server returned, by value.
    pub fn into_returned(self) -> Option<T> {
        match self {
            Self::Status(_) => None,
            Self::Returned(returned) => Some(returned),
        }
    }
}

impl<T: Answer> Answer for Deletion<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        let TypeName { kind } = from_json(content_type, body)?;
        if kind.as_deref() == Some(Status::KIND) {
            from_json(content_type, body).map(Box::new).map(Self::Status)
        } else {
            T::decode(content_type, body).map(Self::Returned)
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Status(_) => Status::KIND,
            Self::Returned(returned) => returned.kind(),
        }
    }
}
