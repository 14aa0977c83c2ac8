//! Lists with a bad item, and deletions.

use k8s_coordination::k8s_versioned::operation::{Deletion, Success, http};
use k8s_coordination::parameters::{DeleteCollectionParameters, DeleteParameters, ListParameters};
use k8s_coordination::v1::Lease;

#[test]
fn one_bad_item_does_not_spoil_the_list() {
    let body = r#"{"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1", "metadata": {"resourceVersion": "7"},
        "items": [
            {"metadata": {"name": "a"}},
            {"metadata": {"name": "b", "namespace": "n"}, "spec": {"leaseDurationSeconds": "15"}},
            7,
            {"metadata": {"name": "c"}, "spec": null}
        ]}"#;
    let response = http::Response::new(body);
    let request = Lease::list("n", &ListParameters::default()).unwrap();
    assert!(request.decode(&response).is_err());
    let list = request.tolerant().decode(&response).unwrap().body;
    assert_eq!(list.metadata.resource_version.as_deref(), Some("7"));
    let names: Vec<_> = list
        .items
        .iter()
        .map(|item| item.metadata.name.as_deref())
        .collect();
    assert_eq!(names, [Some("a"), Some("c")]);
    let errors: Vec<String> = list.errors.iter().map(ToString::to_string).collect();
    let expected = [
        r#"item 1 (n/b): invalid type: string "15", expected i32"#,
        "item 2: invalid type: integer `7`, expected an object of kind `Lease`",
    ];
    assert_eq!(errors.len(), expected.len());
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.starts_with(expected), "{error}");
    }
    assert_eq!(list.errors[1].json, "7");
}

#[test]
fn odd_lists() {
    let request = Lease::list("n", &ListParameters::default())
        .unwrap()
        .tolerant();
    for body in [
        "{}",
        r#"{"items": null, "metadata": null}"#,
        r#"{"items": []}"#,
    ] {
        let list = request.decode(&http::Response::new(body)).unwrap().body;
        assert_eq!((list.items.len(), list.errors.len()), (0, 0), "{body}");
    }
    let error = request.decode(&http::Response::new("7")).unwrap_err();
    assert_eq!(
        error.to_string(),
        "200 OK: the body cannot be decoded: invalid type: integer `7`, expected a list of objects at line 1 column 1"
    );
    for body in [
        "[]",
        r#"{"kind": "Lease"}"#,
        r#"{"items": 1}"#,
        r#"{"metadata": 1}"#,
    ] {
        assert!(
            request.decode(&http::Response::new(body)).is_err(),
            "{body}"
        );
    }
}

#[test]
fn what_is_deleted_is_gone_or_waits() {
    let request = Lease::delete("n", "a", None, &DeleteParameters::default()).unwrap();
    let gone = r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#;
    let response = request.decode(&http::Response::new(gone)).unwrap();
    assert!(
        matches!(response.body, Deletion::Status(status) if status.status.as_deref() == Some("Success"))
    );
    let waits = r#"{"kind": "Lease", "metadata": {"deletionTimestamp": "2026-01-02T03:04:05Z"}}"#;
    let accepted = http::Response::builder().status(202).body(waits).unwrap();
    let response = request.decode(&accepted).unwrap();
    assert_eq!(response.success, Success::Accepted);
    assert!(
        matches!(response.body, Deletion::Object(lease) if lease.metadata.deletion_timestamp.is_some())
    );

    let request =
        Lease::delete_collection("n", None, &DeleteCollectionParameters::default()).unwrap();
    let list = r#"{"kind": "LeaseList", "items": [{}]}"#;
    let response = request.decode(&http::Response::new(list)).unwrap();
    assert!(matches!(response.body, Deletion::Object(list) if list.items.len() == 1));
}
