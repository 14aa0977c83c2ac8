//! `fields.toml`: facts about single fields that the documents do not state.

use serde::Deserialize;

use crate::input::toml_file::{Layers, Placed, RuleFile, optional};
use crate::{Files, Problems};

/// An exception for one field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FieldRule {
    /// The full name of the field.
    pub(crate) field: Placed<Self>,
    /// The behaviour of servers when the value is empty or zero.
    pub(crate) empty: Empty,
    /// The evidence for the rule.
    pub(crate) reason: Placed<Self>,
}

impl RuleFile for FieldRule {
    const PATH: &'static str = "fields.toml";
}

/// The behaviour of servers with an empty or zero value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Empty {
    /// They leave it out, although the documents require it or state it as the default.
    Omitted,
    /// They distinguish it from an absent one, or write it although texts like it are left out.
    Kept,
    /// They write `null`.
    Null,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldsFile {
    #[serde(default)]
    field: Layers<FieldRule>,
}

pub(super) fn read(specs: &Files) -> Result<Layers<FieldRule>, Problems> {
    let file: FieldsFile = optional(specs, FieldRule::PATH)?;
    let mut problems = Problems::new();
    file.field.iter().for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(file.field)
}
