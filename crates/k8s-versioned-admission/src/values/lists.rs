//! Lists that are sets or maps: items, or their keys, occur once.

use std::collections::HashMap;
use std::hash::Hash;

use serde_json::{Map, Value};

use crate::answer::{Causes, Reason, Shown};
use crate::path::Path;
use crate::schema::{ListType, Schema};

/// Checks the lists of a value.
pub(crate) fn check(value: &Value, schema: &Schema, path: &Path<'_>, causes: &mut Causes) {
    if !schema.below.keyed_lists {
        return;
    }
    if let Value::Array(items) = value {
        match schema.list_type {
            ListType::Set => check_set(items, path, causes),
            ListType::Map => check_map(items, &schema.map_keys, path, causes),
            ListType::None | ListType::Atomic => {}
        }
    }
    schema.for_each_part(value, path, |part, inner, path| check(part, inner, path, causes));
}

fn check_set(items: &[Value], path: &Path<'_>, causes: &mut Causes) {
    if are_different(items, |item| [Some(item)].into_iter()) {
        return;
    }
    for at in again(items) {
        if let Some(item) = items.get(at) {
            let shown = Shown::Value(item);
            causes.add(Reason::Duplicate, path.index(at), shown, "");
        }
    }
}

fn check_map(items: &[Value], keys: &[String], path: &Path<'_>, causes: &mut Causes) {
    if let Some((at, item)) =
        items.iter().enumerate().find(|(_, item)| !(item.is_null() || item.is_object()))
    {
        let detail = "must be an object for an array of list-type map";
        let shown = Shown::Value(item);
        causes.add(Reason::Invalid, path.index(at), shown, detail);
        return;
    }
    // Each key is looked up in each item, and written.
    if !causes.spend(items.len().saturating_mul(4 * keys.len())) {
        return;
    }
    if are_different(items, |item| keys.iter().map(|key| item.as_object()?.get(key))) {
        return;
    }
    let key_of = |item: &Value| -> Map<String, Value> {
        let part = |key: &String| Some((key.clone(), item.get(key)?.clone()));
        let mut parts = Map::new();
        parts.extend(keys.iter().filter_map(part));
        parts
    };
    let parts = items
        .iter()
        .map(|item| -> Vec<Option<&Value>> { keys.iter().map(|key| item.get(key)).collect() });
    for at in again(parts) {
        if let Some(item) = items.get(at) {
            let key = Value::from(key_of(item));
            let shown = Shown::Value(&key);
            causes.add(Reason::Duplicate, path.index(at), shown, "");
        }
    }
}

/// Returns `true` if no items are equal in these parts. Short lists, as most are, need no further check. Hot path, row `answer` of
/// the benches.
fn are_different<'a, I>(items: &'a [Value], parts: impl Fn(&'a Value) -> I) -> bool
where
    I: Iterator<Item = Option<&'a Value>>,
{
    const SHORT: usize = 16;
    let is_new = |(at, item)| !items.iter().take(at).any(|before| parts(before).eq(parts(item)));
    items.len() <= SHORT && items.iter().enumerate().all(is_new)
}

/// The positions of keys that occurred before. Numbers of different types differ, as in Go.
fn again<K: Eq + Hash>(keys: impl IntoIterator<Item = K>) -> Vec<usize> {
    let mut seen: HashMap<K, usize> = HashMap::new();
    let mut second = Vec::new();
    for (at, key) in keys.into_iter().enumerate() {
        let times = seen.entry(key).or_default();
        *times += 1;
        if *times == 2 {
            second.push(at);
        }
    }
    second
}
