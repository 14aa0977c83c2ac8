#![doc = include_str!("../README.md")]

mod definitions;
mod error;
mod go;
mod json;
mod objects;
mod pointer;
mod read;
mod tree;
mod yaml;

pub use error::{Cause, Error, Errors};
pub use objects::Object;
pub use pointer::Pointer;
pub use read::{Documents, Limits, documents, json, json_values};
pub use tree::{Kind, Member, NodeId, Position, Tree, Value, number};
