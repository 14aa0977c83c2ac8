//! Tests of the crate from outside, in one program: what they share is linked once. What the public face shows is tested here.

#![allow(
    clippy::case_sensitive_file_extension_comparisons,
    clippy::indexing_slicing,
    clippy::match_wild_err_arm,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod builder;
mod crd;
mod diff;
mod diff_objects;
mod diff_table;
mod drafts;
mod formatting;
mod groups;
mod hostile;
mod lifecycles;
mod made_up;
mod rule_examples;
mod shared_types;
mod structure;
