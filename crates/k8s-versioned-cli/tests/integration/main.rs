//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

#[cfg(feature = "cluster")]
mod cluster;
mod command;
#[cfg(all(unix, feature = "cluster", feature = "review", feature = "validate"))]
mod command_lines;
mod diff;
#[cfg(feature = "validate")]
mod files_of_projects;
mod front_door;
mod guide;
mod help;
mod interrupted;
mod new_packages;
#[cfg(feature = "cluster")]
mod record;
mod releases;
mod show;
mod support;
#[cfg(feature = "review")]
mod template_names;
#[cfg(feature = "cluster")]
mod tls;
#[cfg(feature = "validate")]
mod validate;
