//! The schemas of a kind and of its list, as a server publishes them.

use serde_json::{Map, Value, json};

use super::manifest::{Definition, ServedVersion};
use crate::json::Path;
use crate::spec::REFERENCE;

/// The beginning of the names of the schemas that all groups share.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The keywords that a server stores of a schema. It drops all others. It refuses references, as the reader does.
pub(super) const STORED: [&str; 42] = [
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "anyOf",
    "default",
    "description",
    "enum",
    "example",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "externalDocs",
    "format",
    "items",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "not",
    "nullable",
    "oneOf",
    "pattern",
    "properties",
    "required",
    "title",
    "type",
    "uniqueItems",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
    "x-kubernetes-preserve-unknown-fields",
    "x-kubernetes-selectable-fields",
    "x-kubernetes-validations",
    "patternProperties",
];

/// The schema of a kind: the `schema` of the manifest, with the fields that every object has.
pub(super) fn of_kind(
    mut schema: Value,
    definition: &Definition,
    version: &ServedVersion,
) -> Value {
    publish(&mut schema);
    if let Value::Object(members) = &mut schema {
        add_fields(members, object_fields());
        members.extend(kind_facts(definition, version, &definition.kind));
    }
    schema
}

/// The schema of a list of objects with the schema `items`.
pub(super) fn of_list(definition: &Definition, version: &ServedVersion, items: &str) -> Value {
    let mut properties = Map::from_iter(type_meta());
    let items = json!({ "type": "array", "items": reference(items) });
    properties.insert("items".to_owned(), items);
    properties.insert("metadata".to_owned(), metadata("ListMeta"));
    let mut schema = kind_facts(definition, version, &definition.list_kind);
    schema.insert("type".to_owned(), "object".into());
    schema.insert("required".to_owned(), json!(["items"]));
    schema.insert("properties".to_owned(), properties.into());
    schema.into()
}

/// The kind that a schema describes, and the fields by which servers select its objects.
fn kind_facts(definition: &Definition, version: &ServedVersion, kind: &str) -> Map<String, Value> {
    let kinds = json!([{ "group": definition.group, "kind": kind, "version": version.name }]);
    let mut facts = Map::from_iter([("x-kubernetes-group-version-kind".to_owned(), kinds)]);
    if !version.selectable.is_empty() {
        let fields = version.selectable.iter().map(|path| json!({ "fieldPath": path })).collect();
        facts.insert("x-kubernetes-selectable-fields".to_owned(), fields);
    }
    facts
}

fn type_meta() -> [(String, Value); 2] {
    ["apiVersion", "kind"].map(|name| (name.to_owned(), json!({ "type": "string" })))
}

fn metadata(of_type: &str) -> Value {
    json!({ "allOf": [reference(&format!("{META}.{of_type}"))] })
}

/// A reference to the schema of this name.
pub(super) fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("{REFERENCE}{schema}") })
}

/// Adds fields to the object at `properties`.
fn add_fields(schema: &mut Map<String, Value>, fields: impl IntoIterator<Item = (String, Value)>) {
    match schema.get_mut("properties") {
        Some(Value::Object(properties)) => properties.extend(fields),
        // The reader reports it.
        Some(_) => {}
        None => {
            schema.insert("properties".to_owned(), Map::from_iter(fields).into());
        }
    }
}

/// The fields that every object has.
fn object_fields() -> impl Iterator<Item = (String, Value)> {
    type_meta().into_iter().chain([("metadata".to_owned(), metadata("ObjectMeta"))])
}

/// Makes of a schema what a server stores and publishes.
fn publish(schema: &mut Value) {
    write_as_go(schema);
    walk(schema, None, &mut |members, _| {
        // To servers, `null` is absent.
        members.retain(|key, value| STORED.contains(&key.as_str()) && !value.is_null());
        if is_true(members, "x-kubernetes-int-or-string") {
            add_alternatives(members);
        }
        if is_true(members, "x-kubernetes-embedded-resource") {
            embed(members);
        }
    });
}

/// States the types of a number or a text, unless the definition does: beside other alternatives in `allOf`, at its
/// beginning.
fn add_alternatives(members: &mut Map<String, Value>) {
    let alternatives = || json!([{ "type": "integer" }, { "type": "string" }]);
    let all = members.get("allOf").and_then(Value::as_array);
    let first = all.and_then(|all| all.first()?.get("anyOf"));
    if [members.get("anyOf"), first].contains(&Some(&alternatives())) {
        return;
    }
    if !members.contains_key("anyOf") {
        members.insert("anyOf".to_owned(), alternatives());
    } else if let Value::Array(all) = members.entry("allOf").or_insert_with(|| json!([])) {
        all.insert(0, json!({ "anyOf": alternatives() }));
    }
}

fn is_true(members: &Map<String, Value>, key: &str) -> bool {
    members.get(key) == Some(&Value::Bool(true))
}

/// An object inside another one has the fields of every object.
fn embed(members: &mut Map<String, Value>) {
    add_fields(members, object_fields());
    if let Value::Array(required) = members.entry("required").or_insert_with(|| json!([])) {
        for name in ["kind", "apiVersion"] {
            if !required.iter().any(|known| known == name) {
                required.push(name.into());
            }
        }
    }
}

/// Writes the numbers of a value as Go does: a whole number has no fraction.
fn write_as_go(value: &mut Value) {
    match value {
        Value::Number(number) => {
            if let Some(whole) = whole(number) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(write_as_go),
        Value::Object(members) => members.values_mut().for_each(write_as_go),
        _ => {}
    }
}

/// The integer that a number with a fraction of zero is.
fn whole(number: &serde_json::Number) -> Option<i64> {
    /// Integers up to here have one floating-point number each.
    const LARGEST: f64 = 9_007_199_254_740_992.0;
    let float = number.as_f64().filter(|_| number.is_f64())?;
    #[allow(clippy::cast_possible_truncation, reason = "it is whole and within the limit")]
    (float.fract() == 0.0 && float.abs() <= LARGEST).then_some(float as i64)
}

/// Removes the descriptions from a schema of a manifest. Values, such as defaults, have none.
pub(super) fn remove_prose(schema: &mut Value) {
    walk(schema, None, &mut |members, _| drop(members.remove("description")));
}

/// Calls `visit` with the schemas in a schema, which is at `path` in another, and then with the schema itself: the one place
/// that knows which keywords have schemas.
pub(crate) fn walk(
    schema: &mut Value,
    path: Option<&Path<'_>>,
    visit: &mut impl FnMut(&mut Map<String, Value>, Option<&Path<'_>>),
) {
    let Value::Object(members) = schema else {
        return;
    };
    for (name, value) in members.iter_mut() {
        let inside = &Path { before: path, step: name };
        match (name.as_str(), value) {
            ("properties" | "patternProperties", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    walk(schema, Some(&Path { before: Some(inside), step: name }), visit);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "items", Value::Array(schemas)) => {
                for (index, schema) in schemas.iter_mut().enumerate() {
                    walk(schema, Some(&Path { before: Some(inside), step: &index }), visit);
                }
            }
            ("items" | "not" | "additionalProperties" | "additionalItems", schema) => {
                walk(schema, Some(inside), visit);
            }
            _ => {}
        }
    }
    visit(members, path);
}
