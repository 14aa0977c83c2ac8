//! The minimum of work: code that keeps texts or compares them cannot cost less.

#![allow(dead_code, reason = "only decoding is measured")]

use std::hint::black_box;

use k8s_coordination::v1beta1;
use serde::Deserialize;

/// Reads a byte of each text of a candidate that an election compares, which loads it from memory.
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

/// Decodes the lines of a text byte by byte: each byte is copied and compared with the end of a line.
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

/// Candidates with eleven of their texts: as references into the JSON, without copies, or as `String`s.
#[derive(Deserialize)]
pub(crate) struct List<T> {
    items: Vec<Candidate<T>>,
}

#[derive(Deserialize)]
struct Candidate<T> {
    metadata: Metadata<T>,
    spec: Spec<T>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata<T> {
    name: T,
    namespace: T,
    uid: T,
    resource_version: T,
    creation_timestamp: T,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Spec<T> {
    lease_name: T,
    ping_time: T,
    renew_time: T,
    binary_version: T,
    emulation_version: T,
    strategy: T,
}
