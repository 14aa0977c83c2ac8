//! One model of the group: API versions, types and operations, merged over all releases.
//!
//! **Invariant.** What all releases state is one fact here. What a release adds has its releases. A contradiction
//! between releases is an error that names both places.

mod merge_operations;
mod merge_types;
mod outline;

use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_core::{Version, syntax};
use litemap::LiteMap;

use crate::Problems;
use crate::gather::Gather;
use crate::input::Input;
use crate::input::crd::{PackageDefinition, Unserved};
use crate::problem::{ModelCause, Place};
use crate::spec::{Action, Document, GroupVersionKind, Operation, Releases, Type};
use crate::text::join;

pub(crate) use outline::{facts, outline};

/// One or more groups, over all releases.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    /// The names of the groups.
    pub(crate) groups: BTreeSet<String>,
    /// All releases that were read.
    pub(crate) releases: Releases,
    /// The versions of each group and the releases that serve them, lowest version first.
    pub(crate) versions: LiteMap<(String, Version), Releases>,
    /// The types by the full names of their schemas.
    pub(crate) types: BTreeMap<String, Type>,
    /// The operations by their ids.
    pub(crate) operations: BTreeMap<String, Operation>,
    /// The resources that the operations are about, in the order of their kinds.
    pub(crate) resources: Vec<Resource>,
    /// The definitions of custom resources that the package has.
    pub(crate) definitions: Vec<PackageDefinition>,
    /// The versions of definitions that the package lacks, because they are not served.
    pub(crate) unserved: Vec<Unserved>,
}

impl Model {
    /// The names of the groups, as a title.
    pub(crate) fn title(&self) -> String {
        join(self.groups.iter().map(|name| if name.is_empty() { "core" } else { name }), ", ")
    }

    /// The model with other types.
    pub(crate) fn with_types(&self, types: BTreeMap<String, Type>) -> Self {
        Self {
            groups: self.groups.clone(),
            releases: self.releases.clone(),
            versions: self.versions.clone(),
            types,
            operations: self.operations.clone(),
            resources: self.resources.clone(),
            definitions: self.definitions.clone(),
            unserved: self.unserved.clone(),
        }
    }

    /// The resource of the objects of a kind.
    pub(crate) fn resource(&self, kind: &GroupVersionKind) -> Option<&Resource> {
        let index = self.resources.binary_search_by_key(&kind, |resource| &resource.kind).ok()?;
        self.resources.get(index)
    }

    /// The type of the objects of a kind: they have `metadata` and no `items`.
    pub(crate) fn object(&self, kind: &GroupVersionKind) -> Option<(&str, &Type)> {
        let is_object =
            |ty: &Type| ty.property("metadata").is_some() && ty.property("items").is_none();
        let mut types = self.types.iter();
        let (name, ty) = types.find(|(_, ty)| ty.kinds.contains(kind) && is_object(ty))?;
        Some((name, ty))
    }
}

/// Merges the content of the files of a project.
///
/// # Errors
/// Documents of groups that `group.toml` does not name, and every contradiction between documents.
pub(crate) fn of_input(input: Input) -> Result<Model, Problems> {
    let Input { group, documents, definitions, mut unserved, .. } = input;
    let model = merge(&group.groups, documents)?;
    unserved.retain(|version| {
        model.groups.contains(&version.kind.group) && model.object(&version.kind).is_none()
    });
    Ok(Model { definitions, unserved, ..model })
}

/// Merges the documents of all releases of `groups`; of all groups if none is named.
///
/// # Errors
/// Documents of other groups, and every contradiction between documents.
pub(crate) fn merge(
    groups: &BTreeSet<String>,
    mut documents: Vec<Document>,
) -> Result<Model, Problems> {
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
    let groups = documents.iter().map(|document| document.name.group.clone()).gather();
    let releases = documents.iter().map(|document| document.release).collect();
    let mut versions: LiteMap<(String, Version), Releases> = LiteMap::new();
    for document in &documents {
        if let Some(version) = document.name.version {
            let key = (document.name.group.clone(), version);
            versions.entry(key).or_default().insert(document.release);
        }
    }
    let types = merge_types::merge(&mut documents, &mut problems);
    let operations = merge_operations::merge(&documents, &mut problems);
    let resources = find_resources(&operations, &mut problems);
    let (definitions, unserved) = (Vec::new(), Vec::new());
    problems.or(Model {
        groups,
        releases,
        versions,
        types,
        operations,
        resources,
        definitions,
        unserved,
    })
}

// Resources: the kinds of a group with their names in paths and their scopes, from the paths of the operations.

/// A kind whose objects have paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Resource {
    /// The operation of the newest release that reads one of its objects, or creates one.
    pub(crate) place: Place,
    /// The kind of its objects.
    pub(crate) kind: GroupVersionKind,
    /// The plural name, as paths have it: `leases`.
    pub(crate) plural: String,
    /// The scope of its objects.
    pub(crate) scope: Scope,
    /// Whether its objects can be read. Reviews, for example, can only be created.
    pub(crate) stored: bool,
}

/// The scope of the objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Objects are in namespaces.
    Namespaced,
    /// Objects are in the cluster.
    Cluster,
}

/// Finds the resources: each kind that can be read by name, and each that can only be created.
fn find_resources(
    operations: &BTreeMap<String, Operation>,
    problems: &mut Problems,
) -> Vec<Resource> {
    let mut resources: LiteMap<&GroupVersionKind, Resource> = LiteMap::new();
    let reads = operations.values().filter(|operation| operation.action == Some(Action::Get));
    let creates = operations.values().filter(|operation| operation.action == Some(Action::Post));
    for operation in reads.chain(creates) {
        let stored = operation.action == Some(Action::Get);
        let (Some(kind), Some(path)) = (&operation.kind, ResourcePath::parse(&operation.path))
        else {
            continue;
        };
        // The path of an object ends with its name; the path of a subresource is longer.
        let whole = path.subresource.is_none() && path.name.is_some() == stored && !path.watch;
        if !whole || (path.group, path.version) != (&*kind.group, &*kind.version) {
            continue;
        }
        // It becomes a part of paths and of Rust text.
        if !syntax::dns1123_label(path.plural).is_empty() {
            let cause = ModelCause::ResourceName(path.plural.to_owned());
            problems.push(&operation.place, cause);
            continue;
        }
        let namespaced = path.namespace.is_some();
        let resource = Resource {
            place: operation.place.clone(),
            kind: kind.clone(),
            plural: path.plural.to_owned(),
            scope: if namespaced { Scope::Namespaced } else { Scope::Cluster },
            stored,
        };
        let first = resources.entry(kind).or_insert_with(|| resource.clone());
        if (&first.plural, first.scope) != (&resource.plural, resource.scope) {
            let cause =
                ModelCause::TwoResources { kind: kind.kind.clone(), first: first.plural.clone() };
            problems.push(&operation.place, cause);
        }
    }
    resources.into_iter().map(|(_, resource)| resource).collect()
}
