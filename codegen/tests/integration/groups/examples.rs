//! The examples in the schemas of custom resources, as objects of their kinds.

use k8s_versioned_codegen::Files;
use serde_json::{Value, json};

/// An object for each example of a definition in these files, with the values that lead to it alone.
pub(crate) fn of(files: &Files) -> Vec<Value> {
    let mut objects = Vec::new();
    for text in files.values() {
        let definitions: Vec<Value> = serde_saphyr::from_slice_multiple(text).unwrap_or_default();
        for definition in definitions {
            let spec = &definition["spec"];
            let (group, kind) = (&spec["group"], &spec["names"]["kind"]);
            for version in spec["versions"].as_array().into_iter().flatten() {
                let (Some(group), Some(name)) = (group.as_str(), version["name"].as_str()) else {
                    continue;
                };
                let schema = &version["schema"]["openAPIV3Schema"];
                collect(schema, &|object| object, &mut |mut object: Value| {
                    object["apiVersion"] = format!("{group}/{name}").into();
                    object["kind"] = kind.clone();
                    objects.push(object);
                });
            }
        }
    }
    objects
}

/// Calls `found` with each example below a schema, as a part of the object: `wrap` puts a value in its place.
fn collect(schema: &Value, wrap: &dyn Fn(Value) -> Value, found: &mut dyn FnMut(Value)) {
    let example = &schema["example"];
    if !example.is_null() && is_of_type(schema, example) {
        found(wrap(example.clone()));
    }
    for (name, schema) in schema["properties"].as_object().into_iter().flatten() {
        collect(schema, &|value| wrap(json!({ name: value })), found);
    }
    if schema["items"].is_object() {
        collect(&schema["items"], &|value| wrap(json!([value])), found);
    }
    if schema["additionalProperties"].is_object() {
        collect(&schema["additionalProperties"], &|value| wrap(json!({"key": value})), found);
    }
}

/// Returns `true` if an example has the type of its own schema: some are texts where the schema has a list.
fn is_of_type(schema: &Value, example: &Value) -> bool {
    match schema["type"].as_str() {
        Some("array") => example.is_array(),
        Some("boolean") => example.is_boolean(),
        Some("integer") => example.is_i64() || example.is_u64(),
        Some("number") => example.is_number(),
        Some("object") => example.is_object(),
        Some("string") => example.is_string(),
        _ => true,
    }
}
