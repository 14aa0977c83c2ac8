//! What is built parses back to what was meant, and what could never be meant is not built.

use k8s_coordination::k8s_versioned::operation::{Accept, Method, Parameters, Query, RequestError};
use k8s_coordination::meta::v1::{DeleteOptions, PropagationPolicy, ResourceVersionMatch};
use k8s_coordination::parameters::{
    DeleteCollectionParameters, DeleteParameters, GetParameters, ListParameters,
};
use k8s_coordination::{api_group, v1, v1beta1};
use proptest::prelude::*;

fn parameters() -> impl Strategy<Value = ListParameters> {
    let texts = proptest::option::of(any::<String>());
    let flags = proptest::option::of(any::<bool>());
    let numbers = proptest::option::of(any::<i64>());
    let texts = [
        texts.clone(),
        texts.clone(),
        texts.clone(),
        texts.clone(),
        texts,
    ];
    (texts, [flags.clone(), flags], [numbers.clone(), numbers]).prop_map(
        |(texts, flags, numbers)| {
            let [
                label_selector,
                field_selector,
                token,
                resource_version,
                matching,
            ] = texts;
            ListParameters {
                allow_watch_bookmarks: flags[0],
                r#continue: token,
                field_selector,
                label_selector,
                limit: numbers[0],
                resource_version,
                resource_version_match: matching.map(ResourceVersionMatch::from),
                send_initial_events: flags[1],
                timeout_seconds: numbers[1],
                ..ListParameters::default()
            }
        },
    )
}

proptest! {
    #[test]
    fn lists_parse_back(namespace in "[^/]{1,8}", parameters in parameters()) {
        prop_assume!(namespace != "." && namespace != "..");
        let request = v1::Lease::list(&namespace, &parameters).unwrap();
        let http = request.to_http().unwrap();
        let query = Query::parse(http.uri().query().unwrap_or_default()).unwrap();
        prop_assert_eq!(ListParameters::from_query(&query), Ok(parameters));
        let segments: Vec<&str> = http.uri().path().split('/').collect();
        prop_assert_eq!(segments.len(), 7);
        prop_assert_eq!(segments[6], "leases");
        let encoded = Query::parse(&format!("namespace={}", segments[5])).unwrap();
        prop_assert_eq!(encoded.get("namespace"), Some(namespace.as_str()));
    }
}

#[test]
fn requests_are_plain_data() {
    let options = DeleteOptions::default().with_propagation_policy(PropagationPolicy::Background);
    let parameters = DeleteParameters::default().with_pretty("a b");
    let request = v1::Lease::delete("kube system", "a?b", Some(&options), &parameters).unwrap();
    let http = request.to_http().unwrap();
    assert_eq!(http.method(), Method::DELETE);
    assert_eq!(
        http.uri(),
        "/apis/coordination.k8s.io/v1/namespaces/kube%20system/leases/a%3Fb?pretty=a%20b"
    );
    assert_eq!(http.headers()["content-type"], "application/json");
    assert_eq!(
        http.body(),
        br#"{"apiVersion":"v1","kind":"DeleteOptions","propagationPolicy":"Background"}"#
    );

    let request = v1::Lease::delete("default", "a", None, &DeleteParameters::default()).unwrap();
    let http = request.to_http().unwrap();
    assert_eq!(
        http.uri(),
        "/apis/coordination.k8s.io/v1/namespaces/default/leases/a"
    );
    assert!(!http.headers().contains_key("content-type") && http.body().is_empty());
}

#[test]
fn requests_for_a_server() {
    let request = v1::Lease::get("n", "a", &GetParameters::default()).unwrap();
    let path = "/apis/coordination.k8s.io/v1/namespaces/n/leases/a";
    let table = [
        ("", path.to_owned()),
        (
            "https://10.0.0.1:6443",
            format!("https://10.0.0.1:6443{path}"),
        ),
        (
            "https://a/clusters/b/",
            format!("https://a/clusters/b{path}"),
        ),
    ];
    for (server, expected) in table {
        assert_eq!(request.to_http_at(server).unwrap().uri(), expected.as_str());
    }
    let error = request.to_http_at("a server").unwrap_err().to_string();
    assert_eq!(error, "the request cannot be built: invalid uri character");
}

/// Servers that get options ignore what the query says of the same: a dry run there would be none.
#[test]
fn options_and_their_parameters_do_not_go_together() {
    let options = DeleteOptions::default();
    let ignored = [
        ("dryRun", "All"),
        ("gracePeriodSeconds", "0"),
        ("ignoreStoreReadErrorWithClusterBreakingPotential", "true"),
        ("orphanDependents", "false"),
        ("propagationPolicy", "Orphan"),
    ];
    for (name, value) in ignored {
        let query: Query = [(name, value)].into_iter().collect();
        let one = DeleteParameters::from_query(&query).unwrap();
        let many = DeleteCollectionParameters::from_query(&query).unwrap();
        assert!(v1::Lease::delete("n", "a", None, &one).is_ok(), "{name}");
        assert!(
            v1::Lease::delete_collection("n", None, &many).is_ok(),
            "{name}"
        );
        let errors = [
            v1::Lease::delete("n", "a", Some(&options), &one).err(),
            v1::Lease::delete_collection("n", Some(&options), &many).err(),
        ];
        for error in errors {
            assert!(
                matches!(error, Some(RequestError::IgnoredParameter(found)) if found == name),
                "{name}: {error:?}"
            );
        }
    }
}

#[test]
fn discovery() {
    let targets = [
        api_group().unwrap().target(),
        v1::api_resource_list().unwrap().target(),
        v1beta1::api_resource_list().unwrap().target(),
    ];
    let expected = ["", "v1/", "v1beta1/"].map(|rest| format!("/apis/coordination.k8s.io/{rest}"));
    assert_eq!(targets, expected);
}

#[test]
fn other_forms_of_an_answer() {
    for &accept in Accept::ALL {
        let request = v1::Lease::get("default", "a", &GetParameters::default())
            .unwrap()
            .accept(accept);
        let http = request.to_http().unwrap();
        assert_eq!(http.headers()["accept"], accept.as_str());
        assert_eq!(Accept::parse(accept.as_str()), Some(accept));
    }
}

/// `watch` is what the function says; parameters that say otherwise are a mistake.
#[test]
fn lists_are_not_watches() {
    let with = |watch| ListParameters {
        watch,
        ..ListParameters::default()
    };
    let list =
        |watch| v1::Lease::list("default", &with(watch)).map(|request| request.query().to_string());
    let watch = |watch| {
        v1::Lease::watch("default", &with(watch)).map(|request| request.query().to_string())
    };
    assert_eq!(list(None).unwrap(), "");
    assert_eq!(list(Some(false)).unwrap(), "watch=false");
    assert!(list(Some(true)).is_err());
    assert_eq!(watch(None).unwrap(), "watch=true");
    assert_eq!(watch(Some(true)).unwrap(), "watch=true");
    assert!(watch(Some(false)).is_err());
}
