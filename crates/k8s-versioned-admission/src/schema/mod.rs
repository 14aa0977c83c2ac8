//! The structural schema of a kind, compiled once: patterns, formats and defaults are ready, and each part knows what
//! the parts below it need.

mod check;
mod number;
mod properties;
mod read;

use serde_json::Value;

use crate::formats::Format;
use crate::regex::{Pattern, PatternError};
use properties::Properties;

pub(crate) use check::{Findings, Judge};
pub use read::SchemaError;

/// A schema of a definition (`openAPIV3Schema`), or a part of it.
#[allow(clippy::struct_excessive_bools, reason = "each is a keyword")]
#[derive(Debug, Default)]
pub struct Schema {
    pub(crate) types: Types,
    pub(crate) nullable: bool,
    pub(crate) format: Option<NamedFormat>,
    pub(crate) enumeration: Vec<Value>,
    pub(crate) number: number::Limits,
    pub(crate) text: TextLimits,
    pub(crate) items: Option<Box<Schema>>,
    pub(crate) item_count: CountLimits,
    pub(crate) unique_items: bool,
    pub(crate) properties: Properties,
    pub(crate) additional: Additional,
    pub(crate) property_count: CountLimits,
    pub(crate) required: Vec<String>,
    pub(crate) all_of: Vec<Schema>,
    pub(crate) any_of: Vec<Schema>,
    pub(crate) one_of: Vec<Schema>,
    pub(crate) not: Option<Box<Schema>>,
    /// `x-kubernetes-preserve-unknown-fields`
    pub(crate) preserves: bool,
    /// `x-kubernetes-embedded-resource`
    pub(crate) embedded: bool,
    pub(crate) list_type: ListType,
    pub(crate) map_keys: Vec<String>,
    /// Returns `true` for `x-kubernetes-map-type: atomic`.
    pub(crate) atomic_map: bool,
    pub(crate) default: Option<Value>,
    /// Returns `true` if values have a type and nothing else is asked of one that is not a list or an object.
    pub(crate) is_plain: bool,
    /// What is in this schema or below it.
    pub(crate) below: Below,
}

/// The parts of a schema that a step looks for. A step skips values whose schema has none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Below {
    pub(crate) defaults: bool,
    pub(crate) embedded: bool,
    /// Lists that are sets or maps.
    pub(crate) keyed_lists: bool,
}

impl Below {
    pub(crate) const fn and(self, other: Self) -> Self {
        Self {
            defaults: self.defaults || other.defaults,
            embedded: self.embedded || other.embedded,
            keyed_lists: self.keyed_lists || other.keyed_lists,
        }
    }
}

/// The types that a schema allows, in the order of the message; none allows every type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Types(&'static [&'static str]);

impl Types {
    pub(crate) const INT_OR_STRING: Self = Self(&["integer", "string"]);

    pub(crate) fn named(name: &str) -> Option<Self> {
        const NAMES: [&[&str]; 6] =
            [&["object"], &["array"], &["string"], &["integer"], &["number"], &["boolean"]];
        NAMES.into_iter().find(|names| names.contains(&name)).map(Self)
    }

    pub(crate) fn contains(self, name: &str) -> bool {
        self.0.contains(&name)
    }

    pub(crate) const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// The type, if it is the only one; otherwise empty.
    pub(crate) const fn only(self) -> &'static str {
        match self.0 {
            [one] => one,
            _ => "",
        }
    }

    pub(crate) fn text(self) -> String {
        self.0.join(",")
    }
}

/// A format that servers know, with the check of its texts. Formats of numbers have none.
#[derive(Debug)]
pub(crate) struct NamedFormat {
    pub(crate) name: String,
    pub(crate) check: Option<Format>,
}

#[derive(Debug, Default)]
pub(crate) struct TextLimits {
    pub(crate) most: Option<i64>,
    pub(crate) least: Option<i64>,
    pub(crate) pattern: Option<TextPattern>,
}

/// A pattern as it was written, and compiled; or why it does not compile. A pattern that is too large for this package
/// fits every text, and answers say so.
#[derive(Debug)]
pub(crate) struct TextPattern {
    pub(crate) source: String,
    pub(crate) compiled: Result<Pattern, PatternError>,
}

/// The least and the most items.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct CountLimits {
    pub(crate) least: Option<i64>,
    pub(crate) most: Option<i64>,
}

/// What a schema says about keys that it does not list.
#[derive(Debug, Default)]
pub(crate) enum Additional {
    /// Nothing: they are unknown fields.
    #[default]
    Unknown,
    /// `true` or `false`.
    Allowed(bool),
    Schema(Box<Schema>),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ListType {
    #[default]
    None,
    Atomic,
    Set,
    Map,
}

impl Schema {
    /// Returns `true` if nothing but its type is asked of a text or a truth value, and it has that type. Row: answer.
    pub(crate) fn plainly_fits(&self, value: &Value) -> bool {
        let has_type = match value {
            Value::String(_) => matches!(self.types.0, ["string"]),
            Value::Bool(_) => matches!(self.types.0, ["boolean"]),
            _ => false,
        };
        has_type && self.is_plain
    }

    /// The schema of a member, and whether it is a listed one.
    pub(crate) fn member(&self, name: &str) -> Member<'_> {
        match (self.properties.get(name), &self.additional) {
            (Some(schema), _) => Member::Listed(schema),
            (None, Additional::Unknown) => Member::Unknown,
            (None, Additional::Allowed(_)) => Member::Additional(None),
            (None, Additional::Schema(schema)) => Member::Additional(Some(schema)),
        }
    }
}

/// What a schema says about a member of an object.
pub(crate) enum Member<'a> {
    Listed(&'a Schema),
    Additional(Option<&'a Schema>),
    Unknown,
}

impl<'a> Member<'a> {
    /// The schema of the member, if there is one.
    pub(crate) const fn schema(&self) -> Option<&'a Schema> {
        match self {
            Self::Listed(schema) => Some(schema),
            Self::Additional(schema) => *schema,
            Self::Unknown => None,
        }
    }
}
