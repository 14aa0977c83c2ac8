//! The JSON Schema of the objects that are one Rust type: what the schemas of all of them state.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Types;
use crate::spec::split_inline;

/// The schemas of objects in the schemas of their kinds. An object that the newest release does not have has none.
pub(super) struct Schemas<'a> {
    /// By the keys of the objects.
    by_key: BTreeMap<&'a str, Schema<'a>>,
    /// The number of its group, by the address of a schema that is known to state the same as others.
    same: Same,
}

type Same = HashMap<*const Value, usize>;

/// The schema of an object.
#[derive(Clone, Copy)]
struct Schema<'a> {
    /// The schema of the kind.
    kind: &'a Value,
    /// The pointer inside of that.
    inside: &'a str,
    value: &'a Value,
}

impl<'a> Schemas<'a> {
    pub(super) fn of(types: &'a Types) -> Self {
        let mut by_key = BTreeMap::new();
        // The schemas around the next one: the key of an object begins with the key of the object around it.
        let mut around: Vec<Schema<'a>> = Vec::new();
        for (key, found) in types {
            let Some((kind, _)) = split_inline(key) else {
                continue;
            };
            let Some(kind) = types.get(kind).and_then(|kind| kind.published.as_deref()) else {
                continue;
            };
            while around.last().is_some_and(|outer| outer.rest(kind, &found.inside).is_none()) {
                around.pop();
            }
            let whole = Schema { kind, inside: "", value: kind };
            let outer = around.last().copied().unwrap_or(whole);
            let rest = outer.rest(kind, &found.inside).unwrap_or(&found.inside);
            if let Some(value) = outer.value.pointer(rest) {
                let schema = Schema { kind, inside: &found.inside, value };
                around.push(schema);
                by_key.insert(key.as_str(), schema);
            }
        }
        Self { by_key, same: Same::new() }
    }

    fn of_members(&self, members: &[String]) -> impl Iterator<Item = &Schema<'a>> {
        members.iter().filter_map(|key| self.by_key.get(key.as_str()))
    }

    /// The pointer of the first of the objects with these keys that has a schema, inside the schema of its kind.
    pub(super) fn first_inside(&self, members: &[String]) -> Option<&'a str> {
        self.of_members(members).next().map(|schema| schema.inside)
    }

    /// The schema of the objects with these keys, if the schemas of some differ in more than texts. The objects inside of them
    /// come before them, so that nothing is compared twice.
    pub(super) fn common(&mut self, members: &[String]) -> Option<Arc<Value>> {
        let first = self.of_members(members).next()?.value;
        if self.of_members(members).all(|schema| are_same(first, schema.value, &self.same)) {
            let number = self.same.len();
            let values = members.iter().filter_map(|key| self.by_key.get(key.as_str()));
            self.same.extend(values.map(|schema| (std::ptr::from_ref(schema.value), number)));
            return None;
        }
        let unite = |first: Value, schema: &Schema<'_>| common(&first, schema.value);
        Some(self.of_members(members).fold(first.clone(), unite).into())
    }
}

impl Schema<'_> {
    /// The pointer of an object inside this one, if it is inside, from its pointer inside the schema of its kind.
    fn rest<'b>(&self, kind: &Value, inside: &'b str) -> Option<&'b str> {
        let rest = inside.strip_prefix(self.inside).filter(|_| std::ptr::eq(self.kind, kind))?;
        rest.starts_with('/').then_some(rest)
    }
}

/// Returns `true` for the keywords of texts for readers.
fn is_text(keyword: &str) -> bool {
    matches!(keyword, "description" | "example" | "externalDocs" | "title")
}

/// Returns `true` if two schemas state the same about values. `same` has the groups of schemas that are known to.
fn are_same(one: &Value, other: &Value, same: &Same) -> bool {
    let number = |schema| same.get(&std::ptr::from_ref::<Value>(schema));
    if number(one).is_some_and(|known| Some(known) == number(other)) {
        return true;
    }
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return one == other;
    };
    let count = |of: &Map<String, Value>| of.keys().filter(|key| !is_text(key)).count();
    let mut members = one.iter().filter(|(key, _)| !is_text(key));
    count(one) == count(other)
        && members.all(|(key, value)| match (key.as_str(), other.get(key)) {
            (_, None) => false,
            ("properties", Some(other)) => are_same_properties(value, other, same),
            ("items" | "additionalProperties", Some(other)) => are_same(value, other, same),
            (_, Some(other)) => value == other,
        })
}

fn are_same_properties(one: &Value, other: &Value, same: &Same) -> bool {
    let (Value::Object(one), Value::Object(other)) = (one, other) else {
        return one == other;
    };
    let is_same =
        |(name, schema)| other.get(name).is_some_and(|other| are_same(schema, other, same));
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
            (key, value, _) if is_text(key) => Some(value.clone()),
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
