//! `migrate`.

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{Ended, GROUP, cluster, ended};
use crate::replay::{Fault, Replay, run};

#[path = "../../../examples/migrate/main.rs"]
#[allow(dead_code, reason = "the tests run it without `main`")]
mod program;

const OLD: &str = r#"
apiVersion: coordination.k8s.io/v1alpha1
kind: LeaseCandidate
metadata:
  name: a
  namespace: ns
  uid: 1f6c
  resourceVersion: "17"
  managedFields:
  - manager: recorder
    operation: Apply
    apiVersion: coordination.k8s.io/v1alpha1
    fieldsType: FieldsV1
    fieldsV1: {"f:spec": {"f:preferredStrategies": {}}}
spec:
  leaseName: scheduler
  binaryVersion: 1.31.0
  preferredStrategies: [OldestEmulationVersion, example.com/by-load]
---
apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: b, namespace: ns}
  spec: {leaseName: scheduler, preferredStrategies: [example.com/by-load]}
"#;

/// The first object as the target has it.
fn new(more: Value) -> Value {
    let kept = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["OldestEmulationVersion","example.com/by-load"]}},"format":2}"#;
    let mut metadata = json!({"name": "a", "namespace": "ns",
        "annotations": {"conversion.k8s-coordination.internal/lease-candidate": kept}});
    metadata.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate", "metadata": metadata,
        "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0", "strategy": "OldestEmulationVersion"}})
}

fn managed_fields() -> Value {
    json!([{"manager": "recorder", "operation": "Apply", "apiVersion": "coordination.k8s.io/v1beta1",
        "fieldsType": "FieldsV1", "fieldsV1": {"f:spec": {"f:strategy": {}}}}])
}

/// The target, which answers the trial of an object, and then other requests about objects in the namespace.
fn target(trials: &[(&Value, &Value)], requests: &[(&str, &str, &Value, &Value)]) -> Replay {
    let path = format!("{GROUP}/v1beta1/namespaces/ns/leasecandidates");
    let mut replay = cluster("v1.36", "v1beta1");
    for (object, answer) in trials {
        replay = replay.and_write("POST", &format!("{path}?dryRun=All"), object, answer);
    }
    for (method, name, body, answer) in requests {
        let target = format!("{path}{name}");
        replay = match *method {
            "GET" => replay.and_get(&target, answer),
            method => replay.and_write(method, &target, body, answer),
        };
    }
    replay
}

fn status(code: u16, reason: &str) -> Value {
    json!({"kind": "Status", "reason": reason, "message": "as the server says it", "code": code})
}

fn output(replay: Replay, yaml: &str, arguments: &[&str]) -> (String, Option<ExitCode>) {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), yaml).unwrap();
    let file = file.path().to_str().unwrap();
    let options = program::Options::parse_from(["migrate", file].iter().chain(arguments));
    let Ended { text, code, .. } = ended(replay, async |client, out| {
        let source = program::source::files(&options.files)?;
        program::run(source, client, &options, out).await
    });
    (text, code)
}

/// The first document of the two.
fn first() -> &'static str {
    OLD.split("---").next().unwrap()
}

/// The first object as it is stored: without its managed fields, and with them.
fn stored() -> [Value; 2] {
    let version = json!({"uid": "2", "resourceVersion": "8"});
    let mut whole = version.clone();
    whole["managedFields"] = managed_fields();
    [new(version), new(whole)]
}

#[test]
fn a_trial_tells_what_would_happen() {
    let b = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "b", "namespace": "ns"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "", "strategy": "example.com/by-load"}});
    let [stored, _] = stored();
    let trials = [(&new(json!({})), &stored), (&b, &status(422, "Invalid"))];
    let (text, code) = output(target(&trials, &[]), OLD, &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, Some(ExitCode::FAILURE));
}

#[test]
fn without_yes_nothing_is_changed() {
    let [stored, _] = stored();
    let (text, code) = output(target(&[(&new(json!({})), &stored)], &[]), first(), &[]);
    let end = "1 can be moved to v1beta1: nothing was changed; --yes does it\n";
    assert!(text.ends_with(end), "{text}");
    assert_eq!(code, Some(ExitCode::SUCCESS));
}

#[test]
fn objects_are_created_and_their_managed_fields_put_back() {
    let (object, [stored, whole]) = (new(json!({})), stored());
    let requests = [("POST", "", &object, &stored), ("PUT", "/a", &whole, &whole)];
    let replay = target(&[(&object, &stored)], &requests);
    let (text, code) = output(replay, first(), &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, Some(ExitCode::SUCCESS));
}

/// The run before created the object and went no further.
#[test]
fn a_second_run_goes_on() {
    let (object, [stored, whole]) = (new(json!({})), stored());
    let exists = status(409, "AlreadyExists");
    let read = ("GET", "/a", &Value::Null, &stored);
    let requests = [read, read, ("POST", "", &object, &exists), ("PUT", "/a", &whole, &whole)];
    let replay = target(&[(&object, &exists)], &requests);
    assert_snapshot!(output(replay, first(), &["--yes"]).0);
}

#[test]
fn another_object_of_the_name_is_left_alone() {
    let object = new(json!({}));
    let mut other = object.clone();
    other["spec"]["leaseName"] = "another".into();
    let trials = [(&object, &status(409, "AlreadyExists"))];
    let replay = target(&trials, &[("GET", "/a", &Value::Null, &other)]);
    let (text, code) = output(replay, first(), &["--yes"]);
    assert!(text.ends_with("1 of 1 cannot be moved to v1beta1: nothing was changed\n"), "{text}");
    assert_eq!(code, Some(ExitCode::FAILURE));
}

#[test]
fn a_connection_that_breaks_ends_the_program() {
    let object = new(json!({}));
    let trial = format!("POST {GROUP}/v1beta1/namespaces/ns/leasecandidates?dryRun=All");
    let replay = target(&[(&object, &object)], &[]).with_fault(&trial, Fault::Disconnect);
    let options = program::Options::parse_from(["migrate", "file"]);
    let object: Value = serde_saphyr::from_str(first()).unwrap();
    let objects = vec![serde_json::from_value(object).unwrap()];
    let replay = Arc::new(replay);
    let failure = run(async {
        program::run(objects, &replay.client(), &options, &mut Vec::new()).await.unwrap_err()
    });
    let text = "error: the client failed: ServiceError: connection reset\nhint: does `kubectl get --raw /version`";
    assert!(failure.to_string().starts_with(text), "{failure}");
}

#[test]
fn a_cluster_is_read_in_whatever_version_it_has() {
    let objects = json!({"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidateList", "metadata": {},
        "items": [{"metadata": {"name": "a", "namespace": "ns"}, "spec": {"leaseName": "l", "preferredStrategies": []}}]});
    let path = format!("{GROUP}/v1alpha1/namespaces/ns/leasecandidates?limit=500");
    let replay = Arc::new(cluster("v1.31", "v1alpha1").and_get(&path, &objects));
    let options = program::Options::parse_from(["migrate", "--from-context", "old", "-n", "ns"]);
    let found = run(async { program::source::cluster(&replay.client(), &options).await.unwrap() });
    assert_eq!(found[0].lease_name(), "l");
}

#[test]
fn files_that_hold_something_else_are_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "apiVersion: v1\nkind: Pod\n").unwrap();
    let failure = program::source::files(&[file.path().to_owned()]).unwrap_err().to_string();
    assert!(failure.starts_with(&format!("error: {}: ", file.path().display())), "{failure}");
    assert!(failure.ends_with("as `kubectl get leasecandidates -o yaml` writes them"), "{failure}");
}
