//! Documents in JSON, read as a closed world: a keyword or value that the reader does not know is an error.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_versioned_core::Release;
use k8s_versioned_source::{ReadLimits, Tree, json};

use super::cursor::Cursor;
use super::group::GroupRules;
use super::leave_out::{self, LeftOut};
use super::manifest::Manifest;
use super::operations::read_path;
use super::schema::{Types, read_schema};
use super::words::word;
use crate::problem::{DocumentCause, ManifestCause};
use crate::spec::{Dialect, Document, DocumentName, Operation, Source, Type, split_inline};
use crate::{Files, Place, Problems};

/// How documents are read.
#[derive(Clone, Copy)]
pub(super) struct Reading<'g> {
    pub(super) group: &'g GroupRules,
    /// Whether types keep their schemas.
    pub(super) keeps_schemas: bool,
}

/// Reads all documents that the manifest lists, without the kinds that the rules leave out. These are added to `left_out`.
///
/// # Errors
/// All problems of all documents.
pub(super) fn read_all(
    specs: &Files,
    manifest: &Manifest,
    Reading { group, keeps_schemas }: Reading<'_>,
    left_out: &mut LeftOut,
) -> Result<Vec<Document>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for entry in &manifest.documents {
        let file: Arc<str> = entry.path().into();
        let Some(text) = specs.get(&*file) else {
            problems.push(&Place::file(file), ManifestCause::DocumentMissing);
            continue;
        };
        if let Some(mut tree) = problems.keep(json(&file, text, &ReadLimits::DOCUMENT)) {
            left_out.extend(leave_out::remove(&mut tree, &entry.name, &group.leave_out));
            let mut document = read(&tree, entry.release, &entry.name, &mut problems);
            if keeps_schemas {
                publish(&mut document.types, &tree, |_| true);
            }
            documents.push(document);
        }
    }
    problems.or(documents)
}

/// Reads one document of a release. Its problems go into `problems`; the rest is read anyway.
pub(crate) fn read(
    tree: &Tree<'_>,
    release: Release,
    name: &DocumentName,
    problems: &mut Problems,
) -> Document {
    let reported = RefCell::new(Problems::new());
    let root = Cursor::root(tree.root(), "", &reported);
    let (schemas, operations) =
        read_document(&root, release, &name.path_prefix()).unwrap_or_default();
    problems.append(reported.take());
    check_references(&schemas, &operations, problems);
    problems.name_versions(&leave_out::schemas_of(tree, name));
    let (file, name, mut types) = (Arc::clone(tree.file()), name.clone(), schemas.read);
    publish(&mut types, tree, |ty| ty.dialect == Dialect::Custom);
    Document { file, release, name, types, operations }
}

/// Adds the schemas to some types.
fn publish(types: &mut BTreeMap<String, Type>, tree: &Tree<'_>, is_wanted: fn(&Type) -> bool) {
    let schemas = tree.root().at(&["components", "schemas"]);
    for (name, ty) in types {
        if is_wanted(ty) && split_inline(name).is_none() {
            let schema = schemas.and_then(|schemas| schemas.get(name));
            ty.published = schema.map(|schema| Arc::new(schema.to_json()));
        }
    }
}

fn read_document(
    root: &Cursor<'_>,
    release: Release,
    prefix: &str,
) -> Option<(Types, Vec<(String, Operation)>)> {
    let mut keywords = root.keywords("a document")?;
    if let Some(version) = keywords.require("openapi") {
        read_openapi_version(&version);
    }
    let dialect = keywords.take("info").and_then(|info| read_info(&info)).unwrap_or_default();
    let source = Source { release, dialect };
    let schemas = keywords.require("components").and_then(|value| read_components(&value, source));
    let paths = keywords.require("paths");
    let operations = paths.map(|paths| read_paths(&paths, prefix, release));
    keywords.finish();
    let mut operations = operations.unwrap_or_default();
    for (_, operation) in &mut operations {
        operation.custom = dialect == Dialect::Custom;
    }
    Some((schemas.unwrap_or_default(), operations))
}

/// Reads the paths, which must begin with `prefix`. If none does, this is another document: one problem, not one for
/// each path.
fn read_paths(paths: &Cursor<'_>, prefix: &str, release: Release) -> Vec<(String, Operation)> {
    let members = paths.members().into_iter().flatten();
    let (own, foreign): (Vec<_>, Vec<_>) = members.partition(|(path, _)| path.starts_with(prefix));
    let shown = if own.is_empty() { 1 } else { foreign.len() };
    for (path, item) in foreign.iter().take(shown) {
        let (path, expected) = ((*path).to_owned(), prefix.to_owned());
        item.report(DocumentCause::ForeignPath { path, expected });
    }
    own.into_iter().flat_map(|(path, item)| read_path(path, &item, release)).collect()
}

fn read_openapi_version(version: &Cursor<'_>) {
    if let Some(text) = version.string()
        && !text.starts_with("3.0.")
    {
        version.report(DocumentCause::unknown("OpenAPI version", text, &["3.0.x"]));
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
pub(super) const CUSTOM_RESOURCES: &str = "Kubernetes CRD Swagger";

fn read_components(components: &Cursor<'_>, source: Source) -> Option<Types> {
    let mut keywords = components.keywords("the components")?;
    if let Some(schemes) = keywords.take("securitySchemes") {
        for (_, scheme) in schemes.members().into_iter().flatten() {
            read_security_scheme(&scheme);
        }
    }
    let schemas = keywords.require("schemas");
    keywords.finish();
    let types = RefCell::default();
    for (name, schema) in schemas.iter().filter_map(Cursor::members).flatten() {
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
pub(super) fn check_references(
    schemas: &Types,
    operations: &[(String, Operation)],
    problems: &mut Problems,
) {
    let mut check = |place: &Place, name: &str| {
        if !schemas.read.contains_key(name) && !schemas.unreadable.contains(name) {
            problems.push(place, DocumentCause::DanglingReference(name.to_owned()));
        }
    };
    for (_, place, value) in schemas.read.values().flat_map(Type::values) {
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
