//! Resources: the kinds of a group with their names in paths and their scopes, from the paths of the operations.

use std::collections::BTreeMap;

use super::{Operation, Target};
use crate::problem::ModelCause;
use crate::spec::{Action, GroupVersionKind, split_path};
use crate::{Place, Problems};

/// A kind whose objects have paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// The operation of the newest release that reads one of its objects.
    pub place: Place,
    /// The kind of its objects.
    pub kind: GroupVersionKind,
    /// Its name in paths.
    pub plural: String,
    /// The scope of its objects.
    pub scope: Scope,
}

/// The scope of the objects of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In namespaces.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// Finds the resources: each kind that can be read by name.
pub(super) fn find(
    operations: &BTreeMap<String, Operation>,
    problems: &mut Problems,
) -> Vec<Resource> {
    let mut found: BTreeMap<&GroupVersionKind, Resource> = BTreeMap::new();
    for operation in operations.values().filter(|operation| operation.action == Some(Action::Get)) {
        let Some(kind) = operation.kind.as_ref() else {
            continue;
        };
        let path = split_path(&operation.path).filter(|(group, _)| *group == kind.group);
        let rest = path.and_then(|(_, rest)| rest.strip_prefix(&kind.version)?.strip_prefix('/'));
        // The path of an object ends with its name; the path of a subresource is longer.
        let target = rest.and_then(Target::parse).filter(|it| it.named && it.subresource.is_none());
        let Some(Target { namespaced, plural, .. }) = target else {
            continue;
        };
        let resource = Resource {
            place: operation.place.clone(),
            kind: kind.clone(),
            plural: plural.to_owned(),
            scope: if namespaced { Scope::Namespaced } else { Scope::Cluster },
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
