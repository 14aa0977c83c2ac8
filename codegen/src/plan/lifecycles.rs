//! The lifecycles of the group's versions and of their types, compared with the documents.

use std::collections::BTreeSet;

use k8s_versioned_names::{Lifecycle, Release, Version};

use crate::Problems;
use crate::model::Model;
use crate::problem::RuleCause;
use crate::rules::Rules;
use crate::spec::Releases;

/// The lifecycle of the API version whose types are in `module`; `None` if the rules have none.
pub(super) fn of_module<'a>(rules: &'a Rules, module: &str) -> Option<&'a Lifecycle> {
    let version: Version = module.rsplit("::").next()?.parse().ok()?;
    let rule = rules.lifecycle.iter().find(|rule| rule.version == version)?;
    Some(&rule.lifecycle)
}

/// The lifecycle of a type that the documents of the releases `found` have, of `all` releases. A type that came later
/// than its API version, or was removed earlier, has a shorter lifecycle than the version.
pub(super) fn of_type(
    version: Option<&Lifecycle>,
    found: &Releases,
    all: &BTreeSet<Release>,
) -> Option<Lifecycle> {
    let came = found.first().filter(|first| all.first() != Some(first));
    let last = found.last().filter(|last| all.last() != Some(last));
    let went = last.map(Release::next);
    if version.is_none() && came.is_none() && went.is_none() {
        return None;
    }
    let introduced = came.or_else(|| version.map(Lifecycle::introduced_in));
    let mut lifecycle = Lifecycle::introduced(introduced.or(found.first())?);
    if let Some(release) = version.and_then(Lifecycle::deprecated_in) {
        lifecycle = lifecycle.deprecated(release);
    }
    if let Some(release) = went.or_else(|| version.and_then(Lifecycle::removed_in)) {
        lifecycle = lifecycle.removed(release);
    }
    Some(lifecycle)
}

/// Reports versions without a rule, rules without a version, and rules that the documents contradict. A group may have
/// no such rules at all.
pub(super) fn check(model: &Model, rules: &Rules, problems: &mut Problems) {
    for rule in &rules.lifecycle {
        let mut shown = model.versions.iter().filter(|((_, version), _)| *version == rule.version);
        let Some((_, shown)) = shown.next() else {
            let cause = RuleCause::MatchesNothing(rule.version.to_string());
            problems.push(&rule.place, cause);
            continue;
        };
        let served = |release| rule.lifecycle.is_served_in(release);
        let mut releases = model.releases.iter().copied();
        if let Some(release) = releases.find(|it| served(*it) != shown.contains(*it)) {
            let cause = RuleCause::LifecycleDisagrees {
                version: rule.version,
                release,
                served: words(served(release)),
                shown: words(shown.contains(release)),
            };
            problems.push(&rule.place, cause);
        }
    }
    let Some(first) = rules.lifecycle.first() else {
        return;
    };
    let known = |version: &Version| rules.lifecycle.iter().any(|rule| rule.version == *version);
    for (_, version) in model.versions.keys().filter(|(_, version)| !known(version)) {
        problems.push(&first.place, RuleCause::NoLifecycle(*version));
    }
}

fn words(served: bool) -> &'static str {
    if served { "served" } else { "not served" }
}

#[cfg(test)]
mod tests {
    use k8s_versioned_names::{Lifecycle, Release};

    use super::{Releases, of_type};

    #[test]
    fn a_type_lives_no_longer_than_its_version() {
        let release = |minor| Release::new(1, minor);
        let all = (31..=36).map(release).collect();
        let version =
            Lifecycle::introduced(release(14)).deprecated(release(36)).removed(release(39));
        let table = [
            (Some(version), 31..=36, "introduced in 1.14, deprecated since 1.36, removed in 1.39"),
            (Some(version), 33..=36, "introduced in 1.33, deprecated since 1.36, removed in 1.39"),
            (
                Some(Lifecycle::introduced(release(14))),
                31..=34,
                "introduced in 1.14, removed in 1.35",
            ),
            (None, 31..=36, "nothing is known"),
            (None, 32..=36, "introduced in 1.32"),
            (None, 31..=34, "introduced in 1.31, removed in 1.35"),
        ];
        for (version, minors, expected) in table {
            let mut found = Releases::default();
            minors.clone().map(release).for_each(|it| found.insert(it));
            let told = of_type(version.as_ref(), &found, &all);
            let told = told.map_or_else(|| "nothing is known".to_owned(), |it| it.to_string());
            assert_eq!(told, expected, "{version:?} {minors:?}");
        }
    }
}
