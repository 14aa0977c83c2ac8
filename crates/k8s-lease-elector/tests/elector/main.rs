//! The elector with a model of the API server.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "tests may fail by panicking"
)]

mod protobuf;
mod scenarios;
mod simulation;
mod stories;
