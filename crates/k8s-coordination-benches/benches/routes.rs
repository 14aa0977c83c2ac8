//! The time of an answer to the creation of an `HTTPRoute` of the Gateway API, with and without its rules in CEL, beside the crate
//! `jsonschema` used directly: the body is decoded, and a compiled validator says whether it is valid.
//!
//! The argument is the file of the definition in YAML, which is not part of this repository. The objects are made here. The sides
//! run in turn, and a ratio is the median of the rounds. `answer`, `plain` (without rules) or `direct` before the file runs one side and
//! nothing else, for a profiler.

#![allow(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use std::env;
use std::fs;
use std::hint::black_box;

use k8s_coordination_benches::ratio::{median, time};
use k8s_versioned_admission::{Definition, WriteRequest};
use k8s_versioned_source::{ReadLimits, documents};
use serde_json::{Value, json};

const ROUNDS: usize = 301;

/// The objects.
const ROUTES: usize = 60;

fn main() {
    let arguments: Vec<String> =
        env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let (side, file) = match arguments.as_slice() {
        [file] => ("", file),
        [side, file] => (side.as_str(), file),
        _ => return println!("routes: no file of a definition"),
    };
    let mut definition = read(file);
    let with_rules = Definition::compile(&definition).unwrap();
    remove_rules(&mut definition);
    let plain = Definition::compile(&definition).unwrap();
    let version = &definition["spec"]["versions"][0];
    let name = version["name"].as_str().unwrap();
    let validator = jsonschema::validator_for(&version["schema"]["openAPIV3Schema"]).unwrap();
    let bodies: Vec<Vec<u8>> = (0..ROUTES).map(|at| route(at, name)).collect();
    let answer = |definition: &Definition| {
        for body in &bodies {
            let answer = definition.admit(&WriteRequest::create(name, "default", body));
            assert_eq!(black_box(answer).status, 201);
        }
    };
    let direct = || {
        for body in &bodies {
            let value = serde_json::from_slice::<Value>(body).unwrap();
            assert!(black_box(validator.is_valid(&value)));
        }
    };
    match side {
        "answer" => (0..300).for_each(|_| answer(&with_rules)),
        "plain" => (0..300).for_each(|_| answer(&plain)),
        "direct" => (0..300).for_each(|_| direct()),
        _ => {
            let bytes: usize = bodies.iter().map(Vec::len).sum();
            println!(
                "{ROUTES} HTTPRoutes, {bytes} bytes: times that of `jsonschema` used directly"
            );
            for (name, definition) in
                [("without rules (goal: 1)", &plain), ("with rules", &with_rules)]
            {
                let pairs = (0..ROUNDS).map(|_| time(|| answer(definition)) / time(direct));
                println!("{name:25} {:.2}", median(pairs));
            }
        }
    }
}

fn read(file: &str) -> Value {
    let text = fs::read(file).unwrap();
    let mut read = documents(file, &text, &ReadLimits::MANIFESTS);
    read.next().unwrap().unwrap().root().to_json()
}

fn remove_rules(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.remove("x-kubernetes-validations");
            members.values_mut().for_each(remove_rules);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_rules),
        _ => {}
    }
}

fn route(at: usize, version: &str) -> Vec<u8> {
    let backend = |port| json!({"name": format!("web-{at}"), "port": port, "weight": 1});
    let rule = |path: &str| {
        json!({
            "matches": [{
                "path": {"type": "PathPrefix", "value": path}, "method": "GET",
                "headers": [{"name": "x-version", "value": "two"}],
            }],
            "filters": [{
                "type": "RequestHeaderModifier",
                "requestHeaderModifier": {"set": [{"name": "x-route", "value": format!("{at}")}]},
            }],
            "backendRefs": [backend(80), backend(8080)],
            "timeouts": {"request": "10s", "backendRequest": "2s"},
        })
    };
    let route = json!({
        "apiVersion": format!("gateway.networking.k8s.io/{version}"), "kind": "HTTPRoute",
        "metadata": {"name": format!("route-{at}"), "namespace": "default", "labels": {"app": "web"}},
        "spec": {
            "parentRefs": [{"name": "gateway", "sectionName": "https"}],
            "hostnames": [format!("host-{at}.example.com")],
            "rules": [rule("/a"), rule("/b"), rule("/c")],
        },
    });
    route.to_string().into_bytes()
}
