//! `docs/reference/resource/conversion-vectors.json`: the annotation of conversions inside lists and maps, for other implementations.

use std::path::Path;

use k8s_resource::conversion::{AnyResourceClaim, AnyResourceSlice};
use serde_json::{Value, json};
use testing::vectors::{Vector, annotations, check, kept, line, run};

const ABOUT: &str = "Vectors of docs/reference/conversion-annotation.md inside lists and maps. Each converts `before` into the versions of `to`, one after the other.";

const CLAIMS: &str = "conversion.k8s-resource.internal/resource-claim";
const SLICES: &str = "conversion.k8s-resource.internal/resource-slice";

fn claim(version: &str, annotation: Option<Value>, requests: &Value) -> Value {
    let annotations = annotation.map(|annotation| annotations(CLAIMS, &annotation));
    json!({
        "apiVersion": format!("resource.k8s.io/{version}"), "kind": "ResourceClaim",
        "metadata": {"name": "a", "annotations": annotations},
        "spec": {"devices": {"requests": requests}},
    })
}

fn slice(version: &str, annotation: Option<Value>, devices: &Value) -> Value {
    let annotations = annotation.map(|annotation| annotations(SLICES, &annotation));
    json!({
        "apiVersion": format!("resource.k8s.io/{version}"), "kind": "ResourceSlice",
        "metadata": {"name": "a", "annotations": annotations},
        "spec": {"driver": "d.example.com", "pool": {"name": "p", "generation": 1, "resourceSliceCount": 1}, "devices": devices},
    })
}

fn of_claims() -> Vec<Vector> {
    let empty = json!([{"name": "r0", "exactly": {"deviceClassName": ""}}]);
    let exactly = "spec.devices.requests[#0:380e9587].exactly";
    let gone = || kept("v1beta2", "spec.devices.requests[#7:00000000].exactly", &json!(null));
    vec![
        ("an empty sub-object, down", claim("v1", None, &empty), &["v1beta1"]),
        ("an empty sub-object, down and up", claim("v1", None, &empty), &["v1beta1", "v1"]),
        (
            "a sub-object, up and down",
            claim("v1beta1", None, &json!([{"name": "r0", "deviceClassName": "c"}])),
            &["v1", "v1beta1"],
        ),
        (
            "the item of a kept value is another one",
            claim(
                "v1beta1",
                Some(kept("v1beta2", exactly, &json!({"deviceClassName": ""}))),
                &json!([{"name": "r1", "deviceClassName": ""}]),
            ),
            &["v1"],
        ),
        (
            "a kept value of a position that is gone",
            claim("v1beta1", Some(gone()), &json!([])),
            &["v1"],
        ),
        (
            "an item that is gone: the value is carried along, and discarded in the first version that has the field",
            claim("v1beta1", Some(gone()), &json!([])),
            &["v1alpha3", "v1beta1", "v1beta2"],
        ),
        (
            "an edited request",
            claim(
                "v1beta1",
                Some(kept("v1beta2", exactly, &json!({"deviceClassName": ""}))),
                &json!([{"name": "r0", "deviceClassName": "edited"}]),
            ),
            &["v1"],
        ),
    ]
}

fn of_slices() -> Vec<Vector> {
    let device = json!([
        {"name": "d0", "attributes": {"x.example.com/a": {"bools": [true]}}},
        {"name": "d1", "capacity": {"mem": {"value": "1Gi", "requestPolicy": {"default": "1Mi"}}}},
    ]);
    let capacity = r#"spec.devices[#0:2ad74cec].basic.capacity["mem"]"#;
    let old = json!([{"name": "d0", "basic": {"capacity": {"mem": "2Gi"}}}]);
    vec![
        ("values in a list and in maps, down", slice("v1", None, &device), &["v1alpha3"]),
        (
            "values in a list and in maps, down and up",
            slice("v1", None, &device),
            &["v1alpha3", "v1beta1", "v1"],
        ),
        (
            "an absent sub-object of a device",
            slice("v1beta1", None, &json!([{"name": "d0"}])),
            &["v1", "v1beta1"],
        ),
        (
            "a field inside a sub-object that was kept as absent",
            slice(
                "v1",
                Some(kept("v1alpha3", "spec.devices[#0:54d9cda1].basic", &json!(null))),
                &json!([{"name": "d0", "bindsToNode": false}]),
            ),
            &["v1alpha3", "v1beta1", "v1"],
        ),
        (
            "a kept field inside a sub-object that is gone",
            slice(
                "v1alpha3",
                Some(kept("v1beta1", "spec.devices[#0:54d9cda1].basic.bindsToNode", &json!(true))),
                &json!([{"name": "d0"}]),
            ),
            &["v1"],
        ),
        (
            "an edited capacity",
            slice(
                "v1alpha3",
                Some(kept(
                    "v1beta1",
                    &capacity.replace("2ad74cec", "54d9cda1"),
                    &json!({"value": "1Gi", "requestPolicy": {}}),
                )),
                &old,
            ),
            &["v1beta1"],
        ),
        (
            "a kept capacity of another item",
            slice("v1alpha3", Some(kept("v1beta1", capacity, &json!({"value": "1Gi"}))), &old),
            &["v1beta1"],
        ),
    ]
}

#[test]
fn of_lists_and_maps() {
    let claims = of_claims()
        .into_iter()
        .map(|vector| line(&vector, &run::<AnyResourceClaim>(&vector.1, vector.2)));
    let slices = of_slices()
        .into_iter()
        .map(|vector| line(&vector, &run::<AnyResourceSlice>(&vector.1, vector.2)));
    let lines: Vec<String> = claims.chain(slices).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    check(&root.join("../../docs/reference/resource/conversion-vectors.json"), ABOUT, &lines);
}

/// A request is removed, and restored, between two versions that both lack the field of the kept value.
#[test]
fn a_value_waits_for_a_version_that_has_its_field() {
    let before = claim("v1", None, &json!([{"name": "r0", "exactly": {"deviceClassName": ""}}]));
    let (kept, _) = run::<AnyResourceClaim>(&before, &["v1beta1"]);
    let mut removed = kept.clone();
    removed["spec"]["devices"]["requests"] = json!([]);
    for version in ["v1beta2", "v1"] {
        let (mut waiting, reports) = run::<AnyResourceClaim>(&removed, &["v1alpha3", "v1beta1"]);
        assert_eq!(reports, [json!([]), json!([])]);
        let (gone, reports) = run::<AnyResourceClaim>(&waiting, &[version]);
        assert_eq!(reports[0][0]["finding"], "unsupported", "{version}");
        assert!(gone["metadata"]["annotations"].is_null(), "{version}");
        waiting["spec"] = kept["spec"].clone();
        let (restored, reports) = run::<AnyResourceClaim>(&waiting, &[version]);
        assert_eq!(reports[0][0]["finding"], "restored", "{version}");
        assert_eq!(restored["spec"], before["spec"], "{version}");
    }
}
