//! The step of the rule `pattern`, as data: the members of each version, and their forms.

use super::field_ref::{FieldRef, Paths};
use crate::plan::ItemPath;

/// `pattern`
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    /// Its name in the generated code.
    pub(crate) name: String,
    /// The path of the object in every version.
    pub(crate) around: Paths,
    /// The members in every version.
    pub(crate) sides: Vec<PatternSide>,
    /// The forms of members that say the same, by version.
    pub(crate) same: Vec<Vec<(String, FormMembers)>>,
    /// The versions of the source and of the target.
    pub(crate) versions: (String, String),
    /// The types of the object in these.
    pub(crate) objects: (ItemPath, ItemPath),
}

impl Pattern {
    /// The members of a version.
    pub(crate) fn fields(&self, version: &str) -> &[FieldRef] {
        let side = self.sides.iter().find(|side| side.version == version);
        side.map(|side| side.fields.as_slice()).unwrap_or_default()
    }
}

/// The members of a version that patterns are about.
#[derive(Clone, Debug)]
pub(crate) struct PatternSide {
    /// The version.
    pub(crate) version: String,
    /// The place under which they are kept.
    pub(crate) kept: Paths,
    /// The members.
    pub(crate) fields: Vec<FieldRef>,
}

/// Members with their forms.
pub(crate) type FormMembers = Vec<(String, Form)>;

/// The form of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Any value, as this variable.
    Variable(String),
    /// A text of several pieces.
    Joined(Vec<Piece>),
    /// This text.
    Text(String),
    /// This number.
    Number(i64),
    /// This boolean.
    Flag(bool),
    /// A list of items with these forms.
    List(Vec<Self>),
    /// A list of any number of items with this form.
    Each(Box<Self>),
    /// An object with exactly these members.
    Object(FormMembers),
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This text.
    Literal(String),
    /// A variable.
    Variable(String),
}
