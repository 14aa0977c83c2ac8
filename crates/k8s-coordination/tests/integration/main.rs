//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(
    clippy::cast_possible_truncation,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::match_bool,
    clippy::option_option,
    clippy::panic,
    clippy::redundant_closure_for_method_calls,
    clippy::unused_self,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod conversion;
mod election;
mod json_schema;
mod lifecycle;
mod operations;
mod protobuf;
mod validation;
