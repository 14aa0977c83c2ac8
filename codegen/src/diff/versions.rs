//! Comparison of the served versions and kinds.

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::path::ResourcePath;
use k8s_versioned_names::{Form, Version};

use super::catalogue::{
    KIND_ADDED, KIND_DEPRECATED, KIND_ENDS, KIND_MOVED, KIND_REMOVED, VERSION_ADDED,
    VERSION_REMOVED, VERSION_REPLACED,
};
use super::finding::pairs;
use super::side::{KindKey, Side};
use super::{Finding, Rule, Tree, reach};
use crate::model::{Model, Resource, Scope};
use crate::rules::LifecycleRule;
use crate::spec::GroupVersionKind;
use crate::text::join;

/// Compares the versions and kinds that the two sides serve.
pub(super) fn compare(old: &Side, new: &Side) -> Vec<Finding> {
    let mut findings = gone(old, new);
    if !old.is_one_version() && !new.is_one_version() {
        for version in new.served.difference(&old.served) {
            let finding = whole(VERSION_ADDED, *version, new);
            findings.push(finding.with_values(None, kinds_of(&new.model, *version)));
        }
    }
    findings.extend(ending(old, new));
    findings.extend(kinds(old, new));
    findings
}

/// The versions of the old side that the new release does not serve.
fn gone(old: &Side, new: &Side) -> Vec<Finding> {
    let selected = old.model.versions.keys().map(|(_, version)| version);
    let gone = selected.filter(|version| !new.served.contains(version));
    gone.map(|version| {
        let heirs = heirs(old, new, *version);
        let rule = if heirs.is_empty() { VERSION_REMOVED } else { VERSION_REPLACED };
        let heirs = (!heirs.is_empty()).then(|| join(heirs, ", "));
        let finding = whole(rule, *version, old);
        finding.with_values(kinds_of(&old.model, *version), heirs)
    })
    .collect()
}

/// The new versions that serve kinds of a version that is gone.
fn heirs(old: &Side, new: &Side, gone: Version) -> Vec<Version> {
    let kinds: BTreeSet<&str> = kinds_in(&old.model, gone).collect();
    let fresh = new.model.versions.keys().map(|(_, version)| version);
    let fresh = fresh.filter(|version| new.is_one_version() || !old.served.contains(version));
    fresh
        .filter(|version| kinds_in(&new.model, **version).any(|kind| kinds.contains(kind)))
        .copied()
        .collect()
}

/// The kinds that are deprecated in the new release and not in the old one, and those that the next release removes.
fn ending(old: &Side, new: &Side) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (before, after) = (old.selection.release, new.selection.release);
    for resource in &new.model.resources {
        let kind = &resource.kind;
        let of_kind_rule = |rule: &&LifecycleRule| {
            rule.group.as_ref().is_none_or(|group| *group == kind.group)
                && (&rule.kind.value, rule.version.to_string())
                    == (&kind.kind, kind.version.clone())
        };
        let Some(rule) = new.lifecycles.iter().find(of_kind_rule) else {
            continue;
        };
        let removed = rule.removed.map(|release| format!("removed in {release}"));
        let finding = |what| of_kind(what, resource, new).with_values(None, removed.clone());
        if old.served.contains(&rule.version)
            && rule.deprecated.is_some_and(|since| before < since && since <= after)
        {
            findings.push(finding(KIND_DEPRECATED));
        }
        let is_last = after.form() == Form::Minor && rule.removed == Some(after.next());
        if is_last && before < after {
            findings.push(finding(KIND_ENDS));
        }
    }
    findings
}

fn kinds(old: &Side, new: &Side) -> Vec<Finding> {
    let kind = |(_, was, is): (_, Option<&&Resource>, Option<&&Resource>)| match (was, is) {
        (Some(was), None) => Some(of_kind(KIND_REMOVED, was, old)),
        (None, Some(is)) => Some(of_kind(KIND_ADDED, is, new)),
        (Some(was), Some(is)) if (&was.plural, was.scope) != (&is.plural, is.scope) => {
            Some(of_kind(KIND_MOVED, is, new).with_values(path(was), path(is)))
        }
        _ => None,
    };
    pairs(&resources(old, new), &resources(new, old)).filter_map(kind).collect()
}

/// The resources of the compared versions of a side.
fn resources<'a>(side: &'a Side, other: &Side) -> BTreeMap<KindKey<'a>, &'a Resource> {
    let shared = |resource: &&Resource| side.compares(resource.kind.version.parse().ok(), other);
    let key = |resource: &'a Resource| (side.key(&resource.kind, other), resource);
    side.model.resources.iter().filter(shared).map(key).collect()
}

/// A finding about a whole version, which reaches all of its operations.
fn whole(rule: Rule, version: Version, side: &Side) -> Finding {
    let subject = version.to_string();
    let is_of_version =
        |path: &str| ResourcePath::parse(path).is_some_and(|path| path.version == subject);
    let reaches = under(&side.model, is_of_version);
    Finding::new(rule, subject, (true, true)).with_reach(reaches)
}

fn of_kind(rule: Rule, resource: &Resource, side: &Side) -> Finding {
    let subject = format!("{} {}", resource.kind.version, resource.kind.kind);
    let GroupVersionKind { group, version, .. } = &resource.kind;
    let is_of_kind = |path: &str| {
        let path = ResourcePath::parse(path).unwrap_or_default();
        (path.group, path.version, path.plural) == (group, version, &resource.plural)
    };
    let finding = Finding::new(rule, subject, (true, true)).at(&resource.place);
    finding.with_reach(under(&side.model, is_of_kind))
}

fn under(model: &Model, select: impl Fn(&str) -> bool) -> Vec<Tree> {
    let operations = model.operations.values();
    let selected = operations.filter(|operation| select(&operation.path));
    let mut trees: Vec<Tree> =
        selected.map(|operation| Tree::leaf(reach::title(operation))).collect();
    trees.sort();
    trees
}

fn path(resource: &Resource) -> String {
    match resource.scope {
        Scope::Namespaced => format!("{} in namespaces", resource.plural),
        Scope::Cluster => format!("{} in the cluster", resource.plural),
    }
}

fn kinds_in(model: &Model, version: Version) -> impl Iterator<Item = &str> {
    let of_version =
        move |resource: &&Resource| resource.kind.version.parse() == Ok::<_, _>(version);
    let resources = model.resources.iter().filter(of_version);
    resources.map(|resource| resource.kind.kind.as_str())
}

fn kinds_of(model: &Model, version: Version) -> String {
    join(kinds_in(model, version), ", ")
}
