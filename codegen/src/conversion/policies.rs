//! The choices about absent fields.

use super::plan::Policy;
use super::rules::{FieldRules, Rule};
use crate::plan::RustType;
use crate::rules::StepName;

/// The policies about fields that can be absent in some version.
pub(super) fn policies(rules: &FieldRules<'_>) -> Vec<Policy> {
    let policy = |rule: &Rule<'_>| {
        let mut found = rule.found.iter();
        found.find_map(|(_, field)| match &field.rust_type {
            RustType::Option(value) => Some(Policy {
                name: rule.policy.clone(),
                path: field.path.clone(),
                value: (**value).clone(),
                other: rule.stated.fill_from.as_ref().map(|other| other.value.clone()),
            }),
            _ => None,
        })
    };
    let asking = |rule: &&Rule<'_>| rule.stated.rule.value == StepName::AbsentToZero;
    rules.iter().filter(asking).filter_map(policy).collect()
}
