//! The schemas of a document.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use jsonschema::{Draft, PatternOptions, ValidationError, Validator};
use k8s_versioned::{TypeMeta, pointer};
use serde_json::{Map, Value, json};

use super::definitions::TITLE;
use super::document::{Document, kinds};
use crate::compare::show;

/// The schemas of kinds in a document.
#[derive(Debug)]
pub(super) struct Schemas {
    by_kind: BTreeMap<(String, String), Schema>,
}

/// The schema of a kind. It is compiled on first use.
#[derive(Debug)]
pub(crate) struct Schema {
    name: String,
    /// `true` for a custom resource: `null` is a value of its fields if the schema says so.
    custom: bool,
    components: Arc<Value>,
    validator: OnceLock<Result<Validator, ValidationError<'static>>>,
}

impl Schemas {
    pub(super) fn of(mut document: Value) -> Self {
        let title = document.pointer("/info/title").and_then(Value::as_str);
        let custom = title == Some(TITLE);
        let components = document.get_mut("components").map(Value::take);
        let mut components = components.unwrap_or_default();
        allow_null(&mut components);
        let components = Arc::new(components);
        let schemas = components.get("schemas").and_then(Value::as_object);
        let mut by_kind = BTreeMap::new();
        for (name, schema) in schemas.into_iter().flatten() {
            for kind in kinds(schema) {
                by_kind.entry(kind).or_insert_with(|| Schema {
                    name: name.clone(),
                    custom,
                    components: Arc::clone(&components),
                    validator: OnceLock::new(),
                });
            }
        }
        Self { by_kind }
    }

    fn find(&self, api_version: &str, kind: &str) -> Option<&Schema> {
        self.by_kind.get(&(api_version.to_owned(), kind.to_owned()))
    }
}

impl Document {
    /// The schema of a body's kind.
    pub(crate) fn schema_of(&self, body: &Value) -> Option<&Schema> {
        let of = TypeMeta::of(body).ok()?;
        self.schemas.find(&of.api_version, &of.kind)
    }
}

impl Schema {
    /// The name of the schema in the document.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// What is wrong with a body of the kind; the error is a schema that cannot be used.
    pub(crate) fn violations(
        &self,
        body: &Value,
    ) -> Result<Vec<Violation>, &ValidationError<'static>> {
        let mut body = Cow::Borrowed(body);
        if !self.custom {
            body = Cow::Owned(without_nulls(&body));
        } else if let Some(metadata) = body.get("metadata").map(without_nulls)
            && let Some(members) = body.to_mut().as_object_mut()
        {
            members.insert("metadata".to_owned(), metadata);
        }
        let violation = |error: ValidationError<'_>| Violation {
            pointer: error.instance_path().to_string(),
            keyword: error.kind().keyword().to_owned(),
            message: error.masked().to_string(),
            place: error.schema_path().to_string(),
            found: show(Some(error.instance())),
        };
        Ok(self.validator()?.iter_errors(&body).map(violation).collect())
    }

    /// The validator of objects of the kind.
    fn validator(&self) -> Result<&Validator, &ValidationError<'static>> {
        self.validator.get_or_init(|| self.compile()).as_ref()
    }

    fn compile(&self) -> Result<Validator, ValidationError<'static>> {
        let place = pointer::child("#/components/schemas", &self.name);
        // `allOf`: the draft that OpenAPI 3.0 is based on ignores members beside a `$ref`.
        let root = json!({ "allOf": [{ "$ref": place }], "components": *self.components });
        jsonschema::options()
            .with_draft(Draft::Draft4)
            .should_validate_formats(true)
            // Servers have the expressions of Go, which this engine has, too.
            .with_pattern_options(PatternOptions::regex())
            .offline()
            .build(&root)
    }
}

/// A part of an object that its schema does not allow.
#[derive(Debug)]
pub(crate) struct Violation {
    pub(crate) pointer: String,
    /// The keyword of the schema.
    pub(crate) keyword: String,
    /// What is wrong.
    pub(crate) message: String,
    /// The keyword's place in the schema.
    pub(crate) place: String,
    /// The part, shortened.
    pub(crate) found: String,
}

/// `nullable` in the terms of JSON Schema. Of a `null`, servers check the type and the words alone.
fn allow_null(schema: &mut Value) {
    match schema {
        Value::Array(items) => items.iter_mut().for_each(allow_null),
        Value::Object(members) => {
            if members.get("nullable") == Some(&Value::Bool(true)) {
                if let Some(Value::String(of)) = members.get("type") {
                    members.insert("type".to_owned(), json!([of, "null"]));
                }
                if let Some(Value::Array(words)) = members.get_mut("enum") {
                    words.push(Value::Null);
                }
                let logic = ["allOf", "anyOf", "oneOf", "not"];
                let logic = logic.into_iter().filter_map(|name| members.remove_entry(name));
                let logic: Map<String, Value> = logic.collect();
                if !logic.is_empty() {
                    members.insert("anyOf".to_owned(), json!([{ "enum": [null] }, logic]));
                }
            }
            members.values_mut().for_each(allow_null);
        }
        _ => {}
    }
}

/// A value without its `null` members. A `null` in a list stays: it is an item.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::definitions::TITLE;
    use super::Schemas;

    /// Returns `true` if an object is valid in which a field has the value.
    fn accepts(field: &Value, value: &Value) -> bool {
        let kind = json!([{"group": "", "version": "v1", "kind": "Widget"}]);
        let schema = json!({"properties": {"a": field}, "x-kubernetes-group-version-kind": kind});
        let components = json!({"schemas": {"Widget": schema}});
        let schemas = Schemas::of(json!({"info": {"title": TITLE}, "components": components}));
        let body = json!({"apiVersion": "v1", "kind": "Widget", "a": value});
        schemas.find("v1", "Widget").unwrap().violations(&body).unwrap().is_empty()
    }

    #[test]
    fn null_is_valid_where_the_schema_is_nullable() {
        let int_or_string = json!([{"type": "integer"}, {"type": "string"}]);
        let one_of = json!([{"required": ["a"]}, {"required": ["b"]}]);
        let of_any = |nullable| json!({"anyOf": int_or_string, "nullable": nullable});
        let of_one = |nullable| json!({"type": "object", "oneOf": one_of, "nullable": nullable});
        let not = |nullable| json!({"not": {"enum": [null, 1]}, "nullable": nullable});
        let all = |nullable| json!({"allOf": [{"type": "string"}], "nullable": nullable});
        let table = [
            (of_any(true), json!(1), json!(true)),
            (of_one(true), json!({"a": 1}), json!({"a": 1, "b": 2})),
            (not(true), json!(2), json!(1)),
            (all(true), json!("a"), json!(1)),
        ];
        for (schema, good, bad) in table {
            let accepted = [&Value::Null, &good, &bad].map(|value| accepts(&schema, value));
            assert_eq!(accepted, [true, true, false], "{schema}");
        }
        for schema in [of_any(false), of_one(false), not(false), all(false)] {
            assert!(!accepts(&schema, &Value::Null), "{schema}");
        }
    }
}
