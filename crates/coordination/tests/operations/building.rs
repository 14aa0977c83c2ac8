//! Requests that are built parse back to their input.

use k8s_coordination::GroupVersionKind;
use k8s_coordination::meta::v1::{DeleteOptions, Preconditions, PropagationPolicy};
use k8s_coordination::operation::{Accept, ListParameters, Query, Request, http};
use k8s_coordination::prelude::Kind;
use k8s_coordination::prelude::*;
use k8s_coordination::v1;
use proptest::prelude::*;

proptest! {
    #[test]
    fn lists_parse_back(
        namespace in "[^/]{1,8}",
        texts: [String; 3],
        flag: bool,
        limit: i64,
    ) {
        prop_assume!(namespace != "." && namespace != "..");
        let [labels, fields, shard] = &texts;
        let parameters = ListParameters::default()
            .with_label_selector(labels)
            .with_field_selector(fields)
            .with_shard_selector(shard)
            .with_allow_watch_bookmarks(flag)
            .with_limit(limit);
        let request = v1::Lease::list(&namespace, &parameters).unwrap();
        let http = request.to_http().unwrap();
        let query = Query::parse(http.uri().query().unwrap_or_default()).unwrap();
        let expected: Query = [
            ("allowWatchBookmarks", flag.to_string()),
            ("fieldSelector", fields.clone()),
            ("labelSelector", labels.clone()),
            ("limit", limit.to_string()),
            ("shardSelector", shard.clone()),
        ]
        .into_iter()
        .collect();
        prop_assert_eq!(query, expected);
        let segments: Vec<&str> = http.uri().path().split('/').collect();
        prop_assert_eq!(segments.len(), 7);
        prop_assert_eq!(segments[6], "leases");
        let encoded = Query::parse(&format!("namespace={}", segments[5])).unwrap();
        prop_assert_eq!(encoded.get("namespace"), Some(namespace.as_str()));
    }
}

#[test]
fn requests_are_plain_data() {
    let request = v1::Lease::delete("kube system", "a?b", ()).unwrap();
    let http = request.to_http().unwrap();
    assert_eq!(http.method(), http::Method::DELETE);
    let path = "/apis/coordination.k8s.io/v1/namespaces/kube%20system/leases/a%3Fb";
    assert_eq!(http.uri(), path);
    assert!(!http.headers().contains_key("content-type") && http.body().is_empty());
    assert_eq!(request.group_version_kind(), &GroupVersionKind::of::<v1::Lease>());
}

/// Servers that get a body ignore what the query says of the same: a dry run there would be none.
#[test]
fn preconditions_move_a_deletion_into_a_body() {
    let options = DeleteOptions::default()
        .with_dry_run(["All"])
        .with_grace_period_seconds(0)
        .with_ignore_store_read_error_with_cluster_breaking_potential(true)
        .with_propagation_policy(PropagationPolicy::Background);
    let request = v1::Lease::delete("n", "a", &options).unwrap();
    assert_eq!(
        request.query().to_string(),
        "dryRun=All&gracePeriodSeconds=0&ignoreStoreReadErrorWithClusterBreakingPotential=true\
         &propagationPolicy=Background"
    );
    assert!(request.body().is_empty());

    let unchanged = Preconditions::default().with_resource_version("7");
    let options = options.with_preconditions(unchanged);
    let selection = ListParameters::default().with_label_selector("a");
    let one = v1::Lease::delete("n", "a", &options).unwrap();
    let many = v1::Lease::delete_collection("n", selection, &options).unwrap();
    assert_eq!(one.query().to_string(), "");
    assert_eq!(many.query().to_string(), "labelSelector=a");
    let body = r#"{"apiVersion":"v1","kind":"DeleteOptions","dryRun":["All"],"gracePeriodSeconds":0,"ignoreStoreReadErrorWithClusterBreakingPotential":true,"preconditions":{"resourceVersion":"7"},"propagationPolicy":"Background"}"#;
    for sent in [one.body(), many.body()] {
        assert_eq!(String::from_utf8_lossy(sent), body);
    }
}

#[test]
fn requests_for_a_server() {
    let request = v1::Lease::get("n", "a", ()).unwrap();
    let path = "/apis/coordination.k8s.io/v1/namespaces/n/leases/a";
    let table = [
        ("", path.to_owned()),
        ("https://10.0.0.1:6443", format!("https://10.0.0.1:6443{path}")),
        ("https://a/clusters/b/", format!("https://a/clusters/b{path}")),
    ];
    for (server, expected) in table {
        assert_eq!(request.to_http_at(server).unwrap().uri(), expected.as_str());
    }
    let error = request.to_http_at("a server").unwrap_err().to_string();
    assert_eq!(error, "the request cannot be built: invalid uri character");
}

#[test]
fn discovery() {
    let group = v1::Lease::GROUP;
    let targets =
        [Request::api_group(group).target(), Request::api_resource_list(group, "v1").target()];
    let expected = ["", "v1/"].map(|rest| format!("/apis/coordination.k8s.io/{rest}"));
    assert_eq!(targets, expected);
    let about = |group, version| Request::api_resource_list(group, version).target();
    assert_eq!(about("", "v1"), "/api/v1/");
}

#[test]
fn other_forms_of_an_answer() {
    for &accept in Accept::ALL {
        let request = v1::Lease::get("default", "a", ()).unwrap().accept(accept);
        let http = request.to_http().unwrap();
        assert_eq!(http.headers()["accept"], accept.as_str());
        assert_eq!(Accept::parse(accept.as_str()), Some(accept));
    }
}

/// The deprecated paths have the watch before what they are about.
#[test]
fn deprecated_paths_of_watches() {
    let watch = || v1::Lease::watch("n", ()).unwrap();
    let all = v1::Lease::watch_all_namespaces(()).unwrap();
    let targets = [
        watch().target(),
        watch().at_deprecated_path(None).unwrap().target(),
        watch().at_deprecated_path(Some("a b")).unwrap().target(),
        all.at_deprecated_path(None).unwrap().target(),
    ];
    let expected = [
        "namespaces/n/leases",
        "watch/namespaces/n/leases",
        "watch/namespaces/n/leases/a%20b",
        "watch/leases",
    ];
    let expected = expected.map(|rest| format!("/apis/coordination.k8s.io/v1/{rest}?watch=true"));
    assert_eq!(targets, expected);
    assert!(watch().at_deprecated_path(Some("..")).is_err());
}
