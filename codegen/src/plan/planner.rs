//! The input of the plan of the items, and its results so far.

use litemap::LiteMap;

use super::inline_types::TypeNames;
use super::placement::Placements;
use super::rust_items::{ItemPath, OpenEnum};
use crate::Problems;
use crate::model::Model;
use crate::rules::{Empty, Rules};
use crate::spec::Type;

pub(super) struct Planner<'a> {
    pub(super) model: &'a Model,
    pub(super) rules: &'a Rules,
    /// The lists of the model.
    pub(super) lists: Lists<'a>,
    pub(super) placements: &'a Placements,
    /// The rules about empty values, by the full names of fields.
    pub(super) fields: LiteMap<&'a str, Empty>,
    /// The open enums of the rules, by the full names of fields.
    pub(super) words: LiteMap<&'a str, ItemPath>,
    /// The open enums of words that the documents state.
    pub(super) open_enums: Vec<OpenEnum>,
    /// The names of types that have none in the documents.
    pub(super) names: TypeNames,
    pub(super) problems: Problems,
}

/// The types of lists, by the schemas of their items.
pub(super) type Lists<'a> = LiteMap<&'a str, (&'a str, &'a Type)>;
