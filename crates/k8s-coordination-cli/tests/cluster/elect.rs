//! `coordination elect --cluster`.

use std::io::{self, ErrorKind, Write};

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use k8s_coordination_cli::cluster::elect;
use k8s_coordination_cli::{Cli, Command, Outcome};
use testing::cluster::recorded::{
    Ended, GROUP, cluster, cluster_without_candidates, ended, lease, metadata, with_lists,
};
use testing::cluster::replay::Replay;

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
    elected(replay, arguments, usize::MAX).0
}

/// The screens that `elect --watch` writes until nobody reads more, and its errors.
fn watched(replay: Replay, screens: usize) -> (Ended<Outcome>, String) {
    elected(replay, &["--watch"], screens)
}

fn elected(replay: Replay, arguments: &[&str], screens: usize) -> (Ended<Outcome>, String) {
    let cli = Cli::parse_from(["coordination", "elect", "--cluster"].iter().chain(arguments));
    let Command::Elect(args) = cli.command else { panic!() };
    let now = || "2026-01-02T03:04:05Z".parse().unwrap();
    let mut errors = Vec::new();
    let run = async |client: &_, text: &mut Vec<u8>| {
        elect::run(client, &args, now, |error| error, &mut Head { text, screens }, &mut errors)
            .await
    };
    let ended = ended(replay, run);
    (ended, String::from_utf8(errors).unwrap())
}

/// A reader that stops after some screens, as `head` does.
struct Head<'a> {
    text: &'a mut Vec<u8>,
    screens: usize,
}

impl Write for Head<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.starts_with(CLEAR.as_bytes()) {
            self.screens = self.screens.checked_sub(1).ok_or(ErrorKind::BrokenPipe)?;
        }
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

const CLEAR: &str = "\x1b[2J";

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

/// The command writes again after a change.
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
    // A renewal of a Lease is not a change, but the ages become outdated.
    for (event, of_candidate, seconds) in
        [(&added, true, 1), (&taken, false, 1), (&renewed, false, 10)]
    {
        let mut replay = listed(2).and_get(&candidates, event);
        if !of_candidate {
            replay = listed(2).and_get(&candidates, &json!([]));
            replay = replay.and_get(&watch("v1/leases"), event);
        }
        let (Ended { text, seconds: took, .. }, errors) = watched(replay, 1);
        assert_eq!((text.matches(CLEAR).count(), errors.as_str()), (1, ""), "{text}");
        assert_eq!(took, seconds);
    }
}

/// Each watch ends at once: the looks come after 1, 2 and 4 s.
#[test]
fn watches_that_end_at_once_do_not_hurry_the_looks() {
    let candidates = watch("v1alpha1/leasecandidates");
    let ends = |replay: Replay, _| replay.and_get(&candidates, &json!([]));
    let replay = (0..3).fold(listed(4).with_ending_watches(), ends);
    let (Ended { text, seconds, .. }, _) = watched(replay, 3);
    assert_eq!((text.matches(CLEAR).count(), seconds), (3, 7), "{text}");
}

fn refusal(message: &str) -> Value {
    json!({"kind": "Status", "reason": "Unauthorized", "message": message, "code": 401})
}

/// A watch that cannot begin, then lists that fail, and a cluster that serves another version after that.
#[test]
fn errors_do_not_end_a_watch() {
    let list = format!("{GROUP}/v1alpha1/leasecandidates?limit=500");
    let discovery = format!("{GROUP}/");
    let replay = listed(1)
        .and_get(&watch("v1alpha1/leasecandidates"), &refusal("no watch"))
        .and(cluster("v1.31", "v1alpha1"))
        .and_get(&list, &refusal("no list"))
        .and_get(&discovery, &refusal("no list"))
        .and(cluster("v1.36", "v1beta1"));
    let candidates = watch("v1beta1/leasecandidates");
    let replay = with_lists(replay, "v1beta1", "", (&[], &leases()))
        .and_get(&candidates, &json!([{"type": "ADDED", "object": {}}]));
    let replay = with_lists(replay, "v1beta1", "", (&[], &leases()));
    let (Ended { text, seconds, .. }, errors) = watched(replay, 2);
    assert_eq!(text.matches(CLEAR).count(), 2, "{text}");
    // The looks come after 1, 2 and 4 s, and 8 s after the next change.
    assert_eq!(seconds, 15);
    let hint =
        "the credentials are missing, wrong or expired: log in again, or check the service account";
    let expected = ["no watch", "no list"].map(|message| {
        format!(
            "401 Unauthorized: {message}\nhint: {hint}\nthe cluster is read again until Ctrl-C\n"
        )
    });
    assert_eq!(errors, expected.concat());
}

/// A wrong kubeconfig ends the command.
#[test]
fn an_error_of_the_first_look_ends_a_watch() {
    let replay = Replay::default().and_get(&format!("{GROUP}/"), &refusal("no"));
    let (Ended { text, code, seconds }, errors) = watched(replay, 1);
    assert!(text.starts_with("401 Unauthorized: no\nhint: "), "{text}");
    assert_eq!((code, seconds, errors.as_str()), (None, 0, ""));
    let (Ended { text, .. }, _) = elected(listed(1), &["--watch", "--lease", "other"], 1);
    assert!(text.starts_with("no Lease is called `other`"), "{text}");
}

#[test]
fn a_cluster_without_the_api() {
    assert_snapshot!(output(cluster_without_candidates(), &[]).text);
}
