//! *Fence writes to an object*.

use k8s_coordination::v1::Lease;
use k8s_coordination_kube::Object;
use k8s_coordination_kube::lead::{FencingToken, Leadership};
use kube::{Api, ResourceExt, api::PostParams};

/// The annotation with the term of the last write.
const TERM: &str = "example.com/term";

async fn take(
    leases: &Api<Object<Lease>>,
    leadership: &Leadership,
) -> Result<(), Box<dyn std::error::Error>> {
    let mut lease = leases.get("work").await?;
    if let Some(seen) = lease.annotations().get(TERM) {
        let seen: FencingToken = seen.parse()?;
        if !leadership.token().partial_cmp(&seen).is_some_and(std::cmp::Ordering::is_ge) {
            return Err(format!("{seen} is a later term, or has no order").into());
        }
    }
    lease.annotations_mut().insert(TERM.to_owned(), leadership.token().to_string());
    lease.spec_mut().holder_identity = Some("me".to_owned());
    if !leadership.holds() {
        return Err("the term is over".into());
    }
    // A conflict if another process has written since the object was read: begin again.
    leases.replace("work", &PostParams::default(), &lease).await?;
    Ok(())
}

#[test]
fn an_object_with_a_later_term_is_left_alone() {
    use k8s_coordination_kube::lead::{Settings, lead};
    use serde_json::{Value, json};
    use std::sync::{Arc, Mutex};
    use testing::cluster::{Cluster, replay::Replay, replay::run};
    use testing::server::{LEASE, NAMESPACE};

    let path = format!("/apis/coordination.k8s.io/v1/namespaces/{NAMESPACE}/leases/work");
    let object = |term: &str, holder: Value| {
        json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "metadata": {"name": "work",
            "resourceVersion": "7", "annotations": {TERM: term}}, "spec": holder})
    };
    // The same term, a later one, and one without an order.
    for (more, written) in [("", true), ("0", false), ("x", false)] {
        let said = Arc::new(Mutex::new(None));
        let work = |leadership: Leadership| {
            let (said, path) = (Arc::clone(&said), path.clone());
            let own = leadership.token().clone();
            let seen = FencingToken {
                resource_version: format!("{}{more}", own.resource_version).into(),
                ..own.clone()
            };
            async move {
                let before = object(&seen.to_string(), json!({}));
                let replay = Replay::default().and_get(&path, &before);
                let after = object(&own.to_string(), json!({"holderIdentity": "me"}));
                let replay =
                    if written { replay.and_write("PUT", &path, &after, &after) } else { replay };
                let replay = Arc::new(replay);
                let result = take(&Api::namespaced(replay.client(), NAMESPACE), &leadership).await;
                replay.assert_used_up();
                *said.lock().unwrap() = Some(result.map_err(|error| error.to_string()));
            }
        };
        run(async {
            let settings = Settings::new(NAMESPACE, LEASE, "me");
            lead(Cluster::new(None).client(), settings, work).await.unwrap();
        });
        let said = said.lock().unwrap().take().unwrap();
        assert_eq!(said.is_ok(), written, "{said:?}");
        assert!(written || said.unwrap_err().contains("is a later term"));
    }
}
