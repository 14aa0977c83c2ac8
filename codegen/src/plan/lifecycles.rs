//! The lifecycles of kinds: what the documents show, and what the rules add.

use k8s_versioned_core::{Lifecycle, Release};

use super::rust_items::{Object, ObjectRole, Struct};
use crate::Problems;
use crate::input::crd::NO_RELEASE;
use crate::model::Model;
use crate::problem::{NoEffect, RuleCause};
use crate::rules::{LifecycleRule, Rules};
use crate::spec::{GroupVersionKind, Releases};

/// The rule about a kind, or about the kind of the items of a list. The documents `known_in`, of `all` releases, have it.
pub(super) fn rule<'a>(
    rules: &'a Rules,
    object: &Object,
    known_in: &Releases,
    all: &Releases,
) -> Option<&'a LifecycleRule> {
    let version = object.gvk.version.parse().ok()?;
    let kind = match &object.role {
        ObjectRole::List { item } => &item.name,
        _ => &object.gvk.kind,
    };
    let is_of = |rule: &&LifecycleRule| {
        rule.version == version
            && rule.kind.value == *kind
            && group(rules, rule) == object.gvk.group
    };
    let own = rules.lifecycle.own.iter().find(is_of);
    // Documents show more than the tables of the generator.
    let fits = |rule: &&LifecycleRule| {
        matches!(compare(rule, known_in, all), Ok(()) | Err(RuleCause::WithoutEffect(..)))
    };
    own.or_else(|| rules.lifecycle.built_in.iter().find(is_of).filter(fits))
}

/// The group of the kind of a rule.
fn group<'a>(rules: &'a Rules, rule: &'a LifecycleRule) -> &'a str {
    rule.group.as_deref().unwrap_or_else(|| rules.group.group())
}

/// The common lifecycle of all kinds of a module, if there is one.
pub(super) fn common<'a>(structs: impl IntoIterator<Item = &'a Struct>) -> Option<Lifecycle> {
    let kinds = structs.into_iter().filter(|planned| planned.resource().is_some());
    let mut lifecycles = kinds.map(|planned| planned.lifecycle);
    let first = lifecycles.next()??;
    lifecycles.all(|other| other == Some(first)).then_some(first)
}

/// The lifecycle of a type that the documents of the releases `known_in` have, of `all` releases; `None` if no limit is
/// known.
pub(super) fn of_type(
    rule: Option<&LifecycleRule>,
    known_in: &Releases,
    all: &Releases,
) -> Option<Lifecycle> {
    let [introduced_at, removed_at] = limits_in_documents(known_in, all);
    let introduced = introduced_at.or(rule.and_then(|rule| rule.introduced));
    let first = known_in.first().filter(|first| *first != NO_RELEASE);
    let deprecated = rule.and_then(|rule| rule.deprecated);
    let removed = removed_at.or(rule.and_then(|rule| rule.removed));
    introduced.or(deprecated).or(removed)?;
    let lifecycle = Lifecycle::introduced(introduced.or(first)?);
    let lifecycle = deprecated.map_or(lifecycle, |release| lifecycle.deprecated(release));
    Some(removed.map_or(lifecycle, |release| lifecycle.removed(release)))
}

/// The releases that introduced and removed a type, if the documents show them: other documents lack it.
fn limits_in_documents(known_in: &Releases, all: &Releases) -> [Option<Release>; 2] {
    let introduced = known_in.first().filter(|first| all.first() != Some(*first));
    let last = known_in.last().filter(|last| all.last() != Some(*last));
    [introduced, last.and_then(|last| all.iter().find(|next| *next > last))]
}

/// Reports rules without a kind, and rules that repeat or contradict the documents.
pub(super) fn check(model: &Model, rules: &Rules, problems: &mut Problems) {
    for rule in &rules.lifecycle.own {
        let of = GroupVersionKind {
            group: group(rules, rule).to_owned(),
            version: rule.version.to_string(),
            kind: rule.kind.value.clone(),
        };
        let result = match model.object(&of) {
            None => Err(RuleCause::MatchesNothing(rule.subject())),
            Some((_, known_in)) => compare(rule, &known_in.releases, &model.releases),
        };
        if let Err(cause) = result {
            problems.push(&rule.kind.place, cause);
        }
    }
}

/// Compares a rule with the documents: it may neither repeat nor contradict them.
fn compare(rule: &LifecycleRule, known_in: &Releases, all: &Releases) -> Result<(), RuleCause> {
    let [introduced_at, removed_at] = limits_in_documents(known_in, all);
    let Some((first, last)) = all.first().zip(all.last()) else { return Ok(()) };
    // Definitions of no release refute nothing.
    let of_release = first != NO_RELEASE;
    let too_late = rule.introduced.filter(|stated| of_release && *stated > first);
    let too_early = rule.removed.filter(|stated| of_release && *stated <= last);
    for (what, stated, shown, refuted, served) in [
        ("introduced in", rule.introduced, introduced_at, too_late, first),
        ("removed in", rule.removed, removed_at, too_early, last),
    ] {
        let is_shown = shown.is_some();
        let shown =
            shown.map_or_else(|| format!("served in {served}"), |shown| format!("{what} {shown}"));
        let stated = stated.map(|stated| format!("{what} {stated}"));
        if stated.as_ref() == Some(&shown) {
            return Err(RuleCause::WithoutEffect(rule.subject(), NoEffect::ShownRelease));
        }
        if let Some(stated) = stated.filter(|_| is_shown || refuted.is_some()) {
            return Err(RuleCause::LifecycleDisagrees { kind: rule.subject(), stated, shown });
        }
    }
    let stated = [rule.introduced, rule.deprecated, rule.removed];
    if stated == [None; 3] {
        return Err(RuleCause::WithoutEffect(rule.subject(), NoEffect::NoRelease));
    }
    if !of_release && rule.introduced.is_none() {
        return Err(RuleCause::WithoutEffect(rule.subject(), NoEffect::NotIntroduced));
    }
    let order = [rule.introduced.or(introduced_at), rule.deprecated, rule.removed.or(removed_at)];
    let sorted = order.iter().flatten().is_sorted();
    if sorted { Ok(()) } else { Err(RuleCause::LifecycleOrder(rule.subject())) }
}

#[cfg(test)]
mod tests {
    use std::ops::RangeInclusive;

    use k8s_versioned_core::Release;

    use super::{Releases, compare, of_type};
    use crate::rules::LifecycleRule;

    /// What is known about a kind of these releases of the documents, which are 1.31 to 1.36, with a rule of these minor releases.
    fn lifecycle_or_error(releases: RangeInclusive<u16>, stated: [Option<u16>; 3]) -> String {
        let release = |minor| Release::new(1, minor);
        let [releases, all]: [Releases; 2] =
            [releases, 31..=36].map(|minors| minors.map(release).collect());
        let [introduced, deprecated, removed] = stated.map(|minor| minor.map(release));
        let mut rule: LifecycleRule = toml::from_str("kind = 'Lease'\nversion = 'v1'").unwrap();
        (rule.introduced, rule.deprecated, rule.removed) = (introduced, deprecated, removed);
        let stated = stated != [None; 3];
        match compare(&rule, &releases, &all) {
            Err(cause) if stated => cause.to_string(),
            _ => of_type(stated.then_some(&rule), &releases, &all)
                .map_or_else(|| "nothing is known".to_owned(), |of_type| of_type.to_string()),
        }
    }

    /// Minor releases in the documents, those that the rule states, and the lifecycle or the error.
    type Case = (RangeInclusive<u16>, [Option<u16>; 3], &'static str);

    const LIFECYCLES: [Case; 15] = [
        (31..=36, [None; 3], "nothing is known"),
        (32..=36, [None; 3], "introduced in 1.32"),
        (31..=34, [None; 3], "introduced in 1.31, removed in 1.35"),
        (31..=36, [Some(14), None, None], "introduced in 1.14"),
        (31..=36, [Some(31), None, None], "introduced in 1.31"),
        (
            31..=34,
            [Some(14), Some(33), None],
            "introduced in 1.14, deprecated since 1.33, removed in 1.35",
        ),
        (
            33..=36,
            [None, Some(36), Some(39)],
            "introduced in 1.33, deprecated since 1.36, removed in 1.39",
        ),
        (
            31..=36,
            [Some(32), None, None],
            "`lifecycle.toml` says that `v1 Lease` is introduced in v1.32, but the documents show that it is served in v1.31",
        ),
        (
            33..=36,
            [Some(33), None, None],
            "the rule for `v1 Lease` changes nothing: the documents show the release",
        ),
        (
            33..=36,
            [Some(32), None, None],
            "`lifecycle.toml` says that `v1 Lease` is introduced in v1.32, but the documents show that it is introduced in v1.33",
        ),
        (
            31..=34,
            [None, None, Some(35)],
            "the rule for `v1 Lease` changes nothing: the documents show the release",
        ),
        (
            31..=34,
            [None, None, Some(38)],
            "`lifecycle.toml` says that `v1 Lease` is removed in v1.38, but the documents show that it is removed in v1.35",
        ),
        (
            31..=36,
            [None, None, Some(36)],
            "`lifecycle.toml` says that `v1 Lease` is removed in v1.36, but the documents show that it is served in v1.36",
        ),
        (
            33..=36,
            [None, Some(32), None],
            "the releases of `v1 Lease` are not in order: introduced, deprecated, removed",
        ),
        (
            31..=34,
            [None, Some(36), None],
            "the releases of `v1 Lease` are not in order: introduced, deprecated, removed",
        ),
    ];

    #[test]
    fn documents_and_rules_make_a_lifecycle() {
        for (found, stated, expected) in LIFECYCLES {
            assert_eq!(lifecycle_or_error(found.clone(), stated), expected, "{found:?} {stated:?}");
        }
    }
}
