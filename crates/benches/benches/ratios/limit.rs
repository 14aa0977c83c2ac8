//! Candidates of which nothing is copied: no type that owns its texts can be decoded faster.

#![allow(dead_code, reason = "only decoding is measured")]

use serde::Deserialize;

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
