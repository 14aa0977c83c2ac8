//! Suggestions for unknown kinds.

use std::collections::BTreeSet;

use k8s_versioned::{KindEntry, Quoted, TypeMeta};

use crate::object::resources;

/// The kind with almost the same spelling, and its versions. Of a list, that of its items.
pub(crate) fn nearest(found: &TypeMeta<'_>) -> Option<String> {
    let found = found.of_items().unwrap_or_else(|| found.clone());
    let group = found.group().unwrap_or_default();
    let near =
        resources().filter(|entry| group.is_empty() || distance(entry.group(), group).is_some());
    let near = near.filter_map(|entry| Some((distance(entry.kind(), &found.kind)?, entry.kind())));
    let (_, kind) = near.min()?;
    let versions = resources().filter(|entry| entry.kind() == kind);
    let versions: Vec<_> = versions.map(KindEntry::api_version).collect();
    let same = versions.iter().find(|version| **version == found.api_version);
    let versions = same.map_or(versions.as_slice(), std::slice::from_ref);
    Some(format!("did you mean `{kind}` of {}?", alternatives(versions)))
}

/// All kinds of the group.
pub(crate) fn all() -> String {
    let kinds: BTreeSet<&str> = resources().map(KindEntry::kind).collect();
    let kinds: Vec<&str> = kinds.into_iter().collect();
    format!("write {}", alternatives(&kinds))
}

/// The number of letters that differ, if it is small.
fn distance(known: &str, found: &str) -> Option<usize> {
    let distance = strsim::osa_distance(&known.to_lowercase(), &found.to_lowercase());
    (distance <= known.len() / 4).then_some(distance)
}

fn alternatives(words: &[impl AsRef<str>]) -> String {
    let words: Vec<String> = words.iter().map(|word| Quoted(word.as_ref()).to_string()).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}
