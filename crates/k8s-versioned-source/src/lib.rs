#![doc = include_str!("../README.md")]

mod content;
mod definitions;
mod error;
mod found;
mod json;
mod limits;
mod list_kind;
mod list_mode;
mod member_index;
mod objects;
mod paths;
mod read;
mod tree;
mod yaml;

pub use content::{Content, JsonContents, ListPiece, json_contents};
pub use error::{Error, Errors, ReadCause};
pub use limits::ReadLimits;
pub use member_index::MemberIndex;
pub use objects::DocumentObject;
pub use read::{DocumentReader, documents, json};
pub use tree::{Member, NodeId, Position, Positions, Tree, TreeValue, ValueKind};
pub use yaml::YamlList;
