//! Nothing is lost on the way to another type and back: objects with every field, and without each of them.

use k8s_coordination::conversion::ConvertObject;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use k8s_coordination::prelude::HasSpec;
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use k8s_coordination_kube::Object;
use k8s_openapi::api::coordination as openapi;
use kube::api::{ApiResource, DynamicObject};
use serde::Serialize;
use serde_json::{Value, json};

/// The time in a spec that other times replace.
const TIME: &str = "2026-01-02T03:04:05.678901Z";

/// Metadata with every field, each with a value of its own.
fn metadata() -> Value {
    json!({
        "annotations": {"example.com/a": "\"é/", "b": ""},
        "creationTimestamp": "2026-01-02T03:04:05Z",
        "deletionGracePeriodSeconds": i32::MAX,
        "deletionTimestamp": "0001-01-01T00:00:00Z",
        "finalizers": ["example.com/first", "example.com/second"],
        "generateName": "generated-",
        "generation": i32::MIN,
        "labels": {"app": "é", "tier": "\""},
        "managedFields": [{
            "apiVersion": "example.com/v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:spec": {"f:leaseName": {}, "k:{\"a\":1}": {".": {}}}},
            "manager": "program",
            "operation": "Apply",
            "subresource": "status",
            "time": "9998-12-31T23:59:59Z",
        }, {"manager": "other"}],
        "name": "é \"a\"",
        "namespace": "ns",
        "ownerReferences": [
            {"apiVersion": "v1", "kind": "Pod", "name": "pod", "uid": "1", "controller": true, "blockOwnerDeletion": false},
            {"apiVersion": "apps/v1", "kind": "ReplicaSet", "name": "set", "uid": "2"},
        ],
        "resourceVersion": "17",
        "selfLink": "/link",
        "uid": "uid-1",
    })
}

/// A value, and the same without each of its members, however deep.
fn without_each(value: &Value) -> Vec<Value> {
    let mut all = vec![value.clone()];
    let keys: Vec<_> = value.as_object().into_iter().flat_map(|object| object.keys()).collect();
    for key in keys {
        let mut without = value.clone();
        without.as_object_mut().unwrap().remove(key);
        all.push(without);
        let smaller = without_each(&value[key]).split_off(1);
        all.extend(smaller.into_iter().map(|smaller| {
            let mut changed = value.clone();
            changed[key] = smaller;
            changed
        }));
    }
    for index in 0..value.as_array().map_or(0, Vec::len) {
        let mut without = value.clone();
        without.as_array_mut().unwrap().remove(index);
        all.push(without);
    }
    all
}

/// Objects of a kind with this spec and with each of its parts absent, and such with other times in the spec.
fn objects<K: HasSpec>(spec: Value) -> Vec<K> {
    let full = json!({"metadata": metadata(), "spec": spec});
    let mut all = without_each(&full);
    for time in [
        "0001-01-01T00:00:00.000001Z",
        "1969-12-31T23:59:59.999999Z",
        "9998-12-31T23:59:59.999999Z",
    ] {
        let text = full.to_string().replace(TIME, time);
        all.push(serde_json::from_str(&text).unwrap());
    }
    all.into_iter().map(|object| serde_json::from_value(object).unwrap()).collect()
}

fn candidates<K: HasSpec>(strategy: &str, value: Value) -> Vec<K> {
    let mut spec = json!({
        "binaryVersion": "1.36.0",
        "emulationVersion": "1.35.0",
        "leaseName": "é \"lease\"",
        "pingTime": "2026-02-03T04:05:06.000007Z",
        "renewTime": TIME,
    });
    spec[strategy] = value;
    objects(spec)
}

fn json(object: &impl Serialize) -> Value {
    serde_json::to_value(object).unwrap()
}

/// To the metadata of `k8s-openapi`, through text and through a `DynamicObject`, and back.
fn check<K: HasSpec>(plain: &K) -> Object<K> {
    let object = Object::from_plain(plain.clone()).unwrap();
    assert_eq!(json(&object), json(plain));
    assert_eq!(object.clone().into_plain().unwrap(), *plain);

    let text = serde_json::to_string(&object).unwrap();
    assert_eq!(serde_json::from_str::<Object<K>>(&text).unwrap(), object);

    let resource = ApiResource::erase::<Object<K>>(&());
    let dynamic: DynamicObject = serde_json::from_str(&text).unwrap();
    assert_eq!(dynamic.types.as_ref().unwrap().api_version, resource.api_version);
    assert_eq!(dynamic.try_parse::<Object<K>>().unwrap(), object);
    object
}

/// To a type of `k8s-openapi` and back.
fn check_openapi<K, T>(plain: &K)
where
    K: HasSpec,
    T: TryFrom<Object<K>, Error: std::fmt::Debug> + Clone + Serialize,
    Object<K>: TryFrom<T, Error: std::fmt::Debug>,
{
    let object = check(plain);
    let theirs = T::try_from(object.clone()).unwrap();
    // Not compared as JSON: theirs also writes an empty `strategy`.
    assert_eq!(serde_json::from_value::<Object<K>>(json(&theirs)).unwrap(), object);
    assert_eq!(Object::try_from(theirs).unwrap(), object);
}

/// Between versions as the plain objects do.
fn check_versions<K, T>(plain: &K)
where
    K: HasSpec + ConvertObject<T>,
    T: HasSpec,
{
    let (expected, expected_report) = plain.clone().convert();
    let (converted, report) = check(plain).convert();
    assert_eq!(converted, Object::from_plain(expected).unwrap());
    assert_eq!(report, expected_report);
}

#[test]
fn leases() {
    let spec = json!({
        "acquireTime": "2026-02-03T04:05:06.000007Z",
        "holderIdentity": "holder",
        "leaseDurationSeconds": 15,
        "leaseTransitions": -1,
        "preferredHolder": "preferred",
        "renewTime": TIME,
        "strategy": "OldestEmulationVersion",
    });
    for lease in objects::<v1::Lease>(spec) {
        check_openapi::<_, openapi::v1::Lease>(&lease);
    }
}

#[test]
fn candidates_of_each_version() {
    let strategies = json!(["OldestEmulationVersion", "example.com/é"]);
    for candidate in candidates::<v1alpha1::LeaseCandidate>("preferredStrategies", strategies) {
        check_versions::<_, v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1beta1::LeaseCandidate>(&candidate);
    }
    for candidate in candidates::<v1alpha2::LeaseCandidate>("strategy", json!("example.com/é")) {
        check_openapi::<_, openapi::v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1alpha1::LeaseCandidate>(&candidate);
    }
    for candidate in candidates::<v1beta1::LeaseCandidate>("strategy", json!("example.com/é")) {
        check_openapi::<_, openapi::v1beta1::LeaseCandidate>(&candidate);
        check_versions::<_, v1alpha2::LeaseCandidate>(&candidate);
    }
}

#[test]
fn a_field_that_the_other_type_cannot_hold_is_named() {
    let fields = "{\"f:a\":".repeat(200) + "{}" + &"}".repeat(200);
    let fields = FieldsV1::from_json(&fields).unwrap();
    let manager = ManagedFieldsEntry::default().with_fields_v1(fields);
    let metadata = ObjectMeta::default().with_managed_fields([manager]);
    let error = Object::from_plain(v1::Lease::default().with_metadata(metadata)).unwrap_err();
    assert_eq!(error.field(), "metadata.managedFields");

    let json = json!({"metadata": {"deletionTimestamp": "10000-01-01T00:00:00Z"},
        "spec": {"renewTime": "10000-01-01T00:00:00.000000Z"}});
    let mut lease: v1::Lease = serde_json::from_value(json).unwrap();
    let error = Object::from_plain(lease.clone()).unwrap_err();
    assert_eq!(error.field(), "metadata.deletionTimestamp");
    lease.metadata.deletion_timestamp = None;
    let lease = Object::from_plain(lease).unwrap();
    let error = openapi::v1::Lease::try_from(lease).unwrap_err();
    let text = "spec.renewTime: `10000-01-01T00:00:00.000000Z` is out of the range";
    assert!(error.to_string().starts_with(text), "{error}");
}

#[test]
fn objects_of_another_version_are_refused() {
    let candidate = r#"{"apiVersion": "coordination.k8s.io/v1alpha2", "kind": "LeaseCandidate"}"#;
    let error = serde_json::from_str::<Object<v1beta1::LeaseCandidate>>(candidate).unwrap_err();
    let expected = "invalid value: string \"coordination.k8s.io/v1alpha2\", expected apiVersion `coordination.k8s.io/v1beta1`";
    assert!(error.to_string().starts_with(expected), "{error}");
}
