//! Bodies of successful responses that cannot be read.

use thiserror::Error;

use super::ObjectError;
use k8s_versioned::Quoted;

/// A body of a successful response, or a part of a watch, that is not the requested answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The header `Content-Type` is not that of JSON.
    #[error("the body is `{0}` and not JSON")]
    MediaType(String),
    /// The body does not decode.
    #[error("the body cannot be decoded: {0}")]
    Json(#[from] serde_json::Error),
    /// The body does not decode as protobuf.
    #[cfg(feature = "protobuf")]
    #[error("the body cannot be decoded: {0}")]
    Protobuf(#[from] k8s_versioned::protobuf::Error),
    /// A line of a watch is not an event.
    #[error("a line of the watch is not an event: {0}")]
    NotAnEvent(#[source] serde_json::Error),
    /// An event has an unknown type.
    #[error("the watch has an event of unknown type {}", Quoted(.0))]
    UnknownType(String),
    /// The object of an event cannot be decoded.
    #[error(transparent)]
    Object(Box<ObjectError>),
    /// A bookmark has no `resourceVersion`.
    #[error("a bookmark of the watch has no `resourceVersion`")]
    Bookmark,
    /// An event has more bytes than the limit.
    #[error("an event of the watch has more than {0} bytes")]
    TooLong(usize),
    /// The stream ended in the middle of an event.
    #[error("the watch was cut off in the middle of an event")]
    CutOff,
}
