//! `left-out.toml`: what the documents have and Rust does not, each with the reason.

use serde::Deserialize;

use super::toml_file::{Text, optional, place};
use crate::problem::{Cause, Place};
use crate::{Files, Problems};

const FILE: &str = "left-out.toml";

/// What is left out.
#[derive(Clone, Debug, Default)]
pub struct LeftOut {
    /// Fields that no server-side apply can hold, by their full names.
    pub fields: Vec<Named>,
    /// Parameters that programs cannot give.
    pub parameters: Vec<Named>,
}

/// The name of something that is left out.
#[derive(Clone, Debug)]
pub struct Named {
    /// Where the rule stands.
    pub place: Place,
    /// The name.
    pub name: String,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    field: Vec<Entry>,
    #[serde(default)]
    parameter: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    name: Text,
    reason: Text,
}

pub(super) fn read(specs: &Files) -> Result<LeftOut, Problems> {
    let file: File = optional(specs, FILE)?;
    let mut problems = Problems::new();
    let mut named = |entry: Entry| {
        if entry.reason.get_ref().trim().is_empty() {
            problems.push(place(FILE, &entry.reason), Cause::NoReason);
        }
        Named { place: place(FILE, &entry.name), name: entry.name.into_inner() }
    };
    let fields = file.field.into_iter().map(&mut named).collect();
    let parameters = file.parameter.into_iter().map(&mut named).collect();
    problems.or(LeftOut { fields, parameters })
}
