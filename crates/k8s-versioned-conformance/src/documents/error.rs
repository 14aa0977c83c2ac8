//! A document, or a folder of them, that cannot be read.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::recordings::ReadError;

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
        #[source]
        reason: io::Error,
    },
    /// A file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The error of reading the file.
        #[source]
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
        #[source]
        reason: serde_json::Error,
    },
}

impl DocumentError {
    /// The error of a folder that cannot be walked through.
    pub(super) fn walking(error: walkdir::Error) -> Self {
        let path = error.path().unwrap_or(Path::new("")).to_owned();
        Self::Folder { path, reason: error.into() }
    }
}
