//! `apiVersion` and `kind`: what a JSON object says that it is.

use serde_json::{Map, Value};

use super::JsonError;
use super::decode::kind_of;
use crate::GroupVersion;
use crate::conversion::AnyVersion;

/// The kind of lists of objects of any kinds and versions.
pub(super) const LIST: &str = "List";

/// Their `apiVersion`.
pub(super) const LIST_VERSION: &str = "v1";

/// The kind of what stands at `path`; one of these.
pub(super) fn kind<'a>(
    members: &'a Map<String, Value>,
    path: &'a str,
    kinds: &[&str],
) -> Result<&'a str, JsonError> {
    let expected = || kinds.iter().map(|kind| (*kind).to_owned()).collect();
    let constant = Constant::read(members, path, "kind", expected)?;
    constant.one_of(|kind| kinds.contains(&kind).then_some(kind), expected)
}

/// The version of what stands at `path`, an object or a list of the kind.
pub(super) fn version<A: AnyVersion>(
    members: &Map<String, Value>,
    path: &str,
) -> Result<A::Version, JsonError> {
    let versions = || A::VERSIONS.iter().copied();
    let expected = || versions().map(api_version::<A>).collect();
    let constant = Constant::read(members, path, "apiVersion", expected)?;
    let named = |text| versions().find(|version| api_version::<A>(*version) == text);
    constant.one_of(named, expected)
}

/// Makes sure that a [`LIST`] is of the version that is known.
pub(super) fn list_version(members: &Map<String, Value>) -> Result<(), JsonError> {
    let expected = || vec![LIST_VERSION.to_owned()];
    let constant = Constant::read(members, "", "apiVersion", expected)?;
    constant.one_of(|text| (text == LIST_VERSION).then_some(()), expected)
}

/// The `apiVersion` and kind of an object of another kind; nothing if it is of this one, a list, or does not say.
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

/// A member that all objects of a kind and version have in common.
struct Constant<'a> {
    path: &'a str,
    field: &'static str,
    found: &'a str,
}

impl<'a> Constant<'a> {
    fn read(
        members: &'a Map<String, Value>,
        path: &'a str,
        field: &'static str,
        expected: impl FnOnce() -> Vec<String>,
    ) -> Result<Self, JsonError> {
        match members.get(field) {
            Some(Value::String(found)) if !found.is_empty() => Ok(Self { path, field, found }),
            None | Some(Value::Null | Value::String(_)) => Err(JsonError::Absent {
                path: join(path, field),
                expected: expected(),
            }),
            Some(other) => Err(JsonError::WrongType {
                path: join(path, field),
                expected: "a string",
                found: kind_of(other),
            }),
        }
    }

    /// What the text means, if it is one of those that are expected.
    fn one_of<T>(
        &self,
        meaning: impl FnOnce(&'a str) -> Option<T>,
        expected: impl FnOnce() -> Vec<String>,
    ) -> Result<T, JsonError> {
        meaning(self.found).ok_or_else(|| JsonError::Unexpected {
            path: join(self.path, self.field),
            found: self.found.to_owned(),
            expected: expected(),
        })
    }
}

/// The path of a field of what stands at `path`.
pub(super) fn join(path: &str, field: &str) -> String {
    match (path, field) {
        ("", path) | (path, "") => path.to_owned(),
        (path, field) => format!("{path}.{field}"),
    }
}
