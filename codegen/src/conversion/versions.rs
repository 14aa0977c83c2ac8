//! A check that the rules of a kind name the versions that it has.

use std::collections::BTreeMap;

use crate::Problems;
use crate::plan::Struct;
use crate::problem::Cause;
use crate::rules::KindRule;

/// The versions of the rule must be those of the documents.
pub(super) fn check(rule: &KindRule, found: &BTreeMap<String, &Struct>, problems: &mut Problems) {
    let kind = &rule.kind.value;
    for (index, version) in rule.versions.iter().enumerate() {
        let name = format!("{} {kind}", version.value);
        let mut earlier = rule.versions.iter().take(index);
        if earlier.any(|other| other.value == version.value) {
            problems.push(&version.place, Cause::RuleTwice(name));
        } else if !found.contains_key(&version.value) {
            problems.push(&version.place, Cause::RuleMatchesNothing(name));
        }
    }
    let listed = |name: &str| rule.versions.iter().any(|version| version.value == name);
    for (version, object) in found.iter().filter(|(version, _)| !listed(version)) {
        let others = found.keys().filter(|other| *other != version);
        let cause = Cause::PairsMissing {
            kind: kind.clone(),
            version: version.clone(),
            others: others.cloned().collect(),
        };
        problems.push(&object.place, cause);
    }
    if found.len() == 1 {
        let (field, why) = (kind.clone(), "it has one version only");
        let cause = Cause::RuleWithoutEffect { field, why };
        problems.push(&rule.kind.place, cause);
    }
}
