//! Random objects with some of their fields: conversions to another type and back keep every field.

use k8s_coordination::conversion::ConvertObject;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use k8s_coordination::prelude::{HasSpec, Namespaced};
use k8s_coordination::protobuf;
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use k8s_coordination_kube::Object;
use k8s_openapi::api::coordination as openapi;
use kube::api::{ApiResource, DynamicObject};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The form of a time in a spec.
const TIME: &str = "2026-01-02T03:04:05.678901Z";

/// The members that each owner has.
const OWNER: [&str; 4] = ["apiVersion", "kind", "name", "uid"];

/// Metadata with every field.
fn metadata() -> Value {
    let time = "2026-01-02T03:04:05Z";
    json!({
        "annotations": {"a": "b", "c": "d"},
        "creationTimestamp": time,
        "deletionGracePeriodSeconds": 1,
        "deletionTimestamp": time,
        "finalizers": ["a"],
        "generateName": "a",
        "generation": 1,
        "labels": {"a": "b", "c": "d"},
        "managedFields": [{
            "apiVersion": "v1",
            "fieldsType": "FieldsV1",
            "fieldsV1": {"f:metadata": {}, "f:spec": {"f:leaseName": {}, "k:{\"a\":1}": {".": {}}}},
            "manager": "a",
            "operation": "Apply",
            "subresource": "status",
            "time": time,
        }],
        "name": "a",
        "namespace": "a",
        "ownerReferences": [{
            "apiVersion": "v1", "kind": "Pod", "name": "a", "uid": "a",
            "controller": true, "blockOwnerDeletion": true,
        }],
        "resourceVersion": "a",
        "selfLink": "a",
        "uid": "a",
    })
}

/// Random values in the form of an example: objects have some of its members, lists have 1 or 2 items like its first one.
fn like(example: &Value) -> BoxedStrategy<Value> {
    match example {
        Value::String(text) => match text.parse::<jiff::Timestamp>() {
            Ok(_) if text.contains('.') => time(1_000_000, 6),
            Ok(_) => time(1, 0),
            Err(_) => "[a-z/\"é ]{0,6}".prop_map(Value::from).boxed(),
        },
        Value::Number(_) => any::<i32>().prop_map(Value::from).boxed(),
        Value::Bool(_) => any::<bool>().prop_map(Value::from).boxed(),
        Value::Array(items) => vec(like(&items[0]), 1..3).prop_map(Value::Array).boxed(),
        Value::Object(members) => {
            let needed = |name| example.get("kind").is_some() && OWNER.contains(&name);
            let members = members.iter().map(|(name, value)| {
                let value = like(value);
                let needed = needed(name.as_str());
                let value = if needed { value.prop_map(Some).boxed() } else { of(value).boxed() };
                (Just(name.clone()), value)
            });
            let members = members.collect::<Vec<_>>();
            let present = |members: Vec<(String, Option<Value>)>| {
                members.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
            };
            members.prop_map(present).prop_map(Value::Object).boxed()
        }
        Value::Null => Just(Value::Null).boxed(),
    }
}

/// Times from year 1 to year 9998, with this number of units in a second.
fn time(units: i64, digits: usize) -> BoxedStrategy<Value> {
    let times = -62_135_596_800 * units..253_370_764_800 * units;
    let text = move |time: i64| {
        let nanoseconds = i128::from(time) * i128::from(1_000_000_000 / units);
        let time = jiff::Timestamp::from_nanosecond(nanoseconds).unwrap();
        Value::from(format!("{time:.digits$}"))
    };
    times.prop_map(text).boxed()
}

/// Random objects of a kind, with some of the members of this spec.
fn of_kind<K: HasSpec>(spec: Value) -> impl Strategy<Value = K> {
    like(&json!({"metadata": metadata(), "spec": spec}))
        .prop_map(|object| serde_json::from_value(object).unwrap())
}

fn lease() -> impl Strategy<Value = v1::Lease> {
    of_kind(json!({
        "acquireTime": TIME,
        "holderIdentity": "holder",
        "leaseDurationSeconds": 15,
        "leaseTransitions": 1,
        "preferredHolder": "preferred",
        "renewTime": TIME,
        "strategy": "OldestEmulationVersion",
    }))
}

fn candidate<K: HasSpec>(strategy: &str, value: Value) -> impl Strategy<Value = K> {
    let mut spec = json!({
        "binaryVersion": "1.36.0",
        "emulationVersion": "1.35.0",
        "leaseName": "lease",
        "pingTime": TIME,
        "renewTime": TIME,
    });
    spec[strategy] = value;
    of_kind(spec)
}

fn json(object: &impl Serialize) -> Value {
    serde_json::to_value(object).unwrap()
}

/// Converts to the metadata of `k8s-openapi`, through text and through a `DynamicObject`, and back.
fn check<K: HasSpec<Scope = Namespaced>>(plain: &K) -> Object<K> {
    let object = Object::from_plain(plain.clone()).unwrap();
    assert_eq!(json(&object), json(plain));
    assert_eq!(object.clone().into_plain(), *plain);

    let text = serde_json::to_string(&object).unwrap();
    assert_eq!(serde_json::from_str::<Object<K>>(&text).unwrap(), object);

    let resource = ApiResource::erase::<Object<K>>(&());
    let dynamic: DynamicObject = serde_json::from_str(&text).unwrap();
    assert_eq!(dynamic.types.as_ref().unwrap().api_version, resource.api_version);
    assert_eq!(dynamic.try_parse::<Object<K>>().unwrap(), object);
    object
}

/// Converts to a type of `k8s-openapi` and back.
fn check_openapi<K, T>(plain: &K)
where
    K: HasSpec<Scope = Namespaced>,
    T: Serialize + DeserializeOwned,
{
    let object = check(plain);
    let theirs: T = serde_json::from_value(json(&object)).unwrap();
    assert_eq!(serde_json::from_value::<Object<K>>(json(&theirs)).unwrap(), object);
}

/// Converts to another version, as the plain objects do.
fn check_versions<K, T>(plain: &K)
where
    K: HasSpec<Scope = Namespaced> + ConvertObject<T>,
    T: HasSpec,
{
    let (expected, expected_report) = plain.clone().convert();
    let (converted, report) = check(plain).convert();
    assert_eq!(converted, Object::from_plain(expected).unwrap());
    assert_eq!(report, expected_report);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn leases(lease in lease()) {
        check_openapi::<_, openapi::v1::Lease>(&lease);
    }

    #[test]
    fn candidates_of_v1alpha1(candidate in candidate::<v1alpha1::LeaseCandidate>("preferredStrategies", json!(["a"]))) {
        check_versions::<_, v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1beta1::LeaseCandidate>(&candidate);
    }

    #[test]
    fn candidates_of_v1alpha2(candidate in candidate::<v1alpha2::LeaseCandidate>("strategy", json!("a"))) {
        check_openapi::<_, openapi::v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1alpha1::LeaseCandidate>(&candidate);
    }

    #[test]
    fn candidates_of_v1beta1(candidate in candidate::<v1beta1::LeaseCandidate>("strategy", json!("a"))) {
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

    let json = json!({"metadata": {"deletionTimestamp": "10000-01-01T00:00:00Z"}});
    let lease: v1::Lease = serde_json::from_value(json.clone()).unwrap();
    let error = Object::from_plain(lease).unwrap_err();
    assert_eq!(error.field(), "metadata.deletionTimestamp");
    let error = serde_json::from_value::<Object<v1::Lease>>(json).unwrap_err();
    let text = "metadata.deletionTimestamp: `10000-01-01T00:00:00Z` is out of the range";
    assert!(error.to_string().starts_with(text), "{error}");
}

/// Go writes `null` for the fields of a manager that protobuf has without a text.
#[test]
fn fields_without_a_text_are_absent() {
    let body = b"k8s\0\x0a\x1f\x0a\x16coordination.k8s.io/v1\x12\x05Lease\x12\x0a\x0a\x08\x8a\x01\x05\x0a\x01m\x3a\0";
    let plain: v1::Lease = protobuf::decode(body).unwrap();
    let object = Object::from_plain(plain).unwrap();
    let managers = object.metadata.managed_fields.unwrap();
    assert_eq!(managers[0].manager.as_deref(), Some("m"));
    assert_eq!(managers[0].fields_v1, None);
}

#[test]
fn objects_of_another_version_are_refused() {
    let candidate = r#"{"apiVersion": "coordination.k8s.io/v1alpha2", "kind": "LeaseCandidate"}"#;
    let error = serde_json::from_str::<Object<v1beta1::LeaseCandidate>>(candidate).unwrap_err();
    let expected = "invalid value: string \"coordination.k8s.io/v1alpha2\", expected apiVersion `coordination.k8s.io/v1beta1`";
    assert!(error.to_string().starts_with(expected), "{error}");
}
