//! Operations, with their parameters and bodies.

use std::collections::BTreeSet;

use k8s_versioned_core::resource_path::ResourcePath;
use litemap::LiteMap;

use super::change_kinds::{
    BODY_OPTIONAL, BODY_REQUIRED, BODY_TYPE, OPERATION_ADDED, OPERATION_CHANGED, OPERATION_REMOVED,
    OPERATION_RENAMED, PARAMETER_ADDED, PARAMETER_REMOVED, PARAMETER_TYPE, REQUEST_MEDIA_ADDED,
    REQUEST_MEDIA_REMOVED, RESPONSE_ADDED, RESPONSE_MEDIA_ADDED, RESPONSE_MEDIA_REMOVED,
    RESPONSE_REMOVED, RESPONSE_TYPE,
};
use super::finding::{Bodies, pairs};
use super::side::{Renames, Side};
use super::{ChangeKind, DiffFinding};
use crate::gather::Gather;
use crate::spec::{Body, Operation, ParameterKey};
use crate::text::shorten;

/// Compares the operations of both sides.
pub(super) fn compare(old: &Side, new: &Side, names: &Renames) -> Vec<DiffFinding> {
    let before = selected(old, new, |path| names.path(path));
    let after = selected(new, old, str::to_owned);
    // What definitions change in their operations is a finding itself.
    let is_defined = |operation: &Operation| {
        let kind = operation.kind.as_ref().map(|kind| (kind.group.clone(), kind.kind.clone()));
        kind.is_some_and(|kind| [old, new].iter().all(|side| side.definitions.contains_key(&kind)))
    };
    let mut comparison = OperationDiff { names, findings: Vec::new() };
    for (_, was, is) in pairs(&before, &after) {
        match (was, is) {
            (Some((_, one)), _) | (_, Some((_, one))) if is_defined(one) => {}
            // Another kind has the path.
            (Some((_, was)), Some((_, is)))
                if !has_kind(new, old, was) || !has_kind(old, new, is) => {}
            (Some((old_id, was)), Some((id, is))) => {
                if names.are_the_same() && old_id != id {
                    let finding = about(OPERATION_RENAMED, title(is), is);
                    let values = ((*old_id).to_owned(), (*id).to_owned());
                    comparison.push(finding.with_values(values.0, values.1), is, None);
                }
                comparison.compare(was, is);
            }
            (Some((_, was)), None) if has_kind(new, old, was) => {
                comparison.whole(OPERATION_REMOVED, was);
            }
            (None, Some((_, is))) if has_kind(old, new, is) => {
                comparison.whole(OPERATION_ADDED, is);
            }
            _ => {}
        }
    }
    let findings = comparison.findings.into_iter();
    let mut findings: Vec<DiffFinding> =
        findings.map(|(finding, reached)| finding.with_reach(lines(&reached))).collect();
    findings.sort_by(|a, b| (a.rule.id, &a.subject, &a.new).cmp(&(b.rule.id, &b.subject, &b.new)));
    findings
}

/// The operations of a side with their ids, by path and method. When whole releases are compared, the operations of a version
/// that the other release does not serve are left out: the version itself is a finding.
fn selected<'a>(
    side: &'a Side,
    other: &Side,
    path: impl Fn(&str) -> String,
) -> LiteMap<(String, &'static str), (&'a str, &'a Operation)> {
    let version =
        |operation: &Operation| ResourcePath::parse(&operation.path)?.version.parse().ok();
    let operations = side.model.operations.iter();
    let known = operations.filter(|(_, operation)| side.compares(version(operation), other));
    known
        .map(|(id, operation)| {
            ((path(&operation.path), operation.method), (id.as_str(), operation))
        })
        .gather()
}

/// Returns `true` if a side serves the kind of an operation of the other. A kind that a side lacks is a finding itself.
fn has_kind(side: &Side, other: &Side, operation: &Operation) -> bool {
    let Some(kind) = &operation.kind else {
        return true;
    };
    let mut resources = side.model.resources.iter();
    resources.any(|resource| side.key(&resource.kind, other) == other.key(kind, side))
}

struct OperationDiff<'a> {
    names: &'a Renames,
    findings: Vec<(DiffFinding, Reached)>,
}

/// The body of an operation on one side.
struct Media<'a> {
    body: Option<&'a Body>,
    /// The finding about a media type that only this side has.
    only: ChangeKind,
    of: &'a Operation,
}

impl OperationDiff<'_> {
    fn compare(&mut self, was: &Operation, is: &Operation) {
        let kind = |operation: &Operation| operation.kind.as_ref().map(|kind| kind.kind.clone());
        if (was.action, kind(was)) != (is.action, kind(is)) {
            self.whole(OPERATION_CHANGED, is);
        }
        self.parameters(was, is);
        self.request(was, is);
        self.responses(was, is);
    }

    /// Adds a finding about an operation as a whole.
    fn whole(&mut self, rule: ChangeKind, operation: &Operation) {
        self.push(about(rule, title(operation), operation), operation, None);
    }

    fn parameters(&mut self, was: &Operation, is: &Operation) {
        let finding = |rule, key: &ParameterKey, operation| {
            about(rule, format!("{} parameter {}", key.0.name(), key.1), operation)
        };
        for (key, before, after) in pairs(&was.parameters, &is.parameters) {
            let before = before.map(|parameter| parameter.schema.to_string());
            let after = after.map(|parameter| parameter.schema.to_string());
            if before.is_some() && after.is_none() {
                self.push(finding(PARAMETER_REMOVED, key, was), was, None);
            } else if before != after {
                let rule = if before.is_some() { PARAMETER_TYPE } else { PARAMETER_ADDED };
                self.push(finding(rule, key, is).with_values(before, after), is, None);
            }
        }
    }

    fn request(&mut self, was: &Operation, is: &Operation) {
        let required =
            |operation: &Operation| operation.body.as_ref().is_some_and(|(_, required)| *required);
        if required(was) != required(is) {
            let rule = if required(is) { BODY_REQUIRED } else { BODY_OPTIONAL };
            self.push(DiffFinding::new(rule, title(is), Bodies::REQUESTS), is, None);
        }
        let before = was.body.as_ref().map(|(body, _)| body);
        let after = is.body.as_ref().map(|(body, _)| body);
        if self.differ(before, after) {
            let finding = DiffFinding::new(BODY_TYPE, title(is), Bodies::REQUESTS);
            self.push(finding.with_values(type_of(before), type_of(after)), is, None);
        }
        let before = Media { body: before, only: REQUEST_MEDIA_REMOVED, of: was };
        let after = Media { body: after, only: REQUEST_MEDIA_ADDED, of: is };
        self.media_types(&before, &after, "request");
    }

    fn responses(&mut self, was: &Operation, is: &Operation) {
        for (status, before, after) in pairs(&was.responses, &is.responses) {
            let place = format!("response {status}");
            let (Some(before), Some(after)) = (before, after) else {
                let (rule, of) =
                    if before.is_some() { (RESPONSE_REMOVED, was) } else { (RESPONSE_ADDED, is) };
                self.push(DiffFinding::new(rule, place, Bodies::RESPONSES), of, None);
                continue;
            };
            let (before, after) = (before.as_ref(), after.as_ref());
            if self.differ(before, after) {
                let subject = format!("{} {place}", title(is));
                let finding = DiffFinding::new(RESPONSE_TYPE, subject, Bodies::RESPONSES);
                self.push(finding.with_values(type_of(before), type_of(after)), is, None);
            }
            let before = Media { body: before, only: RESPONSE_MEDIA_REMOVED, of: was };
            let after = Media { body: after, only: RESPONSE_MEDIA_ADDED, of: is };
            self.media_types(&before, &after, &place);
        }
    }

    fn media_types(&mut self, was: &Media<'_>, is: &Media<'_>, place: &str) {
        let (Some(before), Some(after)) = (was.body, is.body) else {
            return;
        };
        for (media_type, before, after) in pairs(&before.media_types, &after.media_types) {
            let side = match (before, after) {
                (Some(_), None) => was,
                (None, Some(_)) => is,
                _ => continue,
            };
            let holds = if place == "request" { Bodies::REQUESTS } else { Bodies::RESPONSES };
            let finding = DiffFinding::new(side.only, (*media_type).to_owned(), holds);
            self.push(finding, side.of, Some(place));
        }
    }

    /// Returns `true` if two bodies have different schemas.
    fn differ(&self, before: Option<&Body>, after: Option<&Body>) -> bool {
        before.map(|body| self.names.schema(&body.schema)) != after.map(|body| body.schema.clone())
    }

    /// Adds a finding that reaches an operation, or one of its bodies. When many operations change in the same way, such as by a
    /// new parameter, one finding reaches them all.
    fn push(&mut self, finding: DiffFinding, operation: &Operation, body: Option<&str>) {
        let index = self.findings.iter().position(|(other, _)| other.is_same(&finding));
        let index = index.unwrap_or_else(|| {
            let first = DiffFinding { classes: Vec::new(), ..finding.clone() };
            self.findings.push((first.at(&operation.place), Reached::new()));
            self.findings.len() - 1
        });
        let Some((same, reached)) = self.findings.get_mut(index) else {
            return;
        };
        same.classes.extend(finding.classes);
        same.classes.sort_unstable();
        same.classes.dedup();
        let kind = operation.kind.as_ref().map(|kind| format!("{} {}", kind.version, kind.kind));
        let action = operation.action.map(|action| action.name().to_owned());
        let (of, action) = kind.zip(action).unwrap_or_else(|| (title(operation), String::new()));
        let actions = reached.entry(of).or_default();
        actions.insert([action.as_str(), body.unwrap_or_default()].join(" ").trim().to_owned());
    }
}

/// The operations that a finding reaches: the actions by version and kind.
type Reached = LiteMap<String, BTreeSet<String>>;

/// The actions of a kind that are shown.
const SHOWN: usize = 6;

fn lines(reached: &Reached) -> Vec<String> {
    let line = |(of, actions): (&String, &BTreeSet<String>)| {
        let mut actions: Vec<String> = actions.iter().cloned().collect();
        shorten(&mut actions, SHOWN, |hidden| format!("{hidden} more"));
        let actions = actions.join(", ");
        if actions.is_empty() { of.clone() } else { format!("{of}: {actions}") }
    };
    reached.iter().map(line).collect()
}

/// The method and the path.
fn title(operation: &Operation) -> String {
    format!("{} {}", operation.method, operation.path)
}

/// A finding about an operation, with the classes for responses if it reads, else for requests.
fn about(rule: ChangeKind, subject: String, operation: &Operation) -> DiffFinding {
    let reads = operation.method == "GET";
    DiffFinding::new(rule, subject, Bodies { requests: !reads, responses: reads })
}

fn type_of(body: Option<&Body>) -> String {
    body.map_or_else(|| "no body".to_owned(), |body| body.schema.clone())
}
