//! The events of a watch.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::json::typed;
use crate::operation::{ApiError, BodyError, ObjectError};
use crate::wire;

/// An event of a watch: a change of an object, or news of the watch itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<T> {
    /// The object was created, or it matches the selector from now on. At the beginning of a watch: it was
    /// there before.
    Added(T),
    /// The object was changed.
    Modified(T),
    /// The object was deleted, or it ceased to match the selector. This is its last state.
    Deleted(T),
    /// Nothing happened up to this version. A watch can be taken up from there.
    #[non_exhaustive]
    Bookmark {
        /// The `resourceVersion` of the collection.
        resource_version: String,
        /// True if everything that was there before has been sent: the end of the events that `sendInitialEvents` asks for.
        initial_events_end: bool,
    },
    /// The watch is at its end. Where [`is_expired`](ApiError::is_expired), list again and watch from there.
    Error(Box<ApiError>),
}

/// The annotation by which servers mark that bookmark.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

impl<T> Event<T> {
    /// The same event with something else made of its object.
    pub fn map<U>(self, change: impl FnOnce(T) -> U) -> Event<U> {
        match self {
            Self::Added(object) => Event::Added(change(object)),
            Self::Modified(object) => Event::Modified(change(object)),
            Self::Deleted(object) => Event::Deleted(change(object)),
            Self::Bookmark { resource_version, initial_events_end } => {
                Event::Bookmark { resource_version, initial_events_end }
            }
            Self::Error(error) => Event::Error(error),
        }
    }
}

impl<T: DeserializeOwned> Event<T> {
    /// Decodes one line of a watch.
    pub(super) fn decode(line: &[u8]) -> Result<Self, BodyError> {
        // Nearly every line is a good object: it is read once. Row: watch.
        if let Ok(Whole { event_type, object }) = typed::read(line) {
            match event_type.as_ref() {
                "ADDED" => return Ok(Self::Added(object)),
                "MODIFIED" => return Ok(Self::Modified(object)),
                "DELETED" => return Ok(Self::Deleted(object)),
                _ => {}
            }
        }
        Self::decode_parts(line)
    }

    /// A watch from an empty version would begin with all objects again.
    fn bookmark(object: &RawValue) -> Result<Self, BodyError> {
        let Marked { metadata } = decode(object)?;
        let mark = metadata.annotations.get(INITIAL_EVENTS_END);
        let initial_events_end = mark.is_some_and(|mark| mark == "true");
        let resource_version = metadata.resource_version;
        if resource_version.is_empty() {
            return Err(BodyError::Bookmark);
        }
        Ok(Self::Bookmark { resource_version, initial_events_end })
    }

    /// Decodes a line in two steps, which tell what is wrong with it.
    fn decode_parts(line: &[u8]) -> Result<Self, BodyError> {
        let Line { event_type, object } = typed::read(line).map_err(BodyError::NotAnEvent)?;
        match event_type.as_ref() {
            "ADDED" => decode(object).map(Self::Added),
            "MODIFIED" => decode(object).map(Self::Modified),
            "DELETED" => decode(object).map(Self::Deleted),
            "BOOKMARK" => Self::bookmark(object),
            "ERROR" => {
                let error = ApiError::of_event(object.get().as_bytes());
                Ok(Self::Error(Box::new(error)))
            }
            other => Err(BodyError::UnknownType(other.to_owned())),
        }
    }
}

fn decode<T: DeserializeOwned>(object: &RawValue) -> Result<T, BodyError> {
    let error = |reason| BodyError::Object(Box::new(ObjectError::new(None, object.get(), reason)));
    typed::read_str(object.get()).map_err(error)
}

#[derive(Deserialize)]
struct Whole<'a, T> {
    #[serde(borrow, rename = "type")]
    event_type: Cow<'a, str>,
    object: T,
}

#[derive(Deserialize)]
#[serde(expecting = "an event")]
struct Line<'a> {
    #[serde(borrow, rename = "type")]
    event_type: Cow<'a, str>,
    #[serde(borrow)]
    object: &'a RawValue,
}

/// The part of a bookmark that counts. The required fields of its object are empty.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
struct Marked {
    #[serde(default, deserialize_with = "wire::null_is_zero")]
    metadata: MarkedMetadata,
}

#[derive(Default, Deserialize)]
#[serde(default, expecting = "the metadata of an object", rename_all = "camelCase")]
struct MarkedMetadata {
    #[serde(deserialize_with = "wire::null_is_zero")]
    resource_version: String,
    #[serde(deserialize_with = "wire::map")]
    annotations: BTreeMap<String, String>,
}

#[cfg(test)]
mod tests {
    use super::Event;
    use crate::meta::v1::ObjectMeta;

    #[test]
    fn a_list_is_no_event_and_no_object() {
        for line in [
            r#"["ADDED", {}]"#,
            r#"{"type": "ADDED", "object": []}"#,
            r#"{"type": "BOOKMARK", "object": [{"resourceVersion": "1"}]}"#,
        ] {
            assert!(Event::<ObjectMeta>::decode(line.as_bytes()).is_err(), "{line}");
        }
    }
}
