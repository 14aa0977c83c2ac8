//! One document of one release.

use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_versioned::Release;

use super::{DocumentName, Operation, Schema};

/// One document of one release.
#[derive(Clone, Debug)]
pub struct Document {
    /// The file, relative to `specs/`.
    pub file: Arc<str>,
    /// The release that it describes.
    pub release: Release,
    /// What it describes.
    pub name: DocumentName,
    /// The schemas by their full names.
    pub schemas: BTreeMap<String, Schema>,
    /// The operations in the order of the document.
    pub operations: Vec<Operation>,
}
