//! From upstream's documents to the vendored ones: prose removed, keys sorted, pretty-printed.

use std::sync::Arc;

use k8s_versioned::Release;

use crate::json::{self, Node, Value};
use crate::manifest::{self, Entry, Manifest, SourceKind};
use crate::problem::{Cause, Place};
use crate::spec::{self, DocumentName};
use crate::{Files, Problems, model, rules};

/// The `specs/` folder as it is after `release`'s documents in `from` have been imported into `specs`.
///
/// Of `from`, the files of the group that `specs` names are used; `source` says where they come from. They
/// replace whatever `specs` had of that release.
///
/// # Errors
/// All that is wrong with the documents, alone or against those of the other releases.
pub fn import(
    specs: &Files,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Files, Problems> {
    merge_in(specs, release, source, from).map_err(Problems::shorten)
}

fn merge_in(
    specs: &Files,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Files, Problems> {
    let group = rules::read_group(specs)?.group;
    let mut manifest = manifest::read(specs)?;
    check_source(&manifest, release, source)?;
    let documents = vendor(&group, release, source, from)?;

    let folder = format!("{release}/");
    let mut result = specs.clone();
    result.retain(|path, _| !path.starts_with(&folder));
    manifest.documents.retain(|entry| entry.release != release);
    for (entry, text) in documents {
        result.insert(entry.path(), text);
        manifest.documents.push(entry);
    }
    manifest.documents.sort_by(|a, b| (a.release, &a.name).cmp(&(b.release, &b.name)));
    result.insert(manifest::PATH.to_owned(), manifest::write(&manifest).into_bytes());

    check(&group, &result)?;
    Ok(result)
}

/// A cluster's documents do not replace those of a source tree.
fn check_source(manifest: &Manifest, release: Release, source: SourceKind) -> Result<(), Problems> {
    let mut problems = Problems::new();
    let from_tree =
        |entry: &Entry| entry.release == release && entry.source == SourceKind::SourceTree;
    if source == SourceKind::Cluster && manifest.documents.iter().any(from_tree) {
        problems.push(Place::file(manifest::PATH), Cause::SourceTreeThere { release });
    }
    problems.or(())
}

/// The documents of `group` in `from`, with their entries.
fn vendor(
    group: &str,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Vec<(Entry, Vec<u8>)>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for (file, bytes) in from {
        let Some(name) = DocumentName::parse(file).filter(|name| name.group == group) else {
            continue;
        };
        match json::parse(&Arc::from(file.as_str()), bytes) {
            Ok(node) => {
                let text = canonical(&node);
                let (source_sha256, sha256) = (manifest::sha256(bytes), manifest::sha256(&text));
                documents.push((Entry { release, source, name, source_sha256, sha256 }, text));
            }
            Err(found) => problems.append(found),
        }
    }
    if documents.is_empty() && problems.is_empty() {
        problems.push(Place::file(release.to_string()), Cause::NothingToImport(group.to_owned()));
    }
    problems.or(documents)
}

/// The documents must be readable, and must not contradict each other. What the rules say of them comes
/// later: a new field has no description yet.
fn check(group: &str, specs: &Files) -> Result<(), Problems> {
    let manifest = manifest::verify(specs)?;
    let documents = spec::read_all(specs, &manifest)?;
    model::merge(group, &documents).map(drop)
}

/// The text that is vendored: without prose, with sorted keys, indented, with a line feed at the end.
fn canonical(node: &Node) -> Vec<u8> {
    // Strings as keys and no other types: nothing in such a value can fail to be written.
    let mut text = serde_json::to_vec_pretty(&without_prose(node)).unwrap_or_default();
    text.push(b'\n');
    text
}

fn without_prose(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(without_prose).collect(),
        Value::Object(members) => {
            let mut members: Vec<_> = members.iter().filter(|member| !is_prose(member)).collect();
            members.sort_by(|a, b| a.key.cmp(&b.key));
            members
                .into_iter()
                .map(|member| (member.key.clone(), without_prose(&member.node)))
                .collect()
        }
    }
}

/// A `description` that is text. A field called so has a schema, which is an object.
fn is_prose(member: &json::Member) -> bool {
    member.key == "description" && matches!(member.node.value, Value::String(_))
}
