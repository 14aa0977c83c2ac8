//! Elections that servers held: a table of the results, one line for each case, and the explanations.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_coordination_conformance::RecordedElection;
use k8s_versioned::{MicroTime, Release};
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recording::Scenario;
use serde_json::Value;

use crate::recorded::{recordings, spans};

#[test]
fn elections() {
    insta::assert_snapshot!(table("elections"));
}

#[test]
fn reelections() {
    insta::assert_snapshot!(table("reelections"));
}

/// The explanation of every recorded election, without its times. Equal ones are shown once.
#[test]
fn stories() {
    let mut stories: BTreeMap<(&str, String), Vec<String>> = BTreeMap::new();
    let elections = recordings().filter_map(|recording| {
        let outcome = RecordedElection::of(recording)?.outcome();
        Some((recording, without_times(&outcome.to_string())))
    });
    for (recording, story) in elections {
        let (release, version) = (recording.release(), recording.place().version());
        let releases = stories.entry((recording.name(), story)).or_default();
        releases.push(format!("{release} {version}"));
    }
    let stories = stories.iter().map(|((name, story), releases)| {
        let releases = releases.join(", ");
        format!("# {name} ({releases})\n{story}\n")
    });
    insta::assert_snapshot!(stories.collect::<String>());
}

fn without_times(story: &str) -> String {
    let words = story.split_inclusive([' ', '\n']);
    let replaced = words.map(|word| {
        let bare = word.trim_end_matches([' ', '\n', ':', ',']);
        if bare.parse::<MicroTime>().is_ok() {
            word.replace(bare, "<time>")
        } else {
            word.to_owned()
        }
    });
    replaced.collect()
}

/// How to read a table.
const HEAD: &str = "\
case: candidates; lease before -> lease after [versions]

A candidate is its name, its binary and emulation version, and its strategies, the best first.
A lease is its holder, and after `by` its strategy.
`O` is OldestEmulationVersion, `-` is an absent version or strategy, `(none)` an absent holder and `''` an empty one.
Without `lease before` there was none.

";

/// The results of the elections of a set.
fn table(set: &str) -> String {
    let recordings = recordings().filter(|one| one.place().set() == set);
    let mut lines: BTreeMap<[String; 2], BTreeMap<String, BTreeSet<Release>>> = BTreeMap::new();
    for recording in recordings {
        let line = [recording.name().to_owned(), line(recording)];
        let versions = lines.entry(line).or_default();
        let releases = versions.entry(recording.place().version().to_owned());
        releases.or_default().insert(recording.release());
    }
    let mut table = HEAD.to_owned();
    for ([case, line], versions) in &lines {
        let versions = versions
            .iter()
            .map(|(version, releases)| format!("{version} of {}", spans(releases)));
        let versions = versions.collect::<Vec<_>>().join("; ");
        writeln!(table, "{case}: {line} [{versions}]").unwrap();
    }
    table
}

fn line(recording: &Recording) -> String {
    let scenario = recording.scenario().unwrap();
    let candidates = scenario
        .get("candidates")
        .and_then(Value::as_array)
        .unwrap();
    let candidates = candidates.iter().map(|one| candidate(scenario, one));
    let candidates = candidates.collect::<Vec<_>>().join(", ");
    let before = scenario.get("before").map(|before| lease(scenario, before));
    let before = before
        .map(|before| format!("; {before}"))
        .unwrap_or_default();
    let after = lease(scenario, scenario.get("lease").unwrap());
    format!("{candidates}{before} -> {after}")
}

fn candidate(scenario: &Scenario, candidate: &Value) -> String {
    let spec = &candidate["spec"];
    let version = |name: &str| spec[name].as_str().unwrap_or("-");
    let strategies = match &spec["preferredStrategies"] {
        Value::Array(strategies) => strategies.iter().map(strategy).collect(),
        _ => vec![strategy(&spec["strategy"])],
    };
    format!(
        "{} {}/{} {}",
        member(scenario, &candidate["metadata"]["name"]),
        version("binaryVersion"),
        version("emulationVersion"),
        strategies.join(" > ")
    )
}

fn strategy(strategy: &Value) -> &str {
    match strategy.as_str() {
        Some("OldestEmulationVersion") => "O",
        Some(other) => other,
        None => "-",
    }
}

fn lease(scenario: &Scenario, lease: &Value) -> String {
    if lease.is_null() {
        return "no lease".to_owned();
    }
    let spec = &lease["spec"];
    let strategy = strategy(&spec["strategy"]);
    let holder = member(scenario, &spec["holderIdentity"]);
    let mut told = format!("{holder} by {strategy}");
    if !spec["preferredHolder"].is_null() {
        let preferred = member(scenario, &spec["preferredHolder"]);
        write!(told, ", preferred {preferred}").unwrap();
    }
    if let Some(state) = over(scenario, spec) {
        write!(told, ", {state}").unwrap();
    }
    told
}

/// The reason why a lease has expired at the time of the election; `None` if it has not.
fn over(scenario: &Scenario, spec: &Value) -> Option<&'static str> {
    let time = |value: &Value| value.as_str()?.parse::<MicroTime>().ok();
    let Some(renewed) = time(&spec["renewTime"]) else {
        return Some("no renewTime");
    };
    let Some(seconds) = spec["leaseDurationSeconds"].as_i64() else {
        return Some("no duration");
    };
    let now = time(scenario.get("now")?)?;
    let age = now.duration_since(renewed);
    (age.as_secs() > seconds).then_some("expired")
}

/// A name without the prefix that is the name of its lease.
fn member<'a>(scenario: &Scenario, name: &'a Value) -> &'a str {
    let name = name.as_str().unwrap_or("(none)");
    let lease = scenario.get("leaseName").and_then(Value::as_str).unwrap();
    let short = name
        .strip_prefix(lease)
        .and_then(|name| name.strip_prefix('-'));
    match short.unwrap_or(name) {
        "" => "''",
        name => name,
    }
}
