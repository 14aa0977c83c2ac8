//! The versions that a cluster serves, and the choice of one.

use std::sync::Arc;

use k8s_coordination::conversion::LeaseCandidateVersion::{self, V1alpha1, V1alpha2, V1beta1};
use k8s_coordination_kube::client::{Error, is_coordinated, served};
use kube::Client;
use serde_json::json;

use testing::cluster::http::{json_response, server};
use testing::cluster::replay::{Fault, Replay, run};

fn discovery(release: &str, version: &str) -> Replay {
    let names = ["discovery-group", "discovery-version"];
    Replay::set(release, version, "leasecandidates").only(&names)
}

fn version(minor: &str) -> serde_json::Value {
    json!({"major": "1", "minor": minor, "gitVersion": "", "gitCommit": "", "gitTreeState": "",
        "buildDate": "", "goVersion": "", "compiler": "", "platform": ""})
}

/// A version of the group with this resource.
fn resources(version: &str, plural: &str) -> serde_json::Value {
    let singular = plural.trim_end_matches('s');
    json!({"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": format!("coordination.k8s.io/{version}"),
        "resources": [{"name": plural, "singularName": singular, "namespaced": true, "kind": "", "verbs": []}]})
}

#[test]
fn the_newest_version_that_both_know_is_chosen() {
    let across = discovery("v1.36", "v1alpha2").only(&["discovery-version"]);
    let table = [
        (discovery("v1.31", "v1alpha1"), "31", vec![V1alpha1]),
        (discovery("v1.32", "v1alpha2"), "32+", vec![V1alpha2]),
        (discovery("v1.36", "v1beta1").and(across), "36", vec![V1alpha2, V1beta1]),
    ];
    for (replay, minor, versions) in table {
        let replay = Arc::new(replay.and_get("/version", &version(minor)));
        let served = run(async { served(&replay.client()).await.unwrap() });
        replay.assert_used_up();
        assert_eq!(served.versions, versions);
        assert_eq!(
            served.release.unwrap().to_string(),
            format!("v1.{}", minor.trim_end_matches('+'))
        );
        assert_eq!(served.choose().ok(), versions.last().copied());
        let warning = "coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+";
        let removed = (minor == "36").then_some(warning);
        assert_eq!(served.deprecation().as_deref(), removed);
    }
}

/// A server behind the API server can state an `apiVersion` of its own in discovery, such as `v1alpha3` by `KubeVirt`.
#[test]
fn discovery_in_a_version_of_its_own() {
    let mut group = json!({"kind": "APIGroup", "apiVersion": "v1alpha3", "name": "coordination.k8s.io",
        "versions": [{"groupVersion": "coordination.k8s.io/v1beta1", "version": "v1beta1"}]});
    let mut resources = resources("v1beta1", "leasecandidates");
    resources["apiVersion"] = "v1alpha3".into();
    for _ in 0..2 {
        let replay = Replay::default()
            .and_get("/apis/coordination.k8s.io/", &group)
            .and_get("/apis/coordination.k8s.io/v1beta1/", &resources)
            .and_get("/version", &version("36"));
        let replay = Arc::new(replay);
        let served = run(async { served(&replay.client()).await.unwrap() });
        assert_eq!(served.choose().ok(), Some(V1beta1));
        group["apiVersion"] = "v1".into();
    }
    // Another kind is still refused.
    resources["kind"] = "Status".into();
    let replay = Replay::default()
        .and_get("/apis/coordination.k8s.io/", &group)
        .and_get("/apis/coordination.k8s.io/v1beta1/", &resources);
    let replay = Arc::new(replay);
    assert!(run(async { served(&replay.client()).await }).is_err());
}

/// A group without candidates, as servers have it by default.
#[test]
fn the_error_says_how_to_enable_the_api() {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io",
        "versions": [{"groupVersion": "coordination.k8s.io/v1", "version": "v1"}]});
    let flags = |version: &str| {
        format!(
            "need `--runtime-config=coordination.k8s.io/{version}=true \
             --feature-gates=CoordinatedLeaderElection=true`"
        )
    };
    let upgrade = "need an upgrade: their release has no `LeaseCandidate`".to_owned();
    let table = [
        ("30", "API servers of 1.30", upgrade),
        ("31", "API servers of 1.31", flags("v1alpha1")),
        ("32", "API servers of 1.32", flags("v1alpha2")),
        ("33+", "API servers of 1.33", flags("v1beta1")),
        ("", "its API servers", flags("v1beta1")),
    ];
    for (minor, servers, advice) in table {
        let replay = Replay::default()
            .and_get("/apis/coordination.k8s.io/", &group)
            .and_get("/apis/coordination.k8s.io/v1/", &resources("v1", "leases"))
            .and_get("/version", &version(minor));
        let replay = Arc::new(replay);
        let served = run(async { served(&replay.client()).await.unwrap() });
        let error = served.choose().unwrap_err().to_string();
        let expected = format!(
            "the cluster serves no version of `LeaseCandidate`, which is off by default; {servers} {advice}"
        );
        assert_eq!(error, expected);
    }
}

/// The newest version, with the error of requests.
async fn newest(client: &Client) -> Result<LeaseCandidateVersion, Error> {
    Ok(served(client).await?.choose()?)
}

/// A later release, and a server without the group: other flags would not help.
#[test]
fn the_error_does_not_advise_flags_in_vain() {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io",
        "versions": [{"groupVersion": "coordination.k8s.io/v2", "version": "v2"}]});
    let replay = Replay::default()
        .and_get("/apis/coordination.k8s.io/", &group)
        .and_get("/apis/coordination.k8s.io/v2/", &resources("v2", "leasecandidates"))
        .and_get("/version", &version("40"));
    let replay = Arc::new(replay);
    let error = run(async { newest(&replay.client()).await.unwrap_err() });
    replay.assert_used_up();
    let expected =
        "the cluster serves `LeaseCandidate` in v2, which this program does not know: update it";
    assert_eq!(error.to_string(), expected);

    let absent = server(|_, _| async { Ok(json_response(404, &"404 page not found")) });
    let error = run(async { newest(&Client::new(absent, "default")).await.unwrap_err() });
    let expected = "the server does not serve the group `coordination.k8s.io`: is it an API server? \
                    Check `server` in the kubeconfig, and the proxy before it";
    assert_eq!(error.to_string(), expected);
}

#[test]
fn a_version_of_the_group_without_candidates_does_not_count() {
    let group = json!({"kind": "APIGroup", "apiVersion": "v1", "name": "coordination.k8s.io",
        "versions": [{"groupVersion": "coordination.k8s.io/v1beta1", "version": "v1beta1"}]});
    let replay = Replay::default()
        .and_get("/apis/coordination.k8s.io/", &group)
        .and_get("/apis/coordination.k8s.io/v1beta1/", &resources("v1beta1", "leases"));
    let replay = Arc::new(replay);
    let served = run(async { served(&replay.client()).await.unwrap() });
    assert_eq!((served.versions.len(), served.release), (0, None));
}

#[test]
fn a_server_that_refuses_is_an_error() {
    let replay =
        discovery("v1.36", "v1beta1").with_fault("discovery-group", Fault::Refuse(429, "7"));
    let replay = Arc::new(replay);
    let error = run(async { served(&replay.client()).await.unwrap_err() });
    assert_eq!(error.api().unwrap().retry_after().unwrap().as_secs(), 7);
}

#[test]
fn a_server_that_drops_the_strategy_does_not_coordinate() {
    for (stored, expected) in
        [(json!({"strategy": "OldestEmulationVersion"}), true), (json!({}), false)]
    {
        let replay = Replay::default().and_write(
            "POST",
            "/apis/coordination.k8s.io/v1/namespaces/ns/leases?dryRun=All",
            &json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
                "metadata": {"generateName": "feature-gate-"},
                "spec": {"strategy": "OldestEmulationVersion"}}),
            &json!({"apiVersion": "coordination.k8s.io/v1", "kind": "Lease", "spec": stored}),
        );
        let replay = Arc::new(replay);
        let found = run(async { is_coordinated(&replay.client(), "ns").await.unwrap() });
        assert_eq!(found, expected);
        replay.assert_used_up();
    }
}
