//! Versions with `served: false`. A server publishes nothing about them, but objects can be stored in them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Derived, PackageDefinition};
use crate::manifest::release_of;
use crate::problem::Place;
use crate::spec::GroupVersionKind;

/// A version of a kind that servers do not serve.
#[derive(Clone, Debug)]
pub struct Unserved {
    /// The version in the definition.
    pub place: Place,
    /// The kind in this version.
    pub kind: GroupVersionKind,
}

/// The versions of a definition that are not served. If no version is served, the definition is kept for old versions, and all
/// of them count as served.
pub(super) fn of_definition(definition: &Value, kind: (&str, &str), file: &Place) -> Vec<Unserved> {
    let versions = definition.pointer("/spec/versions").and_then(Value::as_array);
    let versions = versions.map(Vec::as_slice).unwrap_or_default();
    if !versions.iter().any(is_served) {
        return Vec::new();
    }
    let unserved = versions.iter().enumerate().filter(|(_, version)| !is_served(version));
    let unserved = unserved.filter_map(|(index, version)| {
        let (group, name) = (kind.0.to_owned(), kind.1.to_owned());
        let version = version.get("name")?.as_str()?.to_owned();
        let place = Place { pointer: format!("/spec/versions/{index}"), ..file.clone() };
        Some(Unserved { place, kind: GroupVersionKind { group, version, kind: name } })
    });
    unserved.collect()
}

pub(super) fn is_served(version: &Value) -> bool {
    version.get("served") == Some(&Value::Bool(true))
}

/// Takes the versions that are not served out of the documents of the newest release, and adds such versions of the package's
/// own definitions: each version once.
pub(crate) fn take(
    derived: &mut BTreeMap<String, Derived>,
    of_package: &[PackageDefinition],
) -> Vec<Unserved> {
    let newest = derived.keys().filter_map(|path| release_of(path)).max();
    let newest = derived.iter_mut().filter(|(path, _)| release_of(path) == newest);
    let found = newest.flat_map(|(_, document)| std::mem::take(&mut document.unserved));
    let own = of_package
        .iter()
        .flat_map(|of| of_definition(&of.value, (of.group.as_str(), of.kind.as_str()), &of.place));
    let all = found.chain(own).map(|unserved| (unserved.kind.clone(), unserved));
    all.collect::<BTreeMap<_, _>>().into_values().collect()
}
