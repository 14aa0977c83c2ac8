//! Answers to a deletion.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::answer::from_json;
use super::{Answer, BodyError};
use crate::Kind;

/// The answer to a deletion.
///
/// The documents state a `Status` for all. Servers send it where the object is gone, and the object itself
/// where it stays until its finalizers are removed. For a collection they send the list of what was deleted.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Deletion<T, S> {
    /// What was deleted is gone.
    Status(S),
    /// What was deleted, in its last state; or the object that waits for its finalizers.
    Object(T),
}

impl<T, S> Answer for Deletion<T, S>
where
    T: Kind + DeserializeOwned,
    S: Kind + DeserializeOwned,
{
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        let TypeName { kind } = from_json(content_type, body)?;
        if kind.as_deref() == Some(S::KIND) {
            from_json(content_type, body).map(Self::Status)
        } else {
            from_json(content_type, body).map(Self::Object)
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Status(_) => S::KIND,
            Self::Object(_) => T::KIND,
        }
    }
}

#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct TypeName {
    kind: Option<String>,
}
