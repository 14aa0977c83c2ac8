//! The parts that the rules declare to be the same in several versions.

use super::plan::{How, Pair, Step, StructPair};
use super::versions;
use crate::Problems;
use crate::plan::ItemPath;
use crate::problem::{Cause, ConversionCause, RuleCause};
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
        let versions = declared.versions.iter();
        let versions: Vec<&str> = versions.map(|version| version.value.as_str()).collect();
        let place = |version: &str| versions.iter().position(|other| *other == version);
        for pair in pairs {
            let (Some(from), Some(to)) = (place(&pair.from), place(&pair.to)) else {
                continue;
            };
            let mut parts = pair.object.inner().into_iter();
            let part = parts.find(|(field, _)| field.path == declared.part.value);
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
    let exists = |name: &str| rule.versions.iter().any(|version| version.value == name);
    versions::check_names(&rule.kind.value, &declared.versions, exists, problems);
    if declared.versions.len() < 2 {
        declared.part.is_without_effect("it names one version only", problems);
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
    let (of, differences) = (format!("{from} {}", rule.kind.value), differences(part));
    ConversionCause::NotLossless { part: path, of, to, differences }.into()
}

/// The differences between the fields of a part.
fn differences(part: &StructPair) -> Vec<String> {
    part.steps.iter().flat_map(difference).collect()
}

fn difference(step: &Step) -> Vec<String> {
    match (&step.how, &step.from, &step.to) {
        (How::Part { pair, .. } | How::Nest(_, pair) | How::Flatten(_, pair), ..) => {
            differences(pair)
        }
        (_, Some(from), None) => vec![format!("`{}` has no counterpart", from.path)],
        (_, None, Some(to)) => vec![format!("`{}` has no source", to.path)],
        (_, Some(from), Some(to)) if from.ident() != to.ident() => {
            vec![format!("`{}` becomes `{}`", from.path, to.path)]
        }
        (How::Same | How::Into(_) | How::Recursive { .. }, ..) | (_, None, None) => Vec::new(),
        (_, Some(from), _) => vec![format!("`{}` is of another type", from.path)],
    }
}
