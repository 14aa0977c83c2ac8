//! The verbs of one resource.

use std::fmt::Write;

use k8s_versioned_core::verb::{KnownSubresource, Verb};
use litemap::LiteMap;

use super::matching::Matched;
use crate::Problems;
use crate::input::GroupRules;
use crate::plan::ItemPath;
use crate::problem::PlanCause;
use crate::text::{code, join};

/// The verbs of one resource.
#[derive(Clone, Debug, Default)]
pub(crate) struct Served {
    /// The verbs of [`Verb::OF_RESOURCES`] that servers have for it.
    pub(crate) verbs: Vec<Verb>,
    /// Its subresources, each with the type of its objects; `None` if it has none.
    pub(crate) subresources: Vec<(&'static KnownSubresource, Option<ItemPath>)>,
    /// Whether its documents describe custom resources.
    pub(crate) custom: bool,
    /// The section `Requests` of the resource's rustdoc.
    pub(crate) docs: String,
}

impl Served {
    /// Returns `true` if the objects can be changed with a patch, which includes server-side apply.
    pub(crate) fn takes_patches(&self) -> bool {
        self.verbs.contains(&Verb::PATCH)
    }
}

/// Plans the verbs of a resource from all its operations.
pub(super) fn plan(group: &GroupRules, matched: &[Matched<'_>], problems: &mut Problems) -> Served {
    let subresources: LiteMap<&str, Vec<&Matched<'_>>> =
        matched.iter().fold(LiteMap::new(), |mut groups, matched| {
            if let Some(subresource) = matched.subresource {
                groups.entry(subresource.name).or_default().push(matched);
            }
            groups
        });
    check_lists(matched, problems);
    let subresources = subresources.values().filter_map(|matched| subresource(matched, problems));
    let has = |verb: &Verb| {
        let mut whole = matched.iter().filter(|matched| matched.subresource.is_none());
        whole.any(|matched| matched.verb.name == verb.name)
    };
    Served {
        subresources: subresources.collect(),
        verbs: Verb::OF_RESOURCES.into_iter().filter(has).collect(),
        custom: matched.iter().any(|matched| matched.operation.custom),
        docs: docs(group, matched),
    }
}

/// A subresource with the type of its objects. It has all of its verbs, all of one type.
fn subresource(
    matched: &[&Matched<'_>],
    problems: &mut Problems,
) -> Option<(&'static KnownSubresource, Option<ItemPath>)> {
    let first = matched.first()?;
    let known = first.subresource?;
    for verb in known.verbs {
        if !matched.iter().any(|matched| matched.verb.name == verb.name) {
            report(first, format!("`{}` of `{}`", verb.name, known.name), problems);
        }
    }
    let object = first.object.map(|object| &object.path);
    for other in matched.iter().filter(|other| other.object.map(|object| &object.path) != object) {
        let what = format!("the objects of `{}` have several types", known.name);
        let (id, verb) = (other.operation.path.clone(), other.verb.name);
        problems.push(&other.operation.place, PlanCause::UnlikeVerb { id, verb, what });
    }
    Some((known, object.cloned()))
}

/// Reports a list of one namespace without one of all namespaces, or the other way round.
fn check_lists(matched: &[Matched<'_>], problems: &mut Problems) {
    let Some(first) = matched.first() else {
        return;
    };
    let lists = || {
        matched.iter().filter(|matched| matched.verb.name == Verb::LIST.name && !matched.deprecated)
    };
    let of_namespace = lists().any(|matched| !matched.all_namespaces);
    let of_all = lists().any(|matched| matched.all_namespaces);
    if first.is_namespaced() && of_namespace != of_all {
        let missing = if of_all { "list" } else { "list_all_namespaces" };
        report(first, format!("`{missing}`"), problems);
    }
}

fn report(matched: &Matched<'_>, what: String, problems: &mut Problems) {
    let resource = matched.resource.path.name.clone();
    problems.push(&matched.operation.place, PlanCause::VerbMissing { resource, what });
}

/// A table of the requests, without the deprecated ones.
fn docs(group: &GroupRules, matched: &[Matched<'_>]) -> String {
    let mut rows: Vec<(Option<usize>, usize, bool, String)> = Vec::new();
    // A connection can be opened by several methods, and its function builds one request.
    let is_shown = |matched: &&Matched<'_>| {
        !matched.deprecated && matched.operation.method == matched.verb.method
    };
    for matched in matched.iter().filter(is_shown) {
        let subresource = matched.subresource.and_then(|subresource| {
            KnownSubresource::ALL.iter().position(|known| known.name == subresource.name)
        });
        let verb = Verb::OF_RESOURCES.iter().position(|verb| verb.name == matched.verb.name);
        rows.push((
            subresource,
            verb.unwrap_or_default(),
            matched.all_namespaces,
            row(group, matched),
        ));
    }
    rows.sort();
    let mut text = String::from("# Requests\n\n| function | request | success |\n|---|---|---|\n");
    for (.., row) in rows {
        text.push_str(&row);
    }
    text.trim_end().to_owned()
}

fn row(group: &GroupRules, matched: &Matched<'_>) -> String {
    let operation = matched.operation;
    let all = if matched.all_namespaces { "_all_namespaces" } else { "" };
    let name = match (matched.subresource, matched.verb.name) {
        (Some(of), name @ ("get" | "create" | "replace" | "patch")) => {
            format!("`{name}_subresource::<{}>`", of.rust_name)
        }
        (_, "list") => format!("`list{all}`, `watch{all}`"),
        (_, "patch") => "`patch`, `apply`".to_owned(),
        (_, name) => format!("`{name}`"),
    };
    let codes = operation.responses.keys().filter(|code| **code < 400);
    let codes = join(codes, ", ");
    let request = code(&format!("{} {}", operation.method, operation.path));
    let mut row = format!("| {name} | {request} | {codes}");
    let first = operation.releases.first();
    if let Some(since) = first.filter(|_| first != matched.resource.schema_type.releases.first()) {
        // Writing to a string cannot fail.
        let _ = write!(row, "; since {}", group.named(since));
    }
    row + " |\n"
}
