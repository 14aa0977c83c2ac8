//! The reports of all commands for CI: annotations of GitHub, and reports of GitLab.

use std::fmt::Write as _;
use std::fs;

use insta::assert_snapshot;
use serde_json::Value;
use tempfile::TempDir;

use crate::command::{Ran, coordination, root};

/// A candidate without a name, one that no server reads, and one with an unknown field.
const OBJECTS: &str = "apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata: {namespace: ns}
  spec: {leaseName: scheduler}
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata: {name: b, namespace: ns}
  spec:
    leaseName: scheduler
    renewTime: yesterday
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata: {name: c, namespace: ns}
  spec: {leaseName: scheduler, holder: c}
";

/// The output of a command in both forms, in a folder with objects and a recording.
fn transcripts(folder: &TempDir, command: &[&str]) -> String {
    let mut transcripts = String::new();
    for form in ["github", "gitlab"] {
        let args = [command, &["--format", form]].concat();
        let Ran { code, stdout, stderr } = coordination(folder.path(), &args);
        let text = if command[0] == "migrate" { &stderr } else { &stdout };
        if form == "gitlab" {
            let report: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"));
            let has_line = |one: &Value| one["location"]["lines"]["begin"].is_u64();
            assert!(report.as_array().is_some_and(|all| all.iter().all(has_line)), "{text}");
        } else {
            assert!(text.lines().all(|line| line.starts_with("::")), "{text}");
        }
        let args = args.join(" ");
        let output = format!("{stdout}-- stderr\n{stderr}-- exit code {code}\n\n");
        write!(transcripts, "$ coordination {args}\n{output}").unwrap();
    }
    transcripts
}

fn objects(text: &str) -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("objects.yaml"), text).unwrap();
    folder
}

#[test]
fn elect() {
    let args = ["elect", "--now", "2026-01-02T03:04:05Z", "objects.yaml"];
    assert_snapshot!(transcripts(&objects(OBJECTS), &args));
}

/// The objects are copied nowhere: no cluster is asked.
#[cfg(feature = "cluster")]
#[test]
fn migrate() {
    assert_snapshot!(transcripts(&objects(OBJECTS), &["migrate", "objects.yaml"]));
}

#[test]
fn conform() {
    let folder = TempDir::new().unwrap();
    let file = "fixtures/v1.36/coordination.k8s.io/v1/leases/005-get.json";
    let target = folder.path().join(file);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    let good = fs::read_to_string(root().join(file)).unwrap();
    let failing = good.replace("\"leaseDurationSeconds\"", "\"leaseDurationMinutes\"");
    fs::write(target, failing).unwrap();
    assert_snapshot!(transcripts(&folder, &["conform"]));
}
