//! Objects made from schemas, and edits of them.
//!
//! Nearly all texts and numbers of an object are different, so that a lost value is seen.

use fastrand::Rng;
use serde_json::{Map, Value, json};

use super::schemas::{Schemas, reference};

/// The depth from which values have no members: a schema can contain itself.
const DEEPEST: usize = 12;

/// Makes and edits objects.
pub(super) struct Maker<'s> {
    schemas: &'s Schemas,
    pub(super) rng: Rng,
    next: u32,
}

impl<'s> Maker<'s> {
    pub(super) fn new(schemas: &'s Schemas, seed: u64) -> Self {
        Self { schemas, rng: Rng::with_seed(seed), next: 10 }
    }

    /// An object of a kind; `None` if no schema is of the kind.
    pub(super) fn object(&mut self, api_version: &str, kind: &str) -> Option<Value> {
        let schema = self.schemas.of_kind(api_version, kind)?;
        let mut object = self.value(schema, 0);
        let members = object.as_object_mut()?;
        members.insert("apiVersion".to_owned(), api_version.into());
        members.insert("kind".to_owned(), kind.into());
        let metadata = json!({"name": "a", "annotations": {"other": "b"}});
        members.insert("metadata".to_owned(), metadata);
        Some(object)
    }

    fn named(&mut self, name: &str, depth: usize) -> Value {
        match name.rsplit('.').next() {
            Some("Quantity") => self.quantity(),
            Some("Time" | "MicroTime") => TIME.into(),
            Some("RawExtension") => json!({"raw": self.marker()}),
            Some("ObjectMeta") => json!({"labels": {"marker": self.marker()}}),
            _ => {
                let schemas = self.schemas;
                schemas.named(name).map_or(Value::Null, |schema| self.value(schema, depth))
            }
        }
    }

    fn value(&mut self, schema: &Value, depth: usize) -> Value {
        if schema.get("nullable") == Some(&Value::Bool(true)) && self.rng.u8(..4) == 0 {
            return Value::Null;
        }
        if let Some(name) = reference(schema) {
            return self.named(name, depth + 1);
        }
        let format = schema.get("format").and_then(Value::as_str);
        if let Some(words) = schema.get("enum").and_then(Value::as_array) {
            return self.rng.choice(words).cloned().unwrap_or_default();
        }
        match (schema.get("type").and_then(Value::as_str), format) {
            (Some("array"), _) => {
                let items = schema.get("items").unwrap_or(&Value::Null);
                (0..self.count(depth)).map(|_| self.value(items, depth + 1)).collect()
            }
            (Some("object"), _) => self.members(schema, depth + 1),
            (Some("string"), Some("date-time")) => TIME.into(),
            (Some("string"), Some("byte")) => "bTE=".into(),
            (Some("string"), _) => self.text(),
            (Some("boolean"), _) => self.rng.bool().into(),
            // Beyond 32 bits.
            (Some("integer"), None | Some("int64")) if self.rng.u8(..4) == 0 => {
                (u64::from(self.number()) + (1 << 40)).into()
            }
            (Some("integer" | "number"), _) if self.rng.u8(..8) == 0 => 0.into(),
            (Some("integer" | "number"), _) => self.number().into(),
            // A number or a text, or any value.
            _ => self.marker(),
        }
    }

    fn members(&mut self, schema: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        if let Some(values) = schema.get("additionalProperties") {
            for name in ["a.b/c", "0"].iter().take(self.count(depth)) {
                members.insert((*name).to_owned(), self.value(values, depth));
            }
        }
        if schema.get("x-kubernetes-preserve-unknown-fields") == Some(&Value::Bool(true)) {
            for name in ["a.b/c", "0"].iter().take(self.count(depth)) {
                members.insert((*name).to_owned(), self.marker());
            }
        }
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        for (name, property) in
            schema.get("properties").and_then(Value::as_object).into_iter().flatten()
        {
            let is_wanted = !["apiVersion", "kind"].contains(&name.as_str()) && depth < DEEPEST;
            let is_required = required.contains(&name.as_str());
            if is_wanted && (is_required || self.rng.u8(..4) > 0) {
                members.insert(name.clone(), self.value(property, depth));
            }
        }
        members.into()
    }

    /// The number of items; few, deep inside.
    fn count(&mut self, depth: usize) -> usize {
        self.rng.usize(..if depth < 9 { 4 } else { 2 })
    }

    fn number(&mut self) -> u32 {
        self.next += 1;
        self.next
    }

    fn marker(&mut self) -> Value {
        format!("m{}", self.number()).into()
    }

    fn quantity(&mut self) -> Value {
        let suffix = self.rng.choice(["", "", "Mi"]).unwrap_or_default();
        format!("{}{suffix}", self.number()).into()
    }

    /// A text of its own; now and then a number as text, or one of a few texts, so that items have the same name.
    fn text(&mut self) -> Value {
        match self.rng.u8(..8) {
            0 => self.rng.choice(["", "", "a", "b", "x", "Slow", "Fast", "Gentle"]).into(),
            1 => format!("0{}", self.number()).into(),
            2 | 3 => self.quantity(),
            _ => self.marker(),
        }
    }

    /// Edits the spec or the status of an object.
    pub(super) fn edit_object(&mut self, object: &mut Value, api_version: &str, kind: &str) {
        let schemas = self.schemas;
        let properties =
            schemas.of_kind(api_version, kind).and_then(|of_kind| of_kind.get("properties"));
        let of = |part: &str| properties.and_then(|property| property.get(part));
        let parts: Vec<_> =
            ["spec", "status"].into_iter().filter_map(|part| Some((part, of(part)?))).collect();
        let chosen = self.rng.choice(&parts).zip(object.as_object_mut());
        if let Some(((part, schema), members)) = chosen {
            self.edit(members.entry(*part).or_insert(Value::Null), schema);
        }
    }

    /// Replaces a value somewhere in the spec or the status of an object by one of another type, as servers keep them when the
    /// schema of a version changes.
    pub(super) fn spoil_object(&mut self, object: &mut Value) {
        let parts: Vec<&mut Value> = object
            .as_object_mut()
            .into_iter()
            .flatten()
            .filter_map(|(name, part)| ["spec", "status"].contains(&name.as_str()).then_some(part))
            .collect();
        if let Some(part) = self.rng.choice(parts) {
            self.spoil(part);
        }
    }

    fn spoil(&mut self, value: &mut Value) {
        let is_here = self.rng.u8(..4) == 0;
        match value {
            Value::Array(items) if !items.is_empty() && !is_here => {
                let chosen = self.rng.usize(..items.len());
                if let Some(item) = items.get_mut(chosen) {
                    self.spoil(item);
                }
            }
            Value::Object(members) if !members.is_empty() && !is_here => {
                let chosen = self.rng.usize(..members.len());
                if let Some(member) = members.values_mut().nth(chosen) {
                    self.spoil(member);
                }
            }
            Value::String(_) | Value::Null => *value = (u64::from(self.number()) + SPOILT).into(),
            Value::Array(_) => *value = json!({"wrong": self.marker()}),
            // It was a text.
            Value::Number(number) if number.as_u64().is_some_and(|number| number > SPOILT) => {}
            Value::Bool(_) | Value::Number(_) | Value::Object(_) => *value = self.marker(),
        }
    }

    /// Edits a list or a value somewhere in a value: items are moved, doubled, inserted and removed, and new ones come.
    fn edit(&mut self, value: &mut Value, schema: &Value) {
        let schemas = self.schemas;
        let schema = schemas.resolve(schema);
        let items_schema = schema.get("items").unwrap_or(&Value::Null);
        match value {
            Value::Array(items) if items.is_empty() || self.rng.bool() => {
                self.edit_items(items, items_schema);
            }
            Value::Array(items) => {
                let chosen = self.rng.usize(..items.len());
                if let Some(item) = items.get_mut(chosen) {
                    self.edit(item, items_schema);
                }
            }
            Value::Object(members) => {
                let of_map = schema.get("additionalProperties");
                let fields = schema.get("properties").and_then(Value::as_object);
                let names: Vec<String> = match (of_map, fields) {
                    (None, Some(fields)) => fields.keys().cloned().collect(),
                    _ => members.keys().cloned().collect(),
                };
                let of = |name: &String| of_map.or_else(|| fields?.get(name));
                let chosen = self.rng.choice(&names).and_then(|name| Some((name, of(name)?)));
                if let Some((name, schema)) = chosen {
                    self.edit(members.entry(name).or_insert(Value::Null), schema);
                }
            }
            other => *other = self.value(schema, 0),
        }
    }

    fn edit_items(&mut self, items: &mut Vec<Value>, schema: &Value) {
        let count = items.len();
        let at = self.rng.usize(..=count);
        match self.rng.u8(..6) {
            0 if count > 0 => self.rng.shuffle(items),
            1 if count > 0 => drop(items.remove(at % count)),
            2 if count > 0 => {
                let copy = self.rng.choice(&*items).cloned().unwrap_or_default();
                items.insert(at, copy);
            }
            3 => items.reverse(),
            _ => items.insert(at, self.value(schema, 0)),
        }
    }
}

/// Numbers above it are where texts were.
const SPOILT: u64 = 1 << 41;

/// A time that no edit changes.
const TIME: &str = "2026-01-02T03:04:05Z";
