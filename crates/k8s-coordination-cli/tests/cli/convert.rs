//! `coordination convert`.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::command::{Ran, pipe, refused, transcript};

/// A candidate with more strategies than later versions can hold, and with texts that YAML readers take for other values.
const OLD: &str = r#"apiVersion: coordination.k8s.io/v1alpha1
kind: LeaseCandidate
metadata:
  annotations:
    example.com/answer: "yes"
    example.com/note: |
      two lines:
        - "1.30"
    example.com/nothing: "null"
    example.com/number: "1.30"
  name: a
  namespace: kube-system
spec:
  binaryVersion: "1.31.0"
  emulationVersion: "1.30.0"
  leaseName: scheduler
  preferredStrategies:
  - OldestEmulationVersion
  - example.com/by-load
  renewTime: "2026-01-02T03:04:05.000000Z"
"#;

/// A candidate of `v1alpha2` or `v1beta1`, which have the same fields, with this annotation and this strategy.
fn new(version: &str, kept: &str, strategy: &str) -> String {
    let candidate = json!({
        "apiVersion": format!("coordination.k8s.io/{version}"),
        "kind": "LeaseCandidate",
        "metadata": {"name": "a", "annotations": {KEY: kept}},
        "spec": {"leaseName": "scheduler", "strategy": strategy, "binaryVersion": "1.33.0"},
    });
    format!("{candidate:#}\n")
}

/// The annotation that keeps what a version cannot hold.
const KEY: &str =
    "conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies";

const KEPT: &str = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["example.com/a","example.com/b"]}},"format":3}"#;

fn convert(to: &str, options: &[&str], input: &str) -> Ran {
    pipe(&[&["convert", "--to", to], options].concat(), input)
}

/// The command and its output.
fn conversion(to: &str, options: &[&str], input: &str) -> String {
    transcript(&[&["convert", "--to", to], options].concat(), input)
}

/// The output of a conversion that succeeds.
fn converted(to: &str, input: &str) -> String {
    let output = convert(to, &[], input);
    assert_eq!(output.code, 0, "{}", output.stderr);
    output.stdout
}

#[test]
fn outputs() {
    let edited = new("v1beta1", KEPT, "example.com/c");
    let broken = new("v1alpha2", "{\"fields\":\u{1b}[31m", "example.com/a");
    let several = new("v1beta1", KEPT, "example.com/a") + &new("v1alpha2", "{}", "");
    let documents = format!("# The old one.\n{OLD}---\n---\n{}", new("v1beta1", "", ""));
    let absent = OLD.replace("  binaryVersion: \"1.31.0\"\n", "");
    let numbers = "[0644, 0o644, 1.5, -7]";
    let pod = |mode| format!("{OLD}---\n{{apiVersion: v1, kind: Pod, mode: {mode}}}\n");
    let skip: &[&str] = &["--skip-unknown"];
    let key: &[&str] = &["--annotation-key", "conversion.example.com/kept"];
    let table: [(&str, &str, &[&str], &str); 12] = [
        ("up_with_the_rest_kept", "v1beta1", &[], OLD),
        ("edited_after_conversion", "v1alpha1", &[], &edited),
        ("an_annotation_that_cannot_be_read", "v1alpha1", &[], &broken),
        ("several_objects_in_json", "v1alpha1", &[], &several),
        ("a_list_stays_a_list", "v1alpha2", &[], LIST),
        ("many_documents", "v1beta1", &[], &documents),
        ("a_list_of_any_kinds", "v1beta1", skip, MIXED),
        ("a_version_that_is_given", "v1beta1", &["--binary-version", "1.31.4+x"], &absent),
        ("the_emulation_version", "v1beta1", &["--binary-version", "emulation"], &absent),
        ("a_custom_key", "v1beta1", key, OLD),
        // A number in another kind keeps its value, or is refused.
        ("numbers_of_other_kinds", "v1beta1", skip, &pod(numbers)),
        ("numbers_with_too_many_digits", "v1beta1", skip, &pod("12345678901234567890123")),
    ];
    for (name, to, options, input) in table {
        assert_snapshot!(name, conversion(to, options, input));
    }
}

/// Its values do not matter then.
#[test]
fn an_object_of_another_group_is_reported_as_one() {
    let input = format!("{OLD}---\n{{apiVersion: v1, kind: Pod, mode: 12345678901234567890123}}\n");
    let stderr = convert("v1beta1", &[], &input).stderr;
    assert!(
        stderr.contains("error[other-group]: standard input:22:14 at document 2: apiVersion: "),
        "{stderr}"
    );
}

/// The flag that was given does not help.
#[test]
fn an_object_without_the_version_that_fills_another() {
    let without = OLD.replace("  binaryVersion: \"1.31.0\"\n  emulationVersion: \"1.30.0\"\n", "");
    let options = ["--strict", "--binary-version", "emulation"];
    let Ran { code, stderr, .. } = convert("v1beta1", &options, &without);
    assert_eq!(code, 1);
    let hint = "\n  hint: the object has no `emulationVersion`: give a version, such as `--binary-version 1.31.2`\n";
    assert!(stderr.contains(hint), "{stderr}");
}

#[test]
fn back_to_the_old_version() {
    let up = converted("v1beta1", OLD);
    let output = convert("v1alpha1", &[], &up);
    assert_eq!(output.stdout, OLD);
    assert_snapshot!(output.stderr);
}

#[test]
fn between_equal_versions() {
    assert_snapshot!(conversion("v1beta1", &[], &new("v1alpha2", KEPT, "example.com/a")));
    let other = new("v1alpha2", KEPT, "example.com/a");
    let back = converted("v1alpha2", &converted("v1beta1", &other));
    assert_eq!(back, other);
}

const LIST: &str = "\
apiVersion: coordination.k8s.io/v1alpha1
kind: LeaseCandidateList
metadata: {resourceVersion: '5'}
items:
- metadata: {name: a}
  spec: {leaseName: scheduler, preferredStrategies: [example.com/a], binaryVersion: 1.31.0}
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: b}
  spec: {leaseName: scheduler, preferredStrategies: [example.com/a, example.com/b], binaryVersion: 1.31.0}
";

/// Every version, another kind, a list in a list.
const MIXED: &str = "\
apiVersion: v1
kind: List
metadata: {resourceVersion: ''}
items:
- apiVersion: coordination.k8s.io/v1
  kind: Lease
  metadata: {name: scheduler}
  spec: {leaseDurationSeconds: 15, unknown: kept}
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata: {name: a}
  spec: {leaseName: scheduler, preferredStrategies: [example.com/a]}
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata: {name: b}
  spec: {leaseName: scheduler, strategy: example.com/a, binaryVersion: 1.33.0}
- apiVersion: coordination.k8s.io/v1alpha2
  kind: LeaseCandidateList
  items: [{metadata: {name: c}}]
- apiVersion: example.com/v1
  kind: LeaseCandidate
  name: of another group
";

#[test]
fn strict_reports_all_reasons_of_all_documents() {
    let wrong = LIST.replace("metadata: {resourceVersion: '5'}", "more: 1");
    let wrong = wrong.replace("leaseName: scheduler, ", "leaseName: '', strategy: x, ");
    let edited = new("v1alpha1", "kept", "x");
    let documents = format!("{OLD}---\n{wrong}---\n{edited}---\n{MIXED}");
    assert_snapshot!(conversion("v1beta1", &["--strict", "--skip-unknown"], &documents));
}

#[test]
fn strict_accepts_conversions_without_loss() {
    let output = convert("v1beta1", &["--strict"], OLD);
    assert_eq!(output.stdout, converted("v1beta1", OLD));
    assert_eq!(output.code, 0);
}

#[test]
fn documents_that_cannot_be_converted() {
    let documents = format!(
        "{OLD}---
apiVersion: apps/v1
kind: \"Deployment\\e[31m\\n\"
---
apiVersion: apps/v1
kind: LeaseCandidate
---
apiVersion: coordination.k8s.io/v2
kind: LeaseCandidateList
---
kind: LeaseCandidate
---
- hello
---
apiVersion: v1
kind: List
items: none
---
apiVersion: v1
kind: List
items:
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  spec: {{leaseName: 7, binaryVersion: [], renewTime: now}}
- 7
- {{}}
- apiVersion: coordination.k8s.io/v1
  kind: LeaseCandidate
- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidateList
  items:
  - apiVersion: coordination.k8s.io/v1alpha1
    kind: LeaseCandidate
  - kind: Lease
---
a: [b
"
    );
    assert_snapshot!(conversion("v1beta1", &[], &documents));
}

#[test]
fn migrate() {
    let stored = "  name: a
  uid: 1f6c
  resourceVersion: '17'
  creationTimestamp: '2026-01-02T03:04:05Z'
  ownerReferences: [{apiVersion: v1, kind: Pod, name: p, uid: 2a7d}]
  finalizers: [example.com/wait]
  managedFields: [{manager: m, apiVersion: coordination.k8s.io/v1alpha1, fieldsV1: {'f:spec': {}}}]
";
    let lease = "---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata:
  name: scheduler
  uid: 3b8e
  managedFields: []
spec: {holderIdentity: a, leaseDurationSeconds: 15}
";
    let stored = OLD.replace("  name: a\n", stored);
    let applied = "annotations:\n    kubectl.kubernetes.io/last-applied-configuration: '{}'\n";
    let stored = stored.replace("annotations:\n", applied);
    let stored = stored + lease;
    assert_snapshot!(conversion("v1beta1", &["--migrate"], &stored));
}

#[test]
fn json_report() {
    let output = convert("v1beta1", &["--skip-unknown", "--format", "json"], MIXED);
    let report: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_snapshot!(format!("{report:#}"));
}

/// A stream that removes colours would remove these characters, too.
#[test]
fn characters_are_not_changed() {
    const ANSWER: &str = "example.com/answer";
    const ODD: &str = "\u{7f}\u{9b}31m\u{1b}[31m\u{85}\u{2028}\u{feff}\r\n";
    let escaped = r#""\x7f\x9b31m\e[31m\x85\u2028\ufeff\r\n""#;
    let yaml = OLD.replace("\"yes\"", escaped);
    let json = new("v1beta1", ODD, "x").replace(KEY, ANSWER);
    let yaml: Value = serde_saphyr::from_str(&converted("v1beta1", &yaml)).unwrap();
    let json: Value = serde_json::from_str(&converted("v1alpha2", &json)).unwrap();
    for value in [yaml, json] {
        assert_eq!(value["metadata"]["annotations"][ANSWER], ODD, "{value}");
    }
}

#[test]
fn wrong_usage_exits_2() {
    let to = ["convert", "--to", "v1beta1"];
    let table: [(&[&str], &str); 9] = [
        (&["convert"], "--to <VERSION>"),
        (
            &[&to[..], &["--in-place"]].concat(),
            "`--in-place` needs files: standard input is not a file",
        ),
        (&["convert", "--to", "v1"], "[possible values: v1alpha1, v1alpha2, v1beta1]"),
        (&[&to[..], &["no/such/file"]].concat(), "cannot read no/such/file: "),
        (&[&to[..], &["--format", "yaml"]].concat(), "invalid value 'yaml'"),
        (&[&to[..], &["--binary-version", "1.31"]].concat(), "invalid value '1.31'"),
        (&[&to[..], &["--binary-version", ""]].concat(), "--binary-version"),
        (&[&to[..], &["--lax"]].concat(), "unexpected argument"),
        (&[&to[..], &["--annotation-key", "k8s.io/kept"]].concat(), "invalid value 'k8s.io/kept'"),
    ];
    for (args, message) in table {
        refused(args, &pipe(args, OLD), message);
    }
}

#[test]
fn help() {
    assert_snapshot!(pipe(&["convert", "--help"], "").stdout);
}
