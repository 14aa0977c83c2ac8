//! `coordination elect` as people use it.

use serde_json::Value;

use crate::command::text;
use crate::validate::pipe;

/// Candidates of three versions, one of them served in two, and the lease of some.
const OBJECTS: &str = r#"
apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1
  kind: Lease
  metadata: {name: scheduler, namespace: kube-system}
  spec:
    holderIdentity: a
    leaseDurationSeconds: 5
    renewTime: "2026-01-02T03:04:00.000000Z"
    strategy: OldestEmulationVersion
- apiVersion: coordination.k8s.io/v1
  kind: Lease
  metadata: {name: node, namespace: kube-system}
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: a, namespace: kube-system}
  spec:
    leaseName: scheduler
    preferredStrategies: [OldestEmulationVersion]
    binaryVersion: 1.33.0
    emulationVersion: 1.33.0
    renewTime: "2026-01-02T03:04:00.000000Z"
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata: {name: b, namespace: kube-system}
  spec: &b
    leaseName: scheduler
    strategy: OldestEmulationVersion
    binaryVersion: 1.33.0
    emulationVersion: 1.32.0
    renewTime: "2026-01-02T03:04:00.000000Z"
- apiVersion: coordination.k8s.io/v1alpha2
  kind: LeaseCandidate
  metadata: {name: b, namespace: kube-system}
  spec: *b
- apiVersion: coordination.k8s.io/v1alpha2
  kind: LeaseCandidate
  metadata: {name: m}
  spec:
    leaseName: manager
    strategy: example.com/own
    binaryVersion: 1.33.0
    renewTime: "2026-01-02T03:04:00.000000Z"
"#;

const NOW: [&str; 3] = ["elect", "--now", "2026-01-02T03:04:05Z"];

#[test]
fn the_story_of_each_lease_that_has_candidates() {
    let output = pipe(&NOW, OBJECTS);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    insta::assert_snapshot!(text(&output.stdout));
}

#[test]
fn json_is_for_programs() {
    let args = [&NOW[..], &["--lease", "scheduler", "--format", "json"]].concat();
    let output = pipe(&args, OBJECTS);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    insta::assert_snapshot!(text(&output.stdout));
}

#[test]
fn one_lease_by_its_name() {
    let table = [
        ("scheduler", "Lease `kube-system/scheduler` at "),
        ("kube-system/scheduler", "Lease `kube-system/scheduler` at "),
        ("manager", "Lease `default/manager` at "),
        ("node", "Lease `kube-system/node` at "),
    ];
    for (name, expected) in table {
        let output = pipe(&[&NOW[..], &["--lease", name]].concat(), OBJECTS);
        let stdout = text(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{name}");
        assert!(stdout.starts_with(expected), "{name}: {stdout}");
        assert_eq!(
            stdout.matches("Lease `kube-system/scheduler` at ").count(),
            usize::from(name.ends_with("scheduler"))
        );
    }
}

#[test]
fn without_a_time_it_is_now() {
    let output = pipe(&["elect", "--lease", "manager"], OBJECTS);
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("- `m` is left out: its last sign of life"),
        "{stdout}"
    );
}

#[test]
fn without_candidates_nothing_happens() {
    let output = pipe(&["elect"], "");
    assert_eq!(text(&output.stdout), "There are no candidates.\n");
    assert_eq!(output.status.code(), Some(0));
    let output = pipe(&["elect", "--format", "json"], "");
    let outcomes: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(outcomes, Value::Array(Vec::new()));
}

#[test]
fn a_failed_election_is_1() {
    let broken = OBJECTS.replace("holderIdentity: a", "strategy2: a");
    let output = pipe(&NOW, &broken);
    assert_eq!(output.status.code(), Some(1));
    let stdout = text(&output.stdout);
    assert!(
        stdout.contains("Nothing is written: the Lease has no `holderIdentity`"),
        "{stdout}"
    );
}

#[test]
fn an_object_that_cannot_be_used_is_1() {
    let output = pipe(&NOW, "apiVersion: apps/v1\nkind: Deployment\n");
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert_eq!(
        stderr,
        "standard input: document 1: unknown kind: `Deployment` of `apps/v1`\n"
    );
    assert!(output.stdout.is_empty());
}

#[test]
fn objects_are_known_by_their_names() {
    let twice = |kind: &str, version: &str| {
        let object = format!(
            "apiVersion: coordination.k8s.io/{version}\nkind: {kind}\nmetadata: {{name: a}}\n"
        );
        format!("{object}---\n{object}")
    };
    let again =
        "document 2: the same object as in standard input: document 1: leave one of them out\n";
    let unnamed = "document 1: it has no `metadata.name`";
    let table = [
        (twice("Lease", "v1"), again),
        (twice("LeaseCandidate", "v1alpha2"), again),
        (twice("Lease", "v1").replace("name: a", ""), unnamed),
        (
            twice("LeaseCandidate", "v1beta1").replace("name: a", ""),
            unnamed,
        ),
    ];
    for (objects, message) in table {
        let output = pipe(&NOW, &objects);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{objects}");
        assert!(
            stderr.starts_with(&format!("standard input: {message}")),
            "{stderr}"
        );
    }
}

#[test]
fn wrong_usage_is_2() {
    let table: [(&[&str], &str); 4] = [
        (
            &["elect", "--lease", "none"],
            "no Lease is called `none`; there are `default/manager`, `kube-system/node`, `kube-system/scheduler`",
        ),
        (&["elect", "--now", "noon"], "invalid value 'noon'"),
        (&["elect", "--format", "xml"], "invalid value 'xml'"),
        (&["elect", "no/such/file"], "cannot read no/such/file: "),
    ];
    for (args, message) in table {
        let output = pipe(args, OBJECTS);
        let stderr = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(message), "{args:?}: {stderr}");
    }
}
