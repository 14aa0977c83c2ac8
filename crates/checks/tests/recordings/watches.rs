//! Every recorded watch, however its bytes are cut.

use std::fmt::Debug;

use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::Kind;
use k8s_versioned::operation::{Event, Watch};
use k8s_versioned_conformance::recording::{RecordedEvent, ResponseBody};
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::recorded::recordings;

/// The events of one recording, and the stream that they came in.
struct Recorded {
    version: &'static str,
    types: Vec<&'static str>,
    stream: Vec<u8>,
}

fn recorded() -> Vec<Recorded> {
    let exchanges = recordings().filter_map(|recording| recording.exchange());
    let watches = exchanges.filter_map(|exchange| {
        let ResponseBody::Events(events) = &exchange.response.body else {
            return None;
        };
        let line = |event: &RecordedEvent| {
            format!("{}\n", json!({"type": event.kind, "object": event.object}))
        };
        Some(Recorded {
            version: exchange.request.target().version.unwrap(),
            types: events.iter().map(|event| event.kind.as_str()).collect(),
            stream: events.iter().map(line).collect::<String>().into_bytes(),
        })
    });
    watches.collect()
}

/// The events of a stream that comes in pieces.
fn decode<'a, T: Kind + DeserializeOwned>(
    pieces: impl IntoIterator<Item = &'a [u8]>,
) -> Vec<Event<T>> {
    let mut watch = Watch::default();
    let mut events = Vec::new();
    for piece in pieces {
        watch.push(piece);
        while let Some(event) = watch.next_event() {
            events.push(event.expect("an event"));
        }
    }
    watch.finish().expect("the stream ends after an event");
    events
}

fn type_of<T>(event: &Event<T>) -> &'static str {
    match event {
        Event::Added(_) => "ADDED",
        Event::Modified(_) => "MODIFIED",
        Event::Deleted(_) => "DELETED",
        Event::Bookmark { .. } => "BOOKMARK",
        _ => "ERROR",
    }
}

/// Cuts one stream at every position.
fn check<T: Kind + DeserializeOwned + PartialEq + Debug>(recorded: &Recorded) {
    let stream = recorded.stream.as_slice();
    let whole = decode::<T>([stream]);
    let types: Vec<&str> = whole.iter().map(type_of).collect();
    assert_eq!(types, recorded.types);
    cut_everywhere(stream, &whole);
}

/// A cut can only spoil the event that it goes through. So for each cut only that event is decoded: to decode all
/// of them would take minutes.
fn cut_everywhere<T: Kind + DeserializeOwned + PartialEq + Debug>(
    stream: &[u8],
    whole: &[Event<T>],
) {
    let mut so_far = Watch::<T>::default();
    let mut events = whole.iter();
    for (position, byte) in stream.chunks(1).enumerate() {
        let rest = &stream[position..];
        let line = rest.split_inclusive(|byte| *byte == b'\n').next().unwrap();
        let mut cut = so_far.clone();
        cut.push(line);
        let event = cut.next_event().unwrap().unwrap();
        assert_eq!(Some(&event), events.as_slice().first(), "cut at {position}");
        so_far.push(byte);
        if let Some(event) = so_far.next_event() {
            assert_eq!(Some(&event.unwrap()), events.next(), "byte by byte, up to {position}");
        }
    }
    assert!(events.as_slice().is_empty());
}

#[test]
fn cuts_make_no_difference() {
    let all = recorded();
    assert_eq!(all.len(), 98, "recorded watches");
    for recorded in &all {
        match recorded.version {
            "v1" => check::<v1::Lease>(recorded),
            "v1alpha1" => check::<v1alpha1::LeaseCandidate>(recorded),
            "v1alpha2" => check::<v1alpha2::LeaseCandidate>(recorded),
            "v1beta1" => check::<v1beta1::LeaseCandidate>(recorded),
            other => panic!("{other}"),
        }
    }
}

#[test]
fn the_end_of_the_initial_events_is_marked() {
    let (mut marked, mut expired) = (0, 0);
    for recorded in recorded().iter().filter(|recorded| recorded.version == "v1") {
        for event in decode::<v1::Lease>([recorded.stream.as_slice()]) {
            match event {
                Event::Bookmark { resource_version, initial_events_end, .. } => {
                    assert!(resource_version.parse::<u64>().is_ok());
                    marked += usize::from(initial_events_end);
                }
                Event::Error(error) => {
                    assert!(error.is_expired(), "{error}");
                    expired += 1;
                }
                _ => {}
            }
        }
    }
    assert_eq!((marked, expired), (4, 6));
}
