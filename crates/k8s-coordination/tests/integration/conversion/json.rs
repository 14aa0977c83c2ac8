//! The JSON level.

use std::fmt::Write as _;

use k8s_coordination::Kinds;
use k8s_coordination::conversion::review::Webhook;
use k8s_coordination::conversion::{AnyVersion, JsonError};
use serde_json::{Value, json};

use super::support::*;

fn lenient() -> Options<Policies> {
    Options::default()
}

/// Texts that are refused; the snapshot has the messages.
const WRONG: &[&str] = &[
    "null",
    "[]",
    "{}",
    r#"{"kind": ""}"#,
    r#"{"kind": 1}"#,
    r#"{"kind": "LeaseCandidate"}"#,
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
    r#"{"kind": "LeaseCandidateList", "apiVersion": "coordination.k8s.io/v1beta1", "items": [{"kind": "Lease"}]}"#,
    r#"{"kind": "LeaseCandidateList", "apiVersion": "coordination.k8s.io/v1beta1", "items": [{"apiVersion": "coordination.k8s.io/v1"}]}"#,
];

#[test]
fn refusals() {
    let mut out = String::new();
    for text in WRONG {
        let value: Value = serde_json::from_str(text).unwrap();
        let error = Any::convert_value(&value, Version::V1beta1, &Options::default().strict());
        let _ = writeln!(out, "{text}\n{}\n", error.unwrap_err());
        assert!(serde_json::from_str::<Any>(text).is_err(), "{text}");
    }
    insta::assert_snapshot!(out);
}

/// Documents, each with the version into which it is converted. The snapshot has the results and the reports.
const DOCUMENTS: [(Version, &str); 7] = [
    // The rest of a list stays as it is.
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
    // Items of a typed list still leave out what they left out.
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
            "metadata": {"annotations": {"conversion.k8s-coordination.internal/lease-candidate.v1alpha1.spec.preferredStrategies":
                "{\"fields\":{\"v1alpha1\":{\"spec.preferredStrategies\":[\"a\",\"b\"]}},\"format\":3}"}},
            "spec": {"leaseName": "l", "binaryVersion": "1.31.0", "strategy": "a"}}]}"#;

#[test]
fn documents() {
    let mut out = String::new();
    for (to, text) in DOCUMENTS {
        let value: Value = serde_json::from_str(text).unwrap();
        let (target, report) = Any::convert_value(&value, to, &lenient()).unwrap();
        let _ = writeln!(out, "{text}\nto {to}: {target}\n{report}\n");
    }
    insta::assert_snapshot!(out);
}

#[test]
fn strict_conversions_refuse_unknown_fields() {
    let (_, text) = DOCUMENTS[2];
    let strict = lenient().strict();
    let value: Value = serde_json::from_str(text).unwrap();
    let error = Any::convert_value(&value, Version::V1beta1, &strict).unwrap_err();
    let JsonError::Refused(refused) = error else {
        panic!("refused");
    };
    assert_eq!(refused.reasons().len(), 4);
}

/// Server-side apply has objects converted without the fields of one manager. If the conversion failed, so would the apply.
#[test]
fn a_webhook_fails_for_required_fields_of_whole_objects_only() {
    let whole = json!({"leaseName": "l", "preferredStrategies": ["OldestEmulationVersion"]});
    let named = |operation: &str, version: &str, field: &str| {
        let of = format!("coordination.k8s.io/{version}");
        let fields = json!({"f:spec": {"f:leaseName": {}, field: {}}});
        json!({"name": "a", "managedFields": [
            {"manager": "m", "operation": operation, "apiVersion": of, "fieldsType": "FieldsV1", "fieldsV1": fields},
        ]})
    };
    let empty =
        "objects[0] (`a`): spec.binaryVersion: empty, but servers of the target version require it";
    for (version, metadata, spec, failure) in [
        ("v1alpha2", json!({"name": "a"}), Value::Null, None),
        ("v1alpha2", json!({"name": "a"}), json!({"leaseName": "l"}), None),
        ("v1alpha1", json!({"name": "a"}), Value::Null, None),
        ("v1alpha1", Value::Null, whole.clone(), None),
        ("v1alpha1", json!({"name": "a"}), whole.clone(), Some(empty)),
        // Another manager owns the fields of the whole object.
        (
            "v1alpha1",
            named("Apply", "v1alpha1", "f:preferredStrategies"),
            whole.clone(),
            Some(empty),
        ),
        ("v1alpha1", named("Apply", "v1alpha2", "f:strategy"), whole.clone(), Some(empty)),
        ("v1alpha1", named("Apply", "v2", "f:binaryVersion"), whole.clone(), Some(empty)),
        ("v1alpha1", named("Update", "v1alpha1", "f:binaryVersion"), whole.clone(), Some(empty)),
        // The manager of the field applies again.
        ("v1alpha1", named("Apply", "v1alpha1", "f:binaryVersion"), whole.clone(), None),
        ("v1alpha1", named("Apply", "v1alpha2", "f:binaryVersion"), whole, None),
    ] {
        let object = json!({
            "apiVersion": format!("coordination.k8s.io/{version}"), "kind": "LeaseCandidate", "metadata": metadata, "spec": spec,
        });
        let review = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "ConversionReview",
            "request": {"uid": "7", "desiredAPIVersion": "coordination.k8s.io/v1beta1", "objects": [object]},
        });
        let reviewed = Webhook::of::<Kinds>().answer(review.to_string().as_bytes()).unwrap();
        assert_eq!(reviewed.failure.as_deref(), failure, "{object}");
    }
}
