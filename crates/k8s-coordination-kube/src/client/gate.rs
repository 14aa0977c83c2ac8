//! The feature gate of coordinated leader election.

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::WriteParameters;
use k8s_coordination::v1::{Lease, LeaseSpec};
use kube::Client;

use super::{Error, send};

/// Returns `true` if the feature gate `CoordinatedLeaderElection` of the API servers is on.
///
/// With the gate off they drop the `strategy` of a `Lease` without a warning. So this function creates a `Lease` with a
/// strategy and `dryRun`, which stores no object, and checks that the answer has the strategy. It needs the verb `create`
/// for `leases` in the namespace.
///
/// # Errors
///
/// The errors of [`send`].
pub async fn is_coordinated(client: &Client, namespace: &str) -> Result<bool, Error> {
    let metadata = ObjectMeta::default().with_generate_name("feature-gate-");
    let strategy = CoordinatedLeaseStrategy::OldestEmulationVersion;
    let lease = Lease::default()
        .with_metadata(metadata)
        .with_spec(LeaseSpec::default().with_strategy(strategy));
    let parameters = WriteParameters::default().with_dry_run("All");
    let request = Lease::create(namespace, &lease, parameters)?;
    let stored = send(client, &request).await?.body;
    Ok(stored.spec.strategy.is_some())
}
