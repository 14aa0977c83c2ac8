//! The command, and what the recordings of this repository say, as snapshots.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod bites;
mod checks;
mod command;
mod convert;
mod documents;
mod elect;
mod elections;
mod generate;
mod in_place;
mod input;
mod objects;
mod page;

mod recorded;
mod requests;
mod second;
mod validate;
mod verdicts;
