//! The fields that servers of a version require.

use std::collections::BTreeMap;

use super::items::FieldRef;
use super::structs::{Structs, shown};
use crate::Problems;
use crate::plan::{RustType, Struct};
use crate::problem::Cause;
use crate::rules::KindRule;

/// Fields can be required of versions that there are.
pub(super) fn check_versions(
    rule: &KindRule,
    found: &BTreeMap<String, &Struct>,
    problems: &mut Problems,
) {
    let required = rule.required.iter();
    for (version, fields) in required.filter(|(version, _)| !found.contains_key(*version)) {
        if let Some(first) = fields.first() {
            let cause = Cause::RuleMatchesNothing(format!("{version} {}", rule.kind.text));
            problems.push(first.place.clone(), cause);
        }
    }
}

/// The required fields of a version.
pub(super) fn of_version(
    rule: &KindRule,
    version: &str,
    object: &Struct,
    structs: &Structs<'_>,
    problems: &mut Problems,
) -> Vec<FieldRef> {
    let mut required: Vec<FieldRef> = Vec::new();
    for path in rule.required.get(version).into_iter().flatten() {
        let name = format!("{version} {}", path.text);
        let cause = match structs.find(object, &path.text) {
            None => Cause::RuleMatchesNothing(name),
            Some(field) if required.contains(&field) => Cause::RuleTwice(name),
            Some(field) => {
                let Some(why) = why_not_required(&field) else {
                    required.push(field);
                    continue;
                };
                Cause::RuleDoesNotFit {
                    rule: "required",
                    why,
                }
            }
        };
        problems.push(path.place.clone(), cause);
    }
    required
}

fn why_not_required(field: &FieldRef) -> Option<String> {
    if !can_be_empty(&field.rust_type) {
        let found = shown(&field.rust_type);
        Some(format!(
            "`{}` is `{found}`, which is never empty",
            field.path
        ))
    } else if field.idents.len() > 2 {
        Some("only fields of an object and of its parts can be required".to_owned())
    } else {
        None
    }
}

fn can_be_empty(rust_type: &RustType) -> bool {
    matches!(
        rust_type,
        RustType::String
            | RustType::Vocabulary(_)
            | RustType::List(_)
            | RustType::Map(_)
            | RustType::Option(_)
    )
}
