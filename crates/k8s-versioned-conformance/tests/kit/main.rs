//! The kit on an invented API.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod admit;
mod bad_input;
mod checks;
mod definitions;
mod folder;
mod known_failures;
mod properties;
mod recordings;
mod reports;
mod widget;
