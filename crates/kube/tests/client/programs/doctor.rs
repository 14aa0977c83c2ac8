//! `doctor`.

use std::process::ExitCode;
use std::sync::Arc;

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use super::common;
use super::{GROUP, cluster, list, metadata};
use crate::replay::{Replay, run};

#[path = "../../../examples/doctor/findings.rs"]
mod findings;
#[path = "../../../examples/doctor/program.rs"]
pub(super) mod program;

fn candidate(name: &str, lease: &str, binary: &str, strategy: &str) -> Value {
    json!({"metadata": metadata(name), "spec": {"leaseName": lease, "binaryVersion": binary,
        "emulationVersion": binary, "renewTime": "2026-01-02T03:04:00.000000Z", "strategy": strategy}})
}

fn lease(name: &str, renewed: &str, more: Value) -> Value {
    let mut lease = json!({"metadata": metadata(name), "spec": {"holderIdentity": "a", "leaseDurationSeconds": 5,
        "renewTime": renewed}});
    let spec = lease["spec"].as_object_mut().unwrap();
    spec.extend(more.as_object().unwrap().clone());
    lease
}

fn output(candidates: &[Value], leases: &[Value]) -> (String, ExitCode) {
    let replay = cluster("v1.36", "v1beta1")
        .and_get(
            &format!("{GROUP}/v1beta1/leasecandidates?limit=500"),
            &list("LeaseCandidate", "v1beta1", candidates),
        )
        .and_get(&format!("{GROUP}/v1/leases?limit=500"), &list("Lease", "v1", leases));
    output_of(replay)
}

fn output_of(replay: Replay) -> (String, ExitCode) {
    let replay = Arc::new(replay);
    let options = program::Options::parse_from(["doctor"]);
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    let mut out = Vec::new();
    let code =
        run(async { program::run(&replay.client(), &options, now, &mut out).await.unwrap() });
    replay.assert_used_up();
    (String::from_utf8(out).unwrap(), code)
}

#[test]
fn everything_that_can_be_wrong() {
    let oldest = "OldestEmulationVersion";
    let candidates = [
        candidate("elected", "nobody-elects", "1.36.0", oldest),
        candidate("one", "disputed", "1.36.0", oldest),
        candidate("other", "disputed", "1.36.0", "example.com/own"),
        candidate("odd", "fine", "v1.36?", oldest),
        candidate("a", "fine", "1.36.0", oldest),
        candidate("a", "erased", "1.36.0", oldest),
        candidate("a", "no-lease", "1.36.0", oldest),
    ];
    let just_now = "2026-01-02T03:04:04.000000Z";
    let coordinated = json!({"strategy": oldest});
    let mut erased = lease("erased", just_now, json!({}));
    erased["metadata"]["managedFields"] = json!([
        {"manager": "program", "operation": "Update", "time": "2026-01-02T03:04:04Z"},
        {"manager": "kube-apiserver", "operation": "Update", "time": "2026-01-02T03:04:03Z"},
    ]);
    let leases = [
        lease("stopped", "2026-01-02T03:00:00.000000Z", json!({})),
        lease("nobody-elects", "2026-01-02T03:00:00.000000Z", coordinated.clone()),
        lease("waits", just_now, json!({"strategy": oldest, "preferredHolder": "gone"})),
        lease("tomorrow", "2026-01-03T03:04:05.000000Z", json!({})),
        lease("disputed", just_now, coordinated.clone()),
        lease("fine", just_now, coordinated),
        erased,
    ];
    let (text, code) = output(&candidates, &leases);
    assert_snapshot!(text);
    assert_eq!(code, ExitCode::from(1));
}

#[test]
fn nothing_is_wrong() {
    let oldest = "OldestEmulationVersion";
    let candidates = [candidate("a", "fine", "1.36.0", oldest)];
    let just_now = "2026-01-02T03:04:04.000000Z";
    let leases =
        [lease("fine", just_now, json!({"strategy": oldest})), lease("plain", just_now, json!({}))];
    let (text, code) = output(&candidates, &leases);
    assert_eq!(
        (text.as_str(), code),
        ("Leases: 2, candidates: 1, problems: 0\n", ExitCode::SUCCESS)
    );
}

#[test]
fn leases_are_looked_at_without_candidates() {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io", "versions": []});
    let leases = [lease("stopped", "2026-01-02T03:00:00.000000Z", json!({}))];
    let replay = Replay::nothing()
        .and_get("/apis/coordination.k8s.io/", &group)
        .and_get(&format!("{GROUP}/v1/leases?limit=500"), &list("Lease", "v1", &leases));
    assert_snapshot!(output_of(replay).0);
}
