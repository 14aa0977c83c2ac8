//! The JSON Schemas against the documents that they come from.
//!
//! Each schema equals the schema in the newest document that has it, with equal meanings in one form:
//! descriptions removed, `{allOf: [$ref], default}` as a bare `$ref`, and the lists of kinds united over all
//! documents and groups.

use std::collections::BTreeMap;
use std::path::Path;

use k8s_coordination::{meta, v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::schema::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value};

/// Bodies without a generated type, and the type that only `WatchEvent` holds.
const NO_TYPE: [&str; 3] = [
    "io.k8s.apimachinery.pkg.apis.meta.v1.Patch",
    "io.k8s.apimachinery.pkg.apis.meta.v1.WatchEvent",
    "io.k8s.apimachinery.pkg.runtime.RawExtension",
];

#[test]
fn schemas_equal_the_newest_documents() {
    let expected = documented();
    let found = generated();
    let names = |schemas: &BTreeMap<String, Value>| schemas.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&found), names(&expected));
    assert_eq!(expected.len(), 30);
    for (name, mut schema) in expected {
        // All groups share these types, which know more kinds.
        unite_kinds(&mut schema, &found[&name]);
        assert_eq!(found[&name], schema, "{name}");
    }
}

/// The schemas of all types, by name.
fn generated() -> BTreeMap<String, Value> {
    let mut generator = SchemaGenerator::default();
    add::<meta::v1::APIGroup>(&mut generator);
    add::<meta::v1::APIResourceList>(&mut generator);
    add::<meta::v1::DeleteOptions>(&mut generator);
    add::<meta::v1::Status>(&mut generator);
    add::<v1::LeaseList>(&mut generator);
    add::<v1alpha1::LeaseCandidateList>(&mut generator);
    add::<v1alpha2::LeaseCandidateList>(&mut generator);
    add::<v1beta1::LeaseCandidateList>(&mut generator);
    let definitions = generator.take_definitions(true);
    definitions.into_iter().map(|(name, schema)| (name, plain(&schema))).collect()
}

fn add<T: JsonSchema>(generator: &mut SchemaGenerator) {
    generator.subschema_for::<T>();
}

/// The schemas of the documents, each as the newest release states it.
fn documented() -> BTreeMap<String, Value> {
    let mut schemas: BTreeMap<String, Value> = BTreeMap::new();
    for document in documents() {
        for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
            let mut schema = plain(schema);
            if let Some(earlier) = schemas.get(name) {
                unite_kinds(&mut schema, earlier);
            }
            schemas.insert(name.clone(), schema);
        }
    }
    for name in NO_TYPE {
        schemas.remove(name).unwrap();
    }
    schemas
}

/// The documents of all releases, oldest first.
fn documents() -> impl Iterator<Item = Value> {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let entries = walkdir::WalkDir::new(specs).min_depth(2).sort_by_file_name();
    let paths = entries.into_iter().map(|entry| entry.unwrap().into_path());
    let documents =
        paths.filter(|path| path.extension().is_some_and(|extension| extension == "json"));
    documents.map(|path| serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap())
}

fn unite_kinds(schema: &mut Value, earlier: &Value) {
    let key = "x-kubernetes-group-version-kind";
    let Some(kinds) = schema.get_mut(key).and_then(Value::as_array_mut) else {
        return;
    };
    kinds.extend(earlier[key].as_array().unwrap().iter().cloned());
    kinds.sort_by_key(Value::to_string);
    kinds.dedup();
}

/// A schema in one form: equal meanings are written in the same way.
fn plain(schema: &Value) -> Value {
    match schema {
        Value::Array(items) => items.iter().map(plain).collect(),
        Value::Object(members) => plain_object(members),
        other => other.clone(),
    }
}

fn plain_object(members: &Map<String, Value>) -> Value {
    let all_of = members.get("allOf").map(|all_of| &all_of[0]);
    if let Some(reference) = members.get("$ref").or_else(|| all_of?.get("$ref")) {
        let name = reference.as_str().unwrap().rsplit('/').next().unwrap();
        let mut plain = keep(members, &["$ref", "allOf", "default"]);
        plain.insert("$ref".to_owned(), name.into());
        return plain.into();
    }
    let mut plain = keep(members, &[]);
    if let Some(kinds) =
        plain.get_mut("x-kubernetes-group-version-kind").and_then(Value::as_array_mut)
    {
        kinds.sort_by_key(Value::to_string);
    }
    plain.into()
}

/// All members but descriptions and those named.
fn keep(members: &Map<String, Value>, without: &[&str]) -> Map<String, Value> {
    let prose = |key: &str, value: &Value| key == "description" && value.is_string();
    let kept = members
        .iter()
        .filter(|(key, value)| !prose(key, value) && !without.contains(&key.as_str()));
    kept.map(|(key, value)| (key.clone(), plain(value))).collect()
}
