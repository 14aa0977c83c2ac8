//! The Leases and candidates of a cluster.

use std::collections::BTreeMap;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{Election, Outcome};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::ListParameters;
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{Candidates, Error, Listed, send_pages};
use kube::Client;

/// The number of objects in a page of a list.
const PAGE: i64 = 500;

/// The candidates of one namespace or of all, as the cluster has them.
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

/// The Leases of one namespace or of all, and the `resourceVersion` of the list.
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

/// The election for each Lease that has candidates, with the Lease if it exists.
pub(crate) fn elections<'a>(
    candidates: &'a [AnyLeaseCandidate],
    leases: &'a [Lease],
    now: MicroTime,
) -> Vec<(Outcome<'a>, Option<&'a Lease>)> {
    let mut contests: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for candidate in candidates.iter().map(AnyLeaseCandidate::by_ref) {
        contests
            .entry((candidate.namespace(), candidate.lease_name()))
            .or_default()
            .push(candidate);
    }
    let outcome = |((namespace, name), candidates): (_, Vec<_>)| {
        let lease = leases.iter().find(|lease| {
            let metadata = &lease.metadata;
            metadata.namespace.as_deref() == Some(namespace)
                && metadata.name.as_deref() == Some(name)
        });
        let election = Election::new(namespace, name, candidates, now).with_lease(lease);
        (election.outcome(), lease)
    };
    contests.into_iter().map(outcome).collect()
}
