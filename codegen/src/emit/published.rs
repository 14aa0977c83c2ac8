//! The schemas of custom resources as servers publish them, but with the names of Rust, with the descriptions for which the
//! rules ask, and without those that servers add to every object. They have megabytes, so they are changed while they are
//! written.

use serde::{Serialize, Serializer};
use serde_json::Value;

use crate::spec::REFERENCE;

/// A schema, or a part of one.
#[derive(Clone, Copy)]
pub(super) struct Published<'a> {
    value: &'a Value,
    part: Part,
    /// The path of the type of the metadata, to which the schemas of custom resources refer.
    metadata: &'a str,
    /// Whether the descriptions of the documents stay.
    has_prose: bool,
}

/// A part of a schema.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    /// The schema of a kind, which is an object with the fields of every object.
    Kind,
    Schema,
    /// The schema of a field that every object has.
    Added,
    /// Schemas that are combined.
    Schemas,
    /// The schemas of the fields of an object. Fields can have the names of keywords.
    Properties,
    /// The schemas of the fields of an object that has the fields of every object.
    ObjectProperties,
    /// The value of any other keyword.
    Other,
    OtherProperties,
    /// The name of the type of the metadata.
    Reference,
    /// A value of the type that the schema describes.
    Literal,
}

impl<'a> Published<'a> {
    /// The schema of a kind.
    pub(super) fn kind(value: &'a Value, metadata: &'a str, has_prose: bool) -> Self {
        Self { value, part: Part::Kind, metadata, has_prose }
    }

    /// The schema of a part of a kind.
    pub(super) fn part(value: &'a Value, metadata: &'a str, has_prose: bool) -> Self {
        Self { value, part: Part::Schema, metadata, has_prose }
    }

    /// Returns `true` if a member is written.
    fn has(&self, key: &str, value: &Value) -> bool {
        key != "description"
            || match self.part {
                Part::Added => false,
                Part::Kind | Part::Schema => self.has_prose || !value.is_string(),
                _ => true,
            }
    }

    /// The part that a member is.
    fn part_of(&self, key: &str, value: &Value) -> Part {
        let is_schema = matches!(self.part, Part::Kind | Part::Schema | Part::Added);
        match (self.part, key, value) {
            (Part::Literal, ..) => Part::Literal,
            (Part::ObjectProperties, "apiVersion" | "kind" | "metadata", _) => Part::Added,
            (Part::Properties | Part::ObjectProperties, ..) => Part::Schema,
            (Part::OtherProperties, ..) => Part::Other,
            (_, "$ref", Value::String(name)) if name.starts_with(REFERENCE) => Part::Reference,
            (_, "default" | "example" | "enum", _) => Part::Literal,
            (_, "properties", Value::Object(_)) if !is_schema => Part::OtherProperties,
            (_, "properties", Value::Object(_)) if self.is_object() => Part::ObjectProperties,
            (_, "properties", Value::Object(_)) => Part::Properties,
            (_, "items" | "additionalProperties" | "not", Value::Object(_)) if is_schema => {
                Part::Schema
            }
            (_, "allOf" | "anyOf" | "oneOf", Value::Array(_)) if is_schema => Part::Schemas,
            _ => Part::Other,
        }
    }

    fn is_object(&self) -> bool {
        self.part == Part::Kind || self.value.get("x-kubernetes-embedded-resource").is_some()
    }
}

impl Serialize for Published<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.value {
            _ if self.part == Part::Reference => serializer.serialize_str(self.metadata),
            Value::Object(members) => {
                let members = members.iter().filter(|(key, value)| self.has(key, value));
                // The maps of `serde_json` are in this order unless some crate of the program wants another one.
                let mut members: Vec<_> = members.collect();
                members.sort_unstable_by_key(|(key, _)| *key);
                serializer.collect_map(members.into_iter().map(|(key, value)| {
                    let part = self.part_of(key, value);
                    (key, Self { value, part, ..*self })
                }))
            }
            Value::Array(items) => {
                let part = match self.part {
                    Part::Literal => Part::Literal,
                    Part::Schemas => Part::Schema,
                    _ => Part::Other,
                };
                serializer.collect_seq(items.iter().map(|value| Self { value, part, ..*self }))
            }
            other => other.serialize(serializer),
        }
    }
}
