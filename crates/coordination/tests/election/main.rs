//! Elections: tables of their rules, and properties.

#![allow(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]

mod properties;
#[path = "../support/table.rs"]
mod table;
mod tables;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{Election, Outcome};
use k8s_coordination::v1::Lease;

const NOW: &str = "2026-01-01T12:00:00Z";

fn elect<'a>(candidates: &'a [AnyLeaseCandidate], lease: Option<&'a Lease>) -> Outcome<'a> {
    elect_for(["ns", "lock"], candidates, lease)
}

fn elect_for<'a>(
    [namespace, lease_name]: [&'a str; 2],
    candidates: &'a [AnyLeaseCandidate],
    lease: Option<&'a Lease>,
) -> Outcome<'a> {
    let now = NOW.parse().unwrap();
    Election::new(namespace, lease_name, candidates, now).with_lease(lease).outcome()
}
