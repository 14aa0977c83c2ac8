//! The Leases and candidates of a cluster.

use std::collections::BTreeSet;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::operation::ListParameters;
use k8s_coordination::prelude::*;
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{Candidates, Error, Listed, send_pages};
use kube::Client;

/// The number of objects in a page of a list.
const PAGE: i64 = 500;

/// The candidates of a namespace or of all, as the cluster has them.
pub(crate) async fn candidates(
    candidates: &Candidates<AnyLeaseCandidate>,
    namespace: Option<&str>,
) -> Result<Listed<AnyLeaseCandidate>, Error> {
    let parameters = ListParameters::default().with_limit(PAGE);
    let listed = match namespace {
        Some(namespace) => candidates.list(namespace, &parameters).await?,
        None => candidates.list_all_namespaces(&parameters).await?,
    };
    Ok(listed.body)
}

/// The Leases of a namespace or of all, and the version of the list.
pub(crate) async fn leases(
    client: &Client,
    namespace: Option<&str>,
) -> Result<(Vec<Lease>, Option<String>), Error> {
    let parameters = ListParameters::default().with_limit(PAGE);
    let request = match namespace {
        Some(namespace) => Lease::list(namespace, &parameters)?,
        None => Lease::list_all_namespaces(&parameters)?,
    };
    let pages = send_pages(client, request).await?;
    let last = pages.last().map(|page| &page.body.metadata);
    let version = last.and_then(|metadata| metadata.resource_version.clone());
    let leases = pages.into_iter().flat_map(|page| page.body.items);
    Ok((leases.collect(), version))
}

/// One election for each Lease that somebody is a candidate for, with the Lease if it exists.
pub(crate) fn elections<'a>(
    candidates: &[AnyLeaseCandidate],
    leases: &'a [Lease],
    now: MicroTime,
) -> Vec<(Outcome, Option<&'a Lease>)> {
    let candidates: Vec<Candidate<'_>> = candidates.iter().map(Candidate::from).collect();
    let lease_of = |one: &Candidate<'_>| (one.namespace.to_owned(), one.lease_name.to_owned());
    let names: BTreeSet<_> = candidates.iter().map(lease_of).collect();
    let outcome = |name: (String, String)| {
        let is_for = |one: &&Candidate<'_>| (one.namespace, one.lease_name) == (&name.0, &name.1);
        let candidates: Vec<_> = candidates.iter().filter(is_for).copied().collect();
        let is_named = |lease: &&Lease| {
            let metadata = &lease.metadata;
            metadata.namespace.as_ref() == Some(&name.0) && metadata.name.as_ref() == Some(&name.1)
        };
        let lease = leases.iter().find(is_named);
        let election = Election::new(&name.0, &name.1, &candidates, now).with_lease(lease);
        (election.outcome(), lease)
    };
    names.into_iter().map(outcome).collect()
}
