//! Elections against those that API servers held, and against tables of our own.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

mod properties;
mod recordings;
#[path = "../support/mod.rs"]
mod support;
mod tables;
