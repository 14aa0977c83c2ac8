#![doc = include_str!("../README.md")]

mod content;
mod definitions;
mod error;
mod go;
mod json;
mod limits;
mod objects;
mod read;
mod tree;
mod yaml;

pub use content::{Content, JsonContents, Piece, json_contents};
pub use error::{Cause, Error, Errors};
pub use limits::Limits;
pub use objects::Object;
pub use read::{Documents, documents, json};
pub use tree::{Kind, Member, NodeId, Position, Positions, Tree, Value, number};
pub use yaml::YamlList;
