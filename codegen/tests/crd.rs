//! The documents of definitions are those that a live server published for the same definitions.
//!
//! `codegen/cases/crds` has 185 definitions of public projects and what a server 1.36 published for them, without
//! descriptions and without the schemas that all documents share.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;

use flate2::read::GzDecoder;
use k8s_versioned_codegen::{Files, crd};
use serde_json::{Map, Value};

/// The lines of a compressed file of `codegen/cases/crds`.
fn lines(file: &str) -> impl Iterator<Item = String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/crds").join(file);
    BufReader::new(GzDecoder::new(std::fs::File::open(path).unwrap())).lines().map(Result::unwrap)
}

#[test]
fn documents_are_those_of_a_live_server() {
    let name = |index| format!("{index:03}.json");
    let manifests: Files = lines("manifests.jsonl.gz")
        .enumerate()
        .map(|(index, manifest)| (name(index), manifest.into_bytes()))
        .collect();
    assert_eq!(manifests.len(), 185);

    let mut documents = crd::documents(&manifests, &Map::new()).unwrap();
    for line in lines("documents.jsonl.gz") {
        let published: Value = serde_json::from_str(&line).unwrap();
        let file = published["file"].as_str().unwrap();
        let ours: Value = serde_json::from_slice(&documents.remove(file).unwrap()).unwrap();
        assert_same("", &ours, &published["document"], file);
    }
    assert_eq!(documents.keys().collect::<Vec<_>>(), Vec::<&String>::new());
}

/// Names the first place where two values differ.
fn assert_same(pointer: &str, ours: &Value, published: &Value, file: &str) {
    match (ours, published) {
        (Value::Object(ours), Value::Object(published)) => {
            let names = |of: &Map<String, Value>| of.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(ours), names(published), "{file}#{pointer}");
            for (name, value) in ours {
                assert_same(&format!("{pointer}/{name}"), value, &published[name], file);
            }
        }
        _ => assert_eq!(ours, published, "{file}#{pointer}"),
    }
}

#[test]
fn refused_definitions() {
    let table = [
        ("kind: Service", ""),
        (
            "{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v1beta1}",
            "/apiVersion",
        ),
        (&definition("../../x", "v1", "Widget"), "/spec/group"),
        (&definition("example.com", "../../x", "Widget"), "/spec/versions/0/name"),
        (&definition("example.com", "v1", "Wid get"), "/spec/names/kind"),
        (&definition("example.com", "v1", "../x"), "/spec/names/kind"),
        ("kind: [", ""),
    ];
    for (manifest, pointer) in table {
        let manifests = Files::from([("a.yaml".to_owned(), manifest.as_bytes().to_vec())]);
        let problems = crd::documents(&manifests, &Map::new()).unwrap_err();
        assert!(problems.iter().all(|problem| problem.place.pointer == pointer), "{problems}");
        assert!(!problems.is_empty(), "{manifest}");
    }
}

/// A definition that is right but for the names.
fn definition(group: &str, version: &str, kind: &str) -> String {
    format!(
        "{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {{group: {group:?}, \
         scope: Cluster, names: {{kind: {kind:?}, plural: widgets}}, \
         versions: [{{name: {version:?}, served: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]}}}}"
    )
}
