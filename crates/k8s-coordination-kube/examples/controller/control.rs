//! The controller of one term.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use k8s_coordination_kube::lead::Leadership;
use kube::ResourceExt;
use kube::runtime::Controller;
use kube::runtime::controller::Action;
use kube::runtime::reflector::Store;

use super::cache::{Changes, Lease, all_then_changes};

/// Runs the controller. When leading ends, the reconciliations under way finish first.
pub(crate) async fn run(leadership: Leadership, store: Store<Lease>, changes: Changes) {
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

/// The work for one object: here, a line in the log.
async fn reconcile(lease: Arc<Lease>, leadership: Arc<Leadership>) -> Result<Action, Infallible> {
    // A write belongs between this check and the end of the function, with the token of the term.
    if leadership.holds() {
        let holder = lease.spec.holder_identity.as_deref().unwrap_or_default();
        tracing::info!("reconciled {}, held by {holder:?}", lease.name_any());
    }
    Ok(Action::requeue(Duration::from_secs(300)))
}
