//! Objects as protobuf: upstream's vectors of the group and of meta, what bytes mean, requests and answers.

#![allow(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod reading;
mod requests;
mod vectors;
