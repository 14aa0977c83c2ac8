//! Recorded bodies with random changes.

use allocation_counter::measure;
use k8s_coordination::{Kinds, v1};
use k8s_coordination_cli::conformance::RecordedWrite;
use k8s_versioned::{Body, KindEntry, Registry};
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recordings::{Exchange, RecordedBody};
use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::recorded::RECORDINGS;
use testing::bodies::{exercise, exercise_protobuf};

/// The body of a request that creates or replaces an object.
fn body(recording: &Recording) -> Option<Vec<u8>> {
    match RecordedWrite::from_recording(recording)?.body {
        Body::Json(json) => Some(json.to_vec()),
        Body::Value(value) => Some(value.to_string().into_bytes()),
        _ => None,
    }
}

/// A body in protobuf: of the request, else of the answer.
fn protobuf(recording: &Recording) -> Option<Vec<u8>> {
    let Exchange { request, response, .. } = recording.exchange()?;
    let bodies = [&request.body, &response.body].into_iter().flatten();
    let mut bytes = bodies.filter_map(|body| match body {
        RecordedBody::Binary(bytes) => Some(bytes.clone()),
        _ => None,
    });
    bytes.next()
}

/// Recordings with a few bytes changed, and random bytes. A million, or from another seed:
/// `DECODE_CASES=1000000 DECODE_SEED=1 cargo test --release -p k8s-coordination-cli --test recordings nothing_sent`.
#[test]
fn nothing_sent_panics() {
    for_each_changed(body, PIECES, exercise);
}

/// The same with bodies of requests and answers in protobuf, which ask for no more memory than their items have.
#[test]
fn nothing_sent_as_protobuf_panics_or_asks_for_much_memory() {
    let mut worst = 0;
    for_each_changed(protobuf, PROTOBUF_PIECES, |bytes| {
        exercise_protobuf(bytes);
        for codec in Kinds.kinds().iter().filter_map(KindEntry::protobuf) {
            let decoded = measure(|| drop(codec.decode(bytes)));
            let once = u64::try_from(bytes.len()).unwrap() + 100;
            worst = worst.max(decoded.bytes_max / once);
        }
    });
    println!("most memory: {worst} times the bytes");
    // An item of two bytes is a whole object in a list.
    assert!(worst <= MOST, "{worst}");
}

/// The memory of an empty item, which has two bytes in a body.
const MOST: u64 = size_of::<v1::Lease>() as u64 / 2;

/// Calls a function with bodies in which a few bytes are changed.
fn for_each_changed(
    body: fn(&Recording) -> Option<Vec<u8>>,
    pieces: &[&[u8]],
    mut exercise: impl FnMut(&[u8]),
) {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("DECODE_CASES", 2_000), number("DECODE_SEED", 0));
    let mut random = TestRng::from_seed(RngAlgorithm::ChaCha, &{
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&u64::to_le_bytes(seed));
        bytes
    });
    let bodies: Vec<Vec<u8>> = RECORDINGS.iter().filter_map(body).collect();
    for _ in 0..cases {
        let mut bytes = match random.random_range(0..5) {
            0 => Vec::new(),
            _ => bodies[random.random_range(0..bodies.len())].clone(),
        };
        mutate(&mut bytes, pieces, &mut random);
        exercise(&bytes);
    }
}

const PIECES: &[&[u8]] = &[
    b"{",
    b"}",
    b"[",
    b"]",
    b",",
    b":",
    b"\"",
    b"\\",
    b"null",
    b"-0",
    b"1e999",
    b"\\ud800",
    b"\xff",
    b"\"f:a\":{}",
    b"9999-12-31T23:59:59.999999-24:60",
    b"\"kind\":",
    b"true",
    b" ",
    b"[[[[[[[[",
    b"0",
];

/// Tags, lengths that are too long, numbers without an end, groups, and empty items.
const PROTOBUF_PIECES: &[&[u8]] = &[
    b"k8s\0",
    b"\x0a",
    b"\x12",
    b"\x1a\0",
    b"\x12\0\x12\0\x12\0\x12\0",
    b"\x8a\x01\x00",
    b"\xff\xff\xff\xff\x0f",
    b"\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01",
    b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff",
    b"\x0b\x0b\x0c\x0c",
    b"\x0c",
    b"\x0f",
    b"\0",
    b"\xff",
    b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
    b"\x0a\x02\x0a\0",
    b"\0\0\0\x04",
];

fn mutate(bytes: &mut Vec<u8>, pieces: &[&[u8]], random: &mut TestRng) {
    for _ in 0..random.random_range(1..6) {
        let start = random.random_range(0..=bytes.len());
        let end = (start + random.random_range(0..4)).min(bytes.len());
        let piece = pieces[random.random_range(0..pieces.len())].to_vec();
        let piece = if random.random_bool(0.2) {
            vec![random.random(); random.random_range(0..4)]
        } else {
            piece
        };
        bytes.splice(start..end, piece);
    }
}
