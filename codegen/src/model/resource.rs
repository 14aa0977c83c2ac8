//! Resources: the kinds of a group with their names in paths and their scopes, from the paths of the operations.

use std::collections::BTreeMap;

use k8s_versioned_names::path::ResourcePath;

use super::Operation;
use crate::problem::ModelCause;
use crate::spec::{Action, GroupVersionKind};
use crate::{Place, Problems};

/// A kind whose objects have paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The operation of the newest release that reads one of its objects, or creates one.
    pub place: Place,
    /// The kind of its objects.
    pub kind: GroupVersionKind,
    /// Its name in paths.
    pub plural: String,
    /// The scope of its objects.
    pub scope: Scope,
    /// `true` if its objects can be read; `false` if they can only be created, as reviews.
    pub stored: bool,
}

/// The scope of the objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In namespaces.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// Finds the resources: each kind that can be read by name, and each that can only be created.
pub(super) fn find(
    operations: &BTreeMap<String, Operation>,
    problems: &mut Problems,
) -> Vec<Resource> {
    let mut found: BTreeMap<&GroupVersionKind, Resource> = BTreeMap::new();
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
        let namespaced = path.namespace.is_some();
        let resource = Resource {
            place: operation.place.clone(),
            kind: kind.clone(),
            plural: path.plural.to_owned(),
            scope: if namespaced { Scope::Namespaced } else { Scope::Cluster },
            stored,
        };
        let first = found.entry(kind).or_insert_with(|| resource.clone());
        if (&first.plural, first.scope) != (&resource.plural, resource.scope) {
            let cause =
                ModelCause::TwoResources { kind: kind.kind.clone(), first: first.plural.clone() };
            problems.push(&operation.place, cause);
        }
    }
    found.into_values().collect()
}
