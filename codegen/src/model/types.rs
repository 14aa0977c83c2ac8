//! Types and their fields.

use std::collections::{BTreeMap, BTreeSet};

use super::Releases;
use crate::Place;
use crate::spec::{Default, GroupVersionKind, Merge, Width};

/// A named schema, over all releases.
#[derive(Clone, Debug)]
pub struct Type {
    /// Where the newest release states it.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// What it is.
    pub body: TypeBody,
    /// The kinds that an object of this type can be, over all releases.
    pub kinds: BTreeSet<GroupVersionKind>,
    /// How its values are merged.
    pub merge: Merge,
}

/// What a type is.
#[derive(Clone, Debug)]
pub enum TypeBody {
    /// An object with known fields, by their names in JSON.
    Struct(BTreeMap<String, Field>),
    /// A name for a value.
    Value(Value),
}

impl Type {
    /// The fields; none if the type is no struct.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        let fields = match &self.body {
            TypeBody::Struct(fields) => Some(fields),
            TypeBody::Value(_) => None,
        };
        fields
            .into_iter()
            .flatten()
            .map(|(name, field)| (name.as_str(), field))
    }
}

/// One field of a struct, over all releases.
#[derive(Clone, Debug)]
pub struct Field {
    /// Where the newest release states it.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// The releases that require it.
    pub required_in: Releases,
    /// Its place among the required fields, by the newest release that requires it.
    pub rank: usize,
    /// What it holds.
    pub value: Value,
    /// What stands for its absence.
    pub default: Option<Default>,
    /// What the newest release states for absent items, although there are none.
    pub item_default: Option<Default>,
    /// How its values are merged, by the newest release.
    pub merge: Merge,
}

impl Field {
    /// Whether any release requires it.
    pub fn required(&self) -> bool {
        self.required_in.first().is_some()
    }
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    String,
    /// A point in time as text.
    DateTime,
    /// A whole number.
    Integer(Width),
    /// A number with a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object of which the documents say nothing.
    Opaque,
    /// A list.
    List(Box<Value>),
    /// A map from strings.
    Map(Box<Value>),
    /// The type of this full name.
    Reference(String),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::String => f.write_str("string"),
            Self::DateTime => f.write_str("date-time"),
            Self::Integer(Width::I32) => f.write_str("int32"),
            Self::Integer(Width::I64) => f.write_str("int64"),
            Self::Number => f.write_str("double"),
            Self::Boolean => f.write_str("boolean"),
            Self::Opaque => f.write_str("object"),
            Self::List(item) => write!(f, "list of {item}"),
            Self::Map(value) => write!(f, "map of {value}"),
            Self::Reference(name) => f.write_str(name.rsplit('.').next().unwrap_or(name)),
        }
    }
}
