//! The checks on the recordings of this repository, snapshots, and tests that each check can fail.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod broken_operations;
mod compared;
mod edited_recordings;
mod elections;
mod k8s_openapi_types;
mod page;
mod pages;
mod random_bodies;
mod recorded;
mod refusals;
mod times;
mod verdicts;
mod watches;
