//! The checks of this program fail on recordings that were tampered with.

use std::fs;
use std::path::Path;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{coordination, text};
use crate::recorded::{NEWEST, root};

/// What a check says about a recording that fails after a change.
fn tampered(check: &str, set: &str, name: &str, change: fn(&mut Value)) -> String {
    tampered_beside(check, set, name, &[], change)
}

/// What a check says about a recording that fails after a change, in the light of others.
fn tampered_beside(
    check: &str,
    set: &str,
    name: &str,
    others: &[&str],
    change: fn(&mut Value),
) -> String {
    let output = checked(check, set, name, others, change);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let report = text(&output.stdout);
    report.split_once("FAILED").unwrap().1.to_owned()
}

/// How a check ends on a recording, after a change, in the light of others.
fn checked(check: &str, set: &str, name: &str, others: &[&str], change: fn(&mut Value)) -> Output {
    let folder = TempDir::new().unwrap();
    copy(set, name, folder.path(), change);
    for other in others {
        copy(set, other, folder.path(), |_| {});
    }
    coordination(folder.path(), &["conform", "--only", check])
}

/// Copies a recording into a folder, with a change.
fn copy(set: &str, name: &str, folder: &Path, change: fn(&mut Value)) {
    let mut recordings = NEWEST.iter();
    let recording = recordings
        .find(|one| one.place().set() == set && one.name() == name)
        .unwrap_or_else(|| panic!("no recording {name} in {set}"));
    let path = recording.place().path();
    let below = path.strip_prefix(root().join("fixtures")).unwrap();
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    let target = folder.join("fixtures").join(below);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::write(target, json.to_string()).unwrap();
}

/// A server that stores what was sent to replace nothing has judged a creation.
#[test]
fn a_replacement_of_nothing_is_a_creation() {
    let change = |recording: &mut Value| {
        recording["request"]["method"] = json!("PUT");
        recording["response"]["status"] = json!(201);
    };
    let (set, name) = ("leasecandidates-validation", "strategy-absent");
    let report = tampered("validate", set, name, change);
    assert!(
        report.contains("spec.strategy: FieldValueRequired"),
        "{report}"
    );
    let rejected = |recording: &mut Value| recording["request"]["method"] = json!("PUT");
    let output = checked("validate", set, name, &[], rejected);
    assert!(text(&output.stdout).contains("an update whose stored object was not recorded"));
}

/// What cannot be built and was refused is misuse; what the server took should be built.
#[test]
fn requests_that_are_not_built() {
    let refused = |recording: &mut Value| {
        recording["request"]["query"] = json!({});
        recording["response"]["status"] = json!(422);
    };
    let output = checked("request", "leases", "apply-create", &[], refused);
    let report = text(&output.stdout);
    assert!(
        report.contains("a request that is not built, and that the server refused, too (400, 422)"),
        "{report}"
    );
    let taken = |recording: &mut Value| recording["request"]["query"] = json!({});
    let report = tampered("request", "leases", "apply-create", taken);
    assert!(report.contains("apply needs a `fieldManager`"), "{report}");
}

/// What is refused for its parameters alone is built nevertheless, if the server refused it, too.
#[test]
fn parameters_that_are_refused() {
    let change = |recording: &mut Value| {
        recording["request"]["query"]["continue"] = json!("t");
        recording["request"]["query"]["sendInitialEvents"] = json!("true");
    };
    let name = "list-bad-resource-version-match";
    let output = checked("request", "leasecandidates", name, &[], change);
    assert!(output.status.success(), "{}", text(&output.stdout));
}

#[test]
fn another_field() {
    let change = |recording: &mut Value| {
        recording["response"]["json"]["details"]["causes"][0]["field"] = json!("spec.other");
    };
    let name = "strategy-absent";
    insta::assert_snapshot!(tampered(
        "validate",
        "leasecandidates-validation",
        name,
        change
    ));
}

#[test]
fn a_rule_that_the_server_does_not_have() {
    let change = |recording: &mut Value| recording["response"]["status"] = json!(201);
    let name = "strategy-absent";
    insta::assert_snapshot!(tampered(
        "validate",
        "leasecandidates-validation",
        name,
        change
    ));
}

#[test]
fn another_holder() {
    let change =
        |recording: &mut Value| recording["lease"]["spec"]["holderIdentity"] = json!("other");
    insta::assert_snapshot!(tampered("elect", "elections", "binary-breaks-tie", change));
}

#[test]
fn a_lease_that_the_server_did_not_write() {
    let change = |recording: &mut Value| recording["lease"] = Value::Null;
    insta::assert_snapshot!(tampered("elect", "elections", "binary-breaks-tie", change));
}

#[test]
fn an_annotation_that_does_not_come_back() {
    let change = |recording: &mut Value| {
        let kept =
            r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["a.example/b"]}},"format":2}"#;
        recording["response"]["json"]["metadata"]["annotations"] =
            json!({"conversion.k8s-coordination.internal/lease-candidate": kept});
    };
    insta::assert_snapshot!(tampered(
        "convert",
        "leasecandidates",
        "get-stored-v1beta1-as-v1beta1",
        change
    ));
}

#[test]
fn another_object_in_another_version() {
    let change = |recording: &mut Value| {
        recording["response"]["json"]["spec"]["strategy"] = json!("example.com/other");
        recording["response"]["json"]["metadata"]["labels"] = Value::Null;
    };
    insta::assert_snapshot!(tampered_beside(
        "convert",
        "leasecandidates",
        "get-stored-v1beta1-as-v1beta1",
        &["get-stored-v1beta1-as-v1alpha2"],
        change
    ));
}
