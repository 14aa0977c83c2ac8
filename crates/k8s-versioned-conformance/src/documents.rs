//! The `OpenAPI` v3 documents of the releases.
//!
//! Each release has a folder, with files named as in the source tree of Kubernetes:
//!
//! ```text
//! <release>/apis__<group>__<version>_openapi.json
//! <release>/apis__<group>_openapi.json            the list of the group's versions
//! <release>/api__v1_openapi.json                  the core group
//! ```

#[cfg(feature = "jsonschema")]
mod schemas;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use k8s_versioned::path::ResourcePath;
use k8s_versioned::{Release, StrictValue};
use k8s_versioned_recordings::{ReadError, Recording, read_text};
#[cfg(feature = "jsonschema")]
use schemas::Schemas;
use serde_json::Value;
use thiserror::Error;

use crate::suite::Inapplicable;

/// The `OpenAPI` documents of one or more releases.
///
/// Checks that need a document do not apply without it.
#[derive(Debug, Default)]
pub struct Documents {
    documents: BTreeMap<(Release, String), Document>,
}

impl Documents {
    /// Reads all documents in the folders of all releases.
    ///
    /// Other files and folders are skipped.
    ///
    /// # Errors
    ///
    /// A folder or a file cannot be read, or a file is not an `OpenAPI` document.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, DocumentError> {
        let mut documents = BTreeMap::new();
        for (path, name) in entries(folder.as_ref())? {
            let Ok(release) = name.parse::<Release>() else {
                continue;
            };
            for (path, name) in entries(&path)? {
                if let Some(stem) = name.strip_suffix("_openapi.json") {
                    let document = Document::load(path)?;
                    documents.insert((release, stem.to_owned()), document);
                }
            }
        }
        Ok(Self { documents })
    }

    /// The document that describes the request of a recording, or the reason why there is none.
    pub(crate) fn of(&self, recording: &Recording) -> Result<&Document, Inapplicable> {
        let exchange = recording.exchange().ok_or("not an exchange")?;
        let path = ResourcePath::parse(&exchange.request.path).ok_or("not a path of an API")?;
        let stem = stem(&path);
        let release = recording.path.release;
        self.documents
            .get(&(release, stem))
            .ok_or_else(|| format!("no document of {release} for it").into())
    }
}

/// The beginning of the name of a document.
fn stem(path: &ResourcePath<'_>) -> String {
    path.root().trim_start_matches('/').replace('/', "__")
}

/// The entries of a folder with their names, in a stable order. Names that are not UTF-8 are skipped.
fn entries(folder: &Path) -> Result<Vec<(PathBuf, String)>, DocumentError> {
    let unreadable = |reason| DocumentError::Folder { path: folder.to_owned(), reason };
    let mut entries = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        if let Ok(name) = entry.file_name().into_string() {
            entries.push((entry.path(), name));
        }
    }
    entries.sort();
    Ok(entries)
}

/// A document, or a folder of them, that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DocumentError {
    /// A folder cannot be listed.
    #[error("cannot list {}: {reason}", path.display())]
    Folder {
        /// The path of the folder.
        path: PathBuf,
        /// The reason.
        reason: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: ReadError,
    },
    /// A file is not an `OpenAPI` document.
    #[error("{}: not an OpenAPI document: {reason}", path.display())]
    Syntax {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: serde_json::Error,
    },
}

// One `OpenAPI` document.

/// The operations and the schemas of one document.
#[derive(Debug)]
pub(crate) struct Document {
    path: PathBuf,
    operations: Operations,
    #[cfg(feature = "jsonschema")]
    schemas: Schemas,
}

impl Document {
    fn load(path: PathBuf) -> Result<Self, DocumentError> {
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(reason) => return Err(DocumentError::File { path, reason }),
        };
        let document: StrictValue = match serde_json::from_str(&text) {
            Ok(document) => document,
            Err(reason) => return Err(DocumentError::Syntax { path, reason }),
        };
        let document = document.into_inner();
        Ok(Self {
            path,
            operations: Operations::of(&document),
            #[cfg(feature = "jsonschema")]
            schemas: Schemas::of(document),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The status codes that are documented for an operation; `None` if there is no such operation.
    pub(crate) fn statuses(&self, method: &str, path: &str) -> Option<&Statuses> {
        self.operations.find(method, path)
    }
}

// The operations of a document.

/// The operations of a document and their status codes.
#[derive(Debug)]
struct Operations(Vec<Operation>);

#[derive(Debug)]
struct Operation {
    /// In lower case, as in the document.
    method: String,
    path: String,
    statuses: Statuses,
}

/// The status codes that are documented for an operation.
#[derive(Debug)]
pub(crate) struct Statuses(BTreeSet<String>);

impl Operations {
    fn of(document: &Value) -> Self {
        let paths = document.get("paths").and_then(Value::as_object);
        let mut operations = Vec::new();
        for (path, item) in paths.into_iter().flatten() {
            for (method, operation) in item.as_object().into_iter().flatten() {
                // Beside the methods there are members such as `parameters`, which have no responses.
                let Some(responses) = operation.get("responses").and_then(Value::as_object) else {
                    continue;
                };
                operations.push(Operation {
                    method: method.clone(),
                    path: path.clone(),
                    statuses: Statuses(responses.keys().cloned().collect()),
                });
            }
        }
        Self(operations)
    }

    /// The status codes of the operation that answers a request. Of two paths that match, the one with fewer
    /// placeholders wins, as in `OpenAPI`.
    fn find(&self, method: &str, path: &str) -> Option<&Statuses> {
        let method = method.to_ascii_lowercase();
        let of_method = self.0.iter().filter(|operation| operation.method == method);
        let matching = of_method.filter_map(|it| Some((placeholders(&it.path, path)?, it)));
        let (_, best) = matching.min_by_key(|(placeholders, _)| *placeholders)?;
        Some(&best.statuses)
    }
}

/// The number of placeholders in `template` if `path` matches it. A slash at the end makes no difference.
fn placeholders(template: &str, path: &str) -> Option<usize> {
    let mut count = 0;
    let mut found = path.trim_end_matches('/').split('/');
    for expected in template.trim_end_matches('/').split('/') {
        let segment = found.next()?;
        if expected.starts_with('{') && expected.ends_with('}') {
            count += 1;
        } else if expected != segment {
            return None;
        }
    }
    found.next().is_none().then_some(count)
}

impl Statuses {
    /// Returns `true` if a code is documented: itself, its class (`4XX`), or by a `default`.
    pub(crate) fn contains(&self, status: u16) -> bool {
        let class = format!("{}XX", status / 100);
        [status.to_string(), class, "default".to_owned()].iter().any(|name| self.0.contains(name))
    }
}

impl fmt::Display for Statuses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(String::as_str).collect();
        f.write_str(&names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::Operations;

    #[test]
    fn requests_find_their_operation_and_its_codes() {
        let operations = Operations::of(&json!({ "paths": {
            "/v1/{plural}/special": { "get": { "responses": { "202": {} } } },
            "/v1/widgets/{name}": {
                "parameters": [],
                "get": { "responses": { "200": {}, "4XX": {} } },
                "put": { "responses": { "200": {}, "201": {} } },
            },
            "/v1/widgets/special": { "get": { "responses": { "default": {} } } },
        }}));
        // The codes that are documented, and one that is or is not.
        for (method, path, expected, code, contained) in [
            ("GET", "/v1/widgets/a", "200, 4XX", 200, true),
            ("GET", "/v1/widgets/a", "200, 4XX", 201, false),
            ("GET", "/v1/widgets/a", "200, 4XX", 404, true),
            ("GET", "/v1/widgets/a", "200, 4XX", 500, false),
            ("PUT", "/v1/widgets/a", "200, 201", 201, true),
            ("PUT", "/v1/widgets/a", "200, 201", 202, false),
            ("GET", "/v1/widgets/special", "default", 500, true),
            ("GET", "/v1/gadgets/special", "202", 202, true),
            ("POST", "/v1/widgets/a", "-", 200, false),
            ("PARAMETERS", "/v1/widgets/a", "-", 200, false),
        ] {
            let found = operations.find(method, path);
            assert_eq!(found.is_some_and(|it| it.contains(code)), contained, "{method} {path}");
            let found = found.map_or_else(|| "-".to_owned(), ToString::to_string);
            assert_eq!(found, expected, "{method} {path}");
        }
    }
}
