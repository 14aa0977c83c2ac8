//! A controller in a pod: it reconciles while it leads, and keeps its cache warm while it follows.
//!
//! `deploy.yaml` beside this file runs it in a cluster. The page `docs/guides/controller.md` explains both.

mod cache;
mod control;
mod status;

use std::error::Error;
use std::io;

use k8s_coordination_kube::lead::{self, Driver, Settings};
use kube::runtime::reflector;
use kube::{Api, Client};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_ansi(false).init();
    let settings = Settings::in_cluster("lease-watcher")?.with_label("app", "lease-watcher");
    let leases: Api<cache::Lease> =
        Api::namespaced(Client::try_default().await?, &settings.namespace);

    // The cache is filled from the start, so that this process can work as soon as it leads.
    let (store, writer) = reflector::store();
    let (changes, _) = broadcast::channel(1_000);
    tokio::spawn(cache::keep_warm(leases, writer, changes.clone()));

    // A client of its own: the renewals of the Lease wait behind no other request.
    let driver = Driver::new(lead::client().await?, settings)?
        .with_events("example.com/lease-watcher")
        .with_shutdown(terminated()?);
    status::serve(driver.handle()).await?;
    driver.run(|leadership| control::run(leadership, store.clone(), changes.clone())).await?;
    Ok(())
}

/// SIGTERM, as from the kubelet, or Ctrl-C.
fn terminated() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}
