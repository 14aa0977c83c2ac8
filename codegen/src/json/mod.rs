//! JSON text to values that know their place in the text.
//!
//! `serde_json` checks the syntax. This module adds places and the order of members, and refuses duplicate keys and
//! deep nesting.

mod cursor;
mod parse;

use std::ops::Range;

pub use cursor::{Cursor, Fields};
pub(crate) use parse::LARGEST;
pub use parse::parse;

// The values.

/// A value and the bytes of the text that it was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The bytes of the text.
    pub span: Range<usize>,
    /// The value.
    pub value: Value,
}

/// A JSON value; members keep their order.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string.
    String(String),
    /// An array.
    Array(Vec<Node>),
    /// An object.
    Object(Vec<Member>),
}

/// One member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// Its name.
    pub key: String,
    /// Its value.
    pub node: Node,
}

impl Node {
    /// The value without its places.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.value {
            Value::Null => serde_json::Value::Null,
            Value::Bool(bool) => (*bool).into(),
            Value::Number(text) => serde_json::from_str(text).unwrap_or_default(),
            Value::String(text) => text.as_str().into(),
            Value::Array(items) => items.iter().map(Self::to_json).collect(),
            Value::Object(members) => {
                members.iter().map(|member| (member.key.clone(), member.node.to_json())).collect()
            }
        }
    }
}

impl Value {
    /// The kind of value, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}
