//! Schemas as the documents state them.

use crate::Place;

/// A schema with a name of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Where it stands.
    pub place: Place,
    /// What values it describes.
    pub body: SchemaBody,
    /// How server-side apply and patches merge values.
    pub merge: Merge,
    /// The kinds that an object of this schema can be.
    pub kinds: Vec<GroupVersionKind>,
}

/// What values a schema describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SchemaBody {
    /// An object with known fields.
    Struct(Vec<Property>),
    /// Anything else.
    Value(Value),
}

/// One field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Where it stands.
    pub place: Place,
    /// Its name in JSON.
    pub name: String,
    /// What it holds.
    pub value: Value,
    /// Its place among the fields that the document requires, if it does.
    pub required: Option<usize>,
    /// What stands for its absence.
    pub default: Option<DefaultValue>,
    /// What the document states for absent items of a list or map, although there are none.
    pub item_default: Option<DefaultValue>,
    /// How server-side apply and patches merge values.
    pub merge: Merge,
}

/// What a field holds.
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
    /// An object of which the documents say nothing.
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

/// The size of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
}

/// What stands for an absent value. Upstream's documents state nothing but zero values for this, and the
/// generated types rely on it.
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

impl std::fmt::Display for DefaultValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::EmptyObject => "{}",
            Self::EmptyString => "\"\"",
            Self::False => "false",
            Self::Zero => "0",
        })
    }
}

/// How server-side apply and strategic merge patches treat a list or map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Merge {
    /// `x-kubernetes-list-type`
    pub list_type: Option<ListType>,
    /// `x-kubernetes-list-map-keys`
    pub list_map_keys: Vec<String>,
    /// `x-kubernetes-map-type`
    pub map_type: Option<MapType>,
    /// `x-kubernetes-patch-strategy`
    pub patch_strategy: Option<String>,
    /// `x-kubernetes-patch-merge-key`
    pub patch_merge_key: Option<String>,
}

/// How the items of a list are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListType {
    /// Not at all: the list has one owner.
    Atomic,
    /// By their values.
    Set,
    /// By their keys.
    Map,
}

/// Whether the fields of a map or struct have owners of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapType {
    /// No: it has one owner.
    Atomic,
    /// Yes.
    Granular,
}

/// A kind of object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroupVersionKind {
    /// The group, empty for the core group.
    pub group: String,
    /// The version.
    pub version: String,
    /// The kind.
    pub kind: String,
}
