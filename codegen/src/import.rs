//! From upstream's documents to the vendored ones: prose removed, keys sorted, pretty-printed.

use std::sync::Arc;

use k8s_versioned_names::Release;

use crate::json::{self, Node, Value};
use crate::manifest::{self, Entry, Manifest, SourceKind};
use crate::model::Model;
use crate::problem::{ManifestCause, Place};
use crate::spec::{self, DocumentName};
use crate::{Files, Problems, import_proto, model, rules};

/// The `specs/` folder as it is after `release`'s documents in `from` have been imported into `specs`.
///
/// Of `from`, the files of the group that `specs` names are used; `source` says where they come from. They
/// replace the documents of that release in `specs`. Files `*.proto` have the field numbers.
///
/// # Errors
/// All problems of the documents, and all contradictions to those of other releases.
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
    for Imported { entry, text, .. } in &documents {
        result.insert(entry.path(), text.clone());
        manifest.documents.push(entry.clone());
    }
    manifest.documents.sort_by(|a, b| (a.release, &a.name).cmp(&(b.release, &b.name)));
    result.insert(manifest::PATH.to_owned(), manifest::write(&manifest).into_bytes());

    let model = check(&group, &result, &documents)?;
    if from.keys().any(|file| import_proto::is_proto(file)) {
        import_proto::merge(&mut result, &model, from)?;
    }
    Ok(result)
}

/// A cluster's documents do not replace those of a source tree.
fn check_source(manifest: &Manifest, release: Release, source: SourceKind) -> Result<(), Problems> {
    let mut problems = Problems::new();
    let from_tree =
        |entry: &Entry| entry.release == release && entry.source == SourceKind::SourceTree;
    if source == SourceKind::Cluster && manifest.documents.iter().any(from_tree) {
        problems.push(&Place::file(manifest::PATH), ManifestCause::SourceTreeThere(release));
    }
    problems.or(())
}

/// A document to import.
struct Imported {
    entry: Entry,
    /// The values without prose, at their places in upstream's document.
    node: Node,
    /// The text that is vendored.
    text: Vec<u8>,
}

/// The documents of `group` in `from`.
fn vendor(
    group: &str,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Vec<Imported>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for (file, bytes) in from {
        let Some(name) = DocumentName::parse(file).filter(|name| name.group == group) else {
            continue;
        };
        match json::parse(&Arc::from(file.as_str()), bytes) {
            Ok(mut node) => {
                remove_prose(&mut node);
                let text = canonical(&node);
                let (source_sha256, sha256) = (manifest::sha256(bytes), manifest::sha256(&text));
                let entry = Entry { release, source, name, source_sha256, sha256 };
                documents.push(Imported { entry, node, text });
            }
            Err(found) => problems.append(found),
        }
    }
    if documents.is_empty() && problems.is_empty() {
        // The place is the folder that has nothing.
        problems.push(&Place::file(""), ManifestCause::NothingToImport(group.to_owned()));
    }
    problems.or(documents)
}

/// The documents must be readable, and must not contradict each other. The rules are not checked here: a new
/// field has no description yet. The places of problems are in upstream's files.
fn check(group: &str, specs: &Files, imported: &[Imported]) -> Result<Model, Problems> {
    let mut manifest = manifest::verify(specs)?;
    let is_imported = |entry: &Entry| imported.iter().any(|it| it.entry == *entry);
    manifest.documents.retain(|entry| !is_imported(entry));
    let mut documents = spec::read_all(specs, &manifest)?;
    let mut problems = Problems::new();
    for Imported { entry, node, .. } in imported {
        let file = Arc::from(entry.name.to_string());
        documents.push(spec::read(&file, entry.release, &entry.name, node, &mut problems));
    }
    documents.sort_by(|a, b| (a.release, &a.name).cmp(&(b.release, &b.name)));
    problems.or(documents).and_then(|documents| model::merge(group, &documents))
}

/// The text that is vendored: with sorted keys, indented, with a line feed at the end.
fn canonical(node: &Node) -> Vec<u8> {
    let mut value = value_of(node);
    value.sort_all_objects();
    // Writing cannot fail: every key is a string.
    let mut text = serde_json::to_vec_pretty(&value).unwrap_or_default();
    text.push(b'\n');
    text
}

fn value_of(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Null => serde_json::Value::Null,
        Value::Bool(bool) => (*bool).into(),
        Value::Number(text) => serde_json::from_str(text).unwrap_or_default(),
        Value::String(text) => text.as_str().into(),
        Value::Array(items) => items.iter().map(value_of).collect(),
        Value::Object(members) => {
            members.iter().map(|member| (member.key.clone(), value_of(&member.node))).collect()
        }
    }
}

/// Removes each `description` that is text. A field of this name has a schema, which is an object.
fn remove_prose(node: &mut Node) {
    match &mut node.value {
        Value::Array(items) => items.iter_mut().for_each(remove_prose),
        Value::Object(members) => {
            members.retain(|member| {
                member.key != "description" || !matches!(member.node.value, Value::String(_))
            });
            for member in members {
                remove_prose(&mut member.node);
            }
        }
        _ => {}
    }
}
