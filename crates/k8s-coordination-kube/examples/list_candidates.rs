//! Lists the candidates of a cluster, in whatever version it serves them, and says who leads each Lease and why.
//!
//! `coordination elect --cluster` is the same as a command, with more options.

use std::collections::BTreeMap;
use std::error::Error;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta};
use k8s_coordination::prelude::*;
use k8s_coordination::requests::ListParameters;
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{Candidates, send_pages, served};
use kube::Client;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let client = Client::try_default().await?;
    let pages = ListParameters::default().with_limit(500);

    let version = served(&client).await?.choose()?;
    let candidates = Candidates::<AnyLeaseCandidate>::new(client.clone(), version);
    let candidates = candidates.list_all_namespaces(&pages).await?.body.items;

    let leases = send_pages(&client, Lease::list_all_namespaces(&pages)?).await?;
    let leases = leases.into_iter().flat_map(|page| page.body.items);
    let leases: BTreeMap<_, _> = leases.map(|lease| (name(&lease.metadata), lease)).collect();

    let mut of_lease = BTreeMap::<_, Vec<_>>::new();
    for candidate in &candidates {
        let (namespace, _) = name(candidate.metadata());
        let lease = (namespace, candidate.lease_name().to_owned());
        of_lease.entry(lease).or_default().push(candidate.by_ref());
    }
    for (name, candidates) in &of_lease {
        let election = Election::new(&name.0, &name.1, candidates.clone(), MicroTime::now());
        println!("{}", election.with_lease(leases.get(name)).outcome());
    }
    Ok(())
}

/// The namespace and the name of an object.
fn name(metadata: &ObjectMeta) -> (String, String) {
    let part = |part: &Option<String>| part.clone().unwrap_or_default();
    (part(&metadata.namespace), part(&metadata.name))
}
