//! Documents as data.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::Arc;

use k8s_versioned_core::Release;

use super::{Dialect, DocumentName, Operation, Type};

/// One document of one release: what a server publishes about one version of a group.
#[derive(Clone, Debug)]
pub(crate) struct Document {
    /// The file, relative to `specs/`; of definitions the first one.
    pub(crate) file: Arc<str>,
    /// The release that it describes.
    pub(crate) release: Release,
    /// The group and the version that it describes.
    pub(crate) name: DocumentName,
    /// The types by the full names of their schemas.
    pub(crate) types: BTreeMap<String, Type>,
    /// The operations with their ids, in the order of the document.
    pub(crate) operations: Vec<(String, Operation)>,
}

impl Document {
    /// The order of documents: by release and name.
    pub(crate) fn order(&self, other: &Self) -> Ordering {
        (self.release, &self.name).cmp(&(other.release, &other.name))
    }
}

/// The source of a schema: what reading it depends on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Source {
    /// The release that it describes.
    pub(crate) release: Release,
    /// The rules by which its objects are written.
    pub(crate) dialect: Dialect,
}
