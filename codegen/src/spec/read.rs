//! Documents.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use k8s_versioned::Release;

use super::read_operation::read_path;
use super::read_schema::read_schema;
use super::{Document, DocumentName, Operation, Schema, SchemaBody, Value};
use crate::json::{self, Cursor, Node};
use crate::manifest::Manifest;
use crate::problem::Cause;
use crate::{Files, Place, Problems};

/// Reads all documents that the manifest lists.
///
/// # Errors
/// All problems of all documents.
pub fn read_all(specs: &Files, manifest: &Manifest) -> Result<Vec<Document>, Problems> {
    let mut problems = Problems::new();
    let mut documents = Vec::new();
    for entry in &manifest.documents {
        let file: Arc<str> = entry.path().into();
        let Some(text) = specs.get(&*file) else {
            continue;
        };
        match json::parse(&file, text) {
            Ok(node) => {
                documents.push(read(&file, entry.release, &entry.name, &node, &mut problems));
            }
            Err(found) => problems.append(found),
        }
    }
    problems.or(documents)
}

/// Reads one document. What is wrong with it goes into `problems`, and the rest is read all the same.
pub fn read(
    file: &Arc<str>,
    release: Release,
    name: &DocumentName,
    node: &Node,
    problems: &mut Problems,
) -> Document {
    let mut document = Document {
        file: Arc::clone(file),
        release,
        name: name.clone(),
        schemas: BTreeMap::new(),
        operations: Vec::new(),
    };
    let Some(mut fields) = Cursor::root(file, node).fields(problems) else {
        return document;
    };
    if let Some(version) = fields.require("openapi", DOCUMENT, problems) {
        read_openapi_version(&version, problems);
    }
    if let Some(info) = fields.take("info") {
        read_info(&info, problems);
    }
    let components = fields.require("components", DOCUMENT, problems);
    let schemas =
        components.map(|components| read_components(&components, problems)).unwrap_or_default();
    let named: BTreeSet<&str> = schemas.iter().map(|(name, _)| *name).collect();
    if let Some(paths) = fields.require("paths", DOCUMENT, problems) {
        document.operations = read_paths(&paths, &name.path_prefix(), problems);
    }
    fields.finish(DOCUMENT, problems);
    let readable = |(name, schema): (&str, Option<Schema>)| Some((name.to_owned(), schema?));
    document.schemas = schemas.iter().cloned().filter_map(readable).collect();
    check_references(&document, &named, problems);
    document
}

const DOCUMENT: &str = "a document";

/// Reads the paths that begin with `prefix`, as all should. If none does, this is another document, which is
/// one problem and not as many as it has paths.
fn read_paths(paths: &Cursor<'_>, prefix: &str, problems: &mut Problems) -> Vec<Operation> {
    let members = paths.members(problems).unwrap_or_default();
    let (own, foreign): (Vec<_>, Vec<_>) =
        members.into_iter().partition(|(path, _)| path.starts_with(prefix));
    let shown = if own.is_empty() { 1 } else { foreign.len() };
    for (path, item) in foreign.iter().take(shown) {
        let cause = Cause::ForeignPath { path: (*path).to_owned(), expected: prefix.to_owned() };
        item.report(cause, problems);
    }
    own.into_iter().flat_map(|(path, item)| read_path(path, &item, problems)).collect()
}

fn read_openapi_version(version: &Cursor<'_>, problems: &mut Problems) {
    if let Some(found) = version.string(problems)
        && !found.starts_with("3.0.")
    {
        let found = found.to_owned();
        version.report(Cause::unknown("OpenAPI version", found, ["3.0.x"]), problems);
    }
}

fn read_info(info: &Cursor<'_>, problems: &mut Problems) {
    let Some(mut fields) = info.fields(problems) else {
        return;
    };
    for text in [fields.take("title"), fields.take("version")].into_iter().flatten() {
        text.string(problems);
    }
    fields.finish("the info of a document", problems);
}

/// The schemas by name; none in place of one that could not be read, so that references to it are no news.
fn read_components<'a>(
    components: &Cursor<'a>,
    problems: &mut Problems,
) -> Vec<(&'a str, Option<Schema>)> {
    let Some(mut fields) = components.fields(problems) else {
        return Vec::new();
    };
    if let Some(schemes) = fields.take("securitySchemes") {
        read_security_schemes(&schemes, problems);
    }
    let schemas =
        fields.require("schemas", "the components", problems).and_then(|s| s.members(problems));
    let schemas = schemas.unwrap_or_default();
    let schemas = schemas.into_iter().map(|(name, schema)| (name, read_schema(&schema, problems)));
    let schemas = schemas.collect();
    fields.finish("the components", problems);
    schemas
}

/// How to authenticate is the business of a client, but an unknown scheme should be seen.
fn read_security_schemes(schemes: &Cursor<'_>, problems: &mut Problems) {
    for (_, scheme) in schemes.members(problems).unwrap_or_default() {
        let Some(mut fields) = scheme.fields(problems) else {
            continue;
        };
        for (keyword, understood) in
            [("type", "apiKey"), ("in", "header"), ("name", "authorization")]
        {
            let Some(cursor) = fields.require(keyword, "a security scheme", problems) else {
                continue;
            };
            if let Some(found) = cursor.string(problems)
                && found != understood
            {
                let found = found.to_owned();
                cursor.report(Cause::unknown("security scheme", found, [understood]), problems);
            }
        }
        fields.finish("a security scheme", problems);
    }
}

/// Every reference must lead to a schema of the same document.
fn check_references(document: &Document, named: &BTreeSet<&str>, problems: &mut Problems) {
    let mut check = |place: &Place, name: &str| {
        if !named.contains(name) {
            problems.push(place.clone(), Cause::DanglingReference(name.to_owned()));
        }
    };
    for schema in document.schemas.values() {
        let values: Vec<(&Place, &Value)> = match &schema.body {
            SchemaBody::Struct(properties) => {
                let properties = properties.iter();
                properties.map(|it| (&it.place, &it.value)).collect()
            }
            SchemaBody::Value(value) => vec![(&schema.place, value)],
        };
        for (place, value) in values {
            if let Some(name) = value.reference() {
                check(place, name);
            }
        }
    }
    for operation in &document.operations {
        let bodies = operation.responses.values().flatten();
        for body in bodies.chain(operation.body.iter().map(|(body, _)| body)) {
            check(&operation.place, &body.schema);
        }
    }
}
