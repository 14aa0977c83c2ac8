//! Resources: what the paths of the operations say of a kind.

use std::collections::BTreeMap;

use super::Operation;
use crate::problem::Cause;
use crate::spec::{Action, GroupVersionKind};
use crate::{Place, Problems};

/// A kind that is served under paths of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Resource {
    /// Where the newest release reads one of its objects.
    pub place: Place,
    /// The kind of its objects.
    pub kind: GroupVersionKind,
    /// Its name in paths.
    pub plural: String,
    /// Whether its objects live in namespaces.
    pub scope: Scope,
}

/// Where the objects of a kind live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// In namespaces.
    Namespaced,
    /// In the cluster.
    Cluster,
}

/// Finds the resources of `group`: each kind that can be read by name.
pub(super) fn find(
    group: &str,
    operations: &BTreeMap<String, Operation>,
    problems: &mut Problems,
) -> Vec<Resource> {
    let mut found: BTreeMap<&GroupVersionKind, Resource> = BTreeMap::new();
    for operation in operations.values().filter(|operation| operation.action == Some(Action::Get)) {
        let Some(kind) = operation.kind.as_ref() else {
            continue;
        };
        let Some((scope, plural)) = parse_path(group, &kind.version, &operation.path) else {
            continue;
        };
        let resource = Resource {
            place: operation.place.clone(),
            kind: kind.clone(),
            plural: plural.to_owned(),
            scope,
        };
        let first = found.entry(kind).or_insert_with(|| resource.clone());
        if (&first.plural, first.scope) != (&resource.plural, resource.scope) {
            let cause =
                Cause::TwoResources { kind: kind.kind.clone(), first: first.plural.clone() };
            problems.push(&operation.place, cause);
        }
    }
    found.into_values().collect()
}

/// Scope and plural from the path of one object; nothing for the path of a subresource.
fn parse_path<'a>(group: &str, version: &str, path: &'a str) -> Option<(Scope, &'a str)> {
    let rest = path.strip_prefix("/apis/")?.strip_prefix(group)?.strip_prefix('/')?;
    let rest = rest.strip_prefix(version)?.strip_prefix('/')?;
    let parts: Vec<&str> = rest.split('/').collect();
    match parts.as_slice() {
        ["namespaces", "{namespace}", plural, "{name}"] => Some((Scope::Namespaced, plural)),
        [plural, "{name}"] => Some((Scope::Cluster, plural)),
        _ => None,
    }
}
