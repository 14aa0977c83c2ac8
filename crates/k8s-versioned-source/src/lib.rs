#![doc = include_str!("../README.md")]

mod content;
mod definitions;
mod error;
mod go;
mod json;
mod objects;
mod read;
mod tree;
mod yaml;

pub use content::{Content, JsonContents, Piece, json_contents};
pub use error::{Cause, Error, Errors};
pub use objects::Object;
pub use read::{Documents, Limits, documents, json};
pub use tree::{Kind, Member, NodeId, Position, Positions, Tree, Value, number};
pub use yaml::YamlList;
