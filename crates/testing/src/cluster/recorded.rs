//! Clusters made of recordings and lists, and programs that run with them.

use std::sync::Arc;

use kube::Client;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::replay::{Replay, run};

pub const GROUP: &str = "/apis/coordination.k8s.io";

/// The discovery of a cluster of this release that serves one version of candidates.
pub fn cluster(release: &str, version: &str) -> Replay {
    let discovery = ["discovery-group", "discovery-version"];
    let replay = Replay::set(release, version, "leasecandidates").only(&discovery);
    if version == "v1beta1" {
        let later = Replay::set(release, "v1alpha2", "leasecandidates");
        return replay.and(later.only(&["discovery-version"]));
    }
    replay
}

/// A cluster that serves no version of `LeaseCandidate`.
pub fn cluster_without_candidates() -> Replay {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io", "versions": []});
    Replay::default().and_get(&format!("{GROUP}/"), &group)
}

/// Adds the candidates and Leases of all namespaces, or of the one in `scope`.
pub fn with_lists(
    replay: Replay,
    version: &str,
    scope: &str,
    (candidates, leases): (&[Value], &[Value]),
) -> Replay {
    let list = |kind: &str, version: &str, items: &[Value]| {
        json!({"apiVersion": format!("coordination.k8s.io/{version}"), "kind": format!("{kind}List"),
            "metadata": {"resourceVersion": "7"}, "items": items})
    };
    let target =
        |version: &str, plural: &str| format!("{GROUP}/{version}{scope}/{plural}?limit=500");
    let replay = if version.is_empty() {
        replay
    } else {
        let candidates = list("LeaseCandidate", version, candidates);
        replay.and_get(&target(version, "leasecandidates"), &candidates)
    };
    replay.and_get(&target("v1", "leases"), &list("Lease", "v1", leases))
}

pub fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": "kube-system", "creationTimestamp": "2026-01-02T03:00:00Z"})
}

pub fn lease(name: &str, renewed: &str, more: Value) -> Value {
    let mut lease = json!({"metadata": metadata(name), "spec": {"holderIdentity": "a", "leaseDurationSeconds": 5,
        "renewTime": renewed}});
    let spec = lease["spec"].as_object_mut().unwrap();
    spec.extend(more.as_object().unwrap().clone());
    lease
}

/// The result of a program.
pub struct Ended<O> {
    /// The output, with the failure if the program failed.
    pub text: String,
    pub code: Option<O>,
    pub seconds: u64,
}

/// Runs a program to its end. It must use all recordings.
pub fn ended<O, E: ToString>(
    replay: Replay,
    program: impl AsyncFnOnce(&Client, &mut Vec<u8>) -> Result<O, E>,
) -> Ended<O> {
    let replay = Arc::new(replay);
    let mut out = Vec::new();
    let (result, seconds) = run(async {
        let start = Instant::now();
        let result = program(&replay.client(), &mut out).await;
        (result, start.elapsed().as_secs())
    });
    replay.assert_used_up();
    let mut text = String::from_utf8(out).unwrap();
    let code = result.map_err(|failure| text += &failure.to_string()).ok();
    Ended { text, code, seconds }
}
