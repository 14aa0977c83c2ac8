//! Comparison of the served versions and kinds.

use std::collections::BTreeSet;

use k8s_versioned_core::{ReleaseForm, Version};
use litemap::LiteMap;

use super::change_kinds::{
    KIND_ADDED, KIND_DEPRECATED, KIND_ENDS, KIND_MOVED, KIND_REMOVED, VERSION_ADDED,
    VERSION_REMOVED, VERSION_REPLACED,
};
use super::finding::{Bodies, pairs};
use super::side::{KindKey, Side};
use super::{ChangeKind, DiffFinding};
use crate::gather::Gather;
use crate::model::{Model, Resource, Scope};
use crate::rules::LifecycleRule;
use crate::spec::GroupVersionKind;
use crate::text::join;

/// Compares the versions and kinds that the two sides serve.
pub(super) fn compare(old: &Side, new: &Side) -> Vec<DiffFinding> {
    let mut findings = removed(old, new);
    if !old.is_one_version() && !new.is_one_version() {
        for version in new.served.difference(&old.served) {
            let finding = of_version(VERSION_ADDED, *version);
            findings.push(finding.with_values(None, kinds_of(&new.model, *version)));
        }
    }
    findings.extend(ending(old, new));
    findings.extend(kinds(old, new));
    findings
}

/// The versions of the old side that the new release does not serve.
fn removed(old: &Side, new: &Side) -> Vec<DiffFinding> {
    let selected = old.model.versions.keys().map(|(_, version)| version);
    let removed = selected.filter(|version| !new.served.contains(version));
    let finding = |version: &Version| {
        let successors = successors(old, new, *version);
        let rule = if successors.is_empty() { VERSION_REMOVED } else { VERSION_REPLACED };
        let successors = (!successors.is_empty()).then(|| join(successors, ", "));
        of_version(rule, *version).with_values(kinds_of(&old.model, *version), successors)
    };
    removed.map(finding).collect()
}

/// The new versions that serve kinds of a removed version.
fn successors(old: &Side, new: &Side, removed: Version) -> Vec<Version> {
    let kinds: BTreeSet<&str> = kinds_in(&old.model, removed).gather();
    let fresh = new.model.versions.keys().map(|(_, version)| version);
    let fresh = fresh.filter(|version| new.is_one_version() || !old.served.contains(version));
    fresh
        .filter(|version| kinds_in(&new.model, **version).any(|kind| kinds.contains(kind)))
        .copied()
        .collect()
}

/// The kinds that are deprecated in the new release and not in the old one, and those that the next release removes.
fn ending(old: &Side, new: &Side) -> Vec<DiffFinding> {
    let mut findings = Vec::new();
    let (before, after) = (old.selection.release, new.selection.release);
    for resource in &new.model.resources {
        let kind = &resource.kind;
        let is_of_kind = |rule: &&LifecycleRule| {
            rule.group.as_ref().is_none_or(|group| *group == kind.group)
                && (&rule.kind.value, rule.version.to_string())
                    == (&kind.kind, kind.version.clone())
        };
        let Some(rule) = new.lifecycles.iter().find(is_of_kind) else {
            continue;
        };
        let removed = rule.removed.map(|release| format!("removed in {release}"));
        let finding = |what| of_kind(what, resource).with_values(None, removed.clone());
        if old.served.contains(&rule.version)
            && rule.deprecated.is_some_and(|since| before < since && since <= after)
        {
            findings.push(finding(KIND_DEPRECATED));
        }
        let is_last = after.form() == ReleaseForm::Minor && rule.removed == Some(after.next());
        if is_last && before < after {
            findings.push(finding(KIND_ENDS));
        }
    }
    findings
}

fn kinds(old: &Side, new: &Side) -> Vec<DiffFinding> {
    // A changed scope of a definition is a finding of its own.
    let is_defined = |resource: &Resource| {
        let key = (resource.kind.group.clone(), resource.kind.kind.clone());
        [old, new].iter().all(|side| side.definitions.contains_key(&key))
    };
    let moves = |was: &Resource, is: &Resource| {
        was.plural != is.plural || was.scope != is.scope && !is_defined(is)
    };
    let kind = |(_, was, is): (_, Option<&&Resource>, Option<&&Resource>)| match (was, is) {
        (Some(was), None) => Some(of_kind(KIND_REMOVED, was)),
        (None, Some(is)) => Some(of_kind(KIND_ADDED, is)),
        (Some(was), Some(is)) if moves(was, is) => {
            Some(of_kind(KIND_MOVED, is).with_values(path(was), path(is)))
        }
        _ => None,
    };
    pairs(&resources(old, new), &resources(new, old)).into_iter().filter_map(kind).collect()
}

/// The resources of the compared versions of a side.
fn resources<'a>(side: &'a Side, other: &Side) -> LiteMap<KindKey<'a>, &'a Resource> {
    let shared = |resource: &&Resource| side.compares(resource.kind.version.parse().ok(), other);
    let key = |resource: &'a Resource| (side.key(&resource.kind, other), resource);
    side.model.resources.iter().filter(shared).map(key).gather()
}

/// A finding about a whole version.
fn of_version(rule: ChangeKind, version: Version) -> DiffFinding {
    DiffFinding::new(rule, version.to_string(), Bodies::ALL)
}

fn of_kind(rule: ChangeKind, resource: &Resource) -> DiffFinding {
    let GroupVersionKind { version, kind, .. } = &resource.kind;
    DiffFinding::new(rule, format!("{version} {kind}"), Bodies::ALL).at(&resource.place)
}

fn path(resource: &Resource) -> String {
    match resource.scope {
        Scope::Namespaced => format!("{} in namespaces", resource.plural),
        Scope::Cluster => format!("{} in the cluster", resource.plural),
    }
}

fn kinds_in(model: &Model, version: Version) -> impl Iterator<Item = &str> {
    let is_of_version =
        move |resource: &&Resource| resource.kind.version.parse() == Ok::<_, _>(version);
    let resources = model.resources.iter().filter(is_of_version);
    resources.map(|resource| resource.kind.kind.as_str())
}

fn kinds_of(model: &Model, version: Version) -> String {
    join(kinds_in(model, version), ", ")
}
