//! Elections: tables of their rules, and properties.

mod properties;
mod tables;

use k8s_coordination::conversion::{AnyLeaseCandidate, ConvertObject};
use k8s_coordination::election::{Election, ElectionOutcome};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1::Lease;
use k8s_coordination::{CoordinatedLeaseStrategy, v1alpha1, v1beta1};

const NOW: &str = "2026-01-01T12:00:00Z";

/// A candidate of a later version, or with a list of strategies one of the first.
fn object(
    metadata: ObjectMeta,
    spec: v1beta1::LeaseCandidateSpec,
    list: Option<Vec<CoordinatedLeaseStrategy>>,
) -> AnyLeaseCandidate {
    let late = v1beta1::LeaseCandidate::new(spec).with_metadata(metadata);
    let Some(list) = list else {
        return late.into();
    };
    let (mut early, _): (v1alpha1::LeaseCandidate, _) = late.convert();
    early.spec.preferred_strategies = list;
    early.into()
}

fn elect<'a>(candidates: &'a [AnyLeaseCandidate], lease: Option<&'a Lease>) -> ElectionOutcome<'a> {
    elect_for(["ns", "lock"], candidates, lease)
}

fn elect_for<'a>(
    [namespace, lease_name]: [&'a str; 2],
    candidates: &'a [AnyLeaseCandidate],
    lease: Option<&'a Lease>,
) -> ElectionOutcome<'a> {
    let now = NOW.parse().unwrap();
    Election::new(namespace, lease_name, candidates, now).with_lease(lease).outcome()
}
