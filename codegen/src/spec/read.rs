//! Documents.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use k8s_versioned_names::Release;
use strum::VariantNames;

use super::read_operation::read_path;
use super::read_schema::{Types, read_schema};
use super::{Dialect, DocumentName, GroupVersionKind, Operation, Type, split_inline};
use crate::crd::{Derived, Parts};
use crate::json::{self, Cursor, Node, View};
use crate::manifest::Manifest;
use crate::problem::DocumentCause;
use crate::{Files, Place, Problems};

/// One document of one release.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file, relative to `specs/`; of definitions the first one.
    pub file: Arc<str>,
    /// The release that it describes.
    pub release: Release,
    /// The group and the version that it describes.
    pub name: DocumentName,
    /// The types by the full names of their schemas.
    pub types: BTreeMap<String, Type>,
    /// The operations with their ids, in the order of the document.
    pub operations: Vec<(String, Operation)>,
}

impl Document {
    /// Sets the whole schemas of the kinds of custom resources.
    fn publish(&mut self, mut schema: impl FnMut(&str) -> Option<serde_json::Value>) {
        for (name, found) in &mut self.types {
            if found.dialect == Dialect::Custom && split_inline(name).is_none() {
                found.published = schema(name).map(Arc::new);
            }
        }
    }
}

/// The source of a document's text: what reading it depends on.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The release that it describes.
    pub release: Release,
    /// The rules by which its objects are written.
    pub dialect: Dialect,
}

/// Reads all documents that the manifest lists. They may have descriptions if `prose` is `true`.
///
/// # Errors
/// All problems of all documents.
pub fn read_all(
    specs: &Files,
    manifest: &Manifest,
    prose: bool,
) -> Result<Vec<Document>, Problems> {
    read_with(specs, BTreeMap::new(), manifest, prose)
}

/// [`read_all`] with more documents, which are not text.
pub(crate) fn read_with(
    specs: &Files,
    mut derived: BTreeMap<String, Derived>,
    manifest: &Manifest,
    prose: bool,
) -> Result<Vec<Document>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for entry in &manifest.documents {
        let file: Arc<str> = entry.path().into();
        let document = (&file, entry.release, &entry.name);
        if let Some(Derived { mut value, parts, .. }) = derived.remove(&*file) {
            let from = (View::Value(&value), &parts);
            let mut document = read_types(document, from, prose, &mut problems);
            let mut schemas = value.pointer_mut("/components/schemas");
            document.publish(|name| schemas.as_mut()?.get_mut(name).map(serde_json::Value::take));
            documents.push(document);
        } else if let Some(text) = specs.get(&*file)
            && let Some(root) = problems.keep(json::parse(&file, text))
        {
            documents.push(read(document, (&root, &Parts::default()), prose, &mut problems));
        }
    }
    problems.or(documents)
}

/// Reads one document: its file, its release and its name. Of a document that is made of definitions, these have the places of
/// problems: `parts`. It may have descriptions if `prose` is `true`. Its problems go into `problems`; the rest is read anyway.
pub fn read(
    document: (&Arc<str>, Release, &DocumentName),
    (node, parts): (&Node<'_>, &Parts),
    prose: bool,
    problems: &mut Problems,
) -> Document {
    let mut document = read_types(document, (View::Node(node), parts), prose, problems);
    let schemas = node.get("components").and_then(|components| components.get("schemas"));
    document.publish(|name| Some(schemas?.get(name)?.to_json()));
    document
}

/// [`read`] without the whole schemas.
fn read_types(
    (file, release, name): (&Arc<str>, Release, &DocumentName),
    (view, parts): (View<'_>, &Parts),
    prose: bool,
    problems: &mut Problems,
) -> Document {
    let file = parts.file().unwrap_or(file);
    let found = RefCell::new(Problems::new());
    let root = Cursor::root(file, view, &found, prose);
    let (schemas, operations) =
        read_document(&root, parts, release, &name.path_prefix()).unwrap_or_default();
    problems.append(found.take());
    check_references(&schemas, &operations, problems);
    let types = schemas.found;
    Document { file: Arc::clone(file), release, name: name.clone(), types, operations }
}

fn read_document(
    root: &Cursor<'_>,
    parts: &Parts,
    release: Release,
    prefix: &str,
) -> Option<(Types, Vec<(String, Operation)>)> {
    let mut keywords = root.keywords("a document")?;
    if let Some(version) = keywords.require("openapi") {
        read_openapi_version(&version);
    }
    let dialect = keywords.take("info").and_then(|info| read_info(&info)).unwrap_or_default();
    let source = Source { release, dialect };
    let schemas = keywords.require("components").and_then(|it| read_components(&it, parts, source));
    let paths = keywords.require("paths");
    let operations = paths.map(|paths| read_paths(&paths, parts, prefix, release));
    keywords.finish();
    let mut operations = operations.unwrap_or_default();
    for (_, operation) in &mut operations {
        operation.custom = dialect == Dialect::Custom;
    }
    Some((schemas.unwrap_or_default(), operations))
}

/// Reads the paths, which must begin with `prefix`. If none does, this is another document: one problem, not one for
/// each path.
fn read_paths(
    paths: &Cursor<'_>,
    parts: &Parts,
    prefix: &str,
    release: Release,
) -> Vec<(String, Operation)> {
    let members = members_of(paths, parts);
    let (own, foreign): (Vec<_>, Vec<_>) = members.partition(|(path, _)| path.starts_with(prefix));
    let shown = if own.is_empty() { 1 } else { foreign.len() };
    for (path, item) in foreign.iter().take(shown) {
        let (path, expected) = ((*path).to_owned(), prefix.to_owned());
        item.report(DocumentCause::ForeignPath { path, expected });
    }
    own.into_iter().flat_map(|(path, item)| read_path(path, &item, release)).collect()
}

/// The members of an object, with the places of those that were made from definitions.
fn members_of<'a>(
    of: &'a Cursor<'a>,
    parts: &'a Parts,
) -> impl Iterator<Item = (&'a str, Cursor<'a>)> {
    let members = of.members().into_iter().flatten();
    members.map(|(name, member)| match parts.of(name) {
        Some(origin) => (name, member.of(origin)),
        None => (name, member),
    })
}

fn read_openapi_version(version: &Cursor<'_>) {
    if let Some(found) = version.string()
        && !found.starts_with("3.0.")
    {
        version.report(DocumentCause::unknown("OpenAPI version", found, &["3.0.x"]));
    }
}

/// Reads the dialect from the title, which servers give every document.
fn read_info(info: &Cursor<'_>) -> Option<Dialect> {
    let mut keywords = info.keywords("the info of a document")?;
    let title = keywords.take("title").and_then(|title| title.string());
    keywords.take("version").and_then(|version| version.string());
    keywords.finish();
    Some(match title {
        Some(CUSTOM_RESOURCES) => Dialect::Custom,
        _ => Dialect::BuiltIn,
    })
}

/// The title of the documents that a server makes from CustomResourceDefinitions.
pub(crate) const CUSTOM_RESOURCES: &str = "Kubernetes CRD Swagger";

fn read_components(components: &Cursor<'_>, parts: &Parts, source: Source) -> Option<Types> {
    let mut keywords = components.keywords("the components")?;
    if let Some(schemes) = keywords.take("securitySchemes") {
        for (_, scheme) in schemes.members().into_iter().flatten() {
            read_security_scheme(&scheme);
        }
    }
    let schemas = keywords.require("schemas");
    keywords.finish();
    let types = RefCell::default();
    for (name, schema) in schemas.iter().flat_map(|schemas| members_of(schemas, parts)) {
        if split_inline(name).is_some() {
            schema.report(DocumentCause::SchemaName(name.to_owned()));
        }
        read_schema(name, &schema, source, &types);
    }
    Some(types.into_inner())
}

/// Checks a security scheme. The model does not need it, but an unknown one is an error.
fn read_security_scheme(scheme: &Cursor<'_>) -> Option<()> {
    let mut keywords = scheme.keywords("a security scheme")?;
    for (keyword, understood) in [("type", "apiKey"), ("in", "header"), ("name", "authorization")] {
        if let Some(cursor) = keywords.require(keyword) {
            word("security scheme", &cursor, &[understood]);
        }
    }
    keywords.finish();
    Some(())
}

/// Every reference must lead to a schema of the same document.
fn check_references(schemas: &Types, operations: &[(String, Operation)], problems: &mut Problems) {
    let mut check = |place: &Place, name: &str| {
        if !schemas.found.contains_key(name) && !schemas.unreadable.contains(name) {
            problems.push(place, DocumentCause::DanglingReference(name.to_owned()));
        }
    };
    for (_, place, value) in schemas.found.values().flat_map(Type::values) {
        // The reader has made the types of inline objects.
        if let Some(name) = value.reference().filter(|name| split_inline(name).is_none()) {
            check(place, name);
        }
    }
    for (_, operation) in operations {
        let bodies = operation.responses.values().flatten();
        for body in bodies.chain(operation.body.iter().map(|(body, _)| body)) {
            if !body.schema.is_empty() {
                check(&operation.place, &body.schema);
            }
        }
    }
}

// Words of a known set, and kinds.

/// The value of an enum at `cursor`.
pub(super) fn one_of<T: FromStr + VariantNames>(
    what: &'static str,
    cursor: Option<Cursor<'_>>,
) -> Option<T> {
    word(what, &cursor?, T::VARIANTS)?.parse().ok()
}

/// The word at `cursor`, which must be one of `known`.
pub(super) fn word(
    what: &'static str,
    cursor: &Cursor<'_>,
    known: &[&'static str],
) -> Option<&'static str> {
    let found = cursor.string()?;
    let word = known.iter().find(|word| **word == found).copied();
    word.or_else(|| cursor.refuse(DocumentCause::unknown(what, found, known)))
}

/// Reads a group, version and kind.
pub(super) fn read_kind(cursor: &Cursor<'_>) -> Option<GroupVersionKind> {
    let mut keywords = cursor.keywords("a group-version-kind")?;
    let mut text = |key| keywords.require_text(key);
    let (group, version, kind) = (text("group"), text("version"), text("kind"));
    keywords.finish();
    Some(GroupVersionKind { group: group?, version: version?, kind: kind? })
}
