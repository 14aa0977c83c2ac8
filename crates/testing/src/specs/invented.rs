//! An invented release of Kubernetes: the newest one with an additional field, parameter, word, version and operations,
//! and without one version.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "the documents and rules of this repository, which tests read"
)]

use k8s_versioned_codegen::Files;
use k8s_versioned_core::Release;
use serde_json::{Map, Value, json};
use toml::Table;

/// A step of a maintainer: its description, and its change of the rule files of `specs` for the invented
/// release.
pub type Step = (&'static str, fn(&mut Files, Release));

/// The steps for all problems that the generator reports. The order shows the problems that remain after each step.
pub const STEPS: [Step; 8] = [
    ("The types and the field have descriptions", describe),
    ("They have numbers, and the presence of Go's types", number),
    ("The lifecycle does not repeat that v1alpha2 is removed", |specs, _| announce(specs, None)),
    ("The parameter is left out, with the reason", |specs, _| {
        edit_toml(specs, "left-out.toml", |file| {
            let rule = table([("name", "pace"), ("reason", "No program needs it yet.")]);
            file.insert("parameter".to_owned(), vec![rule].into());
        });
    }),
    ("conversions.toml lists v1", |specs, _| {
        edit_toml(specs, "conversions.toml", |file| {
            for kind in tables(file, "kind") {
                let versions = kind["versions"].as_array_mut();
                versions.unwrap().push("v1".into());
            }
        });
    }),
    ("The rules of conversions.toml name the fields of v1", |specs, _| {
        edit_toml(specs, "conversions.toml", |file| {
            let kinds = tables(file, "kind");
            for rule in kinds.flat_map(|kind| tables(kind, "field")) {
                let names = rule["names"].as_table_mut().unwrap();
                names.insert("v1".to_owned(), names["v1beta1"].clone());
            }
        });
    }),
    ("The open enum has the field and a new word", |specs, _| {
        edit_strategies(specs, "");
    }),
    ("The word has a description", |specs, _| {
        edit_strategies(specs, "The newest wins.");
    }),
];

/// The documents of the invented release, by their names, from the newest release.
pub fn documents(newest: &Files) -> Files {
    let mut documents = newest.clone();
    documents.remove(&document("v1alpha2"));
    let beta: Value = serde_json::from_slice(&newest[&document("v1beta1")]).unwrap();
    let text = beta.to_string().replace("v1beta1", "v1");
    let stable: Value = serde_json::from_str(&text.replace("V1beta1", "V1")).unwrap();
    let mut changed: Value = serde_json::from_slice(&newest[&document("v1")]).unwrap();
    // `LeaseCandidate` in `v1`, next to `Lease`.
    for part in ["/components/schemas", "/paths"] {
        let own = object(&stable, part).iter();
        let own = own.filter(|(name, _)| name.to_lowercase().contains("leasecandidate"));
        object_mut(&mut changed, part)
            .extend(own.map(|(name, value)| (name.clone(), value.clone())));
    }
    let fields = "/components/schemas/io.k8s.api.coordination.v1.LeaseSpec/properties";
    let pace = json!({"type": "integer", "format": "int32"});
    object_mut(&mut changed, fields).insert("pace".to_owned(), pace);
    change_paths(object_mut(&mut changed, "/paths"));
    documents.insert(document("v1"), changed.to_string().into_bytes());
    documents
}

/// Adds a parameter to the operation that reads a `Lease`, and the subresource `status`.
fn change_paths(paths: &mut Map<String, Value>) {
    const LEASE: &str = "/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases/{name}";
    let mut status = paths[LEASE].clone();
    let operations = status.as_object_mut().unwrap();
    operations.retain(|method, _| ["get", "parameters", "patch", "put"].contains(&method.as_str()));
    for operation in operations.values_mut().filter_map(Value::as_object_mut) {
        let id = operation["operationId"].as_str().unwrap().to_owned() + "Status";
        operation.insert("operationId".to_owned(), id.into());
    }
    let pace =
        json!([{"name": "pace", "in": "query", "schema": {"type": "string", "uniqueItems": true}}]);
    paths[LEASE]["get"]["parameters"] = pace;
    paths.insert(format!("{LEASE}/status"), status);
}

/// States the release that is to remove `v1alpha2`; `None`: the documents show it.
pub fn announce(specs: &mut Files, release: Option<Release>) {
    edit_toml(specs, "lifecycle.toml", |file| {
        let rules = tables(file, "kind");
        for rule in rules.filter(|rule| rule["version"].as_str() == Some("v1alpha2")) {
            match release {
                Some(release) => rule.insert("removed".to_owned(), release.to_string().into()),
                None => rule.remove("removed"),
            };
        }
    });
}

fn describe(specs: &mut Files, _: Release) {
    let text = str::from_utf8(&specs["descriptions/v1beta1.toml"]).unwrap();
    let beta: Table = text.parse().unwrap();
    edit_toml(specs, "descriptions/v1.toml", |file| {
        file.extend(beta.into_iter().filter(|(name, _)| name != "module"));
        let fields = file["LeaseSpec"]["fields"].as_table_mut().unwrap();
        fields.insert("pace".to_owned(), "How fast it goes.".into());
    });
}

/// States the numbers and the presence of the types and of the field.
fn number(specs: &mut Files, _: Release) {
    let beta = "io.k8s.api.coordination.v1beta1.";
    let stable = "io.k8s.api.coordination.v1.";
    for (name, pace) in [("field-numbers.toml", false), ("protobuf.toml", true)] {
        edit_toml(specs, name, |file| {
            let types = file.clone().into_iter();
            let types = types.filter_map(|(schema, found)| {
                Some((format!("{stable}{}", schema.strip_prefix(beta)?), found))
            });
            file.extend(types.collect::<Table>());
            let lease = file[&format!("{stable}LeaseSpec")].as_table_mut().unwrap();
            if pace {
                lease["pointers"].as_array_mut().unwrap().push("pace".into());
            } else {
                lease.insert("pace".to_owned(), 8.into());
            }
        });
    }
}

/// Adds the field of `v1` and a word with this description to the open enum of the strategies.
fn edit_strategies(specs: &mut Files, description: &str) {
    edit_toml(specs, "open-enums.toml", |file| {
        let strategies = tables(file, "open-enum").next().unwrap();
        let field: toml::Value = "io.k8s.api.coordination.v1.LeaseCandidateSpec.strategy".into();
        let fields = strategies["fields"].as_array_mut().unwrap();
        if !fields.contains(&field) {
            fields.push(field);
        }
        let words = strategies["words"].as_array_mut().unwrap();
        words.retain(|word| word["word"].as_str() != Some("NewestFirst"));
        let word = table([("word", "NewestFirst"), ("description", description)]);
        words.push(word.into());
    });
}

/// The name of the document of a version.
fn document(version: &str) -> String {
    format!("apis__coordination.k8s.io__{version}_openapi.json")
}

fn object<'a>(document: &'a Value, pointer: &str) -> &'a Map<String, Value> {
    document.pointer(pointer).and_then(Value::as_object).unwrap()
}

fn object_mut<'a>(document: &'a mut Value, pointer: &str) -> &'a mut Map<String, Value> {
    let found = document.pointer_mut(pointer);
    found.and_then(Value::as_object_mut).unwrap()
}

fn table(texts: [(&str, &str); 2]) -> Table {
    let texts = texts.into_iter();
    texts.map(|(key, text)| (key.to_owned(), text.into())).collect()
}

/// The tables of an array of tables.
fn tables<'a>(file: &'a mut Table, name: &str) -> impl Iterator<Item = &'a mut Table> {
    let found = file.get_mut(name).and_then(toml::Value::as_array_mut);
    found.into_iter().flatten().filter_map(toml::Value::as_table_mut)
}

/// Changes a file of TOML; one that does not exist is empty.
pub fn edit_toml(specs: &mut Files, name: &str, edit: impl FnOnce(&mut Table)) {
    let text = specs.get(name).map_or(&b""[..], Vec::as_slice);
    let mut file: Table = str::from_utf8(text).unwrap().parse().unwrap();
    edit(&mut file);
    specs.insert(name.to_owned(), file.to_string().into_bytes());
}
