//! The checks of this program fail on recordings that were tampered with.

use std::fs;
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::{coordination, text};
use crate::recorded::{NEWEST, root};

/// What a check says about a recording that fails after a change.
fn tampered(check: &str, set: &str, name: &str, change: fn(&mut Value)) -> String {
    let output = checked(check, set, name, change);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    let report = text(&output.stdout);
    report.split_once("FAILED").unwrap().1.to_owned()
}

/// How a check ends on a recording, after a change.
fn checked(check: &str, set: &str, name: &str, change: fn(&mut Value)) -> Output {
    let mut recordings = NEWEST.iter();
    let recording = recordings
        .find(|one| one.place().set() == set && one.name() == name)
        .unwrap_or_else(|| panic!("no recording {name} in {set}"));
    let path = recording.place().path();
    let below = path.strip_prefix(root().join("fixtures")).unwrap();
    let mut json: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    change(&mut json);
    let folder = TempDir::new().unwrap();
    let target = folder.path().join("fixtures").join(below);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::write(target, json.to_string()).unwrap();
    coordination(folder.path(), &["conform", "--only", check])
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
    let output = checked("validate", set, name, rejected);
    assert!(text(&output.stdout).contains("an update whose stored object was not recorded"));
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
