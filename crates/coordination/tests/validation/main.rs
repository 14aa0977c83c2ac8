//! Validation against what API servers accepted and rejected, and against tables of our own.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod conversions;
mod decode;
mod judge;
mod metadata;
mod objects;
mod properties;
mod random;
mod recordings;
#[path = "../support/mod.rs"]
mod support;
mod tables;
