//! The verbs of one resource.

use std::collections::BTreeSet;
use std::fmt::Write;

use k8s_versioned_names::verb::{Target, Verb};

use super::Found;
use crate::Problems;
use crate::problem::PlanCause;
use crate::text::join;

/// The verbs of one resource.
#[derive(Clone, Debug, Default)]
pub struct Served {
    /// Those of [`Verb::OF_RESOURCES`] that servers have for it.
    pub verbs: Vec<Verb>,
    /// `true` if its objects have the subresource `status`.
    pub status: bool,
    /// The section `Requests` of the resource's rustdoc.
    pub docs: String,
}

impl Served {
    /// Tells if the objects can be changed with a patch, which includes server-side apply.
    pub fn takes_patches(&self) -> bool {
        self.verbs.contains(&Verb::PATCH)
    }
}

const STATUS: [&Verb; 3] = [&Verb::GET_STATUS, &Verb::REPLACE_STATUS, &Verb::PATCH_STATUS];

/// Plans the verbs of a resource from all its operations.
pub(super) fn plan(found: &[Found<'_>], problems: &mut Problems) -> Served {
    check_complete(found, problems);
    let has = |verb: &Verb| found.iter().any(|found| found.verb == verb);
    Served {
        verbs: Verb::OF_RESOURCES.into_iter().filter(has).collect(),
        status: STATUS.iter().all(|verb| has(verb)),
        docs: docs(found),
    }
}

/// Reports operations that are missing: a resource has all of the status verbs or none, and lists of one namespace and
/// of all namespaces.
fn check_complete(found: &[Found<'_>], problems: &mut Problems) {
    let Some(first) = found.first() else {
        return;
    };
    let stated: BTreeSet<&str> = found.iter().map(|found| found.verb.name).collect();
    let mut missing: Vec<&str> = Vec::new();
    if STATUS.iter().any(|verb| stated.contains(verb.name)) {
        let names = STATUS.iter().map(|verb| verb.name);
        missing.extend(names.filter(|name| !stated.contains(name)));
    }
    let lists = || found.iter().filter(|it| *it.verb == Verb::LIST && !it.deprecated);
    let of_namespace = lists().any(|found| !found.all_namespaces);
    let of_all = lists().any(|found| found.all_namespaces);
    if first.is_namespaced() && of_namespace != of_all {
        missing.push(if of_all { "list" } else { "list_all_namespaces" });
    }
    for verb in missing {
        let cause = PlanCause::VerbMissing {
            resource: first.resource.path.name.clone(),
            verb: verb.to_owned(),
        };
        problems.push(&first.operation.place, cause);
    }
}

/// A table of the requests, without the deprecated ones.
fn docs(found: &[Found<'_>]) -> String {
    let mut rows: Vec<(usize, bool, String)> = Vec::new();
    for found in found.iter().filter(|found| !found.deprecated) {
        let rank = Verb::ALL.iter().position(|verb| verb == found.verb);
        rows.push((rank.unwrap_or_default(), found.all_namespaces, row(found)));
    }
    rows.sort();
    let mut text = String::from("# Requests\n\n| function | request | success |\n|---|---|---|\n");
    for (.., row) in rows {
        text.push_str(&row);
    }
    text.trim_end().to_owned()
}

fn row(found: &Found<'_>) -> String {
    let operation = found.operation;
    let all = if found.all_namespaces { "_all_namespaces" } else { "" };
    let name = match (found.verb.target, found.verb.name) {
        (Target::Status, name) => format!("`{}`, `of_status`", name.trim_end_matches("_status")),
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
        let _ = write!(row, "; since Kubernetes {since:#}");
    }
    row + " |\n"
}
