//! The kinds with a real `kube::Client`, recordings and random objects.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::needless_pass_by_value,
    clippy::panic,
    clippy::unwrap_used
)]

mod api;
mod candidates;
#[cfg(unix)]
mod controller;
mod conversions;
#[cfg(unix)]
mod examples;
mod lead;
mod protobuf;
mod recipes;
mod served;
