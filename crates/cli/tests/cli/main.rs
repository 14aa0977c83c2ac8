//! The command, and what the recordings of this repository say, as snapshots.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod bites;
mod command;
mod elections;
mod objects;
mod page;
mod recorded;
mod second;
mod verdicts;
