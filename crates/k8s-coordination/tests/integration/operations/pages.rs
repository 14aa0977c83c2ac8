//! Lists in pages.

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{Answer, ListParameters, Pages, TolerantList, http};
use k8s_coordination::v1::{Lease, LeaseList};

fn pages() -> Pages<LeaseList> {
    let parameters = ListParameters::default()
        .with_limit(2)
        .with_label_selector("a=b")
        .with_resource_version("7")
        .with_resource_version_match("Exact");
    Pages::new(Lease::list("n", &parameters).unwrap())
}

/// The query of the request that is next.
fn query<P: Answer>(pages: &Pages<P>) -> Option<String> {
    pages.request().map(|request| request.query().to_string())
}

fn page(token: &str) -> http::Response<String> {
    http::Response::new(format!(r#"{{"metadata": {{"continue": "{token}"}}, "items": [{{}}]}}"#))
}

fn expired(metadata: &str) -> http::Response<String> {
    let body = format!(r#"{{"kind": "Status", "reason": "Expired", "metadata": {metadata}}}"#);
    http::Response::builder().status(410).body(body).unwrap()
}

const FIRST: &str = "labelSelector=a%3Db&limit=2&resourceVersion=7&resourceVersionMatch=Exact";

#[test]
fn one_page_after_the_other() {
    let mut pages = pages();
    assert_eq!(query(&pages).as_deref(), Some(FIRST));
    assert!(pages.receive(&page("t/1")).is_ok());
    // The token holds the state.
    assert_eq!(query(&pages).as_deref(), Some("labelSelector=a%3Db&limit=2&continue=t%2F1"));
    let unavailable = http::Response::builder().status(503).body("").unwrap();
    assert!(pages.receive(&unavailable).is_err());
    assert_eq!(
        query(&pages).as_deref(),
        Some("labelSelector=a%3Db&limit=2&continue=t%2F1"),
        "to be tried again"
    );
    assert!(pages.receive(&page("")).is_ok());
    assert_eq!(query(&pages), None);
    assert!(pages.is_consistent() && !pages.continue_inconsistently());
}

#[test]
fn an_expired_list_is_for_the_caller_to_decide() {
    let mut pages = pages();
    pages.receive(&page("t")).unwrap();
    let error = pages.receive(&expired(r#"{"continue": "u"}"#)).unwrap_err();
    assert!(error.is_expired());
    let same = Some("labelSelector=a%3Db&limit=2&continue=t");
    assert_eq!(query(&pages).as_deref(), same, "the pages so far are not all");
    assert!(pages.continue_inconsistently());
    assert_eq!(query(&pages).as_deref(), Some("labelSelector=a%3Db&limit=2&continue=u"));
    assert!(!pages.is_consistent());

    assert!(pages.receive(&expired("{}")).unwrap_err().is_expired());
    assert!(!pages.continue_inconsistently(), "the server offers none");
    pages.restart();
    assert_eq!(
        query(&pages).as_deref(),
        Some("labelSelector=a%3Db&limit=2"),
        "the state that the first request named is gone"
    );
    assert!(pages.is_consistent());
}

/// Pages can begin with a token, which a restart must not repeat.
#[test]
fn a_restart_forgets_the_token() {
    let parameters = ListParameters::default().with_continue("t");
    let mut pages = Pages::new(Lease::list("n", &parameters).unwrap());
    pages.receive(&expired("{}")).unwrap_err();
    pages.restart();
    assert_eq!(query(&pages).as_deref(), Some(""));
}

#[test]
fn tolerant_lists_come_in_pages() {
    let request = Lease::list("n", ListParameters::default().with_limit(1)).unwrap();
    let mut pages = Pages::new(request.tolerant());
    let body = r#"{"metadata": {"continue": "t"}, "items": [7, {}]}"#;
    let TolerantList { list: page, errors, .. } =
        pages.receive(&http::Response::new(body)).unwrap().body;
    assert_eq!((page.items.len(), errors.len()), (1, 1));
    assert_eq!(query(&pages).as_deref(), Some("limit=1&continue=t"));
}
