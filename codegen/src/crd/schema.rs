//! The schemas of a kind and of its list, as a server publishes them.

use k8s_versioned_names::json::{LARGEST_EXACT, make_whole};
use k8s_versioned_names::text::nearest;
use serde_json::{Map, Value, json};

use super::definition::{Definition, ServedVersion};
use crate::json::Pointer;
use crate::spec::{FACTS, REFERENCE};

/// The beginning of the names of the schemas that all groups share.
pub(super) const META: &str = "io.k8s.apimachinery.pkg.apis.meta.v1";

/// The keywords that a server stores of a schema, besides [`FACTS`]. It drops all others. It refuses references, as the reader
/// does.
const STRUCTURE: [&str; 18] = [
    "$ref",
    "additionalItems",
    "additionalProperties",
    "allOf",
    "default",
    "description",
    "format",
    "items",
    "nullable",
    "patternProperties",
    "properties",
    "required",
    "type",
    "x-kubernetes-group-version-kind",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
];

/// Returns `true` if a server stores a keyword of a schema.
pub(super) fn is_stored(keyword: &str) -> bool {
    STRUCTURE.contains(&keyword) || FACTS.contains(&keyword)
}

/// The stored keyword whose name is nearest to an unknown one.
pub(super) fn nearest_stored(keyword: &str) -> Option<&'static str> {
    nearest(keyword, STRUCTURE.into_iter().chain(FACTS))
}

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
    // Go writes a whole number without a fraction.
    make_whole(schema, LARGEST_EXACT + 1.0);
    walk(schema, None, &mut |members, _| {
        // To servers, `null` is absent.
        members.retain(|key, value| is_stored(key) && !value.is_null());
        if is_true(members, "x-kubernetes-int-or-string") {
            add_alternatives(members);
        }
        if is_true(members, "x-kubernetes-embedded-resource") {
            embed(members);
        }
    });
}

/// States that a value is an integer or a string, unless the definition does. Beside other alternatives, the statement is the
/// first one in `allOf`.
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

/// Removes the descriptions from a schema of a manifest. Values, such as defaults, have none.
pub(super) fn remove_prose(schema: &mut Value) {
    walk(schema, None, &mut |members, _| drop(members.remove("description")));
}

/// Calls `visit` with the schemas in a schema, which is at `pointer` in another, and then with the schema itself: the one place
/// that knows which keywords have schemas.
pub(crate) fn walk(
    schema: &mut Value,
    pointer: Option<&Pointer<'_>>,
    visit: &mut impl FnMut(&mut Map<String, Value>, Option<&Pointer<'_>>),
) {
    let Value::Object(members) = schema else {
        return;
    };
    for (name, value) in members.iter_mut() {
        let inside = &Pointer { parent: pointer, token: name };
        match (name.as_str(), value) {
            ("properties" | "patternProperties", Value::Object(schemas)) => {
                for (name, schema) in schemas {
                    walk(schema, Some(&Pointer { parent: Some(inside), token: name }), visit);
                }
            }
            ("allOf" | "anyOf" | "oneOf" | "items", Value::Array(schemas)) => {
                for (index, schema) in schemas.iter_mut().enumerate() {
                    walk(schema, Some(&Pointer { parent: Some(inside), token: &index }), visit);
                }
            }
            ("items" | "not" | "additionalProperties" | "additionalItems", schema) => {
                walk(schema, Some(inside), visit);
            }
            _ => {}
        }
    }
    visit(members, pointer);
}
