//! The JSON level.

use std::fmt::Write as _;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyList};
use k8s_coordination::conversion::{AnyVersion, JsonError};
use serde_json::{Value, json};

use crate::support::*;

fn lenient() -> Options<Policies> {
    Options::default()
}

/// Texts that are refused; the snapshot has the messages.
const WRONG: &[&str] = &[
    "null",
    "[]",
    "{",
    "{}",
    r#"{"kind": ""}"#,
    r#"{"kind": 1}"#,
    r#"{"kind": "LeaseCandidate"}"#,
    r#"{"kind": "LeaseCandidate", "kind": "LeaseCandidate"}"#,
    r#"{"kind": "List"}"#,
    r#"{"kind": "Pod"}"#,
    r#"{"kind": "\u001b[31m\u202e", "apiVersion": "v1"}"#,
    r#"{"kind": "Lease", "apiVersion": "coordination.k8s.io/v1"}"#,
    r#"{"kind": "LeaseCandidate", "apiVersion": "coordination.k8s.io/v1"}"#,
    r#"{"kind": "LeaseCandidate", "apiVersion": "apps/v1beta1"}"#,
    r#"{"kind": "LeaseCandidate", "apiVersion": "v1beta1"}"#,
    r#"{"kind": "LeaseCandidate", "apiVersion": "coordination.k8s.io/v1alpha1", "spec": {"leaseName": 7}}"#,
    r#"{"kind": "LeaseCandidate", "apiVersion": "coordination.k8s.io/v1alpha1", "spec": []}"#,
    r#"{"kind": "List", "apiVersion": "v2"}"#,
    r#"{"kind": "List", "apiVersion": "v1", "items": {}}"#,
    r#"{"kind": "List", "apiVersion": "v1", "items": [1, {"kind": "LeaseCandidate"}, {"apiVersion": "v1", "kind": "Pod"}]}"#,
    r#"{"kind": "List", "apiVersion": "v1", "metadata": 7}"#,
    r#"{"kind": "List", "apiVersion": "v1", "metadata": {"resourceVersion": 7}}"#,
    r#"{"kind": "LeaseCandidateList", "apiVersion": "coordination.k8s.io/v1beta1", "items": [{"kind": "Lease"}]}"#,
    r#"{"kind": "LeaseCandidateList", "apiVersion": "coordination.k8s.io/v1beta1", "items": [{"apiVersion": "coordination.k8s.io/v1"}]}"#,
];

#[test]
fn refusals() {
    let mut out = String::new();
    for text in WRONG {
        let error = Any::convert_slice(text.as_bytes(), Version::V1beta1, &lenient());
        let _ = writeln!(out, "{text}\n{}\n", error.unwrap_err());
        // A list is read for itself, too.
        if let Ok(list) = serde_json::from_str::<Value>(text) {
            assert!(
                AnyList::<AnyLeaseCandidate>::from_value(&list, &mut ConversionReport::new())
                    .is_err()
            );
        }
        assert!(serde_json::from_str::<Any>(text).is_err(), "{text}");
    }
    insta::assert_snapshot!(out);
}

/// Documents, each with the version into which it is converted. The snapshot has the results and the reports.
const DOCUMENTS: [(Version, &str); 7] = [
    // The metadata of a list is decoded and reported like an object.
    (
        Version::V1beta1,
        r#"{"apiVersion": "v1", "kind": "List", "metadata": null, "items": [], "more": 1}"#,
    ),
    (
        Version::V1beta1,
        r#"{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": "5", "odd": 1}, "items": null, "more": 1}"#,
    ),
    // Unknown fields are dropped and reported.
    (
        Version::V1beta1,
        r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate", "more": 1,
            "metadata": {"name": "a", "odd": null, "ownerReferences": [{"name": "n", "extra": [1]}]},
            "spec": {"leaseName": "l", "strategy": "c", "binaryVersion": "1.31.0", "preferredStrategies": ["a"]}}"#,
    ),
    // Items of a typed list have neither `apiVersion` nor `kind` afterwards.
    (
        Version::V1alpha2,
        r#"{"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidateList",
            "metadata": {"resourceVersion": "5", "continue": "x"},
            "items": [
                {"spec": {"leaseName": "l", "binaryVersion": "1.31.0", "preferredStrategies": ["a", "b"]}},
                {"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
                    "spec": {"leaseName": "l", "binaryVersion": "1.31.0", "preferredStrategies": ["a", "b"]}},
                {"metadata": {"name": "b"}}]}"#,
    ),
    (Version::V1alpha1, MIXED),
    (Version::V1beta1, r#"{"apiVersion": "v1", "kind": "List"}"#),
    (
        Version::V1beta1,
        r#"{"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate"}"#,
    ),
];

/// A list of several versions.
const MIXED: &str = r#"{"apiVersion": "v1", "kind": "List", "metadata": {"resourceVersion": ""}, "more": true,
    "items": [
        {"apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate",
            "spec": {"leaseName": "l", "binaryVersion": "1.31.0", "preferredStrategies": ["a", "b"]}},
        {"apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
            "metadata": {"annotations": {"conversion.k8s-coordination.internal/lease-candidate":
                "{\"fields\":{\"v1alpha1\":{\"spec.preferredStrategies\":[\"a\",\"b\"]}},\"format\":2}"}},
            "spec": {"leaseName": "l", "binaryVersion": "1.31.0", "strategy": "a"}}]}"#;

#[test]
fn documents() {
    let mut out = String::new();
    for (to, text) in DOCUMENTS {
        let (target, report) = Any::convert_slice(text.as_bytes(), to, &lenient()).unwrap();
        let target = String::from_utf8(target).unwrap();
        let _ = writeln!(out, "{text}\nto {to}: {target}\n{report}\n");
        if let Ok(list) = serde_json::from_str::<AnyList<AnyLeaseCandidate>>(text) {
            let (typed, _) = list.convert_to(to);
            let items = serde_json::from_str::<AnyList<AnyLeaseCandidate>>(&target).unwrap().items;
            assert_eq!(typed.items, items, "{text}");
        }
    }
    insta::assert_snapshot!(out);
}

#[test]
fn other_kinds_are_passed_over_if_the_options_say_so() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": {"strategy": 1}});
    let list =
        |items: Value| json!({"apiVersion": "v1", "kind": "List", "metadata": {}, "items": items});
    let options = lenient().skip_unknown();
    let convert = |value: &Value| Any::convert_value(value, Version::V1beta1, &options);
    let candidate = serde_json::to_value(z(A, "1.33.0", None)).unwrap();
    let mixed = list(json!([pod, candidate]));
    let (same, report) = convert(&mixed).unwrap();
    assert_eq!(
        (same, report.to_string()),
        (mixed, "items[0].kind: `Pod` of `v1` is not converted".to_owned())
    );
    let (same, report) = convert(&pod).unwrap();
    assert_eq!((same, findings(&report)), (pod, vec!["kind notConverted".to_owned()]));
    // An unknown version, and an object without `apiVersion`, are still errors.
    for wrong in [
        json!({"apiVersion": "coordination.k8s.io/v9", "kind": "LeaseCandidate"}),
        json!({"kind": "Pod"}),
        list(json!([1])),
    ] {
        assert!(convert(&wrong).is_err(), "{wrong}");
    }
}

#[test]
fn strict_conversions_refuse_unknown_fields() {
    let (_, text) = DOCUMENTS[2];
    let strict = lenient().strict();
    let error = Any::convert_slice(text.as_bytes(), Version::V1beta1, &strict).unwrap_err();
    let JsonError::Refused(refused) = error else {
        panic!("refused");
    };
    assert_eq!(refused.reasons().len(), 4);
}
