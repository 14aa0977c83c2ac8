//! The elector, against a model of the server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may fail by panicking"
)]

mod model;
mod scenarios;
mod simulation;
mod stories;
