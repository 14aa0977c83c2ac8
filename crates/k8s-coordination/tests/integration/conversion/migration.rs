//! Getting objects elsewhere.

use std::collections::BTreeSet;

use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, Time};
use k8s_coordination::migration::{remove_server_fields, rewrite_managed_fields};

use super::support::*;

fn stored() -> ObjectMeta {
    serde_json::from_value(serde_json::json!({
        "name": "a", "namespace": "b", "generateName": "c-", "labels": {"l": "m"},
        "annotations": {"n": "o"}, "finalizers": ["x/y"],
        "ownerReferences": [{"apiVersion": "v1", "kind": "Pod", "name": "p", "uid": "q"}],
        "uid": "u", "resourceVersion": "7", "generation": 3, "selfLink": "/s",
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "deletionTimestamp": "2026-01-02T03:04:06Z", "deletionGracePeriodSeconds": 1,
        "managedFields": [{"manager": "m"}],
    }))
    .unwrap()
}

#[test]
fn what_servers_set_is_removed_and_the_rest_stays() {
    let mut metadata = stored();
    remove_server_fields(&mut metadata);
    let left = serde_json::to_value(&metadata).unwrap();
    let left: Vec<&str> = left.as_object().unwrap().keys().map(String::as_str).collect();
    let expected = "annotations finalizers generateName labels name namespace ownerReferences";
    assert_eq!(left.join(" "), expected);
}

fn entry(version: &str, fields: &str) -> ManagedFieldsEntry {
    ManagedFieldsEntry::default()
        .with_api_version(version)
        .with_fields_v1(FieldsV1::from_json(fields).unwrap())
}

const OLD: &str = "coordination.k8s.io/v1alpha1";
const NEW: &str = "coordination.k8s.io/v1beta1";

#[test]
fn entries_of_removed_versions_are_rewritten() {
    let table = [
        (r#"{"f:spec":{"f:preferredStrategies":{}}}"#, r#"{"f:spec":{"f:strategy":{}}}"#),
        (r#"{"f:spec":{"f:leaseName":{}}}"#, r#"{"f:spec":{"f:leaseName":{}}}"#),
        (r#"{"f:spec":{}}"#, r#"{"f:spec":{}}"#),
        (
            r#"{"f:metadata":{"f:preferredStrategies":{}}}"#,
            r#"{"f:metadata":{"f:preferredStrategies":{}}}"#,
        ),
        ("[1]", "[1]"),
        (r#"{"f:spec":7}"#, r#"{"f:spec":7}"#),
    ];
    for (old, new) in table {
        let other = entry("v1", old);
        let mut metadata =
            ObjectMeta::default().with_managed_fields([entry(OLD, old), other.clone()]);
        rewrite_managed_fields(&mut metadata, &[Version::V1alpha1], Version::V1beta1);
        assert_eq!(metadata.managed_fields, [entry(NEW, new), other.clone()]);
        let kept = metadata.clone();
        rewrite_managed_fields(&mut metadata, &[Version::V1alpha1], Version::V1beta1);
        assert_eq!(metadata, kept);
        rewrite_managed_fields(&mut metadata, &[Version::V1beta1], Version::V1alpha1);
        assert_eq!(metadata.managed_fields, [entry(OLD, old), other]);
    }
}

/// Servers keep the last of several entries that they consider equal.
#[test]
fn entries_that_become_the_same_are_united() {
    let of = |version, fields, time: &str| {
        entry(version, fields)
            .with_manager("m")
            .with_operation("Update")
            .with_time(time.parse::<Time>().unwrap())
    };
    let (early, late) = ("2026-01-02T03:04:05Z", "2026-01-02T03:04:06Z");
    let second = "coordination.k8s.io/v1alpha2";
    let mut metadata = ObjectMeta::default().with_managed_fields([
        of(second, r#"{"f:spec":{"f:leaseName":{},"f:strategy":{}}}"#, late),
        of(NEW, r#"{"f:metadata":{},"f:spec":{"f:strategy":{},"f:renewTime":{}}}"#, early),
        of(NEW, "{}", early).with_subresource("status"),
        of(NEW, "{}", early).with_manager("n"),
    ]);
    rewrite_managed_fields(&mut metadata, &[Version::V1alpha2], Version::V1beta1);
    let all = r#"{"f:metadata":{},"f:spec":{"f:leaseName":{},"f:renewTime":{},"f:strategy":{}}}"#;
    let expected = [
        of(NEW, all, late),
        of(NEW, "{}", early).with_subresource("status"),
        of(NEW, "{}", early).with_manager("n"),
    ];
    assert_eq!(metadata.managed_fields, expected);

    let applied = |version| entry(version, "{}").with_operation("Apply");
    let mut metadata = ObjectMeta::default().with_managed_fields([applied(second), applied(OLD)]);
    rewrite_managed_fields(&mut metadata, &[Version::V1alpha2], Version::V1beta1);
    assert_eq!(metadata.managed_fields, [applied(NEW)]);
}

/// The versions differ in no other names than those that rewriting knows.
#[test]
fn only_the_strategy_has_two_names() {
    let names = |spec: serde_json::Value| -> BTreeSet<String> {
        spec.as_object().unwrap().keys().cloned().collect()
    };
    let time: MicroTime = "2026-01-02T03:04:05.000000Z".parse().unwrap();
    let first = v1alpha1::LeaseCandidateSpec::new("a", [A])
        .with_binary_version("a")
        .with_emulation_version("a")
        .with_ping_time(time)
        .with_renew_time(time);
    let third = v1beta1::LeaseCandidateSpec::new("a", "a", A)
        .with_emulation_version("a")
        .with_ping_time(time)
        .with_renew_time(time);
    let first = names(serde_json::to_value(first).unwrap());
    let third = names(serde_json::to_value(third).unwrap());
    let differ: Vec<_> = first.symmetric_difference(&third).collect();
    assert_eq!(differ, ["preferredStrategies", "strategy"]);
}
