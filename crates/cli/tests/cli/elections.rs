//! Whom the servers elected: one line per case, releases that agree folded together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_versioned::Release;
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recording::Scenario;
use serde_json::Value;

use crate::recorded::{RECORDINGS, spans};

#[test]
fn elections() {
    insta::assert_snapshot!(table("elections"));
}

#[test]
fn reelections() {
    insta::assert_snapshot!(table("reelections"));
}

/// What came out of the elections of a set.
fn table(set: &str) -> String {
    let recordings = RECORDINGS.iter().filter(|one| one.place().set() == set);
    let mut lines: BTreeMap<[String; 2], BTreeMap<String, BTreeSet<Release>>> = BTreeMap::new();
    for recording in recordings {
        let line = [recording.name().to_owned(), line(recording)];
        let versions = lines.entry(line).or_default();
        let releases = versions.entry(recording.place().version().to_owned());
        releases.or_default().insert(recording.release());
    }
    let mut table = "case: candidates with binary/emulation version and strategy -> lease\n\
                     A strategy of `O` is OldestEmulationVersion.\n\n"
        .to_owned();
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
    match &spec["preferredHolder"] {
        Value::Null => format!("{holder} by {strategy}"),
        preferred => format!(
            "{holder} by {strategy}, preferred {}",
            member(scenario, preferred)
        ),
    }
}

/// A name without that of its lease before it.
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
