//! `intrinsics.toml`: schemas that hand-written types replace.

use serde::Deserialize;

use super::toml_file::{Placed, RuleFile, optional};
use crate::problem::RuleCause;
use crate::{Files, Problems};

/// A schema that a hand-written type replaces.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Intrinsic {
    /// The full name of the schema.
    pub schema: Placed<Self>,
    /// The Rust path of the type; none for a schema that is only the body of a request or response.
    #[serde(rename = "type")]
    pub rust_type: Option<Placed<Self>>,
    /// `true` if the type has a default, which a required field needs.
    #[serde(default)]
    pub default: bool,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

impl RuleFile for Intrinsic {
    const PATH: &'static str = "intrinsics.toml";
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    intrinsic: Vec<Intrinsic>,
}

pub(super) fn read(specs: &Files) -> Result<Vec<Intrinsic>, Problems> {
    let file: File = optional(specs, Intrinsic::PATH)?;
    let mut problems = Problems::new();
    let paths = file.intrinsic.iter().filter_map(|intrinsic| intrinsic.rust_type.as_ref());
    for path in paths.filter(|path| !is_path(&path.value)) {
        problems.push(&path.place, RuleCause::NotAPath(path.value.clone()));
    }
    problems.or(file.intrinsic)
}

/// Returns `true` if this is the path of a type in another crate.
fn is_path(text: &str) -> bool {
    text.contains("::") && text.split("::").all(|part| syn::parse_str::<syn::Ident>(part).is_ok())
}

// `fields.toml`: facts about single fields that the documents do not state.

/// An exception for one field.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldRule {
    /// The full name of the field.
    pub field: Placed<Self>,
    /// The behaviour of servers when the value is empty or zero.
    pub empty: Empty,
    /// The evidence for the rule.
    pub reason: Placed<Self>,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

impl RuleFile for FieldRule {
    const PATH: &'static str = "fields.toml";
}

/// The behaviour of servers with an empty or zero value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Empty {
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
    field: Vec<FieldRule>,
}

pub(super) fn read_fields(specs: &Files) -> Result<Vec<FieldRule>, Problems> {
    let file: FieldsFile = optional(specs, FieldRule::PATH)?;
    let mut problems = Problems::new();
    file.field.iter().for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(file.field)
}

// `left-out.toml`: fields and parameters that the documents have and Rust does not, each with the reason.

/// The fields and parameters that are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LeftOut {
    /// Fields that a server-side apply cannot set, by their full names.
    #[serde(default, rename = "field")]
    pub fields: Vec<Named>,
    /// Parameters that programs cannot give.
    #[serde(default, rename = "parameter")]
    pub parameters: Vec<Named>,
}

impl RuleFile for LeftOut {
    const PATH: &'static str = "left-out.toml";
}

/// A field or parameter that is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// Its name.
    pub name: Placed<LeftOut>,
    /// The evidence for the rule.
    pub reason: Placed<LeftOut>,
    /// `true` if the rule is part of the generator: it need not match anything.
    #[serde(skip)]
    pub shipped: bool,
}

pub(super) fn read_left_out(specs: &Files) -> Result<LeftOut, Problems> {
    let left_out: LeftOut = optional(specs, LeftOut::PATH)?;
    let mut problems = Problems::new();
    let rules = left_out.fields.iter().chain(&left_out.parameters);
    rules.for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(left_out)
}
