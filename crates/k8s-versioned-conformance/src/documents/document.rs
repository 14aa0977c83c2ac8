//! One `OpenAPI` document.

use std::path::{Path, PathBuf};

use k8s_versioned::StrictValue;
use serde_json::Value;

use super::DocumentError;
use super::operations::{Operations, Statuses};
#[cfg(feature = "jsonschema")]
use super::schemas::Schemas;

/// The operations and the schemas of one document.
#[derive(Debug)]
pub(crate) struct Document {
    path: PathBuf,
    operations: Operations,
    #[cfg(feature = "jsonschema")]
    pub(super) schemas: Schemas,
}

impl Document {
    /// Reads a document. Messages name the path of its file.
    pub(super) fn parse(path: PathBuf, text: &[u8]) -> Result<Self, DocumentError> {
        match serde_json::from_slice::<StrictValue>(text) {
            Ok(document) => Ok(Self::of(path, document.into_inner())),
            Err(reason) => Err(DocumentError::Syntax { path, reason }),
        }
    }

    pub(super) fn of(path: PathBuf, mut document: Value) -> Self {
        Self {
            path,
            operations: Operations::take_from(&mut document),
            #[cfg(feature = "jsonschema")]
            schemas: Schemas::of(document),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The status codes that are documented for an operation; `None` if there is no such operation.
    pub(crate) fn statuses(&self, method: &str, path: &str) -> Option<Statuses<'_>> {
        self.operations.find(method, path)
    }
}

/// The `apiVersion` and `kind` of the objects that a schema describes.
pub(crate) fn kinds(schema: &Value) -> impl Iterator<Item = (String, String)> {
    let kinds = schema.get("x-kubernetes-group-version-kind");
    let kinds = kinds.and_then(Value::as_array);
    kinds.into_iter().flatten().filter_map(|kind| {
        let member = |name| kind.get(name).and_then(Value::as_str);
        let (group, version) = (member("group")?, member("version")?);
        let api_version =
            if group.is_empty() { version.to_owned() } else { format!("{group}/{version}") };
        Some((api_version, member("kind")?.to_owned()))
    })
}
