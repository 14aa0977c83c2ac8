//! Operations of all documents to operations of the group.

use std::collections::{BTreeMap, btree_map};

use k8s_versioned_core::resource_path::ResourcePath;
use litemap::LiteMap;

use crate::Problems;
use crate::problem::{ModelCause, Place};
use crate::spec::{Body, Document, Operation};

/// Merges the operations of all documents by id. Documents come oldest release first.
pub(super) fn merge(
    documents: &[Document],
    problems: &mut Problems,
) -> BTreeMap<String, Operation> {
    let mut merged: BTreeMap<String, Operation> = BTreeMap::new();
    let mut ids: LiteMap<(&str, &str), &str> = LiteMap::new();
    for (id, operation) in documents.iter().flat_map(|document| &document.operations) {
        let was = ids.insert((operation.method, &operation.path), id).unwrap_or(id);
        if was != id {
            let cause = ModelCause::OperationRenamed { was: was.to_owned(), now: id.clone() };
            problems.push(&operation.place, cause);
            continue;
        }
        let id = &unique_id(id, operation, merged.get(id));
        match merged.entry(id.clone()) {
            btree_map::Entry::Vacant(entry) => drop(entry.insert(operation.clone())),
            btree_map::Entry::Occupied(entry) => absorb(id, entry.into_mut(), operation, problems),
        }
    }
    merged
}

/// The id of an operation, unique over all groups and versions. Groups such as `a-b.com` and `a.b.com` have the same ids, and so have
/// versions such as `v1-1` and `v11`.
fn unique_id(id: &str, operation: &Operation, known: Option<&Operation>) -> String {
    let (Some(known), Some(own)) = (
        known.and_then(|known| ResourcePath::parse(&known.path)),
        ResourcePath::parse(&operation.path),
    ) else {
        return id.to_owned();
    };
    if (known.group, known.version) == (own.group, own.version) {
        id.to_owned()
    } else {
        format!("{id} of {}/{}", own.group, own.version)
    }
}

/// Adds what a later document states about an operation. A changed fact replaces the old one, so that one change gives
/// one message, however many releases follow.
fn absorb(id: &str, merged: &mut Operation, newer: &Operation, problems: &mut Problems) {
    if newer.releases.iter().any(|release| merged.releases.contains(release)) {
        problems.push(&newer.place, ModelCause::OperationTwice(id.to_owned()));
        return;
    }
    let earlier = merged.place.clone();
    let mut changed = |what: &str, place: &Place| {
        let cause =
            ModelCause::OperationChanged { what: what.to_owned(), earlier: earlier.clone() };
        problems.push(place, cause);
    };
    if (merged.method, &merged.path) != (newer.method, &newer.path) {
        changed("the path", &newer.place);
        (merged.method, merged.path) = (newer.method, newer.path.clone());
    }
    if (merged.action, &merged.kind) != (newer.action, &newer.kind) {
        changed("the action or the kind", &newer.place);
        (merged.action, merged.kind) = (newer.action, newer.kind.clone());
    }
    absorb_parameters(merged, newer, &mut changed);
    absorb_bodies(merged, newer, &mut changed);
    merged.releases.unite(&newer.releases);
    merged.of_verb &= newer.of_verb;
    merged.place = newer.place.clone();
}

fn absorb_parameters(
    merged: &mut Operation,
    newer: &Operation,
    changed: &mut impl FnMut(&str, &Place),
) {
    for (key, parameter) in &newer.parameters {
        let merged = merged.parameters.entry(key.clone()).or_insert_with(|| parameter.clone());
        if merged.schema != parameter.schema {
            changed(&format!("the type of parameter `{}`", key.1), &parameter.place);
        }
        merged.releases.unite(&parameter.releases);
        (merged.schema, merged.place) = (parameter.schema, parameter.place.clone());
    }
}

fn absorb_bodies(
    merged: &mut Operation,
    newer: &Operation,
    changed: &mut impl FnMut(&str, &Place),
) {
    let same = match (&mut merged.body, &newer.body) {
        (None, None) => true,
        (Some((merged, needed)), Some((newer, required))) => {
            needed == required && absorb_body(merged, newer)
        }
        _ => false,
    };
    if !same {
        changed("the request body", &newer.place);
        merged.body.clone_from(&newer.body);
    }
    for (status, body) in &newer.responses {
        let merged = merged.responses.entry(*status).or_insert_with(|| body.clone());
        let same = match (&mut *merged, body) {
            (None, None) => true,
            (Some(merged), Some(newer)) => absorb_body(merged, newer),
            _ => false,
        };
        if !same {
            changed(&format!("the body of response {status}"), &newer.place);
            merged.clone_from(body);
        }
    }
}

/// Returns `true` if the bodies have the same schema; if so, their media types are united.
fn absorb_body(merged: &mut Body, newer: &Body) -> bool {
    for (media_type, releases) in &newer.media_types {
        merged.media_types.entry(media_type).or_default().unite(releases);
    }
    merged.schema == newer.schema
}
