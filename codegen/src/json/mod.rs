//! JSON text to values that know their place in the text.
//!
//! `serde_json` checks the syntax. This module adds places and the order of members, and refuses duplicate keys and
//! deep nesting.

mod cursor;
mod node;
mod parse;

pub use cursor::{Cursor, Fields};
pub use node::{Member, Node, Value};
pub(crate) use parse::LARGEST;
pub use parse::parse;
