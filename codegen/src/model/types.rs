//! Types and their fields.

use std::collections::{BTreeMap, BTreeSet};

use super::Releases;
use crate::Place;
use crate::spec::{DefaultValue, GroupVersionKind, Merge, Value};

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
        fields.into_iter().flatten().map(|(name, field)| (name.as_str(), field))
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
    /// Its place among the required fields, by the first release that requires it.
    pub rank: usize,
    /// What it holds.
    pub value: Value,
    /// What stands for its absence.
    pub default: Option<DefaultValue>,
    /// What the newest release states for absent items, although there are none.
    pub item_default: Option<DefaultValue>,
    /// How its values are merged, by the newest release.
    pub merge: Merge,
}

impl Field {
    /// Whether any release requires it.
    pub fn required(&self) -> bool {
        self.required_in.first().is_some()
    }
}
