//! The operations against the documents and against what API servers took and sent.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod apply;
mod building;
mod errors;
mod lists;
mod pages;
mod refusals;
#[path = "../support/mod.rs"]
mod support;
mod watches;
