//! Combinations of parameters that servers refuse are not built.

use k8s_coordination::operation::{
    DeleteParameters, ListParameters, Patch, PatchParameters, RequestError,
};
use k8s_coordination::prelude::*;
use k8s_coordination::v1::Lease;
use serde_json::{Value, json};

/// The message for a request that is not built.
fn message<A>(built: Result<A, RequestError>) -> String {
    built.map_or_else(|error| error.to_string(), |_| "built".to_owned())
}

/// Parameters of a list or a watch from their names in the query.
fn parameters(fields: Value) -> ListParameters {
    serde_json::from_value(fields).unwrap()
}

const NO_VERSION: &str = "servers refuse `resourceVersionMatch` without `resourceVersion`";
const TOKEN: &str =
    "servers refuse `resourceVersionMatch` with `continue`: the token contains the state";

#[test]
fn lists() {
    let table = [
        (json!({"resourceVersionMatch": "Exact"}), NO_VERSION.to_owned()),
        (
            json!({"resourceVersionMatch": "Exact", "resourceVersion": ""}),
            NO_VERSION.to_owned(),
        ),
        (
            json!({"resourceVersionMatch": "Exact", "resourceVersion": "0"}),
            "servers refuse `resourceVersionMatch` `Exact` with the `resourceVersion` `0`, which is any state"
                .to_owned(),
        ),
        (
            json!({"continue": "t", "resourceVersion": "7"}),
            "servers refuse `resourceVersion` with `continue`: the token contains the state".to_owned(),
        ),
        // All that is wrong is told.
        (
            json!({"continue": "t", "resourceVersionMatch": "Exact"}),
            format!("{NO_VERSION}; {TOKEN}"),
        ),
        (
            json!({"sendInitialEvents": false}),
            "servers refuse `sendInitialEvents` for a list: it is for a watch".to_owned(),
        ),
    ];
    for (fields, expected) in table {
        let selection = parameters(fields.clone());
        assert_eq!(message(Lease::list("n", &selection)), expected, "{fields}");
        let deletion = Lease::delete_collection("n", &selection, ());
        assert_eq!(message(deletion), expected, "{fields}");
    }
    for fields in [
        json!({}),
        json!({"resourceVersionMatch": "Exact", "resourceVersion": "7", "limit": 2}),
        json!({"resourceVersionMatch": "NotOlderThan", "resourceVersion": "0"}),
        json!({"resourceVersionMatch": "", "continue": "t", "resourceVersion": "0"}),
    ] {
        let built = Lease::list_all_namespaces(parameters(fields.clone()));
        assert_eq!(message(built), "built", "{fields}");
    }
}

#[test]
fn watches() {
    let initial =
        "servers refuse `sendInitialEvents` without `resourceVersionMatch=NotOlderThan`".to_owned();
    let table = [
        (json!({"sendInitialEvents": true}), initial.clone()),
        (
            json!({"sendInitialEvents": true, "resourceVersionMatch": "Exact"}),
            initial,
        ),
        (
            json!({"resourceVersionMatch": "NotOlderThan", "resourceVersion": "7"}),
            "servers refuse `resourceVersionMatch` for a watch without `sendInitialEvents`"
                .to_owned(),
        ),
        (
            json!({"sendInitialEvents": true, "resourceVersionMatch": "NotOlderThan", "continue": "t"}),
            TOKEN.to_owned(),
        ),
        (
            json!({"sendInitialEvents": true, "resourceVersionMatch": "NotOlderThan"}),
            "built".to_owned(),
        ),
        (json!({"resourceVersion": "7"}), "built".to_owned()),
    ];
    for (fields, expected) in table {
        let parameters = parameters(fields.clone());
        assert_eq!(
            message(Lease::watch("n", &parameters)),
            expected,
            "{fields}"
        );
        let all = Lease::watch_all_namespaces(&parameters);
        assert_eq!(message(all), expected, "{fields}");
    }
}

#[test]
fn deletions() {
    let parameters = DeleteParameters::default()
        .with_orphan_dependents(true)
        .with_propagation_policy("Orphan");
    let expected = "servers refuse `orphanDependents` with `propagationPolicy`, which replaces it";
    assert_eq!(message(Lease::delete("n", "a", &parameters)), expected);
    let many = Lease::delete_collection("n", (), &parameters);
    assert_eq!(message(many), expected);
    let bookmarks = ListParameters::default().with_allow_watch_bookmarks(true);
    assert_eq!(
        message(Lease::delete_collection("n", bookmarks, ())),
        "servers refuse `allowWatchBookmarks` for a deletion: it is for a watch"
    );
}

#[test]
fn patches() {
    let (force, merge) = (
        PatchParameters::default().with_force(true),
        Patch::Merge(json!({})),
    );
    assert_eq!(
        message(Lease::patch("n", "a", &merge, force)),
        "`force` is for apply alone"
    );
    assert!(
        message(Lease::patch("n", "a", &Patch::Apply(json!({})), ()))
            .starts_with("apply needs a `fieldManager`")
    );
}
