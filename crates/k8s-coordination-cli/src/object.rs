//! Objects of a kind that is known at run time only.

use std::collections::BTreeSet;
use std::iter;

use k8s_coordination::Kinds;
use k8s_coordination::v1::Lease;
use k8s_coordination::validation::{Suggestion, suggestion};
use k8s_versioned::quoted::alternatives;
use k8s_versioned::{Kind as _, KindEntry, Registry, TypeMeta, TypeMetaError, nearest};
use k8s_versioned_core::findings::Severity;
use serde_json::Value;

use crate::note::Note;

/// The error about an object whose type is not known.
pub(crate) fn type_error(error: &TypeMetaError) -> Note {
    let note = Note::not_understood(&error.message());
    match error {
        TypeMetaError::Absent { field: "kind", expected } if expected.is_empty() => {
            note.with_hint(all())
        }
        TypeMetaError::Absent { expected, .. } if expected.is_empty() => {
            note.with_hint("write it, such as `apiVersion: coordination.k8s.io/v1` of a `Lease`")
        }
        _ => note,
    }
}

/// The error about a type that the group does not have, and the field that is wrong.
pub(crate) fn wrong(type_meta: &TypeMeta<'_>) -> (&'static str, Note) {
    let written = type_meta.of_items().unwrap_or_else(|| type_meta.clone());
    let has_version = resources().any(|entry| entry.api_version() == written.api_version);
    let has_kind = resources().any(|entry| entry.kind() == written.kind);
    let field = if has_version && !has_kind { "kind" } else { "apiVersion" };
    (field, wrong_type(type_meta))
}

fn wrong_type(type_meta: &TypeMeta<'_>) -> Note {
    let reason = if type_meta.group() == Some(Lease::GROUP) {
        "unknown kind"
    } else if type_meta.api_version == Lease::GROUP {
        "the version is missing"
    } else {
        let message = format!("{type_meta} is not of the group `{}`", Lease::GROUP);
        let hint = nearest(type_meta).unwrap_or_else(|| "`--skip-unknown` skips it".to_owned());
        return Note::new(Severity::Error, "other-group", message).with_hint(hint);
    };
    let hint = nearest(type_meta).unwrap_or_else(all);
    Note::not_understood(&format!("{reason}: {type_meta}")).with_hint(hint)
}

/// The resource of a type.
pub(crate) fn resource(type_meta: &TypeMeta<'_>) -> Option<&'static KindEntry> {
    resources().find(|entry| entry.reads(&type_meta.api_version, &type_meta.kind))
}

/// Returns `true` for the type of lists of a resource.
pub(crate) fn is_list(type_meta: &TypeMeta<'_>) -> bool {
    type_meta.of_items().is_some_and(|type_meta| resource(&type_meta).is_some())
}

/// The resources of the group, in every version.
pub(crate) fn resources() -> impl Iterator<Item = &'static KindEntry> + Clone {
    let entries = Kinds.kinds().iter();
    entries.filter(|entry| entry.plural().is_some())
}

// Suggestions for unknown fields and kinds.

/// What to write instead of a field that a kind does not have, if that is known.
pub(crate) fn field_instead(entry: &KindEntry, path: &str) -> Option<String> {
    let suggestion = suggestion(entry, path)?;
    Some(match suggestion {
        Suggestion::Version(_) => format!("{suggestion}: is the `apiVersion` wrong?"),
        _ => suggestion.to_string(),
    })
}

/// The kind with almost the same spelling, and its versions. For a list, the kind of its items.
pub(crate) fn nearest(type_meta: &TypeMeta<'_>) -> Option<String> {
    let written = type_meta.of_items().unwrap_or_else(|| type_meta.clone());
    let group = written.group().unwrap_or_default();
    let near = resources().filter(|entry| group.is_empty() || is_near(group, entry.group()));
    let kind = nearest::nearest(&written.kind, near.map(KindEntry::kind))?;
    let versions = resources().filter(|entry| entry.kind() == kind);
    let versions: Vec<_> = versions.map(KindEntry::api_version).collect();
    let same = versions.iter().find(|version| **version == written.api_version);
    let versions = same.map_or(versions.as_slice(), std::slice::from_ref);
    Some(format!("did you mean `{kind}` of {}?", alternatives(versions)))
}

/// Returns `true` if a group is almost the known one, or its first words.
fn is_near(group: &str, known: &str) -> bool {
    let begins = known.strip_prefix(group).is_some_and(|rest| rest.starts_with('.'));
    begins || nearest::nearest(group, iter::once(known)).is_some()
}

/// Returns `true` if an object has no `kind`, and nothing suggests that it is one of the group: the values of a chart, or a
/// patch.
pub(crate) fn is_untyped(object: &Value) -> bool {
    let Some(members) = object.as_object() else { return false };
    let has = |name: &str| members.keys().any(|key| key.eq_ignore_ascii_case(name));
    let of_other_group = |version: &str| {
        let group = version.split_once('/').map_or(version, |(group, _)| group);
        !is_near(group, Lease::GROUP)
    };
    let version = members.get("apiVersion").map(Value::as_str);
    let is_other = match version {
        Some(version) => version.is_some_and(of_other_group),
        None => !has("apiVersion"),
    };
    is_other && !has("kind")
}

/// All kinds of the group.
pub(crate) fn all() -> String {
    let kinds: BTreeSet<&str> = resources().map(KindEntry::kind).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    format!("write {}", alternatives(&kinds))
}
