//! Recorded lists that are read page by page.

use std::collections::BTreeMap;
use std::path::Path;

use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ListParameters, Pages, Request, RequestError, http};
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use k8s_versioned::{List, Resource};
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recordings::{Exchange, RecordedBody};

use crate::recorded::recordings;

/// Requests the pages in the recorded order. If the state of the list had expired, the caller continues with the token of
/// the server.
#[test]
fn lists_are_read_to_their_end() {
    let mut lists: BTreeMap<&Path, Vec<&Recording>> = BTreeMap::new();
    for recording in recordings() {
        let watches = |exchange: &Exchange| exchange.request.query.contains_key("watch");
        let watch = recording.exchange().is_some_and(watches);
        if recording.path.set.ends_with("-expired") && !watch {
            let folder = recording.path.file.parent().unwrap();
            lists.entry(folder).or_default().push(recording);
        }
    }
    assert_eq!(lists.len(), 16);
    let (namespace, first) = ("default-expired", ListParameters::default().with_limit(2));
    let consistent = lists.values().filter(|pages| match &*pages[0].path.version {
        "v1" => read(pages, v1::Lease::list(namespace, &first)),
        "v1alpha1" => read(pages, v1alpha1::LeaseCandidate::list(namespace, &first)),
        "v1alpha2" => read(pages, v1alpha2::LeaseCandidate::list(namespace, &first)),
        "v1beta1" => read(pages, v1beta1::LeaseCandidate::list(namespace, &first)),
        other => panic!("{other}"),
    });
    // Servers of 1.34 and later answer from a cache, in which the state has not expired.
    assert_eq!(consistent.count(), 9);
}

/// Reads a recorded list to its end. Returns `true` if all pages show the same state.
fn read<R: Resource>(
    recordings: &[&Recording],
    first: Result<Request<List<R>>, RequestError>,
) -> bool {
    let first = first.unwrap();
    let path = first.path().to_owned();
    let mut pages = Pages::new(first);
    let mut recordings = recordings.iter();
    let mut items = 0;
    while let Some(request) = pages.request() {
        let recording = recordings.next().unwrap();
        let file = recording.path.file.display();
        let Exchange { request: recorded, response, .. } = recording.exchange().unwrap();
        assert_eq!(recorded.path, path, "{file}");
        let query = request.query().iter();
        let query: BTreeMap<String, String> =
            query.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        assert_eq!(query, recorded.query, "{file}");
        let Some(RecordedBody::Json(body)) = &response.body else {
            panic!("{file}");
        };
        let response = http::Response::builder().status(response.status);
        let response = response.body(body.to_string()).unwrap();
        match pages.receive(&response) {
            Ok(page) => items += page.body.items.len(),
            Err(error) => {
                assert!(error.is_expired() && pages.continue_inconsistently(), "{file}: {error}");
            }
        }
    }
    assert_eq!(items, 4);
    pages.is_consistent()
}
