//! A part of a definition after the types were checked.

use serde_json::{Map, Value};

/// An object of a definition, after decoding. Absent fields have the zero value of Go.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part<'a>(pub(super) &'a Map<String, Value>);

/// The keywords of plain schemas, the most frequent first.
const PLAIN: [&str; 13] = [
    "description",
    "type",
    "properties",
    "items",
    "required",
    "format",
    "additionalProperties",
    "enum",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "nullable",
];

impl<'a> Part<'a> {
    /// The object, if the value is one.
    pub(super) fn from_value(value: &'a Value) -> Option<Self> {
        value.as_object().map(Self)
    }

    pub(super) fn get(self, name: &str) -> Option<&'a Value> {
        self.0.get(name).filter(|value| !value.is_null())
    }

    pub(super) fn has(self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// A text; empty if it is absent.
    pub(super) fn text(self, name: &str) -> &'a str {
        self.get(name).and_then(Value::as_str).unwrap_or_default()
    }

    /// A text that can be absent.
    pub(super) fn optional(self, name: &str) -> Option<&'a str> {
        self.get(name).and_then(Value::as_str)
    }

    /// Returns `true` if the field is `true`.
    pub(super) fn is(self, name: &str) -> bool {
        self.get(name) == Some(&Value::Bool(true))
    }

    pub(super) fn number(self, name: &str) -> Option<f64> {
        self.get(name).and_then(Value::as_f64)
    }

    pub(super) fn list(self, name: &str) -> &'a [Value] {
        self.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
    }

    pub(super) fn texts(self, name: &str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.list(name).iter().filter_map(Value::as_str)
    }

    /// An object; also the only schema of `items` and of `additionalProperties`.
    pub(super) fn part(self, name: &str) -> Option<Self> {
        self.get(name).and_then(Self::from_value)
    }

    /// The objects of a list, or the list of `items`.
    pub(super) fn parts(self, name: &str) -> impl Iterator<Item = Self> + use<'a> {
        self.list(name).iter().filter_map(Self::from_value)
    }

    /// The objects of a map, by their keys.
    pub(super) fn map(self, name: &str) -> impl Iterator<Item = (&'a str, Self)> + use<'a> {
        let members = self.get(name).and_then(Value::as_object).into_iter().flatten();
        members.filter_map(|(key, value)| Some((key.as_str(), Self::from_value(value)?)))
    }

    /// A member of a map.
    pub(super) fn member(self, map: &str, key: &str) -> Option<Self> {
        self.get(map)?.get(key).and_then(Self::from_value)
    }

    /// The schemas in a schema that servers check.
    pub(super) fn below(self) -> impl Iterator<Item = Self> + use<'a> {
        let singles = ["not", "additionalProperties", "items"]
            .into_iter()
            .filter_map(move |name| self.part(name));
        let lists = ["allOf", "anyOf", "oneOf"].into_iter().flat_map(move |name| self.parts(name));
        singles.chain(lists).chain(self.map("properties").map(|(_, property)| property))
    }

    /// Returns `true` if it has one of these fields.
    pub(super) fn has_any(self, names: &[&str]) -> bool {
        self.0.keys().any(|name| names.contains(&name.as_str()))
    }

    /// Returns `true` for a schema that has only the most frequent keywords, for which there are few rules.
    pub(super) fn is_plain(self) -> bool {
        self.0.keys().all(|name| PLAIN.contains(&name.as_str()))
    }

    /// Returns `true` if a map or a list has members.
    pub(super) fn has_some(self, name: &str) -> bool {
        self.get(name).is_some_and(|value| match value {
            Value::Object(members) => !members.is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => false,
        })
    }
}
