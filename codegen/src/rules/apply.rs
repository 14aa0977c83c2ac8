//! `apply.toml`: fields that no server-side apply can hold.

use serde::Deserialize;

use super::toml_file::{Text, optional, place};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "apply.toml";

/// A field that no apply can hold.
#[derive(Clone, Debug)]
pub struct LeftOut {
    /// Where the rule stands.
    pub place: Place,
    /// The full name of the field.
    pub field: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    #[serde(default)]
    left_out: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    field: Text,
    reason: Text,
}

pub(super) fn read(specs: &Files) -> Result<Vec<LeftOut>, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let rules = file.left_out.into_iter().map(|entry| {
        if entry.reason.get_ref().trim().is_empty() {
            problems.push(place(FILE, &entry.reason), Cause::NoReason);
        }
        LeftOut {
            place: place(FILE, &entry.field),
            field: entry.field.into_inner(),
        }
    });
    let rules = rules.collect();
    problems.or(rules)
}
