//! Nothing that the documents state is out of reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use k8s_coordination::OPERATIONS;
use k8s_coordination::k8s_versioned::Release;
use k8s_coordination::k8s_versioned::operation::{
    Input, OperationEntry, Patch, Query, Raw, Request, Success,
};
use serde_json::{Value, json};

/// What the documents of all releases state of an operation.
#[derive(Debug, Default, PartialEq)]
struct Documented {
    method: String,
    path: String,
    /// The parameters in the query, with their types.
    parameters: BTreeMap<String, String>,
    responses: BTreeSet<u16>,
    releases: BTreeSet<Release>,
    /// The media types of a patch.
    patches: BTreeSet<String>,
}

#[test]
fn every_operation_is_there_as_documented() {
    let documented = documented();
    assert_eq!(documented.len(), 49, "operations");
    assert_eq!(OPERATIONS.len(), documented.len());
    let told_apart = [Success::Ok, Success::Created, Success::Accepted];
    let told_apart = told_apart.map(|success| success.code().as_u16());
    for entry in OPERATIONS {
        let expected = &documented[entry.id];
        let known: BTreeSet<&str> = entry.parameters.iter().copied().collect();
        let stated: BTreeSet<&str> = expected.parameters.keys().map(String::as_str).collect();
        assert!(known.is_superset(&stated), "{entry:?}: {stated:?}");
        let found = Documented {
            method: entry.method.as_str().to_lowercase(),
            path: entry.path.to_owned(),
            parameters: expected.parameters.clone(),
            responses: entry.responses.iter().copied().collect(),
            releases: entry.releases.iter().copied().collect(),
            patches: expected.patches.clone(),
        };
        assert_eq!(&found, expected, "{entry:?}");
        let mut successes = found.responses.iter().filter(|code| **code < 300);
        assert!(successes.all(|code| told_apart.contains(code)), "{entry:?}");
    }
}

/// Every kind of patch that the API takes has its variant; CBOR is out of scope.
#[test]
fn every_kind_of_patch_is_there() {
    let patches = [
        Patch::Apply(json!({})),
        Patch::Json(Vec::new()),
        Patch::Merge(json!({})),
        Patch::StrategicMerge(json!({})),
    ];
    let mut known: BTreeSet<&str> = patches.iter().map(Patch::content_type).collect();
    known.insert("application/apply-patch+cbor");
    let documented = documented();
    let patches = documented.values().flat_map(|it| &it.patches);
    assert_eq!(patches.map(String::as_str).collect::<BTreeSet<_>>(), known);
}

/// The parameters of all operations.
const PARAMETERS: [&str; 20] = [
    "allowWatchBookmarks",
    "continue",
    "dryRun",
    "fieldManager",
    "fieldSelector",
    "fieldValidation",
    "force",
    "gracePeriodSeconds",
    "ignoreStoreReadErrorWithClusterBreakingPotential",
    "labelSelector",
    "limit",
    "orphanDependents",
    "pretty",
    "propagationPolicy",
    "resourceVersion",
    "resourceVersionMatch",
    "sendInitialEvents",
    "shardSelector",
    "timeoutSeconds",
    "watch",
];

/// Each parameter of each operation goes through the typed functions into the query.
#[test]
fn every_parameter_is_reachable() {
    let mut reached = BTreeSet::new();
    let mut count = 0;
    for (id, documented) in documented() {
        let entry = OPERATIONS.iter().find(|entry| entry.id == id).unwrap();
        for (name, of_type) in &documented.parameters {
            let value = match of_type.as_str() {
                "boolean" => "true",
                "integer" => "7",
                _ => "Some/Text?",
            };
            // `force` is for an apply, and an apply needs a `fieldManager`.
            let mut query: Query = [("fieldManager", "me")].into_iter().collect();
            if !documented.parameters.contains_key("fieldManager") {
                query = Query::default();
            }
            query.set(name, value);
            let request = build(entry, query);
            assert_eq!(request.query().get(name), Some(value), "{entry:?} {name}");
            reached.insert(name.clone());
            count += 1;
        }
    }
    assert_eq!(count, 372, "parameters of operations");
    let names: Vec<&str> = reached.iter().map(String::as_str).collect();
    assert_eq!(names, PARAMETERS);
}

/// The request of an operation, by way of its function.
fn build(entry: &OperationEntry, query: Query) -> Request<Raw> {
    let (content_type, body): (_, &[u8]) = match entry.method.as_str() {
        "POST" | "PUT" => (Some("application/json"), b"{}"),
        "PATCH" => (Some("application/apply-patch+yaml"), b"{}"),
        _ => (None, b""),
    };
    let names = [("namespace", "n"), ("name", "a")];
    let input = Input {
        names: names.map(|(name, value)| (name, value.to_owned())).into(),
        query,
        content_type,
        body,
    };
    let request = (entry.build)(&input).unwrap().request().clone();
    let path = entry
        .path
        .replace("{namespace}", "n")
        .replace("{name}", "a");
    assert_eq!(request.path(), path);
    assert_eq!(request.method(), &entry.method);
    request
}

fn documented() -> BTreeMap<String, Documented> {
    let specs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../specs");
    let mut documented: BTreeMap<String, Documented> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(specs) {
        let file = entry.unwrap().into_path();
        if file.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let release = file.parent().unwrap().file_name().unwrap();
        let release: Release = release.to_str().unwrap().parse().unwrap();
        let document: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        for (path, item) in document["paths"].as_object().unwrap() {
            let methods = item.as_object().unwrap().iter();
            for (method, operation) in methods.filter(|(name, _)| *name != "parameters") {
                let id = text(&operation["operationId"]);
                let found = documented.entry(id).or_default();
                found.method.clone_from(method);
                found.path.clone_from(path);
                found.add(item, operation, release);
            }
        }
    }
    documented
}

impl Documented {
    /// Adds what a document states of the operation.
    fn add(&mut self, item: &Value, operation: &Value, release: Release) {
        self.releases.insert(release);
        let codes = operation["responses"].as_object().unwrap().keys();
        self.responses
            .extend(codes.map(|code| code.parse::<u16>().unwrap()));
        if let Some(body) = operation.pointer("/requestBody/content") {
            let patches = body.as_object().unwrap().keys();
            self.patches
                .extend(patches.filter(|it| it.contains("patch")).cloned());
        }
        let shared = item.get("parameters").into_iter();
        let parameters = shared.chain(operation.get("parameters"));
        let parameters = parameters.flat_map(|list| list.as_array().unwrap());
        for parameter in parameters.filter(|parameter| parameter["in"] == "query") {
            let (name, of_type) = (text(&parameter["name"]), text(&parameter["schema"]["type"]));
            self.parameters.insert(name, of_type);
        }
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}
