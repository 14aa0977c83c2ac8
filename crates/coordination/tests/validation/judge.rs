//! Verdicts on bodies that no client sends.

use k8s_coordination::Kinds;
use k8s_coordination::Registry;
use k8s_coordination::validation::{Request, Verdict};
use k8s_versioned::registry::Body;
use serde_json::Value;

#[test]
fn bodies_of_any_form() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let status = |body: Body<'_>| Request::create(kind, "default").judge(body).status();
    let value = |value: Value| status((&value).into());
    let table = [
        (value(Value::Null), 422),
        (value(serde_json::json!([])), 400),
        (value(serde_json::json!({"spec": []})), 400),
        (value(serde_json::json!({"metadata": {"name": "a", "namespace": "other"}})), 400),
        (value(serde_json::json!({"Kind": "Lease", "metadata": {"name": "a"}})), 200),
        (value(serde_json::json!({"KIND": "Node", "metadata": {"name": "a"}})), 400),
        (
            value(
                serde_json::json!({"apiVersion": "coordination.k8s.io/v1beta1", "metadata": {"name": "a"}}),
            ),
            400,
        ),
        (
            value(
                serde_json::json!({"apiVersion": "coordination.k8s.io/", "metadata": {"name": "a"}}),
            ),
            200,
        ),
        (
            status(Body::Json(br#"{"metadata": {"name": "a"}, "spec": {"leaseTransitions": -0}}"#)),
            200,
        ),
        (
            status(Body::Json(
                b"{\"metadata\": {\"name\": \"a\"}, \"spec\": {\"holderIdentity\": \"\xff\"}}",
            )),
            200,
        ),
    ];
    for (index, (found, expected)) in table.into_iter().enumerate() {
        assert_eq!(found, expected, "row {index}");
    }
}

/// All that is wrong, not only the first.
#[test]
fn every_wrong_field_is_told() {
    let kind = Kinds.find("coordination.k8s.io/v1", "Lease").unwrap();
    let body = r#"{"metadata": {"labels": [], "name": 1}, "spec": {"renewTime": "2026-01-02T03:04:05Z", "leaseTransitions": 1.5}}"#;
    let Verdict::Unreadable { errors } = Request::create(kind, "default").judge(body) else {
        panic!("a server refuses it");
    };
    let mut paths: Vec<_> = errors.iter().map(|error| error.path().to_owned()).collect();
    paths.sort();
    let expected = ["metadata.labels", "metadata.name", "spec.leaseTransitions", "spec.renewTime"];
    assert_eq!(paths, expected);
    let told = errors.iter().find(|error| error.path() == "spec.renewTime").unwrap().to_string();
    assert!(told.contains("write `2026-01-02T03:04:05.000000Z`"), "{told}");
}
