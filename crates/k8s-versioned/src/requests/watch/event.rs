//! The events of a watch.

use std::borrow::Cow;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::json;
use crate::meta::v1::ObjectMeta;
use crate::requests::error::Metadata;
use crate::requests::{ApiError, BodyError, ObjectError};

/// An event of a watch: a change of an object, or a state of the watch.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event<T> {
    /// The object was created, or begins to match the selector. At the start of a watch: the object existed before.
    Added(T),
    /// The object was changed.
    Modified(T),
    /// The object was deleted, or no longer matches the selector. This is its last state.
    Deleted(T),
    /// All changes up to this version have been sent. A watch can start again from there.
    #[non_exhaustive]
    Bookmark {
        /// The `resourceVersion` of the collection.
        resource_version: String,
        /// Whether all objects that existed before have been sent: the end of the events of `sendInitialEvents`.
        initial_events_end: bool,
    },
    /// The watch has ended. If it [`is_expired`](ApiError::is_expired), list again and watch from there.
    Error(Box<ApiError>),
}

/// The annotation of the bookmark after the initial events.
const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

impl<T> Event<T> {
    /// Maps the object.
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
        // Nearly every line is a good object: it is read once. Hot path, row `watch` of the benches.
        if let Ok(Whole { event_type, object }) = json::read(line) {
            match event_type.as_ref() {
                "ADDED" => return Ok(Self::Added(object)),
                "MODIFIED" => return Ok(Self::Modified(object)),
                "DELETED" => return Ok(Self::Deleted(object)),
                _ => {}
            }
        }
        Self::decode_parts(line)
    }

    /// Decodes a line in two steps, so that the error names the wrong part.
    fn decode_parts(line: &[u8]) -> Result<Self, BodyError> {
        let Line { event_type, object } = json::read(line).map_err(BodyError::NotAnEvent)?;
        let metadata = || decode(object).map(|Metadata { metadata }| metadata);
        Self::of_type(&event_type, object.get().as_bytes(), || decode(object), metadata)
    }
}

impl<T> Event<T> {
    /// The event of this type, whose object `object` reads. Of a bookmark only the metadata is read: the required fields of
    /// its object are empty.
    fn of_type(
        event_type: &str,
        body: &[u8],
        object: impl FnOnce() -> Result<T, BodyError>,
        metadata: impl FnOnce() -> Result<ObjectMeta, BodyError>,
    ) -> Result<Self, BodyError> {
        match event_type {
            "ADDED" => object().map(Self::Added),
            "MODIFIED" => object().map(Self::Modified),
            "DELETED" => object().map(Self::Deleted),
            "BOOKMARK" => Self::bookmark(metadata()?),
            "ERROR" => Ok(Self::Error(Box::new(ApiError::of_event(body)))),
            other => Err(BodyError::UnknownType(other.to_owned())),
        }
    }

    /// A bookmark. An empty version is an error: a watch from it would begin with all objects again.
    fn bookmark(metadata: ObjectMeta) -> Result<Self, BodyError> {
        let mark = metadata.annotations.get(INITIAL_EVENTS_END);
        let initial_events_end = mark.is_some_and(|mark| mark == "true");
        let resource_version = metadata.resource_version.filter(|version| !version.is_empty());
        let resource_version = resource_version.ok_or(BodyError::Bookmark)?;
        Ok(Self::Bookmark { resource_version, initial_events_end })
    }
}

#[cfg(feature = "protobuf")]
impl<T: crate::Kind + crate::protobuf::Message> Event<T> {
    /// Decodes one frame of a watch.
    pub(super) fn decode_frame(frame: &[u8]) -> Result<Self, BodyError> {
        use crate::protobuf::{Envelope, WatchEvent, decode, decode_message};

        let WatchEvent { event_type, object: body, .. } = WatchEvent::read(frame)?;
        let object = || {
            let named = |error| {
                let envelope = Envelope::read(body).unwrap_or_default();
                ObjectError::of_message(None, envelope.object, error)
            };
            decode(body).map_err(|error| BodyError::Object(Box::new(named(error))))
        };
        let metadata = || {
            let Metadata { metadata } = decode_message(Envelope::read(body)?.object)?;
            Ok(metadata)
        };
        Self::of_type(event_type, body, object, metadata)
    }
}

fn decode<T: DeserializeOwned>(object: &RawValue) -> Result<T, BodyError> {
    let error = |reason| ObjectError::new::<T>(None, object.get(), reason);
    json::read(object.get().as_bytes()).map_err(|reason| BodyError::Object(Box::new(error(reason))))
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

#[cfg(test)]
mod tests {
    use super::Event;
    use crate::meta::v1::ObjectMeta;

    #[test]
    fn lists_are_neither_events_nor_objects() {
        for line in [
            r#"["ADDED", {}]"#,
            r#"{"type": "ADDED", "object": []}"#,
            r#"{"type": "BOOKMARK", "object": [{"resourceVersion": "1"}]}"#,
        ] {
            assert!(Event::<ObjectMeta>::decode(line.as_bytes()).is_err(), "{line}");
        }
    }
}
