//! `coordination convert` as people use it.

use insta::assert_snapshot;
use k8s_versioned::Release;
use k8s_versioned_conformance::Recordings;
use k8s_versioned_conformance::recording::ResponseBody;
use serde_json::{Value, json};

use crate::command::{Ran, pipe, refused, root};

/// A candidate with more strategies than later versions can hold, and with texts that are no texts to every reader.
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

/// A candidate of the version that both `v1alpha2` and `v1beta1` are, with this annotation and this strategy.
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
const KEY: &str = "conversion.k8s-coordination.internal/lease-candidate";

const KEPT: &str = r#"{"fields":{"v1alpha1":{"spec.preferredStrategies":["example.com/a","example.com/b"]}},"format":2}"#;

fn convert(to: &str, options: &[&str], input: &str) -> Ran {
    pipe(&[&["convert", "--to", to], options].concat(), input)
}

/// The output of the command, and its exit code.
fn shown(to: &str, options: &[&str], input: &str) -> String {
    let Ran { code, stdout, stderr } = convert(to, options, input);
    format!("{stdout}-- stderr\n{stderr}-- exit code {code}")
}

/// The output of a conversion that succeeds.
fn converted(to: &str, input: &str) -> String {
    let output = convert(to, &[], input);
    assert_eq!(output.code, 0, "{}", output.stderr);
    output.stdout
}

/// The output of conversions that need no more than an input and a version.
#[test]
fn outputs() {
    let edited = new("v1beta1", KEPT, "example.com/c");
    let broken = new("v1alpha2", "{\"fields\":\u{1b}[31m", "example.com/a");
    let several = new("v1beta1", KEPT, "example.com/a") + &new("v1alpha2", "{}", "");
    let documents = format!("# The old one.\n{OLD}---\n---\n{}", new("v1beta1", "", ""));
    let skip: &[&str] = &["--skip-unknown"];
    let shown = |to, input: &str| shown(to, &[], input);
    assert_snapshot!("up_with_the_rest_kept", shown("v1beta1", OLD));
    assert_snapshot!("edited_meanwhile", shown("v1alpha1", &edited));
    assert_snapshot!("an_annotation_that_cannot_be_read", shown("v1alpha1", &broken));
    assert_snapshot!("several_objects_in_json", shown("v1alpha1", &several));
    assert_snapshot!("a_list_stays_a_list", shown("v1alpha2", LIST));
    assert_snapshot!("many_documents", shown("v1beta1", &documents));
    assert_snapshot!("a_list_of_any_kinds", self::shown("v1beta1", skip, MIXED));
}

#[test]
fn down_again_restored() {
    let up = converted("v1beta1", OLD);
    let output = convert("v1alpha1", &[], &up);
    assert_eq!(output.stdout, OLD);
    assert_snapshot!(output.stderr);
}

#[test]
fn across() {
    assert_snapshot!(shown("v1beta1", &[], &new("v1alpha2", KEPT, "example.com/a")));
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

/// A stream of the same objects is treated as the list is.
#[test]
fn a_stream_of_any_kinds() {
    let list: Value = serde_saphyr::from_str(MIXED).unwrap();
    let items = list["items"].as_array().unwrap().iter();
    let stream: String = items.map(Value::to_string).collect();
    for options in [&[][..], &["--skip-unknown"]] {
        let of_list = convert("v1beta1", options, MIXED);
        let of_stream = convert("v1beta1", options, &stream);
        assert_eq!(of_list.code, of_stream.code, "{options:?}");
        let list: Option<Value> = serde_saphyr::from_str(&of_list.stdout).unwrap();
        let stream = serde_json::Deserializer::from_str(&of_stream.stdout).into_iter();
        let stream: Result<Vec<Value>, _> = stream.collect();
        let items = list.map(|list| list["items"].as_array().unwrap().clone());
        assert_eq!(items.unwrap_or_default(), stream.unwrap(), "{options:?}");
    }
}

#[test]
fn strict_tells_all_reasons_of_all_documents() {
    let wrong = LIST.replace("metadata: {resourceVersion: '5'}", "more: 1");
    let wrong = wrong.replace("leaseName: scheduler, ", "leaseName: '', strategy: x, ");
    let edited = new("v1alpha1", "kept", "x");
    let documents = format!("{OLD}---\n{wrong}---\n{edited}---\n{MIXED}");
    assert_snapshot!(shown("v1beta1", &["--strict", "--skip-unknown"], &documents));
}

#[test]
fn strict_accepts_what_comes_back() {
    let output = convert("v1beta1", &["--strict"], OLD);
    assert_eq!(output.stdout, converted("v1beta1", OLD));
    assert_eq!(output.code, 0);
}

#[test]
fn all_that_is_not_understood() {
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
    assert_snapshot!(shown("v1beta1", &[], &documents));
}

#[test]
fn to_create_the_objects_anew() {
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
    assert_snapshot!(shown("v1beta1", &["--migrate"], &stored));
}

#[test]
fn an_absent_binary_version() {
    let absent = OLD.replace("  binaryVersion: \"1.31.0\"\n", "");
    assert_ne!(absent, OLD);
    for (option, expected) in [("1.31.4+x", "1.31.4+x"), ("emulation", "1.30.0")] {
        let output = convert("v1beta1", &["--binary-version", option], &absent);
        let stdout = output.stdout;
        let filled = format!("\n  binaryVersion: \"{expected}\"\n");
        assert!(stdout.replace(": 1.31.4+x", ": \"1.31.4+x\"").contains(&filled), "{stdout}");
        let told = format!("spec.binaryVersion: had no value, filled with \"{expected}\"\n");
        assert!(output.stderr.contains(&told));
        assert_eq!(converted("v1alpha1", &stdout), absent);
    }
}

#[test]
fn a_report_for_programs() {
    let output = convert("v1beta1", &["--skip-unknown", "--format", "json"], MIXED);
    let report: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_snapshot!(format!("{report:#}"));
    let strict = ["--skip-unknown", "--format", "json", "--strict"];
    let output = convert("v1beta1", &strict, &format!("{MIXED}---\n7"));
    assert_eq!((output.code, output.stdout.len()), (1, 0));
    let report: Value = serde_json::from_str(&output.stderr).unwrap();
    assert_eq!(report["success"], false);
    let findings = report["entries"].as_array().unwrap().iter();
    let findings: Vec<_> = findings.map(|entry| &entry["finding"]).collect();
    assert_eq!(findings.first().unwrap(), &"invalidInTarget");
    assert_eq!(findings.last().unwrap(), &"notUnderstood");
}

/// A program that takes colours out of its output would take these, too.
#[test]
fn characters_arrive_as_they_are() {
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
fn a_recorded_yaml_body_there_and_back() {
    let mut bodies = 0;
    for recording in Recordings::load(root().join("fixtures"))
        .unwrap()
        .iter()
        .filter(|one| one.name == "get-yaml" && one.place.release <= Release::new(1, 36))
    {
        let exchange = recording.exchange().unwrap();
        let ResponseBody::Text(body) = &exchange.response.body else {
            panic!("{} is not text", recording.place.path.display());
        };
        let value: Value = serde_saphyr::from_str(body).unwrap();
        let (_, own) = value["apiVersion"].as_str().unwrap().split_once('/').unwrap();
        for other in ["v1alpha1", "v1alpha2", "v1beta1"] {
            let there = converted(other, body);
            assert!(there.starts_with(&format!("apiVersion: coordination.k8s.io/{other}\n")));
            let back: Value = serde_saphyr::from_str(&converted(own, &there)).unwrap();
            assert_eq!(back, value, "through {other}");
        }
        bodies += 1;
    }
    assert_eq!(bodies, 10);
}

#[test]
fn wrong_usage_is_2() {
    let to = ["convert", "--to", "v1beta1"];
    let table: [(&[&str], &str); 8] = [
        (&["convert"], "--to <VERSION>"),
        (&[&to[..], &["--in-place"]].concat(), "`--in-place` needs files: standard input is none"),
        (&["convert", "--to", "v1"], "[possible values: v1alpha1, v1alpha2, v1beta1]"),
        (&[&to[..], &["no/such/file"]].concat(), "cannot read no/such/file: "),
        (&[&to[..], &["--format", "yaml"]].concat(), "invalid value 'yaml'"),
        (&[&to[..], &["--binary-version", "1.31"]].concat(), "invalid value '1.31'"),
        (&[&to[..], &["--binary-version", ""]].concat(), "--binary-version"),
        (&[&to[..], &["--lax"]].concat(), "unexpected argument"),
    ];
    for (args, message) in table {
        refused(args, &pipe(args, OLD), message);
    }
}

#[test]
fn help() {
    assert_snapshot!(pipe(&["convert", "--help"], "").stdout);
}

/// Numbers in other kinds keep their value.
#[test]
fn numbers_of_other_kinds() {
    let list = |number: &str| format!("{OLD}---\n{{apiVersion: v1, kind: Pod, mode: {number}}}\n");
    for (number, expected) in [("0644", "420"), ("0o644", "420"), ("1.5", "1.5"), ("-7", "-7")] {
        let output = convert("v1beta1", &["--skip-unknown"], &list(number));
        let expected = format!("\nmode: {expected}\n");
        assert!(output.stdout.contains(&expected), "{}", output.stdout);
    }
    let digits = list("12345678901234567890123");
    let output = convert("v1beta1", &["--skip-unknown"], &digits);
    assert_eq!(output.code, 1);
    assert!(output.stderr.contains("too many digits"));
}

#[test]
fn a_key_of_ones_own() {
    const OWN: &str = "conversion.example.com/kept";
    let options = ["--annotation-key", OWN];
    let up = convert("v1beta1", &options, OLD).stdout;
    assert!(up.contains(OWN) && !up.contains(KEY), "{up}");
    let down = convert("v1alpha1", &options, &up).stdout;
    assert!(!down.contains(OWN), "{down}");
    let refused = convert("v1beta1", &["--annotation-key", "k8s.io/kept"], OLD);
    assert_eq!(refused.code, 2);
}
