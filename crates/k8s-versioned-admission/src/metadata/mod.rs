//! The metadata of objects, as servers read, check and write it.

mod check;
mod decode;

pub(crate) use check::{Names, Scope, check, check_update};
pub(crate) use decode::{decode, json_type};
pub(crate) use k8s_cel::names::{dns1035_label, words};

use std::collections::HashSet;

use serde_json::{Map, Value};

use crate::facts::{Facts, ServerFact};

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

/// Returns `true` if there are fields that most objects do not have when they are created. If there are none, there is nothing to drop, to
/// warn of, or to compare. Hot path, row `answer` of the benches.
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

/// Compares the name with the name in the URL, which the stored object has.
///
/// # Errors
/// The names differ; the error is in the words of servers.
pub(crate) fn compare_names(new: &Metadata, old: &Metadata) -> Result<(), String> {
    let (found, expected) = (text(new, "name"), text(old, "name"));
    if found == expected {
        return Ok(());
    }
    Err(if found.is_empty() {
        format!(
            "the name of the object ({expected} based on URL) was undeterminable: name must be provided"
        )
    } else {
        format!("the name of the object ({found}) does not match the name on the URL ({expected})")
    })
}

/// The `resourceVersion` of a stored object that was not read from a server.
const ANY_VERSION: &str = "1";

/// Sets the `resourceVersion` of the stored object if the new one has none. Returns `true` if the stored object has none: then
/// both get one, because every stored object has one.
pub(crate) fn fill_resource_version(metadata: &mut Metadata, old: &mut Metadata) -> bool {
    let is_missing = text(old, "resourceVersion").is_empty();
    if is_missing {
        set_text(old, "resourceVersion", ANY_VERSION);
    }
    if text(metadata, "resourceVersion").is_empty() {
        set_text(metadata, "resourceVersion", text(old, "resourceVersion"));
    }
    is_missing
}

/// Keeps the metadata that only a server sets.
pub(crate) fn keep_own_fields(metadata: &mut Metadata, old: &Metadata) {
    let fields = [
        ("uid", false),
        ("creationTimestamp", true),
        ("deletionTimestamp", true),
        ("deletionGracePeriodSeconds", false),
    ];
    for (field, always) in fields {
        let kept: Option<&Value> =
            old.get(field).filter(|_| always || !metadata.contains_key(field));
        metadata.extend(kept.map(|value| (field.to_owned(), value.clone())));
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
        let new = seen.insert(owner.clone());
        if !new {
            let uid = owner.get("uid").and_then(Value::as_str).unwrap_or_default();
            removed.push(uid.to_owned());
        }
        new
    });
    removed
}

/// Removes all managed fields if a server cannot read one of them: servers then ignore all.
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

/// The warnings of finalizers that are not a domain with a path.
pub(crate) fn finalizer_warnings(
    metadata: &Metadata,
    old: Option<&Metadata>,
    facts: Facts,
) -> Vec<String> {
    const STANDARD: [&str; 3] = ["foregroundDeletion", "kubernetes", "orphan"];
    let known: HashSet<&Value> =
        old.map_or(&[][..], |old| list(old, "finalizers")).iter().collect();
    let new = list(metadata, "finalizers").iter().filter(|finalizer| !known.contains(finalizer));
    let mut names: Vec<&str> = new.filter_map(Value::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let plain = names.into_iter().filter(|name| !name.contains('/') && !STANDARD.contains(name));
    let warnings = plain.map(|name| {
        let has_domain = name.contains('.') && facts.hold(ServerFact::FinalizerPaths);
        let path = if has_domain { " including a path (/)" } else { "" };
        format!(
            "metadata.finalizers: {}: prefer a domain-qualified finalizer name{path} to avoid accidental conflicts with \
             other finalizer writers",
            crate::go::GoQuoted(name)
        )
    });
    warnings.collect()
}

#[cfg(test)]
mod tests {
    use k8s_versioned_core::Release;
    use serde_json::{Map, Value, json};

    use super::finalizer_warnings;
    use crate::facts::Facts;

    fn metadata(finalizers: &Value) -> Map<String, Value> {
        [("finalizers".to_owned(), finalizers.clone())].into_iter().collect()
    }

    #[test]
    fn finalizers_need_a_domain_and_a_path() {
        let new = metadata(&json!(["b.example.com", "a", "orphan", "example.com/x", "kept", "a"]));
        let old = metadata(&json!(["kept"]));
        let warning = |name: &str, path: &str| {
            format!(
                "metadata.finalizers: \"{name}\": prefer a domain-qualified finalizer name{path} to avoid accidental \
                 conflicts with other finalizer writers"
            )
        };
        for (minor, path) in
            [(31, ""), (32, " including a path (/)"), (36, " including a path (/)")]
        {
            let facts = Facts::at(Release::new(1, minor));
            let warnings = finalizer_warnings(&new, Some(&old), facts);
            assert_eq!(warnings, [warning("a", ""), warning("b.example.com", path)], "1.{minor}");
        }
    }
}
