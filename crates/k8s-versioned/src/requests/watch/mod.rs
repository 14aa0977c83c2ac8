//! Watches: bytes in, events out.

mod event;
#[cfg(feature = "protobuf")]
mod frames;
mod lines;

use std::fmt;
use std::marker::PhantomData;

use lines::Lines;
use serde::de::DeserializeOwned;

use crate::Kind;
use crate::requests::answer::check_json;
use crate::requests::{Answer, BodyError};

pub use event::Event;

/// Reads the events of a watch from chunks of bytes, which may be split anywhere, even inside a character.
///
/// Add bytes with [`push`](Self::push), take events with [`next_event`](Self::next_event) until it returns `None`, and
/// call [`finish`](Self::finish) at the end of the stream. The buffer holds the events that were not taken and one
/// incomplete event. An event that cannot be decoded is an error, and the next event follows.
///
/// [`Request::decode`](super::Request::decode) gives one with the usual limit. [`with_limit`](Self::with_limit) makes one
/// with another limit.
///
/// ```
/// use k8s_versioned::requests::{Event, Watch};
/// # use k8s_versioned::Kind;
/// # #[derive(Debug, PartialEq, serde::Deserialize)]
/// # struct Beat { sender: String }
/// # impl Kind for Beat {
/// #     const GROUP: &'static str = "example.com";
/// #     const VERSION: &'static str = "v1";
/// #     const KIND: &'static str = "Beat";
/// #     const API_VERSION: &'static str = "example.com/v1";
/// # }
///
/// let mut watch = Watch::<Beat>::default();
/// watch.push(br#"{"type": "ADDED", "object": {"sen"#);
/// assert!(watch.next_event().is_none());
/// watch.push(b"der\": \"a\"}}\n");
/// match watch.next_event() {
///     Some(Ok(Event::Added(beat))) => assert_eq!(beat.sender, "a"),
///     other => panic!("{other:?}"),
/// }
/// assert!(watch.next_event().is_none());
/// watch.finish()?;
/// # Ok::<(), k8s_versioned::requests::BodyError>(())
/// ```
pub struct Watch<T> {
    stream: Stream<T>,
}

/// The form of the stream: lines of JSON, or frames of protobuf and the function that decodes one.
enum Stream<T> {
    Lines(Lines, PhantomData<fn() -> T>),
    #[cfg(feature = "protobuf")]
    Frames(frames::Frames, fn(&[u8]) -> Result<Event<T>, BodyError>),
}

impl<T> Watch<T> {
    /// The default maximum size of an event in bytes. Stored objects have at most a tenth of it.
    pub const LIMIT: usize = 16 << 20;

    /// A watch whose events may have up to `limit` bytes.
    pub fn with_limit(limit: usize) -> Self {
        Self { stream: Stream::Lines(Lines::new(limit), PhantomData) }
    }

    /// Adds bytes.
    #[inline]
    pub fn push(&mut self, bytes: &[u8]) {
        match &mut self.stream {
            Stream::Lines(lines, _) => lines.push(bytes),
            #[cfg(feature = "protobuf")]
            Stream::Frames(frames, _) => frames.push(bytes),
        }
    }

    /// Checks that the stream ended after a line. White space may follow the last line.
    ///
    /// It ignores events that were not taken: take them before.
    ///
    /// # Errors
    ///
    /// The stream ended in the middle of an event, which may also be too long.
    pub fn finish(self) -> Result<(), BodyError> {
        let complete = match &self.stream {
            Stream::Lines(lines, _) => lines.is_between_lines(),
            #[cfg(feature = "protobuf")]
            Stream::Frames(frames, _) => frames.is_between_frames(),
        };
        if complete { Ok(()) } else { Err(BodyError::CutOff) }
    }
}

impl<T: DeserializeOwned> Watch<T> {
    /// The next event, or its error; `None` until more bytes have come.
    #[inline]
    pub fn next_event(&mut self) -> Option<Result<Event<T>, BodyError>> {
        let lines = match &mut self.stream {
            Stream::Lines(lines, _) => lines,
            #[cfg(feature = "protobuf")]
            Stream::Frames(frames, decode) => {
                return Some(frames.next_frame()?.and_then(decode));
            }
        };
        loop {
            match lines.next_line()? {
                Ok(line) if line.trim_ascii().is_empty() => {}
                Ok(line) => return Some(Event::decode(line)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

#[cfg(feature = "protobuf")]
impl<T: Kind + crate::protobuf::Message> Watch<T> {
    /// A watch whose events come as protobuf: frames with a length of 4 bytes.
    pub fn protobuf() -> Self {
        Self::protobuf_with_limit(Self::LIMIT)
    }

    /// A watch whose events come as protobuf, and may have up to `limit` bytes.
    pub fn protobuf_with_limit(limit: usize) -> Self {
        Self { stream: Stream::Frames(frames::Frames::new(limit), Event::decode_frame) }
    }
}

impl<T> Default for Watch<T> {
    fn default() -> Self {
        Self::with_limit(Self::LIMIT)
    }
}

// Not derived: a derive would need the same trait for `T`.
impl<T> Clone for Watch<T> {
    fn clone(&self) -> Self {
        let stream = match &self.stream {
            Stream::Lines(lines, object) => Stream::Lines(lines.clone(), *object),
            #[cfg(feature = "protobuf")]
            Stream::Frames(frames, decode) => Stream::Frames(frames.clone(), *decode),
        };
        Self { stream }
    }
}

impl<T> fmt::Debug for Watch<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rest = match &self.stream {
            Stream::Lines(lines, _) => lines.rest(),
            #[cfg(feature = "protobuf")]
            Stream::Frames(frames, _) => frames.rest(),
        };
        let rest = String::from_utf8_lossy(rest);
        f.debug_struct("Watch").field("rest", &rest).finish()
    }
}

impl<T: Kind + DeserializeOwned> Answer for Watch<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        check_json(content_type)?;
        let mut watch = Self::default();
        watch.push(body);
        Ok(watch)
    }

    fn kind(&self) -> &'static str {
        "WatchEvent"
    }

    fn read_to_end(mut self) -> Result<(), BodyError> {
        while let Some(event) = self.next_event() {
            event?;
        }
        self.finish()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::{Event, Watch};

    /// The events of a text, one line for each, the same for the whole text and byte by byte.
    fn events(text: &[u8]) -> String {
        let [whole, bytes] = [text.len().max(1), 1].map(|size| {
            let mut watch = Watch::<Value>::with_limit(80);
            let mut found = Vec::new();
            for chunk in text.chunks(size) {
                watch.push(chunk);
                while let Some(event) = watch.next_event() {
                    found.push(event.map_or_else(|error| error.to_string(), |event| show(&event)));
                }
            }
            found
                .push(watch.finish().map_or_else(|error| error.to_string(), |()| "end".to_owned()));
            found.join("; ")
        });
        assert_eq!(whole, bytes, "{}", String::from_utf8_lossy(text));
        whole
    }

    fn show(event: &Event<Value>) -> String {
        match event {
            Event::Added(object) => format!("added {object}"),
            Event::Modified(object) => format!("modified {object}"),
            Event::Deleted(object) => format!("deleted {object}"),
            Event::Bookmark { resource_version, initial_events_end } => {
                format!("bookmark {resource_version} {initial_events_end}")
            }
            Event::Error(error) => format!("error {error}"),
        }
    }

    #[test]
    fn events_of_each_type() {
        let table = [
            (r#"{"type": "ADDED", "object": {"a": 1}}"#, r#"added {"a":1}"#),
            (r#"{"object": "ä", "type": "MODIFIED"}"#, r#"modified "ä""#),
            (r#"{"type": "DELETED", "object": null, "more": 1}"#, "deleted null"),
            (
                r#"{"type": "\u0042OOKMARK", "object": {}}"#,
                "a bookmark of the watch has no `resourceVersion`",
            ),
            (
                r#"{"type": "BOOKMARK", "object": {"metadata": {"resourceVersion": "7"}}}"#,
                "bookmark 7 false",
            ),
            (
                r#"{"type":"BOOKMARK","object":{"metadata":{"annotations":{"k8s.io/initial-events-end":"true"}}}}"#,
                "an event of the watch has more than 80 bytes",
            ),
            (
                r#"{"type":"ERROR","object":{"kind":"Status","message":"too old","code":410}}"#,
                "error 410 Gone: too old",
            ),
            (r#"{"type": "ERROR", "object": 7}"#, "error 500 Internal Server Error: 7"),
            (
                r#"{"type": "ERROR", "object": ["Status"]}"#,
                r#"error 500 Internal Server Error: ["Status"]"#,
            ),
        ];
        for (line, expected) in table {
            assert_eq!(events(format!("{line}\r\n").as_bytes()), format!("{expected}; end"));
        }
    }

    #[test]
    fn a_bad_event_is_an_error_and_the_next_is_read() {
        let good = r#"{"type":"ADDED","object":1}"#;
        let table: [(&[u8], &str); 6] = [
            (b"garbage", "a line of the watch is not an event: expected value at line 1 column 1"),
            (b"\xff\xfe", "a line of the watch is not an event: expected value at line 1 column 1"),
            (b"{}", "a line of the watch is not an event: missing field `type` at line 1 column 2"),
            (br#"{"type":"A\n","object":1}"#, r#"the watch has an event of unknown type "A\n""#),
            (
                br#"{"type":"BOOKMARK","object":1}"#,
                "the object of an event cannot be decoded: invalid type: integer `1`, expected an object at line 1 column 1",
            ),
            (&[b'x'; 81], "an event of the watch has more than 80 bytes"),
        ];
        for (line, expected) in table {
            let text = [line, b"\n", good.as_bytes(), b"\n"].concat();
            assert_eq!(events(&text), format!("{expected}; added 1; end"));
        }
    }

    /// A program can continue after the version in the error.
    #[test]
    fn an_object_that_cannot_be_decoded_is_named() {
        let mut watch = Watch::<bool>::default();
        let metadata = r#"{"namespace":"n","name":"a`","resourceVersion":"7"}"#;
        watch.push(
            format!("{{\"type\":\"ADDED\",\"object\":{{\"metadata\":{metadata}}}}}\n").as_bytes(),
        );
        let error = watch.next_event().unwrap().unwrap_err().to_string();
        let expected = r#"the object of an event (namespace `n`, name "a`", resourceVersion `7`) cannot be decoded: "#;
        assert!(error.starts_with(expected), "{error}");
    }

    proptest! {
        #[test]
        fn any_bytes(text: Vec<u8>) {
            events(&text);
        }

        /// One wrong byte spoils the event that it is in, or two events that it joins.
        #[test]
        fn any_byte_in_a_good_watch(position in 0..COUNT * LINE.len(), byte: u8) {
            let mut text = LINE.repeat(COUNT).into_bytes();
            text[position] = byte;
            let found = events(&text);
            let good = found.matches("added 1; ").count();
            prop_assert!(good + 2 >= COUNT, "{}: {found}", String::from_utf8_lossy(&text));
        }
    }

    const LINE: &str = "{\"type\":\"ADDED\",\"object\":1}\n";
    const COUNT: usize = 4;

    #[test]
    fn an_end_in_the_middle_of_an_event_is_an_error() {
        assert_eq!(events(b""), "end");
        assert_eq!(events(b"\n\n"), "end");
        assert_eq!(events(b"\n\r"), "end");
        assert_eq!(events(b"\n \t"), "end");
        assert_eq!(events(br#"{"type":"#), "the watch was cut off in the middle of an event");
        assert_eq!(
            events(&[b'x'; 81]),
            "an event of the watch has more than 80 bytes; the watch was cut off in the middle of an event"
        );
    }

    /// A program may stop before it has taken all events.
    #[test]
    fn events_that_were_not_taken_are_no_error() {
        let table = [
            (LINE.to_owned(), true),
            (LINE.repeat(2), true),
            (format!("{LINE}x"), false),
            ("x".repeat(100), false),
            (format!("{}\n", "x".repeat(100)), true),
        ];
        for (text, expected) in table {
            let mut watch = Watch::<Value>::with_limit(80);
            watch.push(text.as_bytes());
            assert_eq!(watch.finish().is_ok(), expected, "{text:?}");
        }
    }
}
