//! Copies all candidates to another cluster, in the version that it serves: `migrate FROM TO`, by contexts of the kubeconfig.
//!
//! `coordination migrate` does more: a dry run first, files, and the managed fields.

use std::error::Error;

use k8s_coordination::migration::remove_server_fields;
use k8s_coordination::requests::{ApiError, ListParameters, WriteParameters};
use k8s_coordination::v1beta1::LeaseCandidate;
use k8s_coordination_kube::client::{Candidates, served};
use kube::config::KubeConfigOptions;
use kube::{Client, Config};

/// The candidates of a cluster. The client converts them from and to the version on the wire.
async fn connect(context: Option<String>) -> Result<Candidates<LeaseCandidate>, Box<dyn Error>> {
    let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
    let client = Client::try_from(Config::from_kubeconfig(&options).await?)?;
    let version = served(&client).await?.choose()?;
    Ok(Candidates::new(client, version))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut contexts = std::env::args().skip(1);
    let (from, to) = (connect(contexts.next()).await?, connect(contexts.next()).await?);
    let parameters = WriteParameters::default().with_field_manager("example");
    let pages = ListParameters::default().with_limit(500);
    let listed = from.list_all_namespaces(&pages).await?;
    // What the version of this program, or the one of the target, cannot hold.
    listed.received.iter().for_each(|(path, finding)| println!("{path}: {finding}"));
    for mut candidate in listed.body.items {
        remove_server_fields(&mut candidate.metadata);
        candidate.spec.ping_time = None; // The API servers of the other cluster wrote it.
        let namespace = candidate.metadata.namespace.clone().unwrap_or_default();
        print!("{namespace}/{}: ", candidate.metadata.name.as_deref().unwrap_or_default());
        match to.create(&namespace, candidate, &parameters).await {
            Ok(reply) => {
                println!("created in {}", to.version());
                reply.sent.iter().for_each(|(path, finding)| println!("    {path}: {finding}"));
            }
            Err(error) if error.api().is_some_and(ApiError::is_already_exists) => {
                println!("exists");
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}
