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
mod lists;
mod migration;
mod room;
mod specs;
mod support;
mod vectors;
#[allow(dead_code, reason = "invented kinds have more kinds of fields")]
mod walks;
