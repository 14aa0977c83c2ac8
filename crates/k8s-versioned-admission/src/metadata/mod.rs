//! The metadata of objects, as servers read, check and write it.

mod check;
mod decode;

pub(crate) use check::{Names, Scope, check, check_update};
pub(crate) use decode::{decode, json_type};
pub(crate) use k8s_cel::names::{dns1035_label, words};

use serde_json::{Map, Value};

/// Metadata that [`decode()`] has read: every field has its type.
pub(crate) type Metadata = Map<String, Value>;

/// A field with a text; empty if it is absent.
pub(crate) fn text<'a>(metadata: &'a Metadata, field: &str) -> &'a str {
    metadata.get(field).and_then(Value::as_str).unwrap_or_default()
}

/// A field with an integer; 0 if it is absent.
pub(crate) fn integer(metadata: &Metadata, field: &str) -> i64 {
    metadata.get(field).and_then(Value::as_i64).unwrap_or_default()
}

/// A field with a list; empty if it is absent.
pub(crate) fn list<'a>(metadata: &'a Metadata, field: &str) -> &'a [Value] {
    metadata.get(field).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns `true` if there are fields that most objects do not have when they are created. Without them, there is nothing to
/// drop, to warn of, or to compare. Row: answer.
pub(crate) fn has_more(metadata: &Metadata) -> bool {
    let is_usual = |field: &str| {
        matches!(field, "name" | "generateName" | "namespace" | "labels" | "annotations")
    };
    !metadata.keys().all(|field| is_usual(field))
}

/// Sets a field with a text, or removes it if the text is empty.
pub(crate) fn set_text(metadata: &mut Metadata, field: &str, text: &str) {
    if text.is_empty() {
        metadata.remove(field);
    } else {
        metadata.insert(field.to_owned(), text.into());
    }
}

/// Removes the owners that are equal to one before them. Returns their `uid`s, of which servers warn.
pub(crate) fn remove_duplicate_owners(metadata: &mut Metadata) -> Vec<String> {
    let Some(Value::Array(owners)) = metadata.get_mut("ownerReferences") else {
        return Vec::new();
    };
    let mut seen = std::collections::HashSet::new();
    let mut removed = Vec::new();
    owners.retain(|owner| {
        let new = seen.insert(owner.to_string());
        if !new {
            let uid = owner.get("uid").and_then(Value::as_str).unwrap_or_default();
            removed.push(uid.to_owned());
        }
        new
    });
    removed
}

/// Removes managed fields that a server cannot read: it ignores all of them if it cannot read one, and checks the others.
pub(crate) fn remove_unreadable_managers(metadata: &mut Metadata) {
    let is_readable = |entry: &Value| {
        let part = |name: &str| entry.get(name).and_then(Value::as_str).unwrap_or_default();
        ["Apply", "Update"].contains(&part("operation"))
            && !part("apiVersion").is_empty()
            && part("fieldsType") == "FieldsV1"
    };
    if !list(metadata, "managedFields").iter().all(is_readable) {
        metadata.remove("managedFields");
    }
}

/// The warnings of finalizers that have no domain.
pub(crate) fn finalizer_warnings(metadata: &Metadata, old: Option<&Metadata>) -> Vec<String> {
    const STANDARD: [&str; 3] = ["foregroundDeletion", "kubernetes", "orphan"];
    let known = old.map_or(&[][..], |old| list(old, "finalizers"));
    let new = list(metadata, "finalizers").iter().filter(|finalizer| !known.contains(finalizer));
    let mut names: Vec<&str> = new.filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let plain = names.into_iter().filter(|name| !name.contains('/') && !STANDARD.contains(name));
    let warnings = plain.map(|name| {
        format!(
            "metadata.finalizers: {}: prefer a domain-qualified finalizer name including a path (/) to avoid \
             accidental conflicts with other finalizer writers",
            crate::go::Quoted(name)
        )
    });
    warnings.collect()
}
