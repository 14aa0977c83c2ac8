#![doc = include_str!("../README.md")]

#[rustfmt::skip]
#[allow(missing_docs, reason = "the CustomResourceDefinition has no descriptions")]
mod generated;
pub mod server;

pub use generated::*;
