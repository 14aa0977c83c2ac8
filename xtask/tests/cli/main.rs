//! Runs the built command on copies of this workspace's specs and generated code.

// The lints of the workspace let tests panic, but not the functions that tests share.
#![allow(clippy::panic, clippy::unwrap_used)]

mod architecture;
mod bad_input;
mod cargo_lines;
mod checklist;
mod ci;
mod glossary;
mod import;
mod imports;
mod links;
mod new_version;
mod packages;
mod picture;
mod prose;
mod public_face;
mod regenerate;
mod releases;
mod security;
mod workspace;
