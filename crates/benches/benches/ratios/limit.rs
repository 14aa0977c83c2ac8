//! The least that must be done: nothing that keeps texts or compares them costs less.

#![allow(dead_code, reason = "only decoding is measured")]

use std::hint::black_box;

use k8s_coordination::v1beta1;
use serde::Deserialize;

/// Looks at each text of a candidate that an election compares, which brings it from the memory.
pub(crate) fn look(candidate: &v1beta1::LeaseCandidate) -> usize {
    let (metadata, spec) = (&candidate.metadata, &candidate.spec);
    let texts = [
        metadata.namespace.as_deref(),
        metadata.name.as_deref(),
        spec.emulation_version.as_deref(),
        Some(spec.lease_name.as_str()),
        Some(spec.binary_version.as_str()),
    ];
    let first = |text: Option<&str>| text?.bytes().next();
    texts.into_iter().filter_map(first).map(usize::from).sum()
}

/// The lines of a text whose bytes come one at a time: each is copied, and compared with the end of a line.
pub(crate) fn byte_by_byte<T>(text: &[u8], decode: impl Fn(&[u8]) -> T) -> Vec<T> {
    let (mut line, mut decoded) = (Vec::new(), Vec::new());
    for byte in text.iter().map(black_box) {
        if *byte == b'\n' {
            decoded.push(decode(&line));
            line.clear();
        } else {
            line.push(*byte);
        }
    }
    decoded
}

/// Candidates of which nothing is copied: no type that owns its texts can be decoded faster.
#[derive(Deserialize)]
pub(crate) struct List<'a> {
    #[serde(borrow)]
    items: Vec<Candidate<'a>>,
}

#[derive(Deserialize)]
struct Candidate<'a> {
    #[serde(borrow)]
    metadata: Metadata<'a>,
    #[serde(borrow)]
    spec: Spec<'a>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<'a> {
    name: &'a str,
    namespace: &'a str,
    uid: &'a str,
    resource_version: &'a str,
    creation_timestamp: &'a str,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec<'a> {
    lease_name: &'a str,
    ping_time: &'a str,
    renew_time: &'a str,
    binary_version: &'a str,
    emulation_version: &'a str,
    strategy: &'a str,
}
