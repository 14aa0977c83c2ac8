//! Every recorded election, against the outcome for the same candidates.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1::Lease;
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support;

/// How many elections came out in which way. One that is no longer held shows here.
const EXPECTED: &str = "\
v1.31 elections: 8 created, 3 stopped by an error
v1.31 reelections: 10 changed, 3 left as it was, 1 stopped by an error
v1.32 elections: 7 created, 2 stopped by an error
v1.32 reelections: 10 changed, 3 left as it was, 1 stopped by an error
v1.33 elections: 9 created, 2 stopped by an error
v1.33 reelections: 10 changed, 4 left as it was, 1 stopped by an error
v1.34 elections: 9 created, 2 stopped by an error
v1.34 reelections: 10 changed, 4 left as it was, 1 stopped by an error
v1.35 elections: 9 created, 2 stopped by an error
v1.35 reelections: 10 changed, 4 left as it was, 1 stopped by an error
v1.36 elections: 18 created, 4 stopped by an error
v1.36 reelections: 20 changed, 8 left as it was, 2 stopped by an error
";

#[test]
fn the_outcome_is_the_servers() {
    let mut counts: BTreeMap<String, BTreeMap<&str, usize>> = BTreeMap::new();
    let mut failures = Vec::new();
    for (path, recording) in recordings() {
        let outcome = hold(&recording);
        match compare(&recording, &outcome) {
            Ok(way) => {
                let line = format!("{} {}", recording["release"].as_str().unwrap(), set(&path));
                *counts.entry(line).or_default().entry(way).or_default() += 1;
            }
            Err(difference) => {
                failures.push(format!("{}: {difference}\n{outcome}", path.display()));
            }
        }
    }
    let lines = counts.iter().map(|(line, ways)| {
        let ways: Vec<_> = ways
            .iter()
            .map(|(way, count)| format!("{count} {way}"))
            .collect();
        format!("{line}: {}\n", ways.join(", "))
    });
    let counts: String = lines.collect();
    println!("{counts}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(counts, EXPECTED);
}

/// The story of every recorded election; those that tell the same are told once.
///
/// The times are those of the recordings, so they are left out.
#[test]
fn the_stories() {
    let mut stories: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (_, recording) in recordings() {
        let story = without_times(&hold(&recording).to_string());
        let release = recording["release"].as_str().unwrap().to_owned();
        let version = recording["apiVersion"]
            .as_str()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap();
        let name = recording["name"].as_str().unwrap().to_owned();
        let releases = stories.entry((name, story)).or_default();
        releases.push(format!("{release} {version}"));
    }
    let mut text = String::new();
    for ((name, story), releases) in stories {
        writeln!(text, "# {name} ({})\n{story}", releases.join(", ")).unwrap();
    }
    insta::assert_snapshot!(text);
}

/// The recorded elections, in a stable order.
fn recordings() -> impl Iterator<Item = (PathBuf, Value)> {
    support::recordings().filter(|(path, _)| set(path).ends_with("elections"))
}

/// `elections` or `reelections`, for files that are about them.
fn set(path: &Path) -> &str {
    path.parent()
        .and_then(Path::file_name)
        .and_then(|name| name.to_str())
        .expect("a set")
}

/// The outcome for the recorded candidates.
fn hold(recording: &Value) -> Outcome {
    let now = now(recording);
    match recording["apiVersion"].as_str().expect("a version") {
        "coordination.k8s.io/v1alpha1" => {
            let candidates: Vec<v1alpha1::LeaseCandidate> = decode(&recording["candidates"]);
            elect(
                recording,
                &candidates.iter().map(Candidate::from).collect::<Vec<_>>(),
                now,
            )
        }
        "coordination.k8s.io/v1alpha2" => {
            let candidates: Vec<v1alpha2::LeaseCandidate> = decode(&recording["candidates"]);
            elect(
                recording,
                &candidates.iter().map(Candidate::from).collect::<Vec<_>>(),
                now,
            )
        }
        "coordination.k8s.io/v1beta1" => {
            let candidates: Vec<v1beta1::LeaseCandidate> = decode(&recording["candidates"]);
            elect(
                recording,
                &candidates.iter().map(Candidate::from).collect::<Vec<_>>(),
                now,
            )
        }
        other => panic!("unknown version {other}"),
    }
}

fn elect(recording: &Value, candidates: &[Candidate<'_>], now: MicroTime) -> Outcome {
    let before = recording.get("before").map(decode::<Lease>);
    Election {
        namespace: candidates.first().expect("a candidate").namespace,
        lease_name: recording["leaseName"].as_str().expect("a name"),
        candidates,
        lease: before.as_ref(),
        now,
    }
    .outcome()
}

fn decode<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).expect("an object")
}

/// When the judgement was: as recorded, or when the lease was written, or any time of the recording.
fn now(recording: &Value) -> MicroTime {
    let written = recording.pointer("/lease/spec/renewTime");
    let now = recording.get("now").or(written).and_then(Value::as_str);
    now.unwrap_or("2026-11-20T05:20:00.000000Z")
        .parse()
        .expect("a time")
}

/// Compares all of what is in the lease afterwards, and whether it was written at all.
fn compare(recording: &Value, outcome: &Outcome) -> Result<&'static str, String> {
    let before = recording.get("before").map(decode::<Lease>);
    let after: Option<Lease> = decode(&recording["lease"]);
    let expected = after
        .as_ref()
        .filter(|after| Some(*after) != before.as_ref());
    let Some(expected) = expected else {
        return match (outcome.written(), outcome.error()) {
            (None, None) => Ok("left as it was"),
            (None, Some(_)) => Ok("stopped by an error"),
            (Some(_), _) => Err("the server wrote nothing".to_owned()),
        };
    };
    let Some(found) = outcome.written() else {
        return Err(format!("the server wrote {:?}", expected.spec));
    };
    let mut found = found.spec.clone();
    // A re-election was written shortly after it was judged.
    if found.renew_time == Some(outcome.now) {
        found.renew_time = expected.spec.renew_time;
    }
    if found != expected.spec {
        return Err(format!("expected {:?}\n  found {found:?}", expected.spec));
    }
    Ok(if before.is_some() {
        "changed"
    } else {
        "created"
    })
}

/// Replaces what looks like a time.
fn without_times(story: &str) -> String {
    let words = story.split_inclusive([' ', '\n']);
    let is_time = |word: &str| word.len() > 26 && word.starts_with("20") && word.contains("T0");
    words
        .map(|word| {
            if is_time(word) {
                word.replace(word.get(..27).unwrap(), "<time>")
            } else {
                word.to_owned()
            }
        })
        .collect()
}
