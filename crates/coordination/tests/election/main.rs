//! Elections: tables of their rules, and properties.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod properties;
#[path = "../support/table.rs"]
mod table;
mod tables;
