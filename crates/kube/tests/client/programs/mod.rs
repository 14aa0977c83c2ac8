//! The example programs, run against the replay.

#[path = "../../../examples/common/mod.rs"]
mod common;
mod doctor;
mod leader;
mod list_candidates;
mod migrate;
#[cfg(unix)]
mod processes;

use clap::CommandFactory;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::replay::Replay;

const GROUP: &str = "/apis/coordination.k8s.io";

/// The discovery of a cluster of this release, which has candidates in one version.
fn cluster(release: &str, version: &str) -> Replay {
    let discovery = ["discovery-group", "discovery-version"];
    let replay = Replay::set(release, version, "leasecandidates").only(&discovery);
    if version == "v1beta1" {
        let later = Replay::set(release, "v1alpha2", "leasecandidates");
        return replay.and(later.only(&["discovery-version"]));
    }
    replay
}

fn list(kind: &str, version: &str, items: &[Value]) -> Value {
    json!({"apiVersion": format!("coordination.k8s.io/{version}"), "kind": format!("{kind}List"),
        "metadata": {"resourceVersion": "7"}, "items": items})
}

fn metadata(name: &str) -> Value {
    json!({"name": name, "namespace": "kube-system", "creationTimestamp": "2026-01-02T03:00:00Z"})
}

#[test]
fn help() {
    let text = |command: clap::Command| command.term_width(100).render_long_help().to_string();
    assert_snapshot!("doctor-help", text(doctor::program::Options::command()));
    assert_snapshot!("leader-help", text(leader::program::Options::command()));
    assert_snapshot!("list-candidates-help", text(list_candidates::program::Options::command()));
    assert_snapshot!("migrate-help", text(migrate::program::Options::command()));
}
