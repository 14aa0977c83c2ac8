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
mod json;
mod json_laws;
mod lists;
mod migration;
mod model;
mod random;
mod reports;
mod room;
mod snapshots;
mod specs;
mod support;
mod vectors;
mod walks;
