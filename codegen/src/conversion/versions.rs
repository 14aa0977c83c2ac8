//! Checks that the rules of a kind name its versions, and that the lists of these are of one kind.

use std::collections::BTreeMap;

use super::kind::Versions;
use crate::Problems;
use crate::plan::{ObjectRole, Struct};
use crate::problem::{ConversionCause, RuleCause};
use crate::rules::{KindRule, Placed};

/// Reports differences between the versions that the rules name and the versions of the documents.
pub(super) fn check(rule: &KindRule, found: &BTreeMap<String, &Struct>, problems: &mut Problems) {
    let kind = &rule.kind.value;
    check_names(kind, &rule.versions, |version| found.contains_key(version), problems);
    let listed = |name: &str| rule.versions.iter().any(|version| version.value == name);
    for (version, object) in found.iter().filter(|(version, _)| !listed(version)) {
        let others = found.keys().filter(|other| *other != version);
        let cause = ConversionCause::PairsMissing {
            kind: kind.clone(),
            version: version.clone(),
            others: others.cloned().collect(),
        };
        problems.push(&object.of.place, cause);
    }
    for (version, path) in rule.required.iter().flat_map(|rule| &rule.names) {
        if !found.contains_key(version) {
            let cause = RuleCause::MatchesNothing(format!("{version} {kind}"));
            problems.push(&path.place, cause);
        }
    }
    if found.len() == 1 {
        rule.kind.is_without_effect("it has one version only", problems);
    }
}

/// Reports the versions of a list in a rule that occur twice, and those that do not exist.
pub(super) fn check_names(
    kind: &str,
    stated: &[Placed<KindRule>],
    exists: impl Fn(&str) -> bool,
    problems: &mut Problems,
) {
    for (index, version) in stated.iter().enumerate() {
        let name = format!("{} {kind}", version.value);
        if stated.iter().take(index).any(|other| other.value == version.value) {
            problems.push(&version.place, RuleCause::Twice(name));
        } else if !exists(&version.value) {
            problems.push(&version.place, RuleCause::MatchesNothing(name));
        }
    }
}

/// The kind of the lists in all versions. Reports each version whose lists are of another kind.
pub(super) fn list_kind(
    kind: &str,
    versions: &Versions<'_>,
    problems: &mut Problems,
) -> Option<String> {
    let (_, lowest) = versions.first()?;
    let first = list_kind_of(lowest)?;
    for (version, object) in versions {
        if list_kind_of(object) != Some(first) {
            let of = format!("{version} {kind}");
            let why = "its lists are of another kind than in lower versions";
            problems.push(&object.of.place, ConversionCause::NotConvertible { of, why });
        }
    }
    Some(first.to_owned())
}

fn list_kind_of(object: &Struct) -> Option<&str> {
    match &object.object.as_ref()?.role {
        ObjectRole::Resource { list_kind, .. } => Some(list_kind),
        _ => None,
    }
}
