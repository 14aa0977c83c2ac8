//! `coordination doctor`.

use clap::Parser;
use insta::assert_snapshot;
use serde_json::{Value, json};

use k8s_coordination_cli::cluster::doctor;
use k8s_coordination_cli::{Cli, Command, Outcome};
use testing::cluster::recorded::{
    Ended, cluster, cluster_without_candidates, ended, lease, metadata, with_lists,
};
use testing::cluster::replay::Replay;

const OLDEST: &str = "OldestEmulationVersion";
const JUST_NOW: &str = "2026-01-02T03:04:04.000000Z";
const LONG_AGO: &str = "2026-01-02T03:00:00.000000Z";

fn candidate(name: &str, lease: &str, binary: &str, strategy: &str) -> Value {
    json!({"metadata": metadata(name), "spec": {"leaseName": lease, "binaryVersion": binary,
        "emulationVersion": binary, "renewTime": "2026-01-02T03:04:00.000000Z", "strategy": strategy}})
}

fn output(replay: Replay) -> (String, Option<Outcome>) {
    output_in(replay, "text")
}

fn output_in(replay: Replay, format: &str) -> (String, Option<Outcome>) {
    let cli = Cli::parse_from(["coordination", "doctor", "--format", format]);
    let Command::Doctor(args) = cli.command else { panic!() };
    let now = "2026-01-02T03:04:05Z".parse().unwrap();
    let run = async |client: &_, out: &mut Vec<u8>| doctor::run(client, &args, now, out).await;
    let Ended { text, code, .. } = ended(replay, run);
    // The command itself removes the colours that a terminal does not want.
    let mut parts = text.split('\u{1b}');
    let first = parts.next().unwrap_or_default().to_owned();
    let rest = parts.filter_map(|part| part.split_once('m')).map(|(_, text)| text);
    (first + &rest.collect::<String>(), code)
}

#[test]
fn every_problem() {
    let mut candidates = [
        candidate("elected", "not-elected", "1.36.0", OLDEST),
        candidate("one", "disputed", "1.36.0", OLDEST),
        candidate("other", "disputed", "1.36.0", "example.com/own"),
        candidate("odd", "fine", "v1.36?", OLDEST),
        candidate("a", "fine", "1.36.0", OLDEST),
        candidate("b", "erased", "1.36.0", OLDEST),
        candidate("c", "no-lease", "1.36.0", OLDEST),
        candidate("silent", "unanswered", "1.36.0", OLDEST),
    ];
    (candidates[7]["spec"]["renewTime"], candidates[7]["spec"]["pingTime"]) =
        ("2026-01-02T03:03:00.000000Z".into(), "2026-01-02T03:03:59.000000Z".into());
    candidates[4]["spec"]["renewTime"] = "2026-01-02T03:06:05.000000Z".into();
    let coordinated = json!({"strategy": OLDEST});
    let mut erased = lease("erased", JUST_NOW, json!({}));
    erased["metadata"]["managedFields"] = json!([
        {"manager": "program", "operation": "Update", "time": "2026-01-02T03:04:04Z"},
        {"manager": "kube-apiserver", "operation": "Update", "time": "2026-01-02T03:04:03Z"},
    ]);
    let leases = [
        lease("stopped", LONG_AGO, json!({})),
        lease("not-elected", LONG_AGO, coordinated.clone()),
        lease("waits", JUST_NOW, json!({"strategy": OLDEST, "preferredHolder": "gone"})),
        lease("tomorrow", "2026-01-03T03:04:05.000000Z", json!({})),
        lease("disputed", JUST_NOW, coordinated.clone()),
        lease("fine", JUST_NOW, coordinated),
        erased,
    ];
    let replay = cluster("v1.36", "v1beta1");
    let (text, code) = output(with_lists(replay, "v1beta1", "", (&candidates, &leases)));
    assert_snapshot!(text);
    assert_eq!(code, Some(Outcome::Failure));
}

/// A ping proves that a server elects. It waits for the answers before it writes the Lease. The `renewTime` and the `pingTime`
/// of two candidates, and the problems.
#[test]
fn a_server_waits_for_the_answers_to_its_pings() {
    let (silent, answered) = (["04:00", "04:01"], ["04:02", "04:01"]);
    let long_ago = ["02:00", "03:00"];
    let table: [([[&str; 2]; 2], &[&str]); 6] = [
        ([silent, answered], &[]),
        ([answered, answered], &[]),
        (
            [long_ago, ["03:00", "03:00"]],
            &["error[not-elected]: ", "hint: an API server has pinged a candidate: "],
        ),
        ([silent, silent], &[]),
        ([silent, ["03:50", "03:59"]], &[]),
        ([long_ago, ["03:50", "03:59"]], &["error[no-candidate-answers]: "]),
    ];
    for (times, problems) in table {
        let mut candidates = ["a", "b"].map(|name| candidate(name, "l", "1.36.0", OLDEST));
        for (candidate, [renewed, pinged]) in candidates.iter_mut().zip(times) {
            for (field, time) in [("renewTime", renewed), ("pingTime", pinged)] {
                candidate["spec"][field] = format!("2026-01-02T03:{time}.000000Z").into();
            }
        }
        let replay = with_lists(cluster("v1.36", "v1beta1"), "v1beta1", "", (&candidates, &[]));
        let (text, _) = output(replay);
        let is_problem = |line: &&str| !line.starts_with("Leases: ") && !line.starts_with("note: ");
        let lines = text.lines().filter(is_problem);
        let expected = |(line, problem): (&str, &&str)| line.trim_start().starts_with(problem);
        assert_eq!(text.matches("error[").count(), usize::from(!problems.is_empty()), "{text}");
        assert!(lines.zip(problems).all(expected), "{times:?}: {text}");
    }
}

#[test]
fn no_problem() {
    let candidates = [candidate("a", "fine", "1.36.0", OLDEST)];
    let fine = lease("fine", JUST_NOW, json!({"strategy": OLDEST}));
    let leases = [fine, lease("plain", JUST_NOW, json!({}))];
    let replay = cluster("v1.36", "v1beta1");
    let (text, code) = output(with_lists(replay, "v1beta1", "", (&candidates, &leases)));
    let warning =
        "coordination.k8s.io/v1beta1 LeaseCandidate is deprecated in v1.36+, unavailable in v1.39+";
    let expected = format!("note: {warning}\nLeases: 2, candidates: 1, problems: 0\n");
    assert_eq!((text, code), (expected, Some(Outcome::Success)));
}

#[test]
fn leases_are_checked_without_candidates() {
    let leases = [lease("stopped", LONG_AGO, json!({}))];
    let replay = with_lists(cluster_without_candidates(), "", "", (&[], &leases));
    assert_snapshot!(output(replay).0);
}

#[test]
fn json_for_programs() {
    let leases = [lease("stopped", LONG_AGO, json!({}))];
    let replay = with_lists(cluster_without_candidates(), "", "", (&[], &leases));
    let (text, code) = output_in(replay, "json");
    assert_snapshot!(text);
    assert_eq!(code, Some(Outcome::Failure));
}
