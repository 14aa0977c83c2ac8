//! A controller in a pod: it reconciles while it leads, and keeps its cache warm while it follows.
//!
//! `deploy.yaml` beside this file runs it in a cluster. The page `docs/controller.md` explains both.

mod status;

use std::convert::Infallible;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use futures_util::{Stream, StreamExt, stream};
use k8s_coordination_kube::lead::{Driver, Leadership, Settings};
use k8s_coordination_kube::v1::Lease;
use kube::runtime::controller::Action;
use kube::runtime::reflector::{Store, store::Writer};
use kube::runtime::{Controller, WatchStreamExt, reflector, watcher};
use kube::{Api, Client, ResourceExt};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::{self, error::RecvError};

/// The objects that have changed. There is no receiver while this process follows.
type Changes = broadcast::Sender<Arc<Lease>>;

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_ansi(false).init();
    let settings = Settings::in_cluster("lease-watcher")?.with_label("app", "lease-watcher");
    let leases: Api<Lease> = Api::namespaced(Client::try_default().await?, &settings.namespace);

    // The cache is filled from the start, so that this process can work as soon as it leads.
    let (store, writer) = reflector::store();
    let (changes, _) = broadcast::channel(1_000);
    tokio::spawn(keep_warm(leases, writer, changes.clone()));

    // A client of its own: the renewals of the Lease wait behind no other request.
    let driver = Driver::new(Client::try_default().await?, settings)?
        .with_events("example.com/lease-watcher")
        .with_shutdown(terminated()?);
    status::serve(driver.handle()).await?;
    driver.run(|leadership| control(leadership, store.clone(), changes.clone())).await?;
    Ok(())
}

/// SIGTERM, as from the kubelet, or Ctrl-C.
fn terminated() -> Result<impl Future<Output = ()> + Send + 'static, std::io::Error> {
    let (mut terminate, mut interrupt) =
        (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Keeps the cache up to date, whether this process leads or not.
async fn keep_warm(leases: Api<Lease>, writer: Writer<Lease>, changes: Changes) {
    let events = reflector(writer, watcher(leases, watcher::Config::default()).default_backoff());
    let applied = events.applied_objects();
    let mut applied = std::pin::pin!(applied);
    while let Some(object) = applied.next().await {
        match object {
            // Without a receiver this process follows.
            Ok(lease) => _ = changes.send(Arc::new(lease)),
            Err(error) => tracing::warn!(%error, "the watch broke; it starts again"),
        }
    }
}

/// Runs the controller for one term. When leading ends, the reconciliations under way finish first.
async fn control(leadership: Leadership, store: Store<Lease>, changes: Changes) {
    let objects = all_then_changes(store.clone(), changes.subscribe());
    let stopped = leadership.clone();
    Controller::for_shared_stream(objects, store)
        .graceful_shutdown_on(async move { stopped.stopped().await })
        .run(reconcile, |_, _: &Infallible, _| Action::await_change(), Arc::new(leadership))
        .for_each(|result| async move {
            if let Err(error) = result {
                tracing::warn!(%error, "not reconciled");
            }
        })
        .await;
}

/// All objects of the cache, and then the changes.
fn all_then_changes(
    store: Store<Lease>,
    changes: broadcast::Receiver<Arc<Lease>>,
) -> impl Stream<Item = Arc<Lease>> {
    let all = store.state();
    let changes = stream::unfold((store, changes), |(store, mut changes)| async {
        let objects = match changes.recv().await {
            Ok(object) => vec![object],
            Err(RecvError::Lagged(_)) => store.state(),
            Err(RecvError::Closed) => return None,
        };
        Some((objects, (store, changes)))
    });
    stream::iter(all).chain(changes.flat_map(stream::iter))
}

/// The work for one object: here, a line in the log.
async fn reconcile(lease: Arc<Lease>, leadership: Arc<Leadership>) -> Result<Action, Infallible> {
    // A write belongs between this check and the end of the function, with the token of the term.
    if leadership.holds() {
        let holder = lease.spec.holder_identity.as_deref().unwrap_or_default();
        tracing::info!("reconciled {}, held by {holder:?}", lease.name_any());
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}
