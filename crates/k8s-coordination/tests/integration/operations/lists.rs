//! Lists with a bad item, and deletions.

use std::fmt::Write as _;

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{Deletion, TolerantList, http};
use k8s_coordination::v1::Lease;
use proptest::prelude::*;

const BODIES: [&str; 10] = [
    r#"{"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1", "metadata": {"resourceVersion": "7"}, "items": [
        {"metadata": {"name": "a"}},
        {"metadata": {"name": "b", "namespace": "n"}, "spec": {"leaseDurationSeconds": "15"}},
        7,
        {"metadata": {"name": "c"}, "spec": null}]}"#,
    "{}",
    r#"{"items": null, "metadata": null}"#,
    r#"{"items": []}"#,
    "7",
    "[]",
    r#"{"items": [[]], "metadata": []}"#,
    r#"{"kind": "Lease"}"#,
    r#"{"items": 1}"#,
    r#"{"metadata": 1}"#,
];

/// One bad item does not spoil a tolerant list. The snapshot has each body as a list, and as a tolerant one.
#[test]
fn lists_of_any_form() {
    let request = Lease::list("n", ()).unwrap();
    let mut out = String::new();
    for body in BODIES {
        let response = http::Response::new(body);
        let strict = request.clone().decode(&response).map(|list| list.body.items.len());
        let strict = strict.map_err(|error| error.to_string());
        writeln!(out, "# {body}\n{strict:?}").unwrap();
        match request.clone().tolerant().decode(&response) {
            Err(error) => writeln!(out, "tolerant: {error}\n").unwrap(),
            Ok(response) => {
                let TolerantList { list, errors, .. } = response.body;
                let names = list.items.iter().map(|item| item.metadata.name.as_deref());
                let errors: Vec<_> =
                    errors.iter().map(|error| (error.to_string(), &error.json)).collect();
                let (names, version) = (names.collect::<Vec<_>>(), &list.metadata.resource_version);
                writeln!(out, "tolerant: {names:?} at {version:?}, {errors:#?}\n").unwrap();
            }
        }
    }
    insta::assert_snapshot!(out);
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
            let tolerant = tolerant.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let TolerantList { list: tolerant, errors, .. } = tolerant.body;
            prop_assert!(errors.is_empty(), "{errors:?}");
            prop_assert_eq!(tolerant, list.body);
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
        matches!(response.unwrap().body, Deletion::Returned(TolerantList { list, errors, .. }) if (list.items.len(), errors.len()) == (1, 1))
    );
}
