//! Schemas as types, and their fields: of one document, or merged over all releases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use strum::{Display, EnumString, VariantNames};

use super::{Merge, Releases};
use crate::Place;

/// A schema with a name.
#[derive(Clone, Debug)]
pub struct Type {
    /// The place in the documents of the newest release.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// Its values.
    pub body: TypeBody,
    /// The kinds that an object of this type can be, over all releases.
    pub kinds: BTreeSet<GroupVersionKind>,
    /// The rules by which its values merge.
    pub merge: Merge,
}

/// The values of a type.
#[derive(Clone, Debug)]
pub enum TypeBody {
    /// An object with known fields, by their names in JSON.
    Struct(BTreeMap<String, Field>),
    /// A name for a value.
    Value(Value),
}

impl fmt::Display for TypeBody {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Struct(_) => f.write_str("an object with fields"),
            Self::Value(value) => value.fmt(f),
        }
    }
}

impl Type {
    /// The fields; none if the type is no struct.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &Field)> {
        let fields = match &self.body {
            TypeBody::Struct(fields) => Some(fields),
            TypeBody::Value(_) => None,
        };
        fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
    }

    /// The fields that the newest release requires, in its order.
    pub fn required_now(&self) -> Vec<&str> {
        let newest = self.releases.last();
        let required =
            |field: &Field| newest.is_some_and(|newest| field.required_in.contains(newest));
        let mut fields: Vec<_> = self.fields().filter(|(_, field)| required(field)).collect();
        fields.sort_by_key(|(_, field)| field.rank);
        fields.into_iter().map(|(name, _)| name).collect()
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields().find(|(other, _)| *other == name).map(|(_, field)| field)
    }
}

/// One field of a struct.
#[derive(Clone, Debug)]
pub struct Field {
    /// The place in the documents of the newest release.
    pub place: Place,
    /// The releases that have it.
    pub releases: Releases,
    /// The releases that require it.
    pub required_in: Releases,
    /// Its place among the required fields, by the first release that requires it.
    pub rank: usize,
    /// Its values.
    pub value: Value,
    /// The default.
    pub default: Option<DefaultValue>,
    /// The default of items in the newest release. It has no effect: items are never absent.
    pub item_default: Option<DefaultValue>,
    /// The rules by which its values merge, in the newest release.
    pub merge: Merge,
}

impl Field {
    /// Tells if any release requires it.
    pub fn required(&self) -> bool {
        self.required_in.first().is_some()
    }
}

/// The values of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Text.
    String,
    /// A point in time as text (`format: date-time`).
    DateTime,
    /// A whole number.
    Integer(Width),
    /// A number with a fraction.
    Number,
    /// `true` or `false`.
    Boolean,
    /// An object whose members the documents do not state.
    Opaque,
    /// A list.
    List(Box<Value>),
    /// A map from strings.
    Map(Box<Value>),
    /// The schema of this full name.
    Reference(String),
}

impl Value {
    /// The schema that the value, or its items, are of.
    pub(super) fn reference(&self) -> Option<&str> {
        match self {
            Self::Reference(name) => Some(name),
            Self::List(inner) | Self::Map(inner) => inner.reference(),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String => f.write_str("string"),
            Self::DateTime => f.write_str("date-time"),
            Self::Integer(width) => width.fmt(f),
            Self::Number => f.write_str("double"),
            Self::Boolean => f.write_str("boolean"),
            Self::Opaque => f.write_str("object"),
            Self::List(item) => write!(f, "list of {item}"),
            Self::Map(value) => write!(f, "map of {value}"),
            Self::Reference(name) => f.write_str(name.rsplit('.').next().unwrap_or(name)),
        }
    }
}

/// The size of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, EnumString, VariantNames)]
pub enum Width {
    /// 32 bits.
    #[strum(serialize = "int32")]
    I32,
    /// 64 bits.
    #[strum(serialize = "int64")]
    I64,
}

/// The default of a field or type. The documents of this group have only zero values as defaults, and the generated
/// types rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefaultValue {
    /// `{}`
    EmptyObject,
    /// `""`
    EmptyString,
    /// `false`
    False,
    /// `0`
    Zero,
}

impl fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::EmptyObject => "{}",
            Self::EmptyString => "\"\"",
            Self::False => "false",
            Self::Zero => "0",
        })
    }
}

/// A kind of object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct GroupVersionKind {
    /// The group, empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}

impl GroupVersionKind {
    /// The group and the version, as objects state them.
    pub fn api_version(&self) -> String {
        match self.group.as_str() {
            "" => self.version.clone(),
            group => format!("{group}/{}", self.version),
        }
    }
}
