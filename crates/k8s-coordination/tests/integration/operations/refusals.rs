//! Combinations of parameters that servers reject are not built.

use k8s_coordination::meta::v1::DeleteOptions;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ListParameters, Patch, RequestError, WriteParameters};
use k8s_coordination::v1::{Lease, LeaseSpec};
use serde_json::json;

use testing::table::rows;

/// The message for a request that is not built.
fn message<A>(built: Result<A, RequestError>) -> String {
    built.map_or_else(|error| error.to_string(), |_| "built".to_owned())
}

/// Parameters of a list, and the message without `servers reject`.
const LISTS: &str = r#"
{"resourceVersionMatch": "Exact"} | `resourceVersionMatch` without `resourceVersion`
{"resourceVersionMatch": "Exact", "resourceVersion": ""} | `resourceVersionMatch` without `resourceVersion`
{"resourceVersionMatch": "Exact", "resourceVersion": "0"} | `resourceVersionMatch` `Exact` with the `resourceVersion` `0`, which is any state
{"continue": "t", "resourceVersion": "7"} | `resourceVersion` with `continue`: the token contains the state
{"sendInitialEvents": false} | `sendInitialEvents` for a list: it is for a watch
# All mistakes are named.
{"continue": "t", "resourceVersionMatch": "Exact"} | `resourceVersionMatch` without `resourceVersion`; servers reject `resourceVersionMatch` with `continue`: the token contains the state
{} |
{"resourceVersionMatch": "Exact", "resourceVersion": "7", "limit": 2} |
{"resourceVersionMatch": "NotOlderThan", "resourceVersion": "0"} |
{"resourceVersionMatch": "", "continue": "t", "resourceVersion": "0"} |
"#;

/// Parameters of a watch, and the message without `servers reject`.
const WATCHES: &str = r#"
{"sendInitialEvents": true} | `sendInitialEvents` without `resourceVersionMatch=NotOlderThan`
{"sendInitialEvents": true, "resourceVersionMatch": "Exact"} | `sendInitialEvents` without `resourceVersionMatch=NotOlderThan`
{"resourceVersionMatch": "NotOlderThan", "resourceVersion": "7"} | `resourceVersionMatch` for a watch without `sendInitialEvents`
{"sendInitialEvents": true, "resourceVersionMatch": "NotOlderThan", "continue": "t"} | `resourceVersionMatch` with `continue`: the token contains the state
{"sendInitialEvents": true, "resourceVersionMatch": "NotOlderThan"} |
{"resourceVersion": "7"} |
"#;

/// The parameters of each row, and the message.
fn refused(table: &'static str) -> impl Iterator<Item = (ListParameters, String)> {
    rows(table).map(|[parameters, message]| {
        let message = match message {
            "" => "built".to_owned(),
            message => format!("servers reject {message}"),
        };
        (serde_json::from_str(parameters).unwrap(), message)
    })
}

#[test]
fn lists() {
    for (parameters, expected) in refused(LISTS) {
        assert_eq!(message(Lease::list("n", &parameters)), expected);
        let all = Lease::list_all_namespaces(&parameters);
        assert_eq!(message(all), expected);
        let deletion = Lease::delete_collection("n", &parameters, ());
        assert_eq!(message(deletion), expected);
    }
}

#[test]
fn watches() {
    for (parameters, expected) in refused(WATCHES) {
        assert_eq!(message(Lease::watch("n", &parameters)), expected);
        let all = Lease::watch_all_namespaces(&parameters);
        assert_eq!(message(all), expected);
    }
}

#[test]
fn deletions() {
    let parameters =
        DeleteOptions::default().with_orphan_dependents(true).with_propagation_policy("Orphan");
    let expected = "servers reject `orphanDependents` with `propagationPolicy`, which replaces it";
    assert_eq!(message(Lease::delete("n", "a", &parameters)), expected);
    let many = Lease::delete_collection("n", (), &parameters);
    assert_eq!(message(many), expected);
    let bookmarks = ListParameters::default().with_allow_watch_bookmarks(true);
    assert_eq!(
        message(Lease::delete_collection("n", bookmarks, ())),
        "servers reject `allowWatchBookmarks` for a deletion: it is for a watch"
    );
}

/// The name and the namespace of an object that is created in `n`, and replaces `a` there; the messages for both.
#[test]
fn names() {
    let other = "servers reject `metadata.name` `b` in a request for `a`";
    let none = r#"servers reject `metadata.name` "" in a request for `a`"#;
    let elsewhere = "servers reject `metadata.namespace` `m` in a request for `n`";
    let both = format!("{other}; {elsewhere}");
    let table = [
        (Some("a"), Some("n"), "built", "built"),
        (Some("a"), Some(""), "built", "built"),
        (Some("a"), None, "built", "built"),
        (Some("b"), Some("n"), "built", other),
        (None, Some("n"), "built", none),
        (Some(""), None, "built", none),
        (Some("a"), Some("m"), elsewhere, elsewhere),
        (Some("b"), Some("m"), elsewhere, &both),
    ];
    for (name, namespace, created, replaced) in table {
        let mut lease = Lease::default();
        lease.metadata.name = name.map(str::to_owned);
        lease.metadata.namespace = namespace.map(str::to_owned);
        assert_eq!(message(Lease::create("n", &lease, ())), created, "{name:?} {namespace:?}");
        assert_eq!(
            message(Lease::replace("n", "a", &lease, ())),
            replaced,
            "{name:?} {namespace:?}"
        );
    }
    // What servers say to it is seen with the body set afterwards.
    let lease = Lease::named("b", LeaseSpec::default());
    let request = Lease::replace("n", "a", &Lease::named("a", LeaseSpec::default()), ());
    assert!(request.unwrap().with_json(&lease).is_ok());
}

#[test]
fn patches() {
    let (force, merge) = (WriteParameters::default().with_force(true), Patch::Merge(json!({})));
    let (lease, alone) = (Lease::named("a", LeaseSpec::default()), "`force` is only for apply");
    assert_eq!(message(Lease::patch("n", "a", &merge, &force)), alone);
    assert_eq!(message(Lease::create("n", &lease, &force)), alone);
    assert_eq!(message(Lease::replace("n", "a", &lease, force)), alone);
    assert!(
        message(Lease::patch("n", "a", &Patch::Apply(json!({})), ()))
            .starts_with("apply needs a `fieldManager`")
    );
}
