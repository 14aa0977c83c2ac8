//! Packages of definitions beside those of what a live server published for them.

use std::collections::BTreeMap;

use k8s_versioned_codegen::{Files, crd};
use serde_json::{Map, Value, json};
use testing::specs::groups::{custom_documents, lines};

use super::package;
use crate::formatting;

/// The 185 definitions by their groups, each in a file of its own: a document can have the kinds of several definitions.
fn groups() -> BTreeMap<String, Files> {
    let mut groups: BTreeMap<String, Files> = BTreeMap::new();
    for (index, manifest) in lines("../crds/manifests.jsonl.gz").enumerate() {
        let value: Value = serde_json::from_str(&manifest).unwrap();
        let group = value["spec"]["group"].as_str().unwrap().to_owned();
        groups
            .entry(group)
            .or_default()
            .insert(format!("v1.0/{index:03}.yaml"), manifest.into_bytes());
    }
    assert_eq!(groups.values().map(Files::len).sum::<usize>(), 185);
    groups
}

/// Some groups; the test below has all.
#[test]
fn both_ways_give_the_same_package() {
    both_ways(8);
}

#[test]
#[ignore = "generates 370 packages: `.ci/run --all` has a step for it"]
fn both_ways_give_the_same_packages_of_all() {
    both_ways(1);
}

/// Manifests and what a server publishes for them give the same packages, of every so many groups.
fn both_ways(every: usize) {
    let mut published = published();
    let pairs = groups().into_iter().step_by(every).map(|(group, manifests)| {
        let documents = published.remove(&group).unwrap();
        (group, manifests, documents)
    });
    let pairs: Vec<_> = pairs.collect();
    assert!(every > 1 || published.is_empty(), "{:?}", published.keys());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in pairs.chunks(pairs.len().div_ceil(threads)) {
            scope.spawn(|| part.iter().for_each(same_by_both_ways));
        }
    });
}

fn same_by_both_ways((group, manifests, documents): &(String, Files, Files)) {
    let files = package(manifests.clone()).files;
    check_schemas(documents, &files);
    assert!(formatting::check(&files) > 0, "{group}");
    // The package of a server's documents has the definitions by itself.
    let mut documents = documents.clone();
    documents.extend(
        manifests.iter().map(|(path, text)| (path.replace("v1.0/", crd::FOLDER), text.clone())),
    );
    let other = package(documents).files;
    let differ = |path: &&String| files.get(*path) != other.get(*path);
    let paths: Vec<&String> = files.keys().chain(other.keys()).filter(differ).collect();
    assert!(paths.is_empty(), "{group}: {paths:?}");
}

/// The documents of each group as a server publishes them.
fn published() -> BTreeMap<String, Files> {
    let of_release = |(file, text): (&String, &Vec<u8>)| (format!("v1.0/{file}"), text.clone());
    let groups = custom_documents().iter();
    groups.map(|(group, files)| (group.clone(), files.iter().map(of_release).collect())).collect()
}

/// The JSON Schema of each kind is the one that a server publishes.
fn check_schemas(documents: &Files, files: &Files) {
    for (path, document) in documents {
        let document: Value = serde_json::from_slice(document).unwrap();
        let version = path.split("__").nth(2).unwrap().trim_end_matches("_openapi.json");
        let emitted: Map<String, Value> =
            serde_json::from_slice(&files[&format!("{version}/json_schemas.json")]).unwrap();
        assert!(!emitted.is_empty(), "{path}");
        for (name, schema) in emitted {
            // The others are of types whose objects have several schemas.
            if let Some(published) = document["components"]["schemas"].get(&name) {
                assert_eq!(schema, with_names_of_rust(published), "{path} {name}");
            }
        }
    }
}

fn with_names_of_rust(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match value {
                Value::String(_) if key == "$ref" => {
                    (key.clone(), json!("k8s_versioned::meta::v1::ObjectMeta"))
                }
                _ => (key.clone(), with_names_of_rust(value)),
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(with_names_of_rust).collect(),
        other => other.clone(),
    }
}
