//! `apiVersion` and `kind` of a JSON object.

use serde_json::{Map, Value};

use super::JsonError;
use super::decode::kind_of;
use crate::AnyVersion;
use crate::path::join;
use k8s_versioned::GroupVersion;

/// The kind of lists of objects of any kinds and versions.
pub(super) const LIST: &str = "List";

/// The `apiVersion` of a [`LIST`].
pub(super) const LIST_VERSION: &str = "v1";

/// The kind of the object at `path`, one of `kinds`.
pub(super) fn kind<'a>(
    members: &'a Map<String, Value>,
    path: &str,
    kinds: &[&str],
) -> Result<&'a str, JsonError> {
    let meaning = |kind: &'a str| kinds.contains(&kind).then_some(kind);
    let expected = || kinds.iter().map(|kind| (*kind).to_owned()).collect();
    constant(members, path, "kind", meaning, expected)
}

/// The version of the object or list at `path`.
pub(super) fn version<A: AnyVersion>(
    members: &Map<String, Value>,
    path: &str,
) -> Result<A::Version, JsonError> {
    let mut versions = A::VERSIONS.iter().copied();
    let all = versions.clone().map(api_version::<A>);
    let meaning = |text: &str| versions.find(|version| api_version::<A>(*version) == text);
    constant(members, path, "apiVersion", meaning, || all.collect())
}

/// Checks the `apiVersion` of a [`LIST`].
pub(super) fn list_version(members: &Map<String, Value>) -> Result<(), JsonError> {
    let meaning = |text: &str| (text == LIST_VERSION).then_some(());
    constant(members, "", "apiVersion", meaning, || vec![LIST_VERSION.to_owned()])
}

/// The `apiVersion` and kind of an object of another kind; `None` for this kind, for a list, and without them.
pub(super) fn other_kind<A: AnyVersion>(members: &Map<String, Value>) -> Option<(&str, &str)> {
    let text = |field: &str| members.get(field)?.as_str().filter(|text| !text.is_empty());
    let (api_version, kind) = (text("apiVersion")?, text("kind")?);
    let group = GroupVersion::parse(api_version).ok()?.group;
    let own = group == A::GROUP && [A::KIND, A::LIST_KIND].contains(&kind);
    let list = group.is_empty() && kind == LIST;
    (!own && !list).then_some((api_version, kind))
}

/// The `apiVersion` of objects of a version.
pub(super) fn api_version<A: AnyVersion>(version: A::Version) -> String {
    format!("{}/{version}", A::GROUP)
}

/// The meaning of a field whose text must be an expected one.
fn constant<'a, T>(
    members: &'a Map<String, Value>,
    path: &str,
    field: &str,
    meaning: impl FnOnce(&'a str) -> Option<T>,
    expected: impl FnOnce() -> Vec<String>,
) -> Result<T, JsonError> {
    let path = join(path, field);
    match members.get(field) {
        Some(Value::String(found)) if !found.is_empty() => meaning(found).ok_or_else(|| {
            JsonError::Unexpected { path, found: found.clone(), expected: expected() }
        }),
        None | Some(Value::Null | Value::String(_)) => {
            let expected = expected();
            Err(JsonError::Absent { path, expected })
        }
        Some(other) => {
            Err(JsonError::WrongType { path, expected: "a string", found: kind_of(other) })
        }
    }
}
