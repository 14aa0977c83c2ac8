//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

mod convert_files;
mod lines;
mod program_of_v1_36;
mod protobuf;
mod recordings;
mod vectors;
mod walks;
