//! The JSON Schema of the objects that are one Rust type: what the schemas of all of them state.

use std::sync::Arc;

use k8s_versioned_core::pointer::unescaped;
use serde_json::{Map, Value};

use super::structures::{Object, Types};
use crate::gather::Gather;
use crate::spec::{split_inline, unite_words};

/// Finds the first of these objects that has a schema; an object that the newest release lacks has none. Returns the pointer
/// to it inside the schema of its kind, and the common schema of all objects, if it differs from the first one.
pub(super) fn of_objects<'a>(
    types: &'a Types,
    objects: &[Object<'a>],
) -> Option<(&'a str, Option<Arc<Value>>)> {
    let schema = |object: &Object<'a>| {
        let inside = object.of_type.inside.as_str();
        let kind = types.get(split_inline(object.key)?.0)?.published.as_ref()?;
        Some((inside, at(kind, inside)?))
    };
    let mut schemas = objects.iter().filter_map(schema);
    let (inside, first) = schemas.next()?;
    let others = schemas.filter(|(_, schema)| *schema != first);
    let unite = |one: Option<Value>, (_, other)| Some(common(one.as_ref().unwrap_or(first), other));
    let united = others.fold(None, unite).filter(|united| united != first);
    Some((inside, united.map(Arc::new)))
}

/// The part of a schema at a pointer. Unlike [`Value::pointer`], it copies no step without an escape.
fn at<'v>(schema: &'v Value, pointer: &str) -> Option<&'v Value> {
    pointer.split('/').skip(1).try_fold(schema, |schema, step| match schema {
        Value::Object(members) => members.get(&*unescaped(step)),
        _ => None,
    })
}

/// Returns `true` for the keywords of texts for readers.
fn is_text(keyword: &str) -> bool {
    matches!(keyword, "description" | "example" | "externalDocs" | "title")
}

/// The schema that values of either schema fulfil. It has the texts of the first one.
fn common(one: &Value, other: &Value) -> Value {
    let (Value::Object(members), Value::Object(others)) = (one, other) else {
        return if one == other { one.clone() } else { Value::Bool(true) };
    };
    let mut result = Map::new();
    for (key, value) in members {
        let other = others.get(key);
        let merged = match (key.as_str(), value, other) {
            (key, value, _) if is_text(key) => Some(value.clone()),
            ("properties", Value::Object(one), Some(Value::Object(other))) => {
                Some(common_properties(one, other))
            }
            ("items" | "additionalProperties", value, Some(other)) => Some(common(value, other)),
            ("required", Value::Array(one), Some(Value::Array(other))) => {
                let both: Vec<_> = one.iter().filter(|name| other.contains(name)).collect();
                (!both.is_empty() || one.is_empty()).then(|| both.into_iter().cloned().collect())
            }
            ("enum", Value::Array(one), Some(Value::Array(other))) => {
                let mut words = one.clone();
                unite_words(&mut words, other);
                Some(words.into())
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
    let all = shared.chain(more.map(|(name, schema)| (name.clone(), schema.clone())));
    Value::Object(all.gather())
}
