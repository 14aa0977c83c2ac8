//! `coordination elect`.

use insta::assert_snapshot;

use crate::command::{pipe, refused, transcript};

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
fn files_and_a_cluster_are_not_mixed() {
    for option in [&["--watch"][..], &["--context", "a"], &["--request-timeout", "5"]] {
        for files in [&["a.yaml"][..], &["--now", "2026-01-02T03:04:05Z"]] {
            let output = pipe(&[&["elect"], option, files].concat(), OBJECTS);
            assert_eq!((output.code, &*output.stdout), (2, ""), "{option:?} {files:?}");
        }
    }
}

#[test]
fn the_story_of_each_lease_that_has_candidates() {
    let output = pipe(&NOW, OBJECTS);
    // One of them has no holder.
    assert_eq!(output.code, 1, "{}", output.stderr);
    assert_snapshot!(output.stdout);
}

#[test]
fn json_is_for_programs() {
    let args = [&NOW[..], &["--lease", "scheduler", "--format", "json"]].concat();
    let output = pipe(&args, OBJECTS);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_snapshot!(output.stdout);
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
        let stdout = output.stdout;
        assert!(stdout.starts_with(expected), "{name}: {stdout}");
        assert_eq!(
            stdout.matches("Lease `kube-system/scheduler` at ").count(),
            usize::from(name.ends_with("scheduler"))
        );
    }
}

#[test]
fn an_old_dump_needs_its_time() {
    let output = pipe(&["elect", "--lease", "scheduler"], OBJECTS);
    assert_eq!(output.code, 1);
    let stdout = output.stdout;
    assert!(stdout.contains("- `a` is not eligible: its `renewTime`"), "{stdout}");
    assert_snapshot!(output.stderr);
    let output = pipe(&[&NOW[..], &["--lease", "scheduler"]].concat(), OBJECTS);
    assert_eq!(output.stderr, "");
}

const LEASE: &str = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {name: a}\n";

/// Nobody is elected, an election fails, or an object is not known by its name: exit code 1.
#[test]
fn failures() {
    let own = OBJECTS.replace("OldestEmulationVersion", "example.com/own");
    let own = own.replace("holderIdentity: a", "holderIdentity: ''");
    let broken = OBJECTS.replace("holderIdentity: a", "strategy2: a");
    let candidate = LEASE.replace("Lease\n", "LeaseCandidate\n").replace("/v1\n", "/v1alpha2\n");
    // The holder has gone, and both candidates were pinged.
    let ping = "    pingTime: \"2026-01-02T03:04:01.000000Z\"\n    emulationVersion:";
    let silent = OBJECTS.replace("    emulationVersion:", ping);
    let silent = silent.replace("holderIdentity: a", "holderIdentity: z");
    let silent = silent.replace("leaseDurationSeconds: 5", "leaseDurationSeconds: 4");
    let twice = |object: &str| format!("{object}---\n{object}");
    let unnamed = |object: &str| object.replace("name: a", "");
    let table: [(&[&str], &str); 11] = [
        (&[], LEASE),
        (&["--format", "json"], LEASE),
        (&["--lease", "a"], LEASE),
        (&["--lease", "manager"], OBJECTS),
        (&["--lease", "scheduler"], &own),
        (&["--lease", "scheduler"], &silent),
        (&[], &broken),
        (&[], &twice(LEASE)),
        (&[], &twice(&candidate)),
        (&[], &unnamed(LEASE)),
        (&[], &unnamed(&candidate)),
    ];
    let transcripts = table.map(|(args, input)| {
        let args = [&NOW[..], args].concat();
        assert_eq!(pipe(&args, input).code, 1, "{args:?}");
        transcript(&args, input)
    });
    assert_snapshot!(transcripts.concat());
}

#[test]
fn all_objects_that_cannot_be_used_are_told() {
    let broken = LEASE.replace("name: a", "name: 7, generation: x, labels: []");
    let input = format!(
        "{OBJECTS}---\n{LEASE}---\n{LEASE}---\n{broken}---\napiVersion: apps/v1\nkind: Deployment\n"
    );
    let output = pipe(&NOW, &input);
    assert_eq!(output.code, 1);
    assert!(output.stdout.is_empty());
    assert_snapshot!(output.stderr);
}

#[test]
fn wrong_usage_exits_2() {
    let table: [(&[&str], &str); 4] = [
        (
            &["elect", "--lease", "none"],
            "no Lease is called `none`; the input has `default/manager`, `kube-system/node`, `kube-system/scheduler`",
        ),
        (&["elect", "--now", "noon"], "invalid value 'noon'"),
        (&["elect", "--format", "xml"], "invalid value 'xml'"),
        (&["elect", "no/such/file"], "cannot read no/such/file: "),
    ];
    for (args, message) in table {
        refused(args, &pipe(args, OBJECTS), message);
    }
}
