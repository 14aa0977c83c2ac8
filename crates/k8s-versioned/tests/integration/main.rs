//! Tests of the crate from outside, in one program: what they share is linked once.

#![allow(clippy::expect_used, reason = "a test may fail by panicking")]

mod fields_v1;
mod kinds;
mod properties;
mod syntax;
mod values;
