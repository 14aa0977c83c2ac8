//! The lifecycles against the warnings that recorded servers gave, and what programs ask of them.

#![allow(
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod support;

use k8s_coordination::k8s_versioned::{Kind, Registry, Release};
use k8s_coordination::{Kinds, v1, v1alpha1, v1alpha2, v1beta1};
use serde_json::Value;

/// Answers that a server gives before it looks at the version: no warning comes with them.
const BEFORE_THE_VERSION: [u64; 4] = [401, 403, 405, 415];

#[test]
fn servers_warn_as_the_lifecycle_says() {
    let mut warned = 0;
    for (path, recording) in support::recordings() {
        let Some(status) = recording
            .pointer("/response/status")
            .and_then(Value::as_u64)
        else {
            continue;
        };
        if BEFORE_THE_VERSION.contains(&status) {
            continue;
        }
        let release = support::release(&path);
        let expected = warning(recording["request"]["path"].as_str().unwrap(), release);
        let found = deprecation(&recording["response"]["headers"]["warning"]);
        assert_eq!(found, expected, "{}", path.display());
        warned += usize::from(found.is_some());
    }
    assert_eq!(warned, 1040);
}

/// The warning that a request to `path` should get.
fn warning(path: &str, release: Release) -> Option<String> {
    match path
        .strip_prefix("/apis/coordination.k8s.io/")?
        .split_once('/')?
        .0
    {
        "v1" => v1::LIFECYCLE.warning::<v1::Lease>(release),
        "v1alpha1" => v1alpha1::LIFECYCLE.warning::<v1alpha1::LeaseCandidate>(release),
        "v1alpha2" => v1alpha2::LIFECYCLE.warning::<v1alpha2::LeaseCandidate>(release),
        "v1beta1" => v1beta1::LIFECYCLE.warning::<v1beta1::LeaseCandidate>(release),
        other => panic!("unknown version {other}"),
    }
}

/// The text of the `Warning` header that is about deprecation, without code and quotes.
fn deprecation(header: &Value) -> Option<String> {
    let headers = header
        .as_array()
        .cloned()
        .unwrap_or_else(|| vec![header.clone()]);
    let texts = headers.iter().filter_map(Value::as_str);
    let texts = texts.filter_map(|text| text.strip_prefix("299 - \"")?.strip_suffix('"'));
    texts
        .filter(|text| text.contains("deprecated"))
        .map(str::to_owned)
        .next()
}

#[test]
fn the_newest_version_of_each_release() {
    let group = v1::Lease::GROUP;
    let newest = |kind: &str, minor: u16| {
        Kinds
            .newest_served_in(group, kind, Release::new(1, minor))
            .map(k8s_coordination::k8s_versioned::KindEntry::version)
    };
    let expected = [
        (30, None),
        (31, Some("v1alpha1")),
        (32, Some("v1alpha2")),
        (33, Some("v1beta1")),
        (36, Some("v1beta1")),
        (38, Some("v1beta1")),
        (39, None),
    ];
    for (minor, version) in expected {
        assert_eq!(newest("LeaseCandidate", minor), version, "1.{minor}");
        assert_eq!(newest("Lease", minor), Some("v1"), "1.{minor}");
    }
    assert_eq!(newest("Nothing", 36), None);
}
