//! `fields.toml`: what the documents cannot tell about single fields.

use serde::Deserialize;

use super::toml_file::{Text, optional, place};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "fields.toml";

/// An exception for one field.
#[derive(Clone, Debug)]
pub struct FieldRule {
    /// Where the rule stands.
    pub place: Place,
    /// The full name of the field.
    pub field: String,
    /// What servers do when the list or map is empty.
    pub empty: Empty,
}

/// What servers do with an empty list or map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
    /// They leave it out, although the documents require it.
    Omitted,
    /// They tell it from an absent one, although the documents do not require it.
    Kept,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    field: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    field: Text,
    empty: Empty,
    reason: Text,
}

pub(super) fn read(specs: &Files) -> Result<Vec<FieldRule>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let rules = file.field.into_iter().map(|entry| {
        if entry.reason.get_ref().trim().is_empty() {
            problems.push(place(FILE, &entry.reason), Cause::NoReason);
        }
        FieldRule {
            place: place(FILE, &entry.field),
            field: entry.field.into_inner(),
            empty: entry.empty,
        }
    });
    let rules = rules.collect();
    problems.or(rules)
}
