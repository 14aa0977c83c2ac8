//! The cache of objects, which is up to date whether this process leads or not.

use std::sync::Arc;

use futures_util::{Stream, StreamExt, stream};
use k8s_coordination::v1;
use k8s_coordination_kube::Object;
use kube::Api;
use kube::runtime::reflector::{Store, store::Writer};
use kube::runtime::{WatchStreamExt, reflector, watcher};
use tokio::sync::broadcast::{self, error::RecvError};

/// The kind of the objects.
pub(crate) type Lease = Object<v1::Lease>;

/// The objects that have changed. There is no receiver while this process follows.
pub(crate) type Changes = broadcast::Sender<Arc<Lease>>;

/// Fills the cache and sends the changes.
pub(crate) async fn keep_warm(leases: Api<Lease>, writer: Writer<Lease>, changes: Changes) {
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

/// All objects of the cache, and then the changes.
pub(crate) fn all_then_changes(
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
