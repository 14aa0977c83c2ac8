//! Getting objects elsewhere.

use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry};
use k8s_coordination::migration::{
    drop_managed_fields, remove_server_fields, rewrite_managed_fields,
};

use crate::support::*;

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
    let left: Vec<&str> = left
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let expected = [
        "annotations",
        "finalizers",
        "generateName",
        "labels",
        "name",
        "namespace",
        "ownerReferences",
    ];
    assert_eq!(left, expected);
}

fn entry(version: &str, fields: &str) -> ManagedFieldsEntry {
    ManagedFieldsEntry::default()
        .with_api_version(version)
        .with_fields_v1(FieldsV1::from_json(fields).unwrap())
}

const OLD: &str = "coordination.k8s.io/v1alpha1";
const NEW: &str = "coordination.k8s.io/v1beta1";

#[test]
fn entries_of_removed_versions_are_dropped() {
    let fields = "{}";
    let mut metadata = ObjectMeta::default().with_managed_fields([
        entry(OLD, fields),
        entry(NEW, fields),
        entry("v1", fields),
        ManagedFieldsEntry::default(),
    ]);
    drop_managed_fields(&mut metadata, &[Version::V1alpha1]);
    let left = [
        entry(NEW, fields),
        entry("v1", fields),
        ManagedFieldsEntry::default(),
    ];
    assert_eq!(metadata.managed_fields, left);
}

#[test]
fn entries_of_removed_versions_are_rewritten() {
    let table = [
        (
            r#"{"f:spec":{"f:preferredStrategies":{}}}"#,
            r#"{"f:spec":{"f:strategy":{}}}"#,
        ),
        (
            r#"{"f:spec":{"f:leaseName":{}}}"#,
            r#"{"f:spec":{"f:leaseName":{}}}"#,
        ),
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
