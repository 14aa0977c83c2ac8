//! Validation: tables of its rules, and properties.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod conversions;
mod judge;
mod large;
mod metadata;
mod objects;
mod random;
mod tables;
