//! Limits for hot rows of the table: the number of allocations. It is the same on every machine.

#![allow(clippy::unwrap_used, reason = "a test may fail by panicking")]

use allocation_counter::measure;
use k8s_coordination::List;
use k8s_coordination::election::Election;
use k8s_coordination::validation::Validate;
use k8s_coordination::{v1, v1beta1};
use k8s_coordination_benches::{COUNT, candidates, leases, rows};
use k8s_versioned::protobuf;
use serde::de::DeserializeOwned;

type Candidates = List<v1beta1::LeaseCandidate>;

/// The allocations for each of the objects, rounded down: lists that grow count for less than one.
fn per_object(work: impl FnOnce()) -> u64 {
    measure(work).count_total / COUNT as u64
}

fn decoding<T: DeserializeOwned>(text: &str) -> u64 {
    per_object(|| drop(serde_json::from_str::<T>(text).unwrap()))
}

fn list() -> Candidates {
    serde_json::from_str(&candidates()).unwrap()
}

/// One allocation for each text and each list; the text of managed fields is shared.
#[test]
fn decoding_allocates_texts_and_lists() {
    assert_eq!(decoding::<Candidates>(&candidates()), 10);
    assert_eq!(decoding::<List<v1::Lease>>(&leases()), 14);
}

/// An object has its texts and lists and 416 bytes of structs; a list has no room for others.
#[test]
fn a_decoded_list_has_the_memory_of_its_objects() {
    assert_eq!(memory::<Candidates>(&candidates()), 692);
    assert_eq!(memory::<List<v1::Lease>>(&leases()), 1016);
}

/// The bytes of each of the objects of a list.
fn memory<T: DeserializeOwned>(text: &str) -> i64 {
    let mut decoded = None;
    let counted = measure(|| decoded = Some(serde_json::from_str::<T>(text).unwrap()));
    drop(decoded);
    counted.bytes_current / i64::try_from(COUNT).unwrap()
}

/// As many as for JSON.
#[test]
fn decoding_protobuf_allocates_texts_and_lists() {
    let body = protobuf::encode(&list());
    assert_eq!(per_object(|| drop(protobuf::decode::<Candidates>(&body).unwrap())), 10);
}

/// An empty item has two bytes, and is an object in the list. Memory is reserved by the sizes of the items at the front:
/// larger ones at the front, or at the end, let the list grow once more, or leave some of it empty.
#[test]
fn a_list_in_protobuf_asks_for_no_more_than_an_object_for_each_byte() {
    let (empty, larger): (&[u8], &[u8]) = (b"\x12\0", b"\x12\x04\x0a\x02\x1a\0");
    for [front, middle, end] in
        [[0, 20_000, 0], [300, 20_000, 0], [10_000, 20_000, 0], [0, 300, 10_000]]
    {
        let bytes = [larger.repeat(front), empty.repeat(middle), larger.repeat(end)].concat();
        let counted = measure(|| {
            let list: Candidates = protobuf::decode_message(&bytes).unwrap();
            assert_eq!(list.items.len(), front + middle + end);
        });
        let most = bytes.len() * size_of::<v1beta1::LeaseCandidate>();
        assert!(counted.bytes_max <= most as u64, "{front}, {middle}, {end}: {counted:?}");
    }
}

#[test]
fn encoding_protobuf_allocates_the_body_and_the_lengths() {
    let list = list();
    let counted = measure(|| drop(protobuf::encode(&list)));
    assert!(counted.count_total < 20, "{counted:?}");
}

#[test]
fn encoding_allocates_only_the_text() {
    let list = list();
    let counted = measure(|| drop(serde_json::to_vec(&list).unwrap()));
    assert!(counted.count_total < 30, "{counted:?}");
}

/// The new list of requests, the items around a field, and the values that identify one of them: the memory for these two is used
/// again for each request. Nothing is allocated for a request, and no name or path is made where nothing is kept.
#[test]
fn converting_a_claim_allocates_nothing_for_its_requests() {
    let claims = rows::claims();
    let count = claims.len() as u64;
    let counted = measure(|| drop(rows::convert_claims(claims)));
    assert_eq!(counted.count_total, 4 * count);
}

#[test]
fn validating_a_valid_object_allocates_nothing() {
    let (candidates, leases) =
        (list(), serde_json::from_str::<List<v1::Lease>>(&leases()).unwrap());
    let counted = measure(|| {
        candidates.items.iter().for_each(|item| item.validate().unwrap());
        leases.items.iter().for_each(|item| item.validate().unwrap());
    });
    assert_eq!(counted.count_total, 0);
}

#[test]
fn an_election_allocates_nothing_for_a_candidate() {
    let list = list();
    let now = "2026-11-20T05:07:00Z".parse().unwrap();
    let counted = measure(|| {
        drop(Election::new("kube-system", "kube-scheduler", &list.items, now).outcome());
    });
    assert!(counted.count_total < 30, "{counted:?}");
}
