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
use k8s_versioned::path::ResourcePath;
use thiserror::Error;

pub(crate) use document::Document;

use crate::outcome::Inapplicable;
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
