//! The choices about absent fields.

use super::items::Policy;
use super::kind::Versions;
use super::rules::FieldRules;
use super::structs::Structs;
use crate::plan::RustType;
use crate::rules::{Correspondence, FieldRuleName, KindRule};

/// The policies about fields that can be absent in some version.
pub(super) fn policies(
    rule: &KindRule,
    rules: &FieldRules<'_>,
    versions: &Versions<'_>,
    structs: &Structs<'_>,
) -> Vec<Policy> {
    let policy = |(index, field): (usize, &Correspondence)| {
        let mut found = versions
            .iter()
            .filter_map(|(version, object)| structs.find(object, &field.names.get(version)?.value));
        let found = found.find(|found| matches!(found.rust_type, RustType::Option(_)))?;
        let RustType::Option(value) = found.rust_type else {
            return None;
        };
        Some(Policy {
            name: rules.policy(index),
            path: found.path,
            value: *value,
            other: field.fill_from.as_ref().map(|other| other.value.clone()),
        })
    };
    let fields = rule.fields.iter().enumerate();
    let fields = fields.filter(|(_, field)| field.rule.value == FieldRuleName::AbsentToZero);
    fields.filter_map(policy).collect()
}
