//! `coordination validate`.

use std::fs;

use tempfile::TempDir;

use crate::command::{coordination, pipe, transcript};
use crate::input::GOOD;

const CANDIDATE: &str = "\
apiVersion: coordination.k8s.io/v1beta1
kind: LeaseCandidate
metadata: {name: a}
spec: {leaseName: scheduler, strategy: example.com/own, binaryVersion: 1.33.0}
";

#[test]
fn all_errors_of_all_documents() {
    let folder = TempDir::new().unwrap();
    let objects = "\
# A list of any kinds, a list of one kind, and documents that are not objects.
apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1
  kind: Lease
  metadata: {name: Scheduler}
  spec: {leaseDurationSeconds: -1, preferredHolder: b}
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: a, namespace: kube-system}
  spec: {leaseName: scheduler, preferredStrategies: []}
---
apiVersion: coordination.k8s.io/v1alpha2
kind: LeaseCandidateList
items:
- metadata: {name: b}
  spec: {leaseName: scheduler, strategy: example.com/own, binaryVersion: v1.33}
---
# A document without content.
---
apiVersion: apps/v1
kind: Deployment
---
apiVersion: coordination.k8s.io/v1
kind: Lease
spec: {leaseDurationSeconds: many}
---
apiVersion: v1
kind: List
items: none
---
hello
---
a: [b
";
    fs::write(folder.path().join("objects.yaml"), objects).unwrap();
    fs::write(folder.path().join("good.yaml"), CANDIDATE).unwrap();
    let output = coordination(folder.path(), &["validate", "objects.yaml", "good.yaml"]);
    assert_eq!(output.code, 1);
    insta::assert_snapshot!(output.stdout);
}

#[test]
fn accepted_objects_exit_0() {
    let json =
        r#"{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "a"}}"#;
    let table = [
        (CANDIDATE, "1 object, 0 errors\n"),
        (&format!("{json}\n{json}"), "2 objects, 0 errors\n"),
        (&format!("{json}\n---\n{CANDIDATE}"), "2 objects, 0 errors\n"),
    ];
    for (input, expected) in table {
        let output = pipe(&["validate", "-"], input);
        assert_eq!((output.code, &*output.stdout), (0, expected), "{input}");
    }
}

#[test]
fn namespace_is_for_objects_without_one() {
    let args = ["validate", "--namespace", "A B"];
    let stored = CANDIDATE.replace("name: a", "name: a, namespace: b");
    insta::assert_snapshot!(transcript(&args, CANDIDATE) + &transcript(&args, stored));
}

/// The hint does not quote the number: it is not the text of the file.
#[test]
fn a_number_without_quotes_keeps_its_text() {
    for number in ["0o14", "014", "1_000", "0x10", "7"] {
        let input = format!(
            "apiVersion: coordination.k8s.io/v1\nkind: Lease\nspec: {{holderIdentity: {number}}}\n"
        );
        let printed = pipe(&["validate"], input).stdout;
        let hint = "  hint: write the value in quotes: without them YAML reads it as a number (`010` is 8)\n";
        assert!(printed.contains(hint), "{number}: {printed}");
    }
}

/// All errors for which a server refuses an object before it validates (400).
#[test]
fn objects_that_no_server_can_read() {
    let lease = |metadata: &str, spec: &str| {
        format!(
            "{{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {metadata}, spec: {spec}}}\n---\n"
        )
    };
    let input = [
        lease(
            "{name: a}",
            "{renewTime: '2026-01-02T03:04:05Z', leaseDurationSeconds: many, holderIdentity: 7}",
        ),
        lease("[]", "{}"),
        lease("{name: n, labels: {a: [1]}}", "{holderIdentity: 1.36}"),
        lease(
            "{name: b, labels: {a: 1}, ownerReferences: [[]]}",
            "{acquireTime: '2026-01-02t03:04:05.000000Z'}",
        ),
    ];
    let output = pipe(&["validate"], input.concat());
    assert_eq!(output.code, 1);
    let json = GOOD.replace("\"a\"", "false");
    insta::assert_snapshot!(output.stdout + &transcript(&["validate"], json));
}

/// A server refuses unknown fields, or drops them.
#[test]
fn unknown_fields_and_warnings() {
    let owner = "{apiVersion: v1, kind: Pod, name: p, uid: u}";
    let input = format!(
        "apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {{name: a, ownerReferences: [{owner}, {owner}]}}
spec: {{leaseDurationSeconds: 0, colour: red, holderIdentiy: a}}
---
apiVersion: coordination.k8s.io/v1beta1
kind: LeaseCandidate
metadata: {{name: a}}
spec: {{leaseName: l, binaryVersion: 1.33.0, preferredStrategies: [a/b], strategy: a/b}}
"
    );
    let printed = ["strict", "warn", "ignore"].map(|mode| {
        let output = pipe(&["validate", "--field-validation", mode], &input);
        format!("$ {mode}\n{}", output.stdout)
    });
    insta::assert_snapshot!(printed.concat());
}
