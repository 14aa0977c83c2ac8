//! The JSON level.

use std::fmt::Write as _;

use k8s_coordination::conversion::AnyLeaseCandidateList;
use k8s_coordination::conversion::{AnyVersion, JsonError};
use serde_json::{Value, json};

use crate::support::*;

fn lenient() -> Options<Policies> {
    Options::default()
}

fn convert(value: &Value, to: Version) -> Result<(Value, ConversionReport), JsonError> {
    Any::convert_value(value, to, &lenient())
}

fn candidate() -> Value {
    json!({
        "apiVersion": "coordination.k8s.io/v1alpha1",
        "kind": "LeaseCandidate",
        "metadata": {"name": "a"},
        "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0", "preferredStrategies": [A, B]},
    })
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
    let mut told = String::new();
    for text in WRONG {
        let error = Any::convert_slice(text.as_bytes(), Version::V1beta1, &lenient());
        let _ = writeln!(told, "{text}\n{}\n", error.unwrap_err());
        // A list is read for itself, too.
        if let Ok(list) = serde_json::from_str::<Value>(text) {
            assert!(
                AnyLeaseCandidateList::from_value(&list, &mut ConversionReport::new()).is_err()
            );
        }
        assert!(serde_json::from_str::<Any>(text).is_err(), "{text}");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn other_kinds_are_passed_over_if_the_options_say_so() {
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "spec": {"strategy": 1}});
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease"});
    let list =
        |items: Value| json!({"apiVersion": "v1", "kind": "List", "metadata": {}, "items": items});
    let (up, _) = convert(&candidate(), Version::V1beta1).unwrap();
    let mixed = list(json!([pod, candidate(), lease]));
    let options = lenient().skip_unknown();
    let (target, report) = Any::convert_value(&mixed, Version::V1beta1, &options).unwrap();
    assert_eq!(target, list(json!([pod, up, lease])));
    assert_eq!(
        report.to_string(),
        format!(
            "items[0].kind: `Pod` of `v1` is not converted\n\
             items[1].spec.preferredStrategies: kept in an annotation: {}\n\
             items[2].kind: `Lease` of `coordination.k8s.io/v1` is not converted",
            json!([A, B])
        )
    );
    let (same, report) = Any::convert_value(&pod, Version::V1beta1, &options).unwrap();
    assert_eq!((same, findings(&report)), (pod, vec!["kind notConverted".to_owned()]));
    // A version that is not known, and what says nothing of itself, is an error all the same.
    for wrong in [
        json!({"apiVersion": "coordination.k8s.io/v9", "kind": "LeaseCandidate"}),
        json!({"kind": "Pod"}),
        list(json!([1])),
    ] {
        assert!(Any::convert_value(&wrong, Version::V1beta1, &options).is_err(), "{wrong}");
    }
}

/// The metadata of a list is decoded and reported like an object.
#[test]
fn the_metadata_of_lists() {
    let list = |metadata: Value| json!({"apiVersion": "v1", "kind": "List", "metadata": metadata, "items": [], "more": 1});
    let (target, report) = convert(&list(json!(null)), Version::V1beta1).unwrap();
    assert_eq!(target["metadata"], json!({}));
    assert_eq!(findings(&report), ["more unknownField"]);
    let odd = list(json!({"resourceVersion": "5", "odd": 1}));
    let (target, report) = convert(&odd, Version::V1beta1).unwrap();
    assert_eq!(target["metadata"], json!({"resourceVersion": "5"}));
    let told = ["more unknownField", "metadata.odd unknownField"];
    assert_eq!(findings(&report), told);
    let mut decoded = ConversionReport::new();
    let list = AnyLeaseCandidateList::from_value(&odd, &mut decoded).unwrap();
    assert_eq!((list.items.len(), decoded), (0, report));
}

#[test]
fn unknown_fields_are_dropped_and_told() {
    let mut value = candidate();
    value["more"] = json!(1);
    value["spec"]["strategy"] = json!(C);
    value["metadata"]["odd"] = json!(null);
    value["metadata"]["ownerReferences"] = json!([{"name": "n", "extra": [1]}]);
    let (target, report) = convert(&value, Version::V1beta1).unwrap();
    assert_eq!(target["spec"]["strategy"], A);
    let mut told = findings(&report);
    told.retain(|finding| finding.ends_with("unknownField"));
    told.sort();
    assert_eq!(
        told,
        [
            "metadata.odd unknownField",
            "metadata.ownerReferences[0].extra unknownField",
            "more unknownField",
            "spec.strategy unknownField",
        ]
    );
    let strict = lenient().strict();
    let error = Any::convert_value(&value, Version::V1beta1, &strict).unwrap_err();
    let JsonError::Refused(refused) = error else {
        panic!("refused");
    };
    assert_eq!(refused.reasons().entries().len(), 4);
}

#[test]
fn typed_lists() {
    let mut item = candidate();
    item.as_object_mut().unwrap().remove("apiVersion");
    item.as_object_mut().unwrap().remove("kind");
    let list = json!({
        "apiVersion": "coordination.k8s.io/v1alpha1",
        "kind": "LeaseCandidateList",
        "metadata": {"resourceVersion": "5", "continue": "x"},
        "items": [item, candidate(), {"metadata": {"name": "b"}}],
    });
    let (target, report) = convert(&list, Version::V1alpha2).unwrap();
    assert_eq!(target["apiVersion"], "coordination.k8s.io/v1alpha2");
    assert_eq!(target["kind"], "LeaseCandidateList");
    assert_eq!(target["metadata"], list["metadata"]);
    assert_eq!(target["items"][0], target["items"][1]);
    assert!(target["items"][0].get("kind").is_none());
    assert_eq!(findings(&report)[2], "items[2].spec missing");
    assert_eq!(report.item(1), report.item(0));
    let (back, _) = convert(&target, Version::V1alpha1).unwrap();
    assert_eq!(back["items"][0], list["items"][0]);
}

#[test]
fn lists_of_mixed_versions() {
    let (other, _) = convert(&candidate(), Version::V1beta1).unwrap();
    let list = json!({
        "apiVersion": "v1",
        "kind": "List",
        "metadata": {"resourceVersion": ""},
        "items": [candidate(), other],
        "more": true,
    });
    let (target, report) = convert(&list, Version::V1alpha1).unwrap();
    assert_eq!(
        target,
        json!({
            "apiVersion": "v1",
            "kind": "List",
            "metadata": {"resourceVersion": ""},
            "items": [candidate(), candidate()],
        })
    );
    let told = ["more unknownField", "items[1].spec.preferredStrategies restored"];
    assert_eq!(findings(&report), told);
    for empty in [
        json!({"apiVersion": "v1", "kind": "List"}),
        json!({"apiVersion": "v1", "kind": "List", "items": null}),
    ] {
        let (target, _) = convert(&empty, Version::V1alpha1).unwrap();
        assert_eq!(target["items"], json!([]));
    }
}
