//! Bodies of successful responses that are not what was asked for.

use thiserror::Error;

use super::ObjectError;
use crate::Quoted;

/// A body of a successful response, or a part of a watch, that is not what was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// It is not JSON by its header.
    #[error("the body is `{0}` and not JSON")]
    MediaType(String),
    /// It does not decode.
    #[error("the body cannot be decoded: {0}")]
    Json(#[from] serde_json::Error),
    /// A line of a watch is not an event.
    #[error("a line of the watch is not an event: {0}")]
    NotAnEvent(#[source] serde_json::Error),
    /// An event has a type that is not known.
    #[error("the watch has an event of unknown type {}", Quoted(.0))]
    UnknownType(String),
    /// The object of an event cannot be decoded.
    #[error(transparent)]
    Object(Box<ObjectError>),
    /// A bookmark marks nothing.
    #[error("a bookmark of the watch has no `resourceVersion`")]
    Bookmark,
    /// An event has more bytes than the limit.
    #[error("an event of the watch has more than {0} bytes")]
    TooLong(usize),
    /// The stream ended in the middle of an event.
    #[error("the watch was cut off in the middle of an event")]
    CutOff,
}
