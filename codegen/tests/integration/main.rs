//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::indexing_slicing,
    clippy::match_wild_err_arm,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod crd;
mod diff;
mod groups;
mod lifecycles;
mod mutation;
mod structure;
