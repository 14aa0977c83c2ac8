//! Checks that rules name each version of the documents, and name it once.

use std::collections::BTreeSet;

use litemap::LiteMap;

use crate::Problems;
use crate::input::toml_file::Placed;
use crate::plan::Struct;
use crate::problem::{ConversionCause, NoEffect, RuleCause};
use crate::rules::KindRule;

/// Reports differences between the versions that the rules of a kind name and the versions of the documents.
pub(super) fn check(rule: &KindRule, found: &LiteMap<String, &Struct>, problems: &mut Problems) {
    let kind = &rule.kind.value;
    check_names(kind, &rule.versions, |version| found.contains_key(version), problems);
    let listed: BTreeSet<&str> =
        rule.versions.iter().map(|version| version.value.as_str()).collect();
    for (version, object) in found.iter().filter(|(version, _)| !listed.contains(version.as_str()))
    {
        let others = found.keys().filter(|other| *other != version);
        let cause = ConversionCause::PairsMissing {
            kind: kind.clone(),
            version: version.clone(),
            others: others.cloned().collect(),
        };
        problems.push(&object.schema_type.place, cause);
    }
    for (version, path) in rule.required.iter().flat_map(|rule| &rule.names) {
        if !found.contains_key(version) {
            let cause = RuleCause::MatchesNothing(format!("{version} {kind}"));
            problems.push(&path.place, cause);
        }
    }
    if found.len() == 1 {
        rule.kind.report_without_effect(NoEffect::OneVersion, problems);
    }
}

/// Reports the versions of a list in a rule that occur twice, and those that do not exist.
pub(super) fn check_names(
    kind: &str,
    stated: &[Placed<KindRule>],
    exists: impl Fn(&str) -> bool,
    problems: &mut Problems,
) {
    let mut seen = BTreeSet::new();
    for version in stated {
        let name = format!("{} {kind}", version.value);
        if !seen.insert(&version.value) {
            problems.push(&version.place, RuleCause::Twice(name));
        } else if !exists(&version.value) {
            problems.push(&version.place, RuleCause::MatchesNothing(name));
        }
    }
}
