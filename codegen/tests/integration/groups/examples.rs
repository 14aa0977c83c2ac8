//! The examples in the schemas of custom resources, as objects of their kinds.

use std::collections::BTreeMap;

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

/// The definitions in these files that have several versions. Files with one definition are one, with the versions of all of them: some
/// projects publish each version in a file of its own.
pub(crate) fn versions(files: &Files) -> Vec<Value> {
    let mut definitions: BTreeMap<String, (Value, BTreeMap<String, Value>)> = BTreeMap::new();
    for (path, text) in files {
        let found: Vec<Value> = serde_saphyr::from_slice_multiple(text).unwrap_or_default();
        for mut definition in found {
            let versions = definition["spec"]["versions"].take();
            // Projects have forks of other projects.
            let project = path.split('/').take(2).collect::<Vec<_>>().join("/");
            let name = format!("{project} {}", definition["metadata"]["name"]);
            let (_, all) = definitions.entry(name).or_insert((definition, BTreeMap::new()));
            for mut version in versions.as_array().into_iter().flatten().cloned() {
                (version["served"], version["storage"]) = (true.into(), false.into());
                let name = version["name"].as_str().unwrap_or_default().to_owned();
                all.entry(name).or_insert(version);
            }
        }
    }
    definitions.retain(|_, (_, versions)| versions.len() > 1);
    let complete = |(definition, versions): (Value, BTreeMap<String, Value>)| {
        let mut versions: Vec<Value> = versions.into_values().collect();
        if let Some(last) = versions.last_mut() {
            last["storage"] = true.into();
        }
        let spec = &definition["spec"];
        json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": definition["metadata"]["name"]},
            "spec": {
                "group": spec["group"], "names": spec["names"], "scope": spec["scope"], "versions": versions,
            },
        })
    };
    definitions.into_values().map(complete).collect()
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
