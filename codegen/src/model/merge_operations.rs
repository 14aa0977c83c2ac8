//! Operations of all documents to operations of the group.

use std::collections::{BTreeMap, btree_map};

use k8s_versioned::Release;

use super::operation::{Body, Operation, Parameter};
use crate::Problems;
use crate::problem::{Cause, Place};
use crate::spec::{self, Document, Method};

/// Merges the operations of all documents by id. Documents come oldest release first.
pub(super) fn merge(
    documents: &[Document],
    problems: &mut Problems,
) -> BTreeMap<String, Operation> {
    let mut merged: BTreeMap<String, Operation> = BTreeMap::new();
    let mut ids: BTreeMap<(Method, &str), &str> = BTreeMap::new();
    for document in documents {
        for operation in &document.operations {
            let id = *ids.entry((operation.method, &operation.path)).or_insert(&operation.id);
            if id != operation.id {
                let cause =
                    Cause::OperationRenamed { was: id.to_owned(), now: operation.id.clone() };
                problems.push(operation.place.clone(), cause);
                ids.insert((operation.method, &operation.path), &operation.id);
                continue;
            }
            match merged.entry(operation.id.clone()) {
                btree_map::Entry::Vacant(entry) => {
                    entry.insert(lower(operation, document.release));
                }
                btree_map::Entry::Occupied(entry) => {
                    absorb(entry.into_mut(), operation, document.release, problems);
                }
            }
        }
    }
    merged
}

fn lower(operation: &spec::Operation, release: Release) -> Operation {
    let parameter = |parameter: &spec::Parameter| {
        let key = (parameter.location, parameter.name.clone());
        (key, Parameter { releases: release.into(), schema: parameter.schema })
    };
    Operation {
        place: operation.place.clone(),
        releases: release.into(),
        method: operation.method,
        path: operation.path.clone(),
        action: operation.action,
        kind: operation.kind.clone(),
        parameters: operation.parameters.iter().map(parameter).collect(),
        body: lower_request(operation, release),
        responses: operation
            .responses
            .iter()
            .map(|(status, body)| (*status, body.as_ref().map(|body| lower_body(body, release))))
            .collect(),
    }
}

fn lower_request(operation: &spec::Operation, release: Release) -> Option<(Body, bool)> {
    let (body, required) = operation.body.as_ref()?;
    Some((lower_body(body, release), *required))
}

fn lower_body(body: &spec::Body, release: Release) -> Body {
    Body {
        schema: body.schema.clone(),
        media_types: body
            .media_types
            .iter()
            .map(|media_type| (*media_type, release.into()))
            .collect(),
    }
}

/// Adds what a later document says of an operation. What changed replaces what was, so that one change gives
/// one message, whatever the number of releases after it.
fn absorb(
    merged: &mut Operation,
    found: &spec::Operation,
    release: Release,
    problems: &mut Problems,
) {
    if merged.releases.contains(release) {
        problems.push(found.place.clone(), Cause::OperationTwice(found.id.clone()));
        return;
    }
    let earlier = merged.place.clone();
    let mut changed = |what: &str, place: &Place| {
        let cause = Cause::OperationChanged { what: what.to_owned(), earlier: earlier.clone() };
        problems.push(place.clone(), cause);
    };
    if (merged.method, &merged.path) != (found.method, &found.path) {
        changed("the path", &found.place);
        (merged.method, merged.path) = (found.method, found.path.clone());
    }
    if (merged.action, &merged.kind) != (found.action, &found.kind) {
        changed("the action or the kind", &found.place);
        (merged.action, merged.kind) = (found.action, found.kind.clone());
    }
    absorb_parameters(merged, found, release, &mut changed);
    absorb_bodies(merged, found, release, &mut changed);
    merged.releases.insert(release);
    merged.place = found.place.clone();
}

fn absorb_parameters(
    merged: &mut Operation,
    found: &spec::Operation,
    release: Release,
    changed: &mut impl FnMut(&str, &Place),
) {
    for parameter in &found.parameters {
        let key = (parameter.location, parameter.name.clone());
        let fresh = Parameter { releases: release.into(), schema: parameter.schema };
        let merged = merged.parameters.entry(key).or_insert(fresh);
        if merged.schema != parameter.schema {
            changed(&format!("the type of parameter `{}`", parameter.name), &parameter.place);
            merged.schema = parameter.schema;
        }
        merged.releases.insert(release);
    }
}

fn absorb_bodies(
    merged: &mut Operation,
    found: &spec::Operation,
    release: Release,
    changed: &mut impl FnMut(&str, &Place),
) {
    let same = match (&mut merged.body, &found.body) {
        (None, None) => true,
        (Some((merged, needed)), Some((found, required))) => {
            needed == required && absorb_body(merged, found, release)
        }
        _ => false,
    };
    if !same {
        changed("the request body", &found.place);
        merged.body = lower_request(found, release);
    }
    for (status, body) in &found.responses {
        let fresh = || body.as_ref().map(|body| lower_body(body, release));
        let merged = merged.responses.entry(*status).or_insert_with(fresh);
        let same = match (&mut *merged, body) {
            (None, None) => true,
            (Some(merged), Some(found)) => absorb_body(merged, found, release),
            _ => false,
        };
        if !same {
            changed(&format!("the body of response {status}"), &found.place);
            *merged = fresh();
        }
    }
}

/// Whether the bodies have the same schema; if so, their media types are united.
fn absorb_body(merged: &mut Body, found: &spec::Body, release: Release) -> bool {
    for media_type in &found.media_types {
        merged.media_types.entry(*media_type).or_default().insert(release);
    }
    merged.schema == found.schema
}
