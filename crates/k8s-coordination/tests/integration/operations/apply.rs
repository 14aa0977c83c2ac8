//! Apply types hold the fields that were set, and no others.

use k8s_coordination::meta::v1::apply::{ObjectMeta, OwnerReference};
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use serde::Serialize;
use serde_json::{Value, json};

fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap()
}

#[test]
fn nothing_is_claimed_that_was_not_set() {
    let (group, kind) = ("coordination.k8s.io", "Lease");
    let mut expected = json!({"apiVersion": format!("{group}/v1"), "kind": kind});
    assert_eq!(json(&v1::apply::Lease::default()), expected);

    expected["metadata"] = json!({"name": "a"});
    assert_eq!(json(&v1::apply::Lease::new("a")), expected);

    let spec =
        v1::apply::LeaseSpec::default().with_holder_identity("").with_lease_duration_seconds(15);
    expected["spec"] = json!({"holderIdentity": "", "leaseDurationSeconds": 15});
    assert_eq!(json(&v1::apply::Lease::new("a").with_spec(spec)), expected);
}

/// A `null` would be written for each field that is not left out.
#[test]
fn parts_write_nothing_that_was_not_set() {
    let parts = [
        json(&v1::apply::LeaseSpec::default()),
        json(&v1alpha1::apply::LeaseCandidateSpec::default()),
        json(&v1alpha2::apply::LeaseCandidateSpec::default()),
        json(&v1beta1::apply::LeaseCandidateSpec::default()),
        json(&ObjectMeta::default()),
        json(&OwnerReference::default()),
    ];
    assert_eq!(parts, [(); 6].map(|()| json!({})));
}

/// An empty list or map claims the field, an absent one does not.
#[test]
fn empty_is_not_absent() {
    let spec = v1alpha1::apply::LeaseCandidateSpec::default();
    let none: [&str; 0] = [];
    assert_eq!(json(&spec.with_preferred_strategies(none)), json!({"preferredStrategies": []}));

    let owner = OwnerReference::default().with_kind("Lease").with_name("b");
    let metadata =
        ObjectMeta::default().with_labels([("team", "a")]).with_owner_references([owner]);
    let expected =
        json!({"labels": {"team": "a"}, "ownerReferences": [{"kind": "Lease", "name": "b"}]});
    assert_eq!(json(&metadata), expected);
}
