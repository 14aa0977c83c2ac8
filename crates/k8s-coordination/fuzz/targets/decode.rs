//! Feeds raw bytes to decoding and to the judge of bodies.

#![no_main]

use libfuzzer_sys::fuzz_target;

#[path = "../../../k8s-coordination-conformance/tests/recordings/decode.rs"]
mod decode;

fuzz_target!(|bytes: &[u8]| decode::exercise(bytes));
