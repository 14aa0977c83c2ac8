//! `migrate`.

use std::fs;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::common;
use super::{GROUP, cluster};
use crate::replay::{Fault, Replay, run};

#[path = "../../../examples/migrate/program.rs"]
pub(super) mod program;
#[path = "../../../examples/migrate/source.rs"]
mod source;

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

const CREATE: &str = "/namespaces/ns/leasecandidates";

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

fn status(code: u16, reason: &str) -> Value {
    json!({"kind": "Status", "reason": reason, "message": "as the server says it", "code": code})
}

fn target() -> Replay {
    cluster("v1.36", "v1beta1")
}

fn write(replay: Replay, method: &str, rest: &str, body: &Value, answer: &Value) -> Replay {
    replay.and_write(method, &format!("{GROUP}/v1beta1{CREATE}{rest}"), body, answer)
}

fn output(replay: Replay, yaml: &str, arguments: &[&str]) -> (String, ExitCode) {
    let replay = Arc::new(replay);
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), yaml).unwrap();
    let file = file.path().to_str().unwrap();
    let options = program::Options::parse_from(["migrate", file].iter().chain(arguments));
    let mut out = Vec::new();
    let code = run(async {
        let source = source::files(&options.files).unwrap();
        program::run(source, &replay.client(), &options, &mut out).await.unwrap()
    });
    replay.assert_used_up();
    (String::from_utf8(out).unwrap(), code)
}

/// The first document of the two.
fn first() -> &'static str {
    OLD.split("---").next().unwrap()
}

#[test]
fn a_trial_tells_what_would_happen() {
    let b = json!({"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": "b", "namespace": "ns"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "", "strategy": "example.com/by-load"}});
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &new(json!({"uid": "2"})));
    let replay = write(replay, "POST", "?dryRun=All", &b, &status(422, "Invalid"));
    let (text, code) = output(replay, OLD, &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, ExitCode::FAILURE);
}

#[test]
fn without_yes_nothing_is_changed() {
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &new(json!({"uid": "2"})));
    let (text, code) = output(replay, first(), &[]);
    assert!(
        text.ends_with("1 can be moved to v1beta1: nothing was changed; --yes does it\n"),
        "{text}"
    );
    assert_eq!(code, ExitCode::SUCCESS);
}

#[test]
fn objects_are_created_and_their_managed_fields_put_back() {
    let stored = json!({"uid": "2", "resourceVersion": "8"});
    let mut whole = stored.clone();
    whole["managedFields"] = managed_fields();
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &new(stored.clone()));
    let replay = write(replay, "POST", "", &new(json!({})), &new(stored));
    let replay = write(replay, "PUT", "/a", &new(whole.clone()), &new(whole));
    let (text, code) = output(replay, first(), &["--yes"]);
    assert_snapshot!(text);
    assert_eq!(code, ExitCode::SUCCESS);
}

/// The run before created the object and went no further.
#[test]
fn a_second_run_goes_on() {
    let stored = json!({"uid": "2", "resourceVersion": "8"});
    let mut whole = stored.clone();
    whole["managedFields"] = managed_fields();
    let path = format!("{GROUP}/v1beta1{CREATE}/a");
    let exists = status(409, "AlreadyExists");
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &exists);
    let replay = write(replay, "POST", "", &new(json!({})), &exists);
    let replay = write(replay, "PUT", "/a", &new(whole.clone()), &new(whole));
    let replay = replay.and_get(&path, &new(stored.clone())).and_get(&path, &new(stored));
    assert_snapshot!(output(replay, first(), &["--yes"]).0);
}

#[test]
fn another_object_of_the_name_is_left_alone() {
    let mut other = new(json!({}));
    other["spec"]["leaseName"] = "another".into();
    let exists = status(409, "AlreadyExists");
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &exists);
    let replay = replay.and_get(&format!("{GROUP}/v1beta1{CREATE}/a"), &other);
    let (text, code) = output(replay, first(), &["--yes"]);
    assert!(text.ends_with("1 of 1 cannot be moved to v1beta1: nothing was changed\n"), "{text}");
    assert_eq!(code, ExitCode::FAILURE);
}

#[test]
fn a_connection_that_breaks_ends_the_program() {
    let replay = write(target(), "POST", "?dryRun=All", &new(json!({})), &new(json!({})));
    let name: &'static str =
        "POST /apis/coordination.k8s.io/v1beta1/namespaces/ns/leasecandidates?dryRun=All";
    let replay = Arc::new(replay.with_fault(name, Fault::Disconnect));
    let options = program::Options::parse_from(["migrate", "file"]);
    let object = serde_saphyr::from_str::<Value>(first()).unwrap();
    let object = serde_json::from_value(object).unwrap();
    let failure = run(async {
        program::run(vec![object], &replay.client(), &options, &mut Vec::new()).await.unwrap_err()
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
    let found = run(async { source::cluster(&replay.client(), &options).await.unwrap() });
    assert_eq!(found[0].lease_name(), "l");
}

#[test]
fn files_that_hold_something_else_are_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    fs::write(file.path(), "apiVersion: v1\nkind: Pod\n").unwrap();
    let failure = source::files(&[file.path().to_owned()]).unwrap_err().to_string();
    assert!(failure.starts_with(&format!("error: {}: ", file.path().display())), "{failure}");
    assert!(failure.ends_with("as `kubectl get leasecandidates -o yaml` writes them"), "{failure}");
}
