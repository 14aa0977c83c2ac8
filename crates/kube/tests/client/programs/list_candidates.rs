//! `list-candidates`.

use std::sync::Arc;

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::common;
use super::{GROUP, cluster, list, metadata};
use crate::replay::{Fault, Replay, run};

#[path = "../../../examples/list-candidates/program.rs"]
pub(super) mod program;

fn candidates() -> Vec<Value> {
    let candidate = |name: &str, emulation: &str, renewed: &str, strategies: Value| {
        json!({"metadata": metadata(name), "spec": {"leaseName": "scheduler", "binaryVersion": "1.31.0",
            "emulationVersion": emulation, "renewTime": renewed, "preferredStrategies": strategies}})
    };
    let strategies = json!(["OldestEmulationVersion", "example.com/by-load"]);
    vec![
        candidate("node-1", "1.31.0", "2026-01-02T03:04:00.000000Z", strategies.clone()),
        candidate("node-2", "1.30.0", "2026-01-02T03:03:05.000000Z", strategies),
        candidate("node-3", "1.30.0", "2026-01-02T02:00:00.000000Z", json!([])),
    ]
}

fn leases() -> Vec<Value> {
    vec![
        json!({"metadata": metadata("scheduler"), "spec": {"holderIdentity": "node-1", "leaseDurationSeconds": 5,
        "renewTime": "2026-01-02T03:04:03.000000Z", "strategy": "OldestEmulationVersion"}}),
    ]
}

fn with_lists(replay: Replay) -> Replay {
    replay
        .and_get(
            &format!("{GROUP}/v1alpha1/leasecandidates?limit=500"),
            &list("LeaseCandidate", "v1alpha1", &candidates()),
        )
        .and_get(&format!("{GROUP}/v1/leases?limit=500"), &list("Lease", "v1", &leases()))
}

fn output(replay: Replay, arguments: &[&str]) -> String {
    timed_output(replay, arguments).0
}

/// The output, the failure with which the program ends if it fails, and the seconds that it takes.
fn timed_output(replay: Replay, arguments: &[&str]) -> (String, u64) {
    let replay = Arc::new(replay);
    let program = ["list-candidates"].iter().chain(arguments);
    let options = program::Options::parse_from(program);
    let now = || "2026-01-02T03:04:05Z".parse().unwrap();
    let mut out = Vec::new();
    let (result, took) = run(async {
        let start = tokio::time::Instant::now();
        let result = program::run(&replay.client(), &options, now, &mut out).await;
        (result, start.elapsed().as_secs())
    });
    let failure = result.err().map(|failure| failure.to_string()).unwrap_or_default();
    replay.assert_used_up();
    (String::from_utf8(out).unwrap() + &failure, took)
}

#[test]
fn who_leads_and_why() {
    assert_snapshot!(output(with_lists(cluster("v1.31", "v1alpha1")), &[]));
}

#[test]
fn json_for_programs() {
    let output = output(with_lists(cluster("v1.31", "v1alpha1")), &["--output", "json"]);
    let value: Value = serde_json::from_str(&output).unwrap();
    assert_eq!(value["candidates"][0]["apiVersion"], "coordination.k8s.io/v1alpha1");
    assert_eq!(value["elections"][0]["best"], "node-2");
}

#[test]
fn nobody() {
    let replay = cluster("v1.36", "v1beta1")
        .and_get(
            &format!("{GROUP}/v1beta1/namespaces/a/leasecandidates?limit=500"),
            &list("LeaseCandidate", "v1beta1", &[]),
        )
        .and_get(&format!("{GROUP}/v1/namespaces/a/leases?limit=500"), &list("Lease", "v1", &[]));
    assert_eq!(output(replay, &["-n", "a"]), "There are no candidates.\n");
}

fn watch(resource: &str) -> String {
    format!("{GROUP}/{resource}?allowWatchBookmarks=true&resourceVersion=7&watch=true")
}

/// Draws again after a change; here the second watch cannot begin.
#[test]
fn watching() {
    let candidates = watch("v1alpha1/leasecandidates");
    let added = json!([{"type": "ADDED", "object": {}}]);
    let of_lease = |more: Value| {
        let mut lease = leases().remove(0);
        lease["spec"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{"type": "MODIFIED", "object": lease}])
    };
    let renewed = of_lease(json!({"renewTime": "2026-01-02T03:04:05.000000Z"}));
    let taken = of_lease(json!({"holderIdentity": "node-2"}));
    let forbidden = json!({"kind": "Status", "reason": "Forbidden", "message": "no", "code": 403});
    // A renewal of a Lease is no change, but what is shown grows old.
    for (event, of_candidate, seconds) in
        [(&added, true, 0), (&taken, false, 0), (&renewed, false, 10)]
    {
        let mut replay = with_lists(with_lists(cluster("v1.31", "v1alpha1")));
        replay = if of_candidate {
            replay.and_get(&candidates, event)
        } else {
            let hangs = replay.with_fault(&format!("GET {candidates}"), Fault::Hang);
            hangs.and_get(&watch("v1/leases"), event)
        };
        let (output, took) = timed_output(replay.and_get(&candidates, &forbidden), &["--watch"]);
        assert_eq!(output.matches("\u{1b}[2J").count(), 2);
        assert_eq!(took, seconds);
        let hint = "error: 403 Forbidden: no\nhint: the program needs the verbs";
        assert!(output.contains(hint), "{output}");
    }
}

#[test]
fn a_cluster_without_the_api() {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io", "versions": []});
    let replay = Replay::nothing().and_get("/apis/coordination.k8s.io/", &group);
    assert_snapshot!(output(replay, &[]));
}
