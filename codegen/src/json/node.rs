//! The values.

use std::ops::Range;

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

/// A value that was never text: its places have no bytes.
impl From<serde_json::Value> for Node {
    fn from(value: serde_json::Value) -> Self {
        let value = match value {
            serde_json::Value::Null => Value::Null,
            serde_json::Value::Bool(bool) => Value::Bool(bool),
            serde_json::Value::Number(number) => Value::Number(number.to_string()),
            serde_json::Value::String(text) => Value::String(text),
            serde_json::Value::Array(items) => {
                Value::Array(items.into_iter().map(Self::from).collect())
            }
            serde_json::Value::Object(members) => {
                let member = |(key, value): (String, _)| Member { key, node: Self::from(value) };
                Value::Object(members.into_iter().map(member).collect())
            }
        };
        Self { span: 0..0, value }
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
