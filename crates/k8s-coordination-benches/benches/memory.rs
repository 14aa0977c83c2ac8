//! Prints the rows of the table about memory: the number of allocations, and the size of a decoded object.

#![allow(
    clippy::cast_precision_loss,
    clippy::unwrap_used,
    reason = "a measurement may fail by panicking"
)]

use allocation_counter::AllocationInfo;
use k8s_coordination::List;
use k8s_coordination::{v1, v1beta1};
use k8s_coordination_benches::{candidates, leases, single_candidates};
use k8s_openapi::api::coordination::{v1 as peer_v1, v1beta1 as peer_v1beta1};
use k8s_versioned::Kind;
use k8s_versioned::protobuf::Message;
use serde::de::DeserializeOwned;

type PeerList<T> = k8s_openapi::List<T>;

fn main() {
    let (candidates, leases) = (candidates(), leases());
    let [ours, peer] = [
        allocations::<List<v1beta1::LeaseCandidate>>(&candidates),
        allocations::<PeerList<peer_v1beta1::LeaseCandidate>>(&candidates),
    ];
    print("allocations of decoding candidates", 0.6, ours / peer);
    let [ours, peer] =
        [allocations::<List<v1::Lease>>(&leases), allocations::<PeerList<peer_v1::Lease>>(&leases)];
    print("allocations of decoding Leases", 0.6, ours / peer);
    let single = single_candidates().swap_remove(0);
    let [ours, peer] = [
        memory::<v1beta1::LeaseCandidate>(&single),
        memory::<peer_v1beta1::LeaseCandidate>(&single),
    ];
    print("memory of a decoded candidate", 0.5, ours / peer);
    print("memory of a list of candidates", 0.3, {
        live::<List<v1beta1::LeaseCandidate>>(&candidates)
            / live::<PeerList<peer_v1beta1::LeaseCandidate>>(&candidates)
    });
    print("memory of a list of Leases", 0.25, {
        live::<List<v1::Lease>>(&leases) / live::<PeerList<peer_v1::Lease>>(&leases)
    });
    protobuf::<List<v1beta1::LeaseCandidate>, PeerList<peer_v1beta1::LeaseCandidate>>(
        "candidates",
        &candidates,
    );
    protobuf::<List<v1::Lease>, PeerList<peer_v1::Lease>>("Leases", &leases);
}

/// The rows about a list as protobuf, against the peer with the same list as JSON.
fn protobuf<T, P>(name: &str, json: &str)
where
    T: Kind + Message + DeserializeOwned,
    P: DeserializeOwned,
{
    let list: T = serde_json::from_str(json).unwrap();
    let body = k8s_versioned::protobuf::encode(&list);
    let size = body.len() as f64 / json.len() as f64;
    print(&format!("bytes of {name} as protobuf, to JSON"), 0.6, size);
    let mut decoded = None;
    let ours = allocation_counter::measure(|| {
        decoded = Some(k8s_versioned::protobuf::decode::<T>(&body).unwrap());
    });
    drop(decoded);
    let (peer, json) = (decode::<P>(json), decode::<T>(json));
    let allocations = ours.count_total as f64 / peer.count_total as f64;
    print(&format!("allocations of decoding {name} as protobuf"), 0.6, allocations);
    let live = ours.bytes_current as f64 / json.bytes_current as f64;
    print(&format!("memory of {name} from protobuf, to the same from JSON"), 1.05, live);
}

fn print(name: &str, goal: f64, ratio: f64) {
    let verdict = if ratio <= goal { "" } else { "missed" };
    println!("| {name} | at most {goal} | {ratio:.3} | {verdict} |");
}

fn allocations<T: DeserializeOwned>(json: &str) -> f64 {
    decode::<T>(json).count_total as f64
}

/// The bytes of the object, on the stack and on the heap.
fn memory<T: DeserializeOwned>(json: &str) -> f64 {
    size_of::<T>() as f64 + live::<T>(json)
}

/// The bytes on the heap.
fn live<T: DeserializeOwned>(json: &str) -> f64 {
    decode::<T>(json).bytes_current as f64
}

fn decode<T: DeserializeOwned>(json: &str) -> AllocationInfo {
    let mut decoded = None;
    let counted = allocation_counter::measure(|| {
        decoded = Some(serde_json::from_str::<T>(json).unwrap());
    });
    drop(decoded);
    counted
}
