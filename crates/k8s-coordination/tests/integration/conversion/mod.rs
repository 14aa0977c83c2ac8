//! Conversions between the versions of `LeaseCandidate`.

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
