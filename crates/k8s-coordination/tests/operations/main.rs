//! Operations: requests that are built, and responses that are decoded.

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
mod watches;
