//! `left-out.toml`: fields and parameters that the documents have and Rust does not, each with the reason.

use serde::Deserialize;

use crate::input::toml_file::{Layers, Placed, RuleFile, optional};
use crate::{Files, Problems};

/// The fields and parameters that are left out.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LeftOut {
    /// Fields that a server-side apply cannot set, by their full names.
    #[serde(default, rename = "field")]
    pub(crate) fields: Layers<Named>,
    /// Parameters that programs cannot give.
    #[serde(default, rename = "parameter")]
    pub(crate) parameters: Layers<Named>,
}

impl RuleFile for LeftOut {
    const PATH: &'static str = "left-out.toml";
}

/// A field or parameter that is left out.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Named {
    /// The name of the field or parameter.
    pub(crate) name: Placed<LeftOut>,
    /// The evidence for the rule.
    pub(crate) reason: Placed<LeftOut>,
}

pub(super) fn read(specs: &Files) -> Result<LeftOut, Problems> {
    let left_out: LeftOut = optional(specs, LeftOut::PATH)?;
    let mut problems = Problems::new();
    let rules = left_out.fields.iter().chain(left_out.parameters.iter());
    rules.for_each(|rule| rule.reason.check_reason(&mut problems));
    problems.or(left_out)
}
