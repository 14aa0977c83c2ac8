//! From upstream's documents to the vendored ones: descriptions removed, keys sorted, pretty-printed.

mod protobuf;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_versioned_core::Release;
use k8s_versioned_core::nearest::nearest;
use k8s_versioned_source::{NodeId, ReadLimits, Tree, ValueKind, json};
use serde_json::{Map, Value, json as new_json};

use crate::gather::Gather;
use crate::input::crd::{self, PackageDefinition};
use crate::input::manifest::{self, Manifest, ManifestEntry, SourceKind};
use crate::input::{self, DescribedBy, GroupRules, Input, Sources, leave_out};
use crate::model::Model;
use crate::problem::{ManifestCause, ModelCause, Place};
use crate::project::outline;
use crate::spec::{Document, DocumentName, REFERENCE};
use crate::text::{has_extension, join, json_file};
use crate::{Files, Problems, model};

/// The result of an import.
#[derive(Clone, Debug)]
pub struct Import {
    /// The new `specs/` folder.
    pub specs: Files,
    /// The messages and fields in files `*.proto` that no type has: their numbers are left out.
    pub without_type: BTreeSet<String>,
    /// The outlines of the documents that were there for the release, and of the new ones, if they are other documents.
    pub replaced: Option<(String, String)>,
    /// What the package does not get: files named as documents that no group and version can have, and groups of `group.toml`
    /// without a document.
    pub left_out: BTreeSet<String>,
}

/// Imports the documents of `release` in `from` into `specs`.
///
/// Of `from`, the files of the group that `specs` names are used; `source` says where they come from. They
/// replace the documents of that release in `specs`. Files `*.proto` have the field numbers.
///
/// # Errors
/// All problems of the documents, and all contradictions between them and the documents of other releases.
pub fn import(
    specs: &Files,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Import, Problems> {
    import_as(specs, release, source, from, false)
}

/// Imports CustomResourceDefinitions of a `release` into `specs`, and returns the new `specs/` folder: each definition is a file in the
/// folder of the release, whose documents and definitions it replaces. Without a release, the files are beside `group.toml`, where
/// the files of other definitions stay. `write` makes the text of a file.
///
/// Of `from`, files of YAML or JSON, the definitions of the groups that `specs` names are used.
///
/// Definitions can contradict those of other releases: [`diff`](super::diff::diff()) shows how, and
/// [`generate`](crate::generate()) says why no package has both.
///
/// # Errors
/// All problems of the definitions.
pub fn import_definitions(
    specs: &Files,
    release: Option<Release>,
    from: &Files,
    write: impl Fn(&Value) -> String,
) -> Result<Files, Problems> {
    let group = input::read_group(specs)?;
    // The places of problems are in the files of the user.
    let described = group.keeps_descriptions();
    let (_, mut definitions) = crd::documents_and_definitions(from, described, &group.leave_out)?;
    let others: BTreeSet<String> =
        definitions.iter().map(|definition| definition.group.clone()).collect();
    definitions
        .retain(|definition| group.groups.is_empty() || group.groups.contains(&definition.group));
    if definitions.is_empty() {
        let near = near_group(&group, &others.iter().map(String::as_str).collect::<Vec<_>>());
        let wanted = join(&group.groups, "`, `");
        let others = others.iter().take(GROUPS_SHOWN).map(|group| format!("`{group}`")).collect();
        let cause = ManifestCause::OtherGroups { wanted, others, near };
        return Err(Problems::one(Place::file(""), cause));
    }
    let folder = release.map(|release| format!("{release}/"));
    let is_replaced = |path: &str| folder.as_ref().is_some_and(|folder| path.starts_with(folder));
    let mut result = specs.clone();
    result.retain(|path, _| !is_replaced(path));
    if let Some(text) = result.get_mut(manifest::PATH) {
        let mut manifest = manifest::read(specs)?;
        manifest.documents.retain(|entry| Some(entry.release) != release);
        *text = manifest::write(&manifest).into_bytes();
    }
    let folder = folder.unwrap_or_default();
    for PackageDefinition { name, value, .. } in &definitions {
        result.insert(format!("{folder}{name}.yaml"), write(value).into_bytes());
    }
    let of_release = |mut sources: Sources| {
        sources.retain(|of, _| of == release.unwrap_or(crd::NO_RELEASE));
        sources.documents(&result)
    };
    let read = Sources::read(&result).and_then(of_release);
    let merged = read.and_then(|read| model::merge(&read.group.groups, read.documents));
    merged.map_err(|problems| {
        // The files are not written.
        problems.moved(|place| {
            let name = place.file.strip_prefix(&folder)?.strip_suffix(".yaml")?;
            crd::place_in(from, name, &place.pointer)
        })
    })?;
    Ok(result)
}

/// Imports the documents, and the field numbers of either the shared types or the others.
fn import_as(
    specs: &Files,
    release: Release,
    source: SourceKind,
    from: &Files,
    shared: bool,
) -> Result<Import, Problems> {
    let group = input::read_group(specs)?;
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
    manifest.documents.sort_by(ManifestEntry::order);
    result.insert(manifest::PATH.to_owned(), manifest::write(&manifest).into_bytes());

    let model = check(&group, &result, &documents, from)?;
    let mut without_type = BTreeSet::new();
    if from.keys().any(|file| protobuf::is_source(file)) {
        let is_own = |schema: &str| shared || !group.is_shared(schema);
        without_type = protobuf::merge(&mut result, &model, from, &is_own)?;
    }
    let outline = |specs: &Files| outline(specs, |of| of == release, |_| true).ok();
    let is_replaced = |(path, text): (&String, &Vec<u8>)| {
        path.starts_with(&folder) && result.get(path) != Some(text)
    };
    let replaced = specs.iter().any(is_replaced).then(|| outline(specs).zip(outline(&result)));
    let left_out = left_out(&group, &documents, from);
    Ok(Import { replaced: replaced.flatten(), specs: result, without_type, left_out })
}

/// The most groups that a message lists.
const GROUPS_SHOWN: usize = 8;

/// The group whose name is almost that of a group of the package.
fn near_group(rules: &GroupRules, groups: &[&str]) -> Option<String> {
    let near = |wanted: &String| nearest(wanted, groups.iter().copied());
    rules.groups.iter().find_map(near).map(str::to_owned)
}

/// The files that look like documents but are not, and the groups without a document.
fn left_out(group: &GroupRules, documents: &[Imported], from: &Files) -> BTreeSet<String> {
    let has_document =
        |group: &&String| documents.iter().any(|document| document.entry.name.group == **group);
    let groups = group.groups.iter().filter(|group| !has_document(group));
    let is_misnamed_document = |file: &&String| {
        let begins = file.starts_with("api__") || file.starts_with("apis__");
        begins && has_extension(file, &["json"]) && DocumentName::parse(file).is_none()
    };
    groups.chain(from.keys().filter(is_misnamed_document)).cloned().gather()
}

/// A cluster's documents do not replace the documents of a source tree.
fn check_source(manifest: &Manifest, release: Release, source: SourceKind) -> Result<(), Problems> {
    let from_tree =
        |entry: &ManifestEntry| entry.release == release && entry.source == SourceKind::SourceTree;
    if source == SourceKind::Cluster && manifest.documents.iter().any(from_tree) {
        let cause = ManifestCause::SourceTreeThere(release.to_string());
        return Err(Problems::one(Place::file(manifest::PATH), cause));
    }
    Ok(())
}

/// Imports the shared types of `release` from all documents in `from`.
///
/// The folder has one document for each release: the schemas that the rules give to a package of shared types, and the
/// schemas to which these refer. Documents of a release may list different kinds for a schema; all of them are taken.
///
/// # Errors
/// All problems of the documents, and schemas that differ.
pub fn import_shared(
    specs: &Files,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Import, Problems> {
    let group = input::read_group(specs)?;
    let mut problems = Problems::new();
    let mut schemas: BTreeMap<String, (Value, String)> = BTreeMap::new();
    for (file, bytes) in from.iter().filter(|(file, _)| DocumentName::parse(file).is_some()) {
        let tree = json(&Arc::from(file.as_str()), bytes, &ReadLimits::DOCUMENT);
        if let Some(mut tree) = problems.keep(tree) {
            remove_descriptions(&mut tree);
            collect(&group, file, &tree.root().to_json(), &mut schemas, &mut problems);
        }
    }
    let schemas: Map<String, Value> =
        schemas.into_iter().map(|(name, (schema, _))| (name, schema)).gather();
    let document = new_json!({
        "openapi": "3.0.0",
        "info": {"title": "Kubernetes", "version": "unversioned"},
        "paths": {},
        "components": {"schemas": schemas},
    });
    let name = DocumentName { group: group.group().to_owned(), version: None };
    let mut files = from.clone();
    files.retain(|file, _| protobuf::is_source(file));
    files.insert(name.to_string(), document.to_string().into_bytes());
    problems.or(())?;
    import_as(specs, release, source, &files, true)
}

/// Adds the shared schemas of a document, each with the file that has it first.
fn collect(
    group: &GroupRules,
    file: &str,
    document: &Value,
    all: &mut BTreeMap<String, (Value, String)>,
    problems: &mut Problems,
) {
    const KINDS: &str = "x-kubernetes-group-version-kind";
    let schemas = document.pointer("/components/schemas").and_then(Value::as_object);
    let Some(schemas) = schemas else {
        return;
    };
    let is_shared = |name: &&String| group.is_shared(name);
    let shared = schemas.keys().filter(is_shared).map(String::as_str).collect();
    for (name, schema) in reachable(schemas, shared) {
        let mut schema = schema.clone();
        let kinds = schema.get_mut(KINDS).map(Value::take);
        let first = all.entry(name.clone()).or_insert_with(|| (schema.clone(), file.to_owned()));
        let known = first.0.get_mut(KINDS).map(Value::take);
        if first.0 == schema {
            let all = [kinds, known].into_iter().flatten();
            let all = all.filter_map(|types| types.as_array().cloned()).flatten();
            let mut kinds = all.sorted_by_key(Value::to_string);
            kinds.dedup();
            if let Some(kept) = first.0.get_mut(KINDS) {
                *kept = kinds.into();
            }
        } else {
            let (what, other) = (format!("`{name}`"), first.1.clone());
            problems.push(&Place::file(file), ModelCause::DocumentsDisagree { what, other });
        }
    }
}

/// The schemas of these names, and all to which they refer, in `schemas`.
pub(crate) fn reachable<'s: 'n, 'n>(
    schemas: &'s Map<String, Value>,
    mut names: Vec<&'n str>,
) -> BTreeMap<&'s String, &'s Value> {
    let mut reached = BTreeMap::new();
    while let Some(name) = names.pop() {
        if let Some((name, schema)) = schemas.get_key_value(name)
            && reached.insert(name, schema).is_none()
        {
            references(schema, &mut names);
        }
    }
    reached
}

/// Adds the names of the schemas to which a schema refers.
pub(crate) fn references<'a>(schema: &'a Value, names: &mut Vec<&'a str>) {
    match schema {
        Value::Object(members) => {
            let reference = members.get("$ref").and_then(Value::as_str);
            names.extend(reference.and_then(|reference| reference.strip_prefix(REFERENCE)));
            members.values().for_each(|member| references(member, names));
        }
        Value::Array(items) => items.iter().for_each(|item| references(item, names)),
        _ => {}
    }
}

/// A document to import.
struct Imported {
    entry: ManifestEntry,
    /// The file of upstream's text.
    file: String,
    /// The text that is vendored.
    text: Vec<u8>,
}

/// The documents of the groups in `from`.
fn vendor(
    group: &GroupRules,
    release: Release,
    source: SourceKind,
    from: &Files,
) -> Result<Vec<Imported>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for (file, bytes) in from {
        let wanted =
            |name: &DocumentName| group.groups.is_empty() || group.groups.contains(&name.group);
        let Some(name) = DocumentName::parse(file).filter(wanted) else {
            continue;
        };
        if let Some(tree) = problems.keep(parse(group, file, bytes)) {
            let text = json_file(tree.root().to_json());
            let (source_sha256, sha256) = (manifest::sha256(bytes), manifest::sha256(&text));
            let entry = ManifestEntry { release, source, name, source_sha256, sha256 };
            documents.push(Imported { entry, file: file.clone(), text });
        }
    }
    if documents.is_empty() && problems.is_empty() {
        let groups: Vec<DocumentName> =
            from.keys().filter_map(|release| DocumentName::parse(release)).collect();
        let near =
            near_group(group, &groups.iter().map(|group| group.group.as_str()).collect::<Vec<_>>());
        let cause = ManifestCause::NothingToImport { wanted: join(&group.groups, "`, `"), near };
        // The place is the folder that has nothing.
        problems.push(&Place::file(""), cause);
    }
    problems.or(documents)
}

/// The values of upstream's text, without descriptions if the project has its own.
fn parse<'t>(group: &GroupRules, file: &str, bytes: &'t [u8]) -> Result<Tree<'t>, Problems> {
    let mut tree = json(&Arc::from(file), bytes, &ReadLimits::DOCUMENT)?;
    if group.descriptions != DescribedBy::Documents {
        remove_descriptions(&mut tree);
    }
    Ok(tree)
}

/// The documents must be readable, and must not contradict each other. The rules are not checked here: a new
/// field has no description yet. The places of problems are in upstream's files, which are read again one by one: the
/// values of all of them could exhaust the memory.
fn check(
    group: &GroupRules,
    specs: &Files,
    imported: &[Imported],
    from: &Files,
) -> Result<Model, Problems> {
    let mut sources = Sources::read(specs)?;
    let is_imported = |release: Release, name: &DocumentName| {
        imported
            .iter()
            .any(|imported| imported.entry.release == release && imported.entry.name == *name)
    };
    sources.retain(|release, name| !is_imported(release, name));
    let Input { mut documents, .. } = sources.documents(specs)?;
    let mut problems = Problems::new();
    for Imported { entry, file, .. } in imported {
        let bytes = from.get(file).map_or(&[][..], Vec::as_slice);
        let mut tree = parse(group, file, bytes)?;
        let (release, name) = (entry.release, &entry.name);
        leave_out::remove(&mut tree, name, &group.leave_out);
        let document = input::read_document(&tree, release, name, &mut problems);
        documents.push(document);
    }
    documents.sort_by(Document::order);
    problems.or(documents).and_then(|documents| model::merge(&group.groups, documents))
}

/// Removes each `description` that is text. A field of this name has a schema, which is an object.
fn remove_descriptions(tree: &mut Tree<'_>) {
    let mut left: Vec<NodeId> = vec![tree.root().id()];
    while let Some(id) = left.pop() {
        if tree.value(id).kind() == ValueKind::Object {
            tree.retain_members(id, |key, value| {
                key != "description" || value.kind() != ValueKind::String
            });
        }
        left.extend(tree.members_of(id).iter().map(|member| member.node));
    }
}
