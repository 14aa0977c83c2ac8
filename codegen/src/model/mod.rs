//! One model of the group: API versions, types and operations, merged over all releases.
//!
//! **Invariant.** What all releases state is one fact here. What a release adds has its releases. A contradiction
//! between releases is an error that names both places.

mod merge_operations;
mod merge_types;
mod outline;
mod resource;

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_names::{Release, Version};

pub use outline::{facts, outline};
pub use resource::{Resource, Scope};

use crate::Problems;
use crate::problem::{ModelCause, Place};
use crate::spec::{Document, GroupVersionKind, Operation, Releases, Type};
use crate::text::join;

/// One or more groups, over all releases.
#[derive(Clone, Debug)]
pub struct Model {
    /// The names of the groups.
    pub groups: BTreeSet<String>,
    /// All releases that were read.
    pub releases: BTreeSet<Release>,
    /// The versions of each group and the releases that serve them, lowest version first.
    pub versions: BTreeMap<(String, Version), Releases>,
    /// The types by the full names of their schemas.
    pub types: BTreeMap<String, Type>,
    /// The operations by their ids.
    pub operations: BTreeMap<String, Operation>,
    /// The resources that the operations are about.
    pub resources: Vec<Resource>,
}

impl Model {
    /// The names of the groups, as a title.
    pub fn title(&self) -> String {
        join(self.groups.iter().map(|name| if name.is_empty() { "core" } else { name }), ", ")
    }

    /// The type of the objects of a kind: they have `metadata` and no `items`.
    pub fn object(&self, kind: &GroupVersionKind) -> Option<(&str, &Type)> {
        let is_object =
            |found: &Type| found.field("metadata").is_some() && found.field("items").is_none();
        let mut types = self.types.iter();
        let (name, found) =
            types.find(|(_, found)| found.kinds.contains(kind) && is_object(found))?;
        Some((name, found))
    }
}

/// Merges the documents of all releases of `groups`; of all groups if none is named.
///
/// # Errors
/// Documents of other groups, and every contradiction between documents.
pub fn merge(groups: &BTreeSet<String>, documents: &[Document]) -> Result<Model, Problems> {
    let mut problems = Problems::new();
    let is_foreign =
        |document: &&Document| !groups.is_empty() && !groups.contains(&document.name.group);
    for document in documents.iter().filter(is_foreign) {
        let cause = ModelCause::ForeignGroup {
            found: document.name.group.clone(),
            expected: join(groups, "`, `"),
        };
        problems.push(&Place::file(document.file.clone()), cause);
    }
    let groups = documents.iter().map(|document| document.name.group.clone()).collect();
    let releases: BTreeSet<Release> = documents.iter().map(|document| document.release).collect();
    let mut versions: BTreeMap<(String, Version), Releases> = BTreeMap::new();
    for document in documents {
        if let Some(version) = document.name.version {
            let key = (document.name.group.clone(), version);
            versions.entry(key).or_default().insert(document.release);
        }
    }
    let types = merge_types::merge(documents, &mut problems);
    let operations = merge_operations::merge(documents, &mut problems);
    let resources = resource::find(&operations, &mut problems);
    problems.or(Model { groups, releases, versions, types, operations, resources })
}
