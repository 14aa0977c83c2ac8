//! Random objects: nothing is lost on the way to another type and back.

use k8s_coordination::conversion::ConvertObject;
use k8s_coordination::meta::v1::{FieldsV1, ManagedFieldsEntry, ObjectMeta};
use k8s_coordination::prelude::HasSpec;
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use k8s_coordination_kube::Object;
use k8s_openapi::api::coordination as openapi;
use kube::api::{ApiResource, DynamicObject};
use proptest::collection::{btree_map, vec};
use proptest::option::of;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::{Value, json};

/// An object of these members, of which some are absent.
fn object<const N: usize>(
    members: [(&'static str, BoxedStrategy<Value>); N],
) -> BoxedStrategy<Value> {
    let members = members.map(|(name, value)| of(value).prop_map(move |value| (name, value)));
    let present = |(name, value): (&'static str, Option<Value>)| Some((name.to_owned(), value?));
    Vec::from(members)
        .prop_map(move |members| Value::Object(members.into_iter().filter_map(present).collect()))
        .boxed()
}

fn text() -> BoxedStrategy<Value> {
    "[a-z/\"é ]{0,6}".prop_map(Value::from).boxed()
}

fn map() -> BoxedStrategy<Value> {
    let map = btree_map("[a-z/]{1,6}", "[a-z é]{0,6}", 1..3);
    map.prop_map(|map| json!(map)).boxed()
}

fn list(item: BoxedStrategy<Value>) -> BoxedStrategy<Value> {
    vec(item, 1..3).prop_map(Value::Array).boxed()
}

fn number() -> BoxedStrategy<Value> {
    any::<i32>().prop_map(Value::from).boxed()
}

/// From year 1 to year 9998, in these units of a second.
fn time(units: i64, digits: usize) -> BoxedStrategy<Value> {
    let times = -62_135_596_800 * units..253_370_764_800 * units;
    let text = move |time: i64| {
        let nanoseconds = i128::from(time) * i128::from(1_000_000_000 / units);
        let time = jiff::Timestamp::from_nanosecond(nanoseconds).unwrap();
        Value::from(format!("{time:.digits$}"))
    };
    times.prop_map(text).boxed()
}

fn metadata() -> BoxedStrategy<Value> {
    let fields = btree_map("[fkv.]:[a-z]{0,4}", Just(json!({})), 0..4);
    let manager = object([
        ("apiVersion", text()),
        ("fieldsType", text()),
        ("fieldsV1", fields.prop_map(|fields| json!({"f:spec": fields})).boxed()),
        ("manager", text()),
        ("operation", text()),
        ("subresource", text()),
        ("time", time(1, 0)),
    ]);
    let owner = (text(), text(), of(any::<bool>()), of(any::<bool>()));
    let owner = owner.prop_map(|(name, uid, controller, block)| {
        let mut owner = json!({"apiVersion": "v1", "kind": "Pod", "name": name, "uid": uid});
        let flags = [("controller", controller), ("blockOwnerDeletion", block)];
        for (name, flag) in flags.into_iter().filter_map(|(name, flag)| Some((name, flag?))) {
            owner[name] = flag.into();
        }
        owner
    });
    object([
        ("annotations", map()),
        ("creationTimestamp", time(1, 0)),
        ("deletionGracePeriodSeconds", number()),
        ("deletionTimestamp", time(1, 0)),
        ("finalizers", list(text())),
        ("generateName", text()),
        ("generation", number()),
        ("labels", map()),
        ("managedFields", list(manager)),
        ("name", text()),
        ("namespace", text()),
        ("ownerReferences", list(owner.boxed())),
        ("resourceVersion", text()),
        ("selfLink", text()),
        ("uid", text()),
    ])
}

fn of_kind<K: HasSpec>(spec: BoxedStrategy<Value>) -> impl Strategy<Value = K> {
    (metadata(), spec).prop_map(|(metadata, spec)| {
        serde_json::from_value(json!({"metadata": metadata, "spec": spec})).unwrap()
    })
}

fn lease() -> impl Strategy<Value = v1::Lease> {
    of_kind(object([
        ("acquireTime", time(1_000_000, 6)),
        ("holderIdentity", text()),
        ("leaseDurationSeconds", number()),
        ("leaseTransitions", number()),
        ("preferredHolder", text()),
        ("renewTime", time(1_000_000, 6)),
        ("strategy", text()),
    ]))
}

fn candidate<K: HasSpec>(strategy: &'static str) -> impl Strategy<Value = K> {
    let strategies = if strategy == "strategy" { text() } else { list(text()) };
    of_kind(object([
        ("binaryVersion", text()),
        ("emulationVersion", text()),
        ("leaseName", text()),
        ("pingTime", time(1_000_000, 6)),
        ("renewTime", time(1_000_000, 6)),
        (strategy, strategies),
    ]))
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
    T: TryFrom<Object<K>> + Clone + Serialize,
    Object<K>: TryFrom<T>,
    <T as TryFrom<Object<K>>>::Error: std::fmt::Debug,
    <Object<K> as TryFrom<T>>::Error: std::fmt::Debug,
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

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn leases(lease in lease()) {
        check_openapi::<_, openapi::v1::Lease>(&lease);
    }

    #[test]
    fn candidates_of_v1alpha1(candidate in candidate::<v1alpha1::LeaseCandidate>("preferredStrategies")) {
        check_versions::<_, v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1beta1::LeaseCandidate>(&candidate);
    }

    #[test]
    fn candidates_of_v1alpha2(candidate in candidate::<v1alpha2::LeaseCandidate>("strategy")) {
        check_openapi::<_, openapi::v1alpha2::LeaseCandidate>(&candidate);
        check_versions::<_, v1alpha1::LeaseCandidate>(&candidate);
    }

    #[test]
    fn candidates_of_v1beta1(candidate in candidate::<v1beta1::LeaseCandidate>("strategy")) {
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
fn objects_of_another_kind_are_refused() {
    let lease =
        r#"{"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {}, "spec": {}}"#;
    let error = serde_json::from_str::<Object<v1beta1::LeaseCandidate>>(lease).unwrap_err();
    let expected = "invalid value: string \"coordination.k8s.io/v1\", expected apiVersion `coordination.k8s.io/v1beta1`";
    assert!(error.to_string().starts_with(expected), "{error}");
    let kind = lease.replace("\"Lease\"", "\"Pod\"");
    let error = serde_json::from_str::<Object<v1::Lease>>(&kind).unwrap_err();
    let expected = "invalid value: string \"Pod\", expected kind `Lease`";
    assert!(error.to_string().starts_with(expected), "{error}");
}
