//! *Watch with reconnect*.

use futures_util::StreamExt;
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::Object;
use kube::runtime::{WatchStreamExt, watcher};
use kube::{Api, Client, ResourceExt};

async fn watch(client: Client) {
    let leases: Api<Object<Lease>> = Api::namespaced(client, "kube-system");
    let events = watcher(leases, watcher::Config::default()).default_backoff();
    let mut changes = events.applied_objects().boxed();
    while let Some(change) = changes.next().await {
        match change {
            Ok(lease) => println!("{}: {:?}", lease.name_any(), lease.spec.holder_identity),
            Err(error) => eprintln!("the watch broke, and starts again: {error}"),
        }
    }
}

#[test]
fn a_broken_watch_starts_again() {
    use serde_json::json;
    use std::{sync::Arc, time::Duration};
    use testing::cluster::replay::{Fault, Replay, run};

    let leases = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases";
    let list = format!("{leases}?limit=500");
    let watched = format!(
        "{leases}?watch=true&timeoutSeconds=290&allowWatchBookmarks=true&resourceVersion=7"
    );
    let lease = json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
        "metadata": {"name": "scheduler", "resourceVersion": "8"}, "spec": {"holderIdentity": "a"}});
    let replay = Replay::default()
        .and_get(
            &list,
            &json!({"apiVersion": "coordination.k8s.io/v1", "kind": "LeaseList",
                "metadata": {"resourceVersion": "7"}, "items": []}),
        )
        .and_get(&watched, &json!([{"type": "ADDED", "object": lease}]))
        .with_fault(&format!("GET {list}"), Fault::Refuse(500, "1"))
        .with_fault(&format!("GET {watched}"), Fault::Disconnect);
    let replay = Arc::new(replay);
    run(async {
        let watch = watch(replay.client());
        let ended = tokio::time::timeout(Duration::from_secs(100), watch).await;
        assert!(ended.is_err(), "the recipe watches until the program ends");
    });
    replay.assert_used_up();
}
