//! Recorded bodies with random changes.

use k8s_coordination_conformance::RecordedWrite;
use k8s_versioned::Body;
use k8s_versioned_conformance::Recording;
use proptest::prelude::RngExt as _;
use proptest::test_runner::{RngAlgorithm, TestRng};

use crate::recorded::RECORDINGS;
use testing::bodies::exercise;

/// The body of a request that creates or replaces an object.
fn body(recording: &Recording) -> Option<Vec<u8>> {
    match RecordedWrite::of(recording)?.body {
        Body::Json(json) => Some(json.to_vec()),
        Body::Value(value) => Some(value.to_string().into_bytes()),
        _ => None,
    }
}

/// Recordings with a few bytes changed, and random bytes. A million, or from another seed:
/// `DECODE_CASES=1000000 DECODE_SEED=1 cargo test --release -p k8s-coordination-conformance nothing_sent`.
#[test]
fn nothing_sent_panics() {
    let number = |name, default| std::env::var(name).map_or(default, |text| text.parse().unwrap());
    let (cases, seed) = (number("DECODE_CASES", 5_000), number("DECODE_SEED", 0));
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
        mutate(&mut bytes, &mut random);
        exercise(&bytes);
    }
}

const PIECES: [&[u8]; 20] = [
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

fn mutate(bytes: &mut Vec<u8>, random: &mut TestRng) {
    for _ in 0..random.random_range(1..6) {
        let start = random.random_range(0..=bytes.len());
        let end = (start + random.random_range(0..4)).min(bytes.len());
        let piece = PIECES[random.random_range(0..PIECES.len())].to_vec();
        let piece = if random.random_bool(0.2) {
            vec![random.random(); random.random_range(0..4)]
        } else {
            piece
        };
        bytes.splice(start..end, piece);
    }
}
