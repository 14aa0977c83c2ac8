//! Operations, with their parameters and bodies.

use std::collections::BTreeMap;

use k8s_versioned::Version;

use super::catalogue::{
    BODY_OPTIONAL, BODY_REQUIRED, BODY_TYPE, OPERATION_ADDED, OPERATION_CHANGED, OPERATION_REMOVED,
    OPERATION_RENAMED, PARAMETER_ADDED, PARAMETER_REMOVED, PARAMETER_TYPE, REQUEST_MEDIA_ADDED,
    REQUEST_MEDIA_REMOVED, RESPONSE_ADDED, RESPONSE_MEDIA_ADDED, RESPONSE_MEDIA_REMOVED,
    RESPONSE_REMOVED, RESPONSE_TYPE,
};
use super::names::Names;
use super::reach::title;
use super::side::Side;
use super::{Finding, Rule, Tree};
use crate::spec::{Body, Method, Operation, ParameterKey};

/// Compares the operations on the paths that both sides can have.
///
/// Many operations change in the same way, such as by a new parameter: that is one finding, which
/// reaches them all.
pub(super) fn compare(old: &Side, new: &Side, names: &Names) -> Vec<Finding> {
    let before: BTreeMap<_, _> = selected(old, new)
        .map(|(id, operation)| ((names.path(&operation.path), operation.method), (id, operation)))
        .collect();
    let after: BTreeMap<_, _> = selected(new, old)
        .map(|(id, operation)| ((operation.path.clone(), operation.method), (id, operation)))
        .collect();
    let mut changes = Changes::default();
    for (key, (old_id, was)) in &before {
        let Some((id, is)) = after.get(key) else {
            if has_kind(new, was) {
                changes.whole(OPERATION_REMOVED, was);
            }
            continue;
        };
        if names.are_the_same() && old_id != id {
            let finding = of(OPERATION_RENAMED, title(is), is);
            let (was, now) = ((*old_id).to_owned(), (*id).to_owned());
            changes.push(finding.with_values(was, now), is, None);
        }
        changes.compare(names, was, is);
    }
    for (key, (_, is)) in &after {
        if !before.contains_key(key) && has_kind(old, is) {
            changes.whole(OPERATION_ADDED, is);
        }
    }
    changes.findings()
}

/// The operations of a side. When whole releases are compared, those of a version that the other
/// release does not serve are left out: the version itself is a finding.
fn selected<'a>(side: &'a Side, other: &'a Side) -> impl Iterator<Item = (&'a str, &'a Operation)> {
    let prefix = format!("/apis/{}/", side.model.group);
    let known = move |operation: &Operation| {
        let rest = operation.path.strip_prefix(&prefix);
        let version = rest.and_then(|rest| rest.split('/').next()?.parse::<Version>().ok());
        side.is_one_version()
            || version.is_none_or(|version| other.model.versions.contains_key(&version))
    };
    let operations = side.model.operations.iter();
    operations
        .filter(move |(_, operation)| known(operation))
        .map(|(id, operation)| (id.as_str(), operation))
}

/// Whether a side serves the kind of an operation. A kind that one side lacks is a finding itself.
fn has_kind(side: &Side, operation: &Operation) -> bool {
    let Some(kind) = &operation.kind else {
        return true;
    };
    let mut resources = side.model.resources.iter();
    resources.any(|resource| {
        let same_version = resource.kind.version == kind.version || side.is_one_version();
        same_version && resource.kind.kind == kind.kind
    })
}

/// What changed, and which operations it reaches.
#[derive(Default)]
struct Changes {
    found: Vec<Finding>,
}

impl Changes {
    fn compare(&mut self, names: &Names, was: &Operation, is: &Operation) {
        let kind = |operation: &Operation| operation.kind.as_ref().map(|kind| kind.kind.clone());
        if (was.action, kind(was)) != (is.action, kind(is)) {
            self.whole(OPERATION_CHANGED, is);
        }
        self.parameters(was, is);
        self.request(names, was, is);
        self.responses(names, was, is);
    }

    /// Adds a finding about an operation as a whole.
    fn whole(&mut self, rule: Rule, operation: &Operation) {
        self.push(of(rule, title(operation), operation), operation, None);
    }

    fn parameters(&mut self, was: &Operation, is: &Operation) {
        let name = |(location, name): &ParameterKey| format!("{location} parameter {name}");
        for (key, before) in &was.parameters {
            match is.parameters.get(key) {
                None => self.push(of(PARAMETER_REMOVED, name(key), was), was, None),
                Some(after) if after.schema != before.schema => {
                    let types = (before.schema.to_string(), after.schema.to_string());
                    let finding = of(PARAMETER_TYPE, name(key), is);
                    self.push(finding.with_values(types.0, types.1), is, None);
                }
                Some(_) => {}
            }
        }
        for (key, added) in &is.parameters {
            if !was.parameters.contains_key(key) {
                let finding = of(PARAMETER_ADDED, name(key), is);
                self.push(finding.with_values(None, added.schema.to_string()), is, None);
            }
        }
    }

    fn request(&mut self, names: &Names, was: &Operation, is: &Operation) {
        let required =
            |operation: &Operation| operation.body.as_ref().is_some_and(|(_, required)| *required);
        if required(was) != required(is) {
            let rule = if required(is) { BODY_REQUIRED } else { BODY_OPTIONAL };
            self.push(request(rule, title(is)), is, None);
        }
        let before = was.body.as_ref().map(|(body, _)| body);
        let after = is.body.as_ref().map(|(body, _)| body);
        if schema(names, before) != after.map(|body| body.schema.clone()) {
            let finding =
                request(BODY_TYPE, title(is)).with_values(type_of(before), type_of(after));
            self.push(finding, is, None);
        }
        let rules = (REQUEST_MEDIA_REMOVED, REQUEST_MEDIA_ADDED);
        self.media_types((before, after), rules, (was, is), "request");
    }

    fn responses(&mut self, names: &Names, was: &Operation, is: &Operation) {
        for (status, before) in &was.responses {
            let place = format!("response {status}");
            let Some(after) = is.responses.get(status) else {
                let finding = response(RESPONSE_REMOVED, place.clone());
                self.push(finding, was, None);
                continue;
            };
            let (before, after) = (before.as_ref(), after.as_ref());
            if schema(names, before) != after.map(|body| body.schema.clone()) {
                let subject = format!("{} {place}", title(is));
                let finding = response(RESPONSE_TYPE, subject);
                self.push(finding.with_values(type_of(before), type_of(after)), is, None);
            }
            let rules = (RESPONSE_MEDIA_REMOVED, RESPONSE_MEDIA_ADDED);
            self.media_types((before, after), rules, (was, is), &place);
        }
        for status in is.responses.keys() {
            if !was.responses.contains_key(status) {
                let finding = response(RESPONSE_ADDED, format!("response {status}"));
                self.push(finding, is, None);
            }
        }
    }

    fn media_types(
        &mut self,
        (before, after): (Option<&Body>, Option<&Body>),
        (removed, added): (Rule, Rule),
        (was, is): (&Operation, &Operation),
        place: &str,
    ) {
        let has = |body: Option<&Body>, media_type| {
            body.is_some_and(|body| body.media_types.contains_key(media_type))
        };
        let about = |rule: Rule, media_type: &dyn ToString| {
            let in_request = place == "request";
            let classes = rule.classes(in_request, !in_request);
            Finding::new(rule, media_type.to_string(), classes)
        };
        for media_type in before.iter().flat_map(|body| body.media_types.keys()) {
            if after.is_some() && !has(after, media_type) {
                self.push(about(removed, media_type), was, Some(place));
            }
        }
        for media_type in after.iter().flat_map(|body| body.media_types.keys()) {
            if before.is_some() && !has(before, media_type) {
                self.push(about(added, media_type), is, Some(place));
            }
        }
    }

    /// Adds a finding about an operation, or the operation to the finding that says the same.
    fn push(&mut self, finding: Finding, operation: &Operation, body: Option<&str>) {
        let mut found = self.found.iter_mut();
        let same = found.find(|other| {
            (other.rule, &other.subject, &other.old, &other.new)
                == (finding.rule, &finding.subject, &finding.old, &finding.new)
        });
        if let Some(same) = same {
            same.classes.extend(finding.classes);
            same.classes.sort_unstable();
            same.classes.dedup();
            reaches(&mut same.reaches, operation, body);
        } else {
            let mut finding = finding.at(&operation.place);
            reaches(&mut finding.reaches, operation, body);
            self.found.push(finding);
        }
    }

    fn findings(mut self) -> Vec<Finding> {
        self.found
            .sort_by(|a, b| (a.rule.id, &a.subject, &a.new).cmp(&(b.rule.id, &b.subject, &b.new)));
        self.found
    }
}

/// Adds an operation to those that a finding reaches, or one more of its bodies.
fn reaches(trees: &mut Vec<Tree>, operation: &Operation, body: Option<&str>) {
    let text = title(operation);
    let body = body.map(Tree::leaf);
    if let Some(last) = trees.last_mut().filter(|last| last.text == text) {
        last.children.extend(body);
    } else {
        let children = body.into_iter().collect();
        trees.push(Tree { text, children });
    }
}

/// A finding about an operation: what it means depends on whether it reads or writes.
fn of(rule: Rule, subject: String, operation: &Operation) -> Finding {
    let reads = operation.method == Method::Get;
    Finding::new(rule, subject, rule.classes(!reads, reads))
}

fn request(rule: Rule, subject: String) -> Finding {
    Finding::new(rule, subject, rule.classes(true, false))
}

fn response(rule: Rule, subject: String) -> Finding {
    Finding::new(rule, subject, rule.classes(false, true))
}

fn schema(names: &Names, body: Option<&Body>) -> Option<String> {
    body.map(|body| names.schema(&body.schema))
}

fn type_of(body: Option<&Body>) -> String {
    body.map_or_else(|| "no body".to_owned(), |body| body.schema.clone())
}
