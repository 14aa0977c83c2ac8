//! The JSON Schema of the objects that are one Rust type: what the schemas of all of them state.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::Types;
use crate::spec::split_inline;

/// The schemas of the objects with these keys in the schemas of their kinds, each with its pointer. An object that the newest
/// release does not have has none.
fn schemas<'a>(
    types: &'a Types,
    members: &'a [String],
) -> impl Iterator<Item = (&'a str, &'a Value)> {
    members.iter().filter_map(|key| {
        let (kind, _) = split_inline(key)?;
        let inside = &types.get(key)?.inside;
        let schema = types.get(kind)?.published.as_ref()?.pointer(inside)?;
        Some((inside.as_str(), schema))
    })
}

/// The schema of the objects with these keys, if the schemas of some differ in more than texts.
pub(super) fn of_objects(types: &Types, members: &[String]) -> Option<Arc<Value>> {
    let (_, first) = schemas(types, members).next()?;
    let differ = schemas(types, members).any(|(_, schema)| !are_same(first, schema));
    let common = |first: Value, (_, schema): (_, &Value)| common(&first, schema);
    differ.then(|| schemas(types, members).fold(first.clone(), common).into())
}

/// Texts for readers.
const TEXTS: [&str; 4] = ["description", "example", "externalDocs", "title"];

/// Returns `true` if two schemas state the same about values.
fn are_same(one: &Value, other: &Value) -> bool {
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return one == other;
    };
    let count = |of: &Map<String, Value>| of.keys().filter(|key| !TEXTS.contains(&&***key)).count();
    let mut members = one.iter().filter(|(key, _)| !TEXTS.contains(&&***key));
    count(one) == count(other)
        && members.all(|(key, value)| match (key.as_str(), other.get(key)) {
            (_, None) => false,
            ("properties", Some(other)) => are_same_properties(value, other),
            ("items" | "additionalProperties", Some(other)) => are_same(value, other),
            (_, Some(other)) => value == other,
        })
}

fn are_same_properties(one: &Value, other: &Value) -> bool {
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return one == other;
    };
    let is_same = |(name, schema)| other.get(name).is_some_and(|other| are_same(schema, other));
    one.len() == other.len() && one.iter().all(is_same)
}

/// The schema that values of either schema fulfil. Texts are those of the first one.
fn common(one: &Value, other: &Value) -> Value {
    let (Value::Object(members), Value::Object(others)) = (one, other) else {
        return if one == other { one.clone() } else { Value::Bool(true) };
    };
    let mut result = Map::new();
    for (key, value) in members {
        let other = others.get(key);
        let merged = match (key.as_str(), value, other) {
            (key, value, _) if TEXTS.contains(&key) => Some(value.clone()),
            ("properties", Value::Object(one), Some(Value::Object(other))) => {
                Some(common_properties(one, other))
            }
            ("items" | "additionalProperties", value, Some(other)) => Some(common(value, other)),
            ("required", Value::Array(one), Some(Value::Array(other))) => {
                let both: Vec<_> = one.iter().filter(|name| other.contains(name)).collect();
                (!both.is_empty()).then(|| both.into_iter().cloned().collect())
            }
            ("enum", Value::Array(one), Some(Value::Array(other))) => {
                let more = other.iter().filter(|word| !one.contains(word));
                Some(one.iter().chain(more).cloned().collect())
            }
            _ => (Some(value) == other || WIDENING.contains(&&**key)).then(|| value.clone()),
        };
        result.extend(merged.map(|merged| (key.clone(), merged)));
    }
    let wider = others.iter().filter(|(key, value)| WIDENING.contains(&&***key) && **value == true);
    result.extend(wider.map(|(key, value)| (key.clone(), value.clone())));
    result.into()
}

/// Keywords that allow more values.
const WIDENING: [&str; 2] = ["nullable", "x-kubernetes-preserve-unknown-fields"];

fn common_properties(one: &Map<String, Value>, other: &Map<String, Value>) -> Value {
    let shared = one.iter().map(|(name, schema)| {
        let merged = other.get(name).map_or_else(|| schema.clone(), |other| common(schema, other));
        (name.clone(), merged)
    });
    let more = other.iter().filter(|(name, _)| !one.contains_key(*name));
    shared.chain(more.map(|(name, schema)| (name.clone(), schema.clone()))).collect()
}

/// The pointer of the first object that has a schema, inside the schema of its kind.
pub(super) fn first_inside<'a>(types: &'a Types, members: &'a [String]) -> Option<&'a str> {
    schemas(types, members).next().map(|(inside, _)| inside)
}
