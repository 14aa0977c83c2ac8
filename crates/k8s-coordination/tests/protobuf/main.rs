//! Objects as protobuf: upstream's vectors of the group and of meta, and bodies that are changed in every way.

#![allow(
    clippy::cast_possible_truncation,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod requests;
mod vectors;
