//! The parts that the rules declare to be the same in several versions (`lossless`).

use super::plan::{Mapping, Pair, Step, StructPair};
use super::version_names::check_names;
use crate::Problems;
use crate::plan::ItemPath;
use crate::problem::{Cause, ConversionCause, NoEffect, RuleCause};
use crate::rules::{KindRule, LosslessRule};

/// The types of source and target that are declared to be the same. Reports each declaration that is wrong.
pub(super) fn check(
    rule: &KindRule,
    pairs: &[Pair],
    problems: &mut Problems,
) -> Vec<(ItemPath, ItemPath)> {
    let mut types = Vec::new();
    for declared in &rule.lossless {
        check_versions(rule, declared, problems);
        let place = |name: &str| declared.versions.iter().position(|version| version.value == name);
        for pair in pairs {
            let (Some(from), Some(to)) = (place(&pair.from), place(&pair.to)) else {
                continue;
            };
            let mut parts = pair.object.inner().into_iter();
            let part = parts.find(|(field, _)| *field.path == *declared.part.value);
            match part.map(|(_, part)| part) {
                Some(part) if part.is_equal_shape() => types.push(part.types()),
                // The pair of the other direction has the same differences.
                part if from < to => {
                    problems.push(&declared.part.place, untrue(rule, declared, pair, part));
                }
                _ => {}
            }
        }
    }
    types
}

/// Reports versions that do not exist or occur twice, and a single version.
fn check_versions(rule: &KindRule, declared: &LosslessRule, problems: &mut Problems) {
    let KindRule { kind, versions, .. } = rule;
    let exists = |name: &str| versions.iter().any(|version| version.value == name);
    check_names(&kind.value, &declared.versions, exists, problems);
    if declared.versions.len() < 2 {
        declared.part.report_without_effect(NoEffect::NamesOneVersion, problems);
    }
}

/// The problem of a declaration: the part differs between these versions, or does not exist.
fn untrue(
    rule: &KindRule,
    declared: &LosslessRule,
    pair: &Pair,
    part: Option<&StructPair>,
) -> Cause {
    let (path, from, to) = (declared.part.value.clone(), &pair.from, pair.to.clone());
    let Some(part) = part else {
        return RuleCause::MatchesNothing(format!("{path} of {from} and {to}")).into();
    };
    let (kind, from, differences) = (rule.kind.value.clone(), from.clone(), differences(part));
    ConversionCause::NotLossless { part: path, kind, from, to, differences }.into()
}

/// The differences between the fields of a part.
fn differences(part: &StructPair) -> Vec<String> {
    part.steps.iter().flat_map(difference).collect()
}

fn difference(step: &Step) -> Vec<String> {
    match (&step.how, &step.from, &step.to) {
        (Mapping::Part { pair, .. } | Mapping::Nest(_, pair) | Mapping::Flatten(_, pair), ..) => {
            differences(pair)
        }
        (_, Some(from), None) => vec![format!("`{}` has no counterpart", from.path)],
        (_, None, Some(to)) => vec![format!("`{}` has no source", to.path)],
        (_, Some(from), Some(to)) if from.ident() != to.ident() => {
            vec![format!("`{}` becomes `{}`", from.path, to.path)]
        }
        (Mapping::Same | Mapping::Into(_) | Mapping::Recursive { .. }, ..) | (_, None, None) => {
            Vec::new()
        }
        (_, Some(from), _) => vec![format!("`{}` is of another type", from.path)],
    }
}
