//! Pages, as API servers gave them.

use std::collections::BTreeMap;

use k8s_coordination::k8s_versioned::operation::{
    ListParameters, Page, Pages, Received, Request, RequestError, Response, http,
};
use k8s_coordination::k8s_versioned::{List, Resource};
use k8s_coordination::prelude::*;
use k8s_coordination::v1::{Lease, LeaseList};
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use serde_json::Value;

use crate::support;

fn pages() -> Pages<LeaseList> {
    let parameters = ListParameters::default()
        .with_limit(2)
        .with_label_selector("a=b")
        .with_resource_version("7")
        .with_resource_version_match("Exact");
    Pages::new(Lease::list("n", &parameters).unwrap())
}

/// The query of the request that is next.
fn query<P: Page>(pages: &Pages<P>) -> Option<String> {
    pages.request().map(|request| request.query().to_string())
}

fn page(token: &str) -> http::Response<String> {
    http::Response::new(format!(
        r#"{{"metadata": {{"continue": "{token}"}}, "items": [{{}}]}}"#
    ))
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
    assert!(matches!(
        pages.receive(&page("t/1")),
        Ok(Received::Page(Response { .. }))
    ));
    // The token holds the state.
    assert_eq!(
        query(&pages).as_deref(),
        Some("labelSelector=a%3Db&limit=2&continue=t%2F1")
    );
    let unavailable = http::Response::builder().status(503).body("").unwrap();
    assert!(pages.receive(&unavailable).is_err());
    assert_eq!(
        query(&pages).as_deref(),
        Some("labelSelector=a%3Db&limit=2&continue=t%2F1"),
        "to be tried again"
    );
    assert!(matches!(pages.receive(&page("")), Ok(Received::Page(_))));
    assert_eq!(query(&pages), None);
    assert!(pages.is_consistent() && !pages.continue_inconsistently());
}

#[test]
fn an_expired_list_is_for_the_caller_to_decide() {
    let mut pages = pages();
    pages.receive(&page("t")).unwrap();
    assert!(matches!(
        pages.receive(&expired(r#"{"continue": "u"}"#)),
        Ok(Received::Expired(_))
    ));
    assert_eq!(query(&pages), None);
    assert!(pages.continue_inconsistently());
    assert_eq!(
        query(&pages).as_deref(),
        Some("labelSelector=a%3Db&limit=2&continue=u")
    );
    assert!(!pages.is_consistent());

    assert!(matches!(
        pages.receive(&expired("{}")),
        Ok(Received::Expired(_))
    ));
    assert!(!pages.continue_inconsistently(), "the server offers none");
    assert_eq!(query(&pages), None);
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
    pages.receive(&expired("{}")).unwrap();
    pages.restart();
    assert_eq!(query(&pages).as_deref(), Some(""));
}

#[test]
fn tolerant_lists_come_in_pages() {
    let request = Lease::list("n", ListParameters::default().with_limit(1)).unwrap();
    let mut pages = Pages::new(request.tolerant());
    let body = r#"{"metadata": {"continue": "t"}, "items": [7, {}]}"#;
    match pages.receive(&http::Response::new(body)).unwrap() {
        Received::Page(page) => {
            assert_eq!((page.body.items.len(), page.body.errors.len()), (1, 1));
        }
        Received::Expired(error) => panic!("{error}"),
    }
    assert_eq!(query(&pages).as_deref(), Some("limit=1&continue=t"));
}

/// The recorded pages are asked for and taken in their order; where the state had gone, the caller goes on
/// with the token that the server offers, as the recorder did.
#[test]
fn recorded_pages() {
    let mut sets: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for (path, recording) in support::recordings() {
        let set = path.parent().unwrap().display().to_string();
        if set.ends_with("-expired") && recording.pointer("/request/query/watch").is_none() {
            sets.entry(set).or_default().push(recording);
        }
    }
    assert_eq!(sets.len(), 16);
    let consistent = sets.iter().filter(|(set, pages)| {
        let (namespace, first) = ("default-expired", ListParameters::default().with_limit(2));
        match pages[0]["request"]["path"]
            .as_str()
            .unwrap()
            .split('/')
            .nth(3)
        {
            Some("v1") => read(set, pages, v1::Lease::list(namespace, &first)),
            Some("v1alpha1") => read(
                set,
                pages,
                v1alpha1::LeaseCandidate::list(namespace, &first),
            ),
            Some("v1alpha2") => read(
                set,
                pages,
                v1alpha2::LeaseCandidate::list(namespace, &first),
            ),
            Some("v1beta1") => read(set, pages, v1beta1::LeaseCandidate::list(namespace, &first)),
            other => panic!("{other:?}"),
        }
    });
    // From 1.34 on the servers answered all the same, out of a cache.
    assert_eq!(consistent.count(), 9);
}

/// Reads a recorded list to its end. Says whether all pages showed the same state.
fn read<R: Resource>(
    set: &str,
    recordings: &[Value],
    first: Result<Request<List<R>>, RequestError>,
) -> bool {
    let first = first.unwrap();
    let path = first.path().to_owned();
    let mut pages = Pages::new(first);
    let mut recordings = recordings.iter();
    let mut items = 0;
    while let Some(request) = pages.request() {
        let recording = recordings.next().unwrap();
        assert_eq!(recording["request"]["path"], path, "{set}");
        let expected = recording["request"]["query"].as_object().unwrap();
        let found: BTreeMap<&str, &str> = request.query().iter().collect();
        let expected = expected
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()));
        assert_eq!(found, expected.collect(), "{set}");
        let response = &recording["response"];
        let status = u16::try_from(response["status"].as_u64().unwrap()).unwrap();
        let body = response["json"].to_string();
        let response = http::Response::builder().status(status).body(body).unwrap();
        match pages.receive(&response).unwrap() {
            Received::Page(page) => items += page.body.items.len(),
            Received::Expired(_) => assert!(pages.continue_inconsistently(), "{set}"),
        }
    }
    assert_eq!(items, 4, "{set}");
    pages.is_consistent()
}
