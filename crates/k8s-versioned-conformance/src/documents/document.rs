//! One `OpenAPI` document.

use std::path::{Path, PathBuf};

use k8s_versioned::StrictValue;

use super::DocumentError;
use super::operations::{Operations, Statuses};
#[cfg(feature = "jsonschema")]
use super::schemas::Schemas;
use k8s_versioned_recordings::read_text;

/// The operations and the schemas of one document.
#[derive(Debug)]
pub(crate) struct Document {
    path: PathBuf,
    operations: Operations,
    #[cfg(feature = "jsonschema")]
    pub(super) schemas: Schemas,
}

impl Document {
    pub(super) fn load(path: PathBuf) -> Result<Self, DocumentError> {
        let text = match read_text(&path) {
            Ok(text) => text,
            Err(reason) => return Err(DocumentError::File { path, reason }),
        };
        Self::parse(path, text.as_bytes())
    }

    /// Reads a document. Messages name the path of its file.
    pub(super) fn parse(path: PathBuf, text: &[u8]) -> Result<Self, DocumentError> {
        let document: StrictValue = match serde_json::from_slice(text) {
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
