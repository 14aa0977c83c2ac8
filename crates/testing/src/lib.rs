//! Code that the tests of several packages share; not published.
//!
//! Everything here may fail by panicking.

pub mod apply;
#[cfg(feature = "bodies")]
pub mod bodies;
#[cfg(feature = "cluster")]
pub mod cluster;
pub mod command_lines;
pub mod completions;
#[cfg(feature = "dress")]
pub mod dress;
#[cfg(feature = "https")]
pub mod https;
pub mod page;
pub mod picture;
#[cfg(feature = "server")]
pub mod server;
#[cfg(feature = "specs")]
pub mod specs;
pub mod table;
#[cfg(feature = "tls")]
pub mod tls;
#[cfg(feature = "walk")]
pub mod vectors;
#[cfg(feature = "walk")]
pub mod walk;
