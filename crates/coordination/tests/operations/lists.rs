//! Lists with a bad item, and deletions.

use k8s_coordination::operation::{Deletion, http};
use k8s_coordination::prelude::*;
use k8s_coordination::v1::Lease;
use proptest::prelude::*;

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
    let request = Lease::list("n", ()).unwrap();
    assert!(request.decode(&response).is_err());
    let list = request.tolerant().decode(&response).unwrap().body;
    assert_eq!(list.metadata.resource_version.as_deref(), Some("7"));
    let names: Vec<_> = list.items.iter().map(|item| item.metadata.name.as_deref()).collect();
    assert_eq!(names, [Some("a"), Some("c")]);
    let errors: Vec<String> = list.errors.iter().map(ToString::to_string).collect();
    let expected = [
        r#"item 1 (namespace `n`, name `b`) cannot be decoded: invalid type: string "15", expected i32"#,
        "item 2 cannot be decoded: invalid type: integer `7`, expected an object of kind `Lease`",
    ];
    assert_eq!(errors.len(), expected.len());
    for (error, expected) in errors.iter().zip(expected) {
        assert!(error.starts_with(expected), "{error}");
    }
    assert_eq!(list.errors[1].json, "7");
}

#[test]
fn odd_lists() {
    let request = Lease::list("n", ()).unwrap().tolerant();
    for body in ["{}", r#"{"items": null, "metadata": null}"#, r#"{"items": []}"#] {
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
        r#"{"items": [[]], "metadata": []}"#,
        r#"{"kind": "Lease"}"#,
        r#"{"items": 1}"#,
        r#"{"metadata": 1}"#,
    ] {
        assert!(request.decode(&http::Response::new(body)).is_err(), "{body}");
    }
}

proptest! {
    /// A tolerant list decodes whatever a list decodes, without errors and to the same.
    #[test]
    fn tolerant_lists_take_all_that_lists_take(
        items in prop::collection::vec(prop::sample::select(ITEMS), 0..4),
        metadata in prop::sample::select(&["null", "{}", r#"{"continue": "t"}"#, "7"][..]),
        kind in prop::sample::select(&["null", r#""""#, r#""LeaseList""#, r#""Lease""#][..]),
        form in 0..4,
    ) {
        let items = items.join(",");
        let body = match form {
            0 => format!(r#"{{"kind": {kind}, "metadata": {metadata}, "items": [{items}]}}"#),
            1 => format!(r#"{{"items": [{items}], "more": [null]}}"#),
            2 => "[]".to_owned(),
            _ => format!("[null, {kind}, {metadata}, [{items}]]"),
        };
        let response = http::Response::new(body);
        let request = Lease::list("n", ()).unwrap();
        if let Ok(list) = request.decode(&response) {
            let tolerant = request.tolerant().decode(&response);
            let tolerant = tolerant.map_err(|error| TestCaseError::fail(error.to_string()))?.body;
            prop_assert!(tolerant.errors.is_empty(), "{:?}", tolerant.errors);
            prop_assert_eq!(tolerant.items, list.body.items);
            prop_assert_eq!(tolerant.metadata, list.body.metadata);
        }
    }
}

const ITEMS: &[&str] = &[
    "null",
    "{}",
    "7",
    "[]",
    r#"{"metadata": {"name": "a"}, "spec": null}"#,
    r#"{"kind": "Lease", "apiVersion": ""}"#,
    r#"{"spec": {"leaseDurationSeconds": "15"}}"#,
];

#[test]
fn what_is_deleted_is_gone_or_waits() {
    let request = Lease::delete("n", "a", ()).unwrap();
    let gone = r#"{"kind": "Status", "apiVersion": "v1", "status": "Success"}"#;
    let response = request.decode(&http::Response::new(gone)).unwrap();
    assert!(
        matches!(response.body, Deletion::Status(status) if status.status.as_deref() == Some("Success"))
    );
    let waits = r#"{"kind": "Lease", "metadata": {"deletionTimestamp": "2026-01-02T03:04:05Z"}}"#;
    let accepted = http::Response::builder().status(202).body(waits).unwrap();
    let response = request.decode(&accepted).unwrap();
    assert_eq!(response.code, http::StatusCode::ACCEPTED);
    assert!(
        matches!(response.body, Deletion::Returned(lease) if lease.metadata.deletion_timestamp.is_some())
    );

    let request = Lease::delete_collection("n", (), ()).unwrap();
    let list = r#"{"kind": "LeaseList", "items": [{}]}"#;
    let response = request.decode(&http::Response::new(list)).unwrap();
    assert!(matches!(response.body, Deletion::Returned(list) if list.items.len() == 1));
    let list = r#"{"kind": "LeaseList", "items": [{}, 7]}"#;
    assert!(request.decode(&http::Response::new(list)).is_err());
    let response = request.tolerant().decode(&http::Response::new(list));
    assert!(
        matches!(response.unwrap().body, Deletion::Returned(list) if (list.items.len(), list.errors.len()) == (1, 1))
    );
}
