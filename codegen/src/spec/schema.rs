//! Schemas as the documents state them.

use crate::Place;

/// A schema, of a type or of a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Where it stands.
    pub place: Place,
    /// What values it describes.
    pub shape: Shape,
    /// What stands for an absent value.
    pub default: Option<Default>,
    /// How server-side apply and patches merge values.
    pub merge: Merge,
    /// The kinds that an object of this schema can be.
    pub kinds: Vec<GroupVersionKind>,
}

/// What values a schema describes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
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
    /// A list of items.
    List(Box<Schema>),
    /// A map from strings.
    Map(Box<Schema>),
    /// An object with known fields.
    Struct(Vec<Property>),
    /// An object of which the document says nothing.
    Opaque,
    /// The schema of this full name.
    Reference(String),
}

/// The size of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// 32 bits.
    I32,
    /// 64 bits.
    I64,
}

/// One field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// Its name in JSON.
    pub name: String,
    /// Its schema.
    pub schema: Schema,
    /// Its place among the fields that the document requires, if it does.
    pub required: Option<usize>,
}

/// What stands for an absent value. Upstream's documents state nothing but zero values for this, and the
/// generated types rely on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// `{}`
    EmptyObject,
    /// `""`
    EmptyString,
    /// `false`
    False,
    /// `0`
    Zero,
}

impl std::fmt::Display for Default {
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
#[derive(Clone, Debug, std::default::Default, PartialEq, Eq)]
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
