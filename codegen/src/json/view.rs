//! A value that a cursor reads.

use std::ops::Range;

use serde_json::{Map, Value};
use strum::IntoStaticStr;

use super::{Node, NodeValue};

/// A value of a text, or one that was never text: its places have no bytes.
#[derive(Clone, Copy, Debug)]
pub enum View<'a> {
    /// A value of a text.
    Node(&'a Node<'a>),
    /// A value that was never text.
    Value(&'a Value),
}

/// The kind of a value. As text, it is in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum Kind {
    /// `null`
    #[strum(serialize = "null")]
    Null,
    /// `true` or `false`
    #[strum(serialize = "a boolean")]
    Bool,
    /// A number.
    #[strum(serialize = "a number")]
    Number,
    /// A string.
    #[strum(serialize = "a string")]
    String,
    /// An array.
    #[strum(serialize = "an array")]
    Array,
    /// An object.
    #[strum(serialize = "an object")]
    Object,
}

impl<'a> View<'a> {
    /// The bytes of the text.
    pub fn span(self) -> Range<usize> {
        match self {
            Self::Node(node) => node.span.clone(),
            Self::Value(_) => 0..0,
        }
    }

    /// The value without its places.
    pub fn to_json(self) -> Value {
        match self {
            Self::Node(node) => node.to_json(),
            Self::Value(value) => value.clone(),
        }
    }

    /// The kind of the value.
    pub fn kind(self) -> Kind {
        match self {
            Self::Node(node) => match node.value {
                NodeValue::Null => Kind::Null,
                NodeValue::Bool(_) => Kind::Bool,
                NodeValue::Number(_) => Kind::Number,
                NodeValue::String(_) => Kind::String,
                NodeValue::Array(_) => Kind::Array,
                NodeValue::Object(_) => Kind::Object,
            },
            Self::Value(value) => match value {
                Value::Null => Kind::Null,
                Value::Bool(_) => Kind::Bool,
                Value::Number(_) => Kind::Number,
                Value::String(_) => Kind::String,
                Value::Array(_) => Kind::Array,
                Value::Object(_) => Kind::Object,
            },
        }
    }

    /// The text of a string.
    pub fn string(self) -> Option<&'a str> {
        match self {
            Self::Node(Node { value: NodeValue::String(text), .. }) => Some(text),
            Self::Value(value) => value.as_str(),
            Self::Node(_) => None,
        }
    }

    /// `true` or `false`.
    pub fn bool(self) -> Option<bool> {
        match self {
            Self::Node(Node { value: NodeValue::Bool(bool), .. }) => Some(*bool),
            Self::Value(value) => value.as_bool(),
            Self::Node(_) => None,
        }
    }

    /// The items of an array.
    pub fn items(self) -> Option<impl Iterator<Item = Self>> {
        let (nodes, values): (&[Node<'a>], &[Value]) = match self {
            Self::Node(Node { value: NodeValue::Array(nodes), .. }) => (nodes, &[]),
            Self::Value(Value::Array(values)) => (&[], values),
            _ => return None,
        };
        Some(nodes.iter().map(Self::Node).chain(values.iter().map(Self::Value)))
    }

    /// The members of an object.
    pub fn members(self) -> Option<impl Iterator<Item = (&'a str, Self)>> {
        let (nodes, values) = match self {
            Self::Node(Node { value: NodeValue::Object(members), .. }) => (&members[..], None),
            Self::Value(Value::Object(members)) => (&[][..], Some(members)),
            _ => return None,
        };
        let nodes = nodes.iter().map(|it| (it.key.as_ref(), Self::Node(&it.node)));
        let values = values.into_iter().flat_map(Map::iter);
        Some(nodes.chain(values.map(|(key, value)| (key.as_str(), Self::Value(value)))))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::{Value, View};
    use crate::json::parse;

    #[test]
    fn a_value_is_what_its_text_is() {
        let text = br#"{"a": [null, true, 1, 1.5, "b", {}], "c": {"d": ""}}"#;
        let node = parse(&Arc::from("a.json"), text).unwrap();
        assert_same(View::Node(&node), View::Value(&node.to_json()));
    }

    fn assert_same(node: View<'_>, value: View<'_>) {
        assert_eq!(node.to_json(), value.to_json());
        assert_eq!(node.kind(), value.kind());
        assert_eq!((node.string(), node.bool()), (value.string(), value.bool()));
        let items = |view: View<'_>| view.items().map(Iterator::count);
        assert_eq!(items(node), items(value));
        let members = |view: View<'_>| view.members().map(Iterator::count);
        assert_eq!(members(node), members(value));
        let pairs = node.items().into_iter().flatten().zip(value.items().into_iter().flatten());
        pairs.for_each(|(node, value)| assert_same(node, value));
        let pairs = node.members().into_iter().flatten().zip(value.members().into_iter().flatten());
        pairs.for_each(|((name, node), (key, value))| {
            assert_eq!(name, key);
            assert_same(node, value);
        });
    }

    #[test]
    fn numbers_are_exact() {
        let node = parse(&Arc::from("a.json"), b"9.223372036854775e18").unwrap();
        assert_eq!(node.to_json(), Value::from(9.223_372_036_854_775e18));
    }
}
