//! The annotations of an object that is JSON.

use std::collections::BTreeMap;
use std::mem;

use serde_json::{Map, Value, json};

use super::annotation::{self, Entries};

/// The annotations of a key, each with its name after the key.
pub(super) fn texts<'v>(
    object: &'v Value,
    key: &str,
) -> impl Iterator<Item = (&'v str, &'v str, &'v str)> {
    let annotations = object.pointer("/metadata/annotations").and_then(Value::as_object);
    annotations.into_iter().flatten().filter_map(move |(annotation, text)| {
        let name = annotation.strip_prefix(key)?.strip_prefix('.')?;
        Some((annotation.as_str(), name, text.as_str()?))
    })
}

/// The entries that an object's annotations have; `None` if it has none.
pub(super) fn entries_of(object: &Value, key: &str) -> Option<Entries> {
    let mut all = Entries::default();
    for (_, name, text) in texts(object, key) {
        if let Ok((entries, _)) = Entries::read(key, name, text) {
            all.extend(entries);
        }
    }
    (!all.is_empty()).then_some(all)
}

/// Replaces the annotations of a key by these entries, and returns those that have no room. Values of another type give way first.
pub(super) fn write_entries(object: &mut Value, key: &str, entries: Entries) -> Entries {
    let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) else {
        return entries;
    };
    let all = metadata.entry("annotations").or_insert_with(|| json!({}));
    let Some(annotations) = all.as_object_mut() else {
        return entries;
    };
    let others = mem::take(annotations).into_iter();
    let others = others.filter(|(annotation, _)| !annotation::is_of(annotation, key));
    let text = |(annotation, text)| match text {
        Value::String(text) => Some((annotation, text)),
        _ => None,
    };
    let mut texts: BTreeMap<String, String> = others.filter_map(text).collect();
    let dropped = entries.write(key, |_, path| path.starts_with('/'), &mut texts);
    annotations.extend(texts.into_iter().map(|(annotation, text)| (annotation, text.into())));
    remove_empty_annotations(object);
    dropped
}

pub(super) fn annotations_of(object: &mut Value) -> Option<&mut Map<String, Value>> {
    object.pointer_mut("/metadata/annotations")?.as_object_mut()
}

pub(super) fn remove_empty_annotations(object: &mut Value) {
    if annotations_of(object).is_some_and(|annotations| annotations.is_empty())
        && let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut)
    {
        metadata.remove("annotations");
    }
}
