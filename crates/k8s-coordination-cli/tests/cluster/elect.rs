//! `coordination elect --cluster`.

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use k8s_coordination_cli::cluster::elect;
use k8s_coordination_cli::{Cli, Command, Outcome};
use testing::cluster::recorded::{
    Ended, GROUP, cluster, cluster_without_candidates, ended, lease, metadata, with_lists,
};
use testing::cluster::replay::{Fault, Replay};

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

fn leases() -> [Value; 1] {
    let coordinated = json!({"holderIdentity": "node-1", "strategy": "OldestEmulationVersion"});
    [lease("scheduler", "2026-01-02T03:04:03.000000Z", coordinated)]
}

/// A cluster with these objects, for this number of lists.
fn listed(times: usize) -> Replay {
    let with = |replay, _| with_lists(replay, "v1alpha1", "", (&candidates(), &leases()));
    (0..times).fold(cluster("v1.31", "v1alpha1"), with)
}

fn output(replay: Replay, arguments: &[&str]) -> Ended<Outcome> {
    let cli = Cli::parse_from(["coordination", "elect", "--cluster"].iter().chain(arguments));
    let Command::Elect(args) = cli.command else { panic!() };
    let now = || "2026-01-02T03:04:05Z".parse().unwrap();
    let run = async |client: &_, out: &mut Vec<u8>| {
        elect::run(client, &args, now, out, &mut Vec::new()).await
    };
    ended(replay, run)
}

#[test]
fn the_leaders_and_the_reasons() {
    assert_snapshot!(output(listed(1), &[]).text);
}

#[test]
fn json_for_programs() {
    let Ended { text, code, .. } = output(listed(1), &["--format", "json"]);
    assert_eq!(code, Some(Outcome::Success));
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["elections"][0]["best"], "node-2");
}

#[test]
fn no_candidates() {
    let replay = with_lists(cluster("v1.36", "v1beta1"), "v1beta1", "/namespaces/a", (&[], &[]));
    assert_eq!(output(replay, &["-n", "a"]).text, "There are no candidates.\n");
}

/// The holder has gone, and the candidates do not answer: nobody leads.
#[test]
fn nobody_answers() {
    let mut candidates = candidates();
    for candidate in &mut candidates {
        candidate["spec"]["pingTime"] = "2026-01-02T03:04:01.000000Z".into();
    }
    let coordinated = json!({"holderIdentity": "gone", "strategy": "OldestEmulationVersion"});
    let lease = lease("scheduler", "2026-01-02T03:00:00.000000Z", coordinated);
    for (format, expected) in [
        ("text", ": no candidate has answered; `gone` may keep it.\n"),
        ("json", "\"success\": false,"),
    ] {
        let replay = cluster("v1.31", "v1alpha1");
        let replay =
            with_lists(replay, "v1alpha1", "", (&candidates, std::slice::from_ref(&lease)));
        let Ended { text, code, .. } = output(replay, &["--format", format]);
        assert!(text.contains(expected), "{text}");
        assert_eq!(code, Some(Outcome::Failure), "{format}");
    }
}

fn watch(resource: &str) -> String {
    format!("{GROUP}/{resource}?allowWatchBookmarks=true&resourceVersion=7&watch=true")
}

/// The command writes again after a change. Here the second watch cannot begin.
#[test]
fn watching() {
    let candidates = watch("v1alpha1/leasecandidates");
    let added = json!([{"type": "ADDED", "object": {}}]);
    let of_lease = |more: Value| {
        let [mut lease] = leases();
        lease["spec"].as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!([{"type": "MODIFIED", "object": lease}])
    };
    let renewed = of_lease(json!({"renewTime": "2026-01-02T03:04:05.000000Z"}));
    let taken = of_lease(json!({"holderIdentity": "node-2"}));
    let forbidden = json!({"kind": "Status", "reason": "Forbidden", "message": "no", "code": 403});
    // A renewal of a Lease is not a change, but the ages become outdated.
    for (event, of_candidate, seconds) in
        [(&added, true, 1), (&taken, false, 1), (&renewed, false, 10)]
    {
        let mut replay = listed(2);
        replay = if of_candidate {
            replay.and_get(&candidates, event)
        } else {
            let hangs = replay.with_fault(&format!("GET {candidates}"), Fault::Hang);
            hangs.and_get(&watch("v1/leases"), event)
        };
        let Ended { text, seconds: took, .. } =
            output(replay.and_get(&candidates, &forbidden), &["--watch"]);
        assert_eq!(text.matches("\u{1b}[2J").count(), 2);
        assert_eq!(took, seconds);
        let hint = "403 Forbidden: no";
        assert!(text.contains(hint), "{text}");
    }
}

/// Each watch ends at once: the looks come after 1, 2 and 4 s.
#[test]
fn watches_that_end_at_once_do_not_hurry_the_looks() {
    let candidates = watch("v1alpha1/leasecandidates");
    let ends = |replay: Replay, _| replay.and_get(&candidates, &json!([]));
    let forbidden = json!({"kind": "Status", "reason": "Forbidden", "message": "no", "code": 403});
    let replay = (0..3).fold(listed(4).with_ending_watches(), ends);
    let Ended { text, seconds, .. } = output(replay.and_get(&candidates, &forbidden), &["--watch"]);
    assert_eq!((text.matches("\u{1b}[2J").count(), seconds), (4, 7), "{text}");
}

#[test]
fn a_cluster_without_the_api() {
    assert_snapshot!(output(cluster_without_candidates(), &[]).text);
}
