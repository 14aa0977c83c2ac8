//! Feeds raw bytes to decoding and to the judge of bodies.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    testing::bodies::exercise(bytes);
    testing::bodies::exercise_protobuf(bytes);
});
