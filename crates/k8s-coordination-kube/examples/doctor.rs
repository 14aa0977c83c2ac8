//! Lists the Leases of a cluster whose holder stopped renewing more than a minute ago.
//!
//! `coordination doctor` finds more problems, with hints.

use std::error::Error;
use std::time::Duration;

use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1;
use k8s_coordination_kube::Object;
use kube::api::ListParams;
use kube::{Api, Client, ResourceExt};

#[tokio::main]
async fn main() {
    if let Err(error) = run().await {
        eprintln!("Error: {error}");
        std::process::exit(1);
    }
}

async fn run() -> Result<(), Box<dyn Error>> {
    let leases: Api<Object<v1::Lease>> = Api::all(Client::try_default().await?);
    for lease in leases.list(&ListParams::default()).await? {
        let Some(end) = end(&lease.spec) else { continue };
        let since = MicroTime::now().duration_since(end).as_secs();
        if since > 60 {
            let namespace = lease.namespace().unwrap_or_default();
            let holder = lease.spec.holder_identity.as_deref().unwrap_or_default();
            println!("{namespace}/{}: {holder:?} stopped {since} s ago", lease.name_any());
        }
    }
    Ok(())
}

/// The end of the Lease unless its holder renews it; `None` if it has no holder.
fn end(spec: &v1::LeaseSpec) -> Option<MicroTime> {
    spec.holder_identity.as_deref().filter(|holder| !holder.is_empty())?;
    let seconds = u64::try_from(spec.lease_duration_seconds?).ok()?;
    Some(spec.renew_time?.saturating_add(Duration::from_secs(seconds)))
}
