//! The verbs of one resource.

use std::collections::BTreeMap;
use std::fmt::Write;

use k8s_versioned_names::verb::{Subresource, Verb};

use super::Found;
use crate::Problems;
use crate::plan::ItemPath;
use crate::problem::PlanCause;
use crate::rules::GroupRules;
use crate::text::join;

/// The verbs of one resource.
#[derive(Clone, Debug, Default)]
pub struct Served {
    /// The verbs of [`Verb::OF_RESOURCES`] that servers have for it.
    pub verbs: Vec<Verb>,
    /// Its subresources, each with the type of its objects; `None` if it has none.
    pub subresources: Vec<(&'static Subresource, Option<ItemPath>)>,
    /// `true` if its documents describe custom resources.
    pub custom: bool,
    /// The section `Requests` of the resource's rustdoc.
    pub docs: String,
}

impl Served {
    /// Returns `true` if the objects can be changed with a patch, which includes server-side apply.
    pub fn takes_patches(&self) -> bool {
        self.verbs.contains(&Verb::PATCH)
    }
}

/// Plans the verbs of a resource from all its operations.
pub(super) fn plan(group: &GroupRules, found: &[Found<'_>], problems: &mut Problems) -> Served {
    let subresources: BTreeMap<&str, Vec<&Found<'_>>> =
        found.iter().fold(BTreeMap::new(), |mut groups, found| {
            if let Some(subresource) = found.subresource {
                groups.entry(subresource.name).or_default().push(found);
            }
            groups
        });
    check_lists(found, problems);
    let subresources = subresources.into_values().filter_map(|found| subresource(&found, problems));
    let has = |verb: &Verb| {
        let mut whole = found.iter().filter(|found| found.subresource.is_none());
        whole.any(|found| found.verb.name == verb.name)
    };
    Served {
        subresources: subresources.collect(),
        verbs: Verb::OF_RESOURCES.into_iter().filter(has).collect(),
        custom: found.iter().any(|found| found.operation.custom),
        docs: docs(group, found),
    }
}

/// A subresource with the type of its objects. It has all of its verbs, all of one type.
fn subresource(
    found: &[&Found<'_>],
    problems: &mut Problems,
) -> Option<(&'static Subresource, Option<ItemPath>)> {
    let first = found.first()?;
    let known = first.subresource?;
    for verb in known.verbs {
        if !found.iter().any(|found| found.verb.name == verb.name) {
            report(first, format!("`{}` of `{}`", verb.name, known.name), problems);
        }
    }
    let object = first.object.map(|object| &object.path);
    for other in found.iter().filter(|other| other.object.map(|it| &it.path) != object) {
        let what = format!("the objects of `{}` have several types", known.name);
        let (id, verb) = (other.operation.path.clone(), other.verb.name);
        problems.push(&other.operation.place, PlanCause::UnlikeVerb { id, verb, what });
    }
    Some((known, object.cloned()))
}

/// Reports a list of one namespace without one of all namespaces, or the other way round.
fn check_lists(found: &[Found<'_>], problems: &mut Problems) {
    let Some(first) = found.first() else {
        return;
    };
    let lists = || found.iter().filter(|it| it.verb.name == Verb::LIST.name && !it.deprecated);
    let of_namespace = lists().any(|found| !found.all_namespaces);
    let of_all = lists().any(|found| found.all_namespaces);
    if first.is_namespaced() && of_namespace != of_all {
        let missing = if of_all { "list" } else { "list_all_namespaces" };
        report(first, format!("`{missing}`"), problems);
    }
}

fn report(found: &Found<'_>, what: String, problems: &mut Problems) {
    let resource = found.resource.path.name.clone();
    problems.push(&found.operation.place, PlanCause::VerbMissing { resource, what });
}

/// A table of the requests, without the deprecated ones.
fn docs(group: &GroupRules, found: &[Found<'_>]) -> String {
    let mut rows: Vec<(Option<usize>, usize, bool, String)> = Vec::new();
    for found in found.iter().filter(|found| !found.deprecated && found.is_shown()) {
        let subresource = found.subresource.and_then(|subresource| {
            Subresource::ALL.iter().position(|it| it.name == subresource.name)
        });
        let verb = Verb::OF_RESOURCES.iter().position(|verb| verb.name == found.verb.name);
        rows.push((subresource, verb.unwrap_or_default(), found.all_namespaces, row(group, found)));
    }
    rows.sort();
    let mut text = String::from("# Requests\n\n| function | request | success |\n|---|---|---|\n");
    for (.., row) in rows {
        text.push_str(&row);
    }
    text.trim_end().to_owned()
}

impl Found<'_> {
    /// Returns `true` for one method of a connection: its function builds one request.
    fn is_shown(&self) -> bool {
        self.operation.method.to_string() == self.verb.method
    }
}

fn row(group: &GroupRules, found: &Found<'_>) -> String {
    let operation = found.operation;
    let all = if found.all_namespaces { "_all_namespaces" } else { "" };
    let name = match (found.subresource, found.verb.name) {
        (Some(of), name @ ("get" | "create" | "replace" | "patch")) => {
            format!("`{name}_subresource::<{}>`", of.rust_name)
        }
        (_, "list") => format!("`list{all}`, `watch{all}`"),
        (_, "patch") => "`patch`, `apply`".to_owned(),
        (_, name) => format!("`{name}`"),
    };
    let codes = operation.responses.keys().filter(|code| **code < 400);
    let codes = join(codes, ", ");
    let mut row = format!("| {name} | `{} {}` | {codes}", operation.method, operation.path);
    let first = operation.releases.first();
    if let Some(since) = first.filter(|_| first != found.resource.of.releases.first()) {
        // Writing to a string cannot fail.
        let _ = write!(row, "; since {}", group.named(since));
    }
    row + " |\n"
}
