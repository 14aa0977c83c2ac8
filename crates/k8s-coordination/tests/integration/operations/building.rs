//! Requests that no recording shows. The check `request` builds all recorded ones.

use k8s_coordination::TypeMeta;
use k8s_coordination::meta::v1::{DeleteOptions, Preconditions, PropagationPolicy};
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ListParameters, Request, RequestError};
use k8s_coordination::v1;

/// Servers that get a body ignore the same options in the query: a dry run there would have no effect.
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
    let request = v1::Lease::get("n", "a").unwrap();
    let path = "/apis/coordination.k8s.io/v1/namespaces/n/leases/a";
    assert_eq!(request.to_http().unwrap().uri(), path);
    for (server, before) in [
        ("https://10.0.0.1:6443", "https://10.0.0.1:6443"),
        ("http://[::1]:8001/", "http://[::1]:8001"),
        ("https://a/clusters/b/", "https://a/clusters/b"),
    ] {
        let http = request.to_http_at(server).unwrap();
        assert_eq!(http.uri().to_string(), format!("{before}{path}"));
    }
    assert_eq!(request.type_meta(), &TypeMeta::of_kind::<v1::Lease>());
    for server in [
        "",
        "/x",
        "https:",
        "https://",
        "https:///",
        "https://:6443",
        "https://a:99999",
        "ftp://a",
        "a server",
        "localhost",
        "10.0.0.1:6443",
        "https://a?b=c",
        "https://a/#b",
        "https://a/b?",
    ] {
        let error = request.to_http_at(server).unwrap_err();
        assert!(matches!(error, RequestError::Server(_)), "{server}: {error}");
    }
    let error = request.to_http_at("localhost:8001").unwrap_err().to_string();
    let expected = "`localhost:8001` is not the address of a server, such as `https://10.0.0.1:6443`: a scheme, a host, and no query";
    assert_eq!(error, expected);
}

#[test]
fn discovery_of_the_core_group() {
    assert_eq!(Request::api_resource_list("", "v1").target(), "/api/v1/");
}
