//! The `OpenAPI` v3 documents of the releases.
//!
//! Each release has a folder, with files named as in the source tree of Kubernetes:
//!
//! ```text
//! <release>/apis__<group>__<version>_openapi.json
//! <release>/apis__<group>_openapi.json            the list of the group's versions
//! <release>/api__v1_openapi.json                  the core group
//! ```

mod document;
mod operations;
#[cfg(feature = "jsonschema")]
mod schemas;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use k8s_versioned::Release;
#[cfg(feature = "jsonschema")]
use k8s_versioned::TypeMeta;
use k8s_versioned::path::ResourcePath;
#[cfg(feature = "jsonschema")]
use k8s_versioned_findings::{Finding, Severity};
use thiserror::Error;

pub(crate) use document::Document;
#[cfg(feature = "jsonschema")]
pub(crate) use schemas::{Violation, kinds};

use crate::suite::Inapplicable;
use k8s_versioned_recordings::ReadError;
use k8s_versioned_recordings::Recording;

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

    /// Reads the documents of a map. Its keys are paths as in a folder: the release, `/`, and the name of the file. Other
    /// files are skipped.
    ///
    /// # Errors
    ///
    /// A file is not an `OpenAPI` document.
    pub fn parse(files: &BTreeMap<String, Vec<u8>>) -> Result<Self, DocumentError> {
        let mut documents = BTreeMap::new();
        for (path, text) in files {
            let Some((release, name)) = path.split_once('/') else { continue };
            let Some((release, stem)) =
                release.parse().ok().zip(name.strip_suffix("_openapi.json"))
            else {
                continue;
            };
            documents.insert((release, stem.to_owned()), Document::parse(path.into(), text)?);
        }
        Ok(Self { documents })
    }

    /// Validates an object of a file against the schema of its kind, as the check `schema` does for what servers send: in the
    /// documents of a release, or of the newest one that has the kind. The identifier of a finding is the keyword of
    /// the schema.
    ///
    /// A schema says less than servers check. Rules in CEL, the names of objects, and unknown fields are not checked, nor are
    /// defaults added.
    ///
    /// ```
    /// use std::collections::BTreeMap;
    ///
    /// use k8s_versioned_conformance::Documents;
    /// use serde_json::json;
    ///
    /// let document = json!({"openapi": "3.0.0", "paths": {}, "components": {"schemas": {"com.example.v1.Widget": {
    ///     "type": "object",
    ///     "properties": {"size": {"type": "integer", "minimum": 1}},
    ///     "x-kubernetes-group-version-kind": [{"group": "example.com", "kind": "Widget", "version": "v1"}],
    /// }}}});
    /// let name = "v1.36/apis__example.com__v1_openapi.json".to_owned();
    /// let documents = Documents::parse(&BTreeMap::from([(name, document.to_string().into_bytes())]))?;
    /// let widget = json!({"apiVersion": "example.com/v1", "kind": "Widget", "size": 0});
    /// let findings = documents.validate(None, "widget.yaml", &widget);
    /// assert_eq!(
    ///     findings[0].to_string(),
    ///     "error[minimum]: widget.yaml at /size: value is less than the minimum of 1; found 0\n"
    /// );
    /// # Ok::<(), k8s_versioned_conformance::DocumentError>(())
    /// ```
    #[cfg(feature = "jsonschema")]
    pub fn validate(
        &self,
        release: Option<Release>,
        file: &str,
        object: &serde_json::Value,
    ) -> Vec<Finding> {
        let error = |id: &'static str, message| Finding::new(Severity::Error, id, file, message);
        let mut documents = self.documents.iter().rev();
        let of_release = |of: &Release| release.is_none_or(|release| release == *of);
        let schema = documents
            .find_map(|((of, _), document)| document.schema_of(object).filter(|_| of_release(of)));
        let Some(schema) = schema else {
            let message = match TypeMeta::of(object) {
                Ok(of) => format!("no document has {} {}", of.api_version, of.kind),
                Err(error) => error.to_string(),
            };
            return vec![error("no-schema", message)];
        };
        let violations = match schema.violations(object) {
            Ok(violations) => violations,
            Err(reason) => {
                let message = format!("the schema {} cannot be used: {reason}", schema.name());
                return vec![error("schema", message)];
            }
        };
        let finding = |it: Violation| {
            let message = format!("{}; found {}", it.message, it.found);
            // The names of fields are whatever the author of the object wrote.
            let at = it.pointer.replace(char::is_control, "\u{fffd}");
            Finding::new(Severity::Error, it.keyword, file, message).at(at)
        };
        violations.into_iter().map(finding).collect()
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
        /// The error of the system.
        reason: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of reading the file.
        reason: ReadError,
    },
    /// A file is not YAML.
    #[error("{}: not YAML: {reason}", path.display())]
    Yaml {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// A file is not an `OpenAPI` document.
    #[error("{}: not an OpenAPI document: {reason}", path.display())]
    Syntax {
        /// The path of the file.
        path: PathBuf,
        /// The error of the JSON parser.
        reason: serde_json::Error,
    },
}

impl DocumentError {
    /// The error of a folder that cannot be walked through.
    pub(crate) fn walking(error: walkdir::Error) -> Self {
        let path = error.path().unwrap_or(Path::new("")).to_owned();
        Self::Folder { path, reason: error.into() }
    }
}
