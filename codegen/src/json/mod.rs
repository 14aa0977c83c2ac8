//! JSON text to values that know where in the text they stand.
//!
//! `serde_json` reads each level; what is added here are places, the order of members, and the refusal of
//! duplicate keys and of bottomless nesting.

mod cursor;
mod node;
mod parse;

pub use cursor::{Cursor, Fields};
pub use node::{Member, Node, Value};
pub use parse::parse;
