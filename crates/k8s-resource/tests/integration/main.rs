//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test may fail by panicking")]

mod lines;
mod protobuf;
mod recordings;
mod vectors;
mod walks;
