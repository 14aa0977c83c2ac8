//! The command.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod command;
mod command_lines;
mod convert;
mod documents;
mod elect;
mod forms;
mod front_door;
mod in_place;
mod input;
mod pages;
mod protobuf;
mod validate;
