//! Elections against those that API servers held, and against tables of our own.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

#[path = "election/properties.rs"]
mod properties;
#[path = "election/recordings.rs"]
mod recordings;
mod support;
#[path = "election/tables.rs"]
mod tables;
