//! The costs of rules: definitions and objects, judged as a server 1.36.3 judged them.
//!
//! A definition of the table is the schema of `spec.f`, or a whole schema if its rules are at the root. The factors of the
//! server's refusals have six decimals below 1.5.

#![allow(clippy::indexing_slicing, clippy::unwrap_used, reason = "helpers of tests")]

use std::io::Read;

use flate2::read::GzDecoder;
use k8s_versioned_admission::definition::judge;
use k8s_versioned_admission::{Definition, NEWEST, RefusalCause, WriteRequest};
use serde_json::{Value, json};

fn table() -> Value {
    let bytes = include_bytes!("../fixtures/costs.json.gz");
    let mut text = String::new();
    GzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn definition(schema: &Value) -> Value {
    let rules = "x-kubernetes-validations";
    let is_root = schema["properties"].get("spec").is_some() && schema.get(rules).is_some();
    let schema = if is_root {
        schema.clone()
    } else {
        json!({"type": "object", "properties": {
            "spec": {"type": "object", "properties": {"f": schema}},
        }})
    };
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.costs.example.org"},
        "spec": {
            "group": "costs.example.org",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{
                "name": "v1",
                "served": true,
                "storage": true,
                "schema": {"openAPIV3Schema": schema},
            }],
        },
    })
}

/// Causes that can be compared: servers make up the names of types.
fn shown(causes: &[RefusalCause]) -> Vec<Value> {
    let shown = |cause: &RefusalCause| json!([cause.reason.as_str(), cause.field, cause.message]);
    causes.iter().map(shown).collect()
}

#[test]
fn definitions_are_refused_for_their_costs_as_a_server_does() {
    let table = table();
    let mut differences = Vec::new();
    let cases = table["definitions"].as_array().unwrap();
    for case in cases {
        let schema = &case["schema"];
        let answer = judge(&definition(schema), NEWEST).answer;
        let expected = case["causes"].as_array().cloned().unwrap_or_default();
        let actual = shown(&answer.causes);
        if actual != expected || !answer.not_judged.is_empty() {
            differences.push(format!(
                "{schema}\n  here {actual:#?}\n  server {expected:#?}\n  not judged {:?}",
                answer.not_judged
            ));
        }
    }
    assert_eq!(cases.len(), 545);
    assert!(
        differences.is_empty(),
        "{} differences\n{}",
        differences.len(),
        differences.join("\n")
    );
}

/// The object of a request: a list of equal values, or of numbers from 0 on.
fn object(request: &Value) -> Value {
    let count = request["items"].as_u64().unwrap();
    let value = match request["value"].get("repeat") {
        Some(text) => {
            let times = usize::try_from(request["value"]["times"].as_u64().unwrap()).unwrap();
            json!(text.as_str().unwrap().repeat(times))
        }
        None => request["value"].clone(),
    };
    let from_0 = request["numbers_from_0"] == json!(true);
    let item = |index: u64| if from_0 { json!(index) } else { value.clone() };
    json!({
        "apiVersion": "costs.example.org/v1",
        "kind": "Widget",
        "metadata": {"name": "w", "namespace": "default"},
        "f": (0..count).map(item).collect::<Vec<_>>(),
    })
}

#[test]
fn requests_are_stopped_for_their_costs_as_a_server_does() {
    let table = table();
    let (mut count, mut differences) = (0, Vec::new());
    for case in table["requests"].as_array().unwrap() {
        let schema = json!({"type": "object", "properties": {"f": case["schema"]}});
        let mut definition = definition(&json!({"type": "object"}));
        definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"] = schema;
        let compiled = Definition::compile(&definition).unwrap();
        for request in case["requests"].as_array().unwrap() {
            let body = object(request).to_string();
            let answer = compiled.admit(&WriteRequest::create("v1", "default", body.as_bytes()));
            let expected = request["causes"].as_array().cloned().unwrap_or_default();
            let actual = shown(&answer.causes);
            count += 1;
            if actual != expected || !answer.not_judged.is_empty() {
                differences.push(format!(
                    "{} with {}\n  here {actual:#?}\n  server {expected:#?}\n  not judged {:?}",
                    case["schema"], request["items"], answer.not_judged
                ));
            }
        }
    }
    assert_eq!(count, 38);
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}
