//! Conversions between the versions of `LeaseCandidate`.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::match_bool,
    clippy::option_option,
    clippy::panic,
    clippy::redundant_closure_for_method_calls,
    clippy::unused_self,
    clippy::unwrap_used
)]

mod any;
mod exhaustive;
mod json;
mod json_laws;
mod laws;
mod migration;
mod model;
mod random;
mod rest;
mod rows;
mod sequences;
mod snapshots;
mod specs;
mod support;
