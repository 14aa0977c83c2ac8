//! Validation against what API servers accepted and rejected, and against tables of our own.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "validation/conversions.rs"]
mod conversions;
#[path = "validation/properties.rs"]
mod properties;
#[path = "validation/random.rs"]
mod random;
#[path = "validation/recordings.rs"]
mod recordings;
mod support;
#[path = "validation/tables.rs"]
mod tables;
