//! Every recorded election, against the outcome for the same candidates.
//!
//! The check *elect* of the command compares strategy and holders; here is the rest.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::election::{Candidate, Election, Outcome};
use k8s_coordination::k8s_versioned::conversion::{AnyVersion, ConversionReport};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1::Lease;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support;

/// What is written is all that the server wrote, also where the check does not look.
#[test]
fn the_whole_spec_is_the_servers() {
    for (path, recording) in recordings() {
        let before: Option<Lease> = recording.get("before").map(decode);
        let after: Option<Lease> = decode(&recording["lease"]);
        let expected = after.filter(|after| Some(after) != before.as_ref());
        let expected = expected.map(|lease| lease.spec);
        let outcome = hold(&recording);
        let mut found = outcome.written().map(|lease| lease.spec.clone());
        // A re-election was written shortly after it was judged.
        if let (Some(found), Some(expected)) = (&mut found, &expected)
            && found.renew_time == Some(outcome.now)
        {
            found.renew_time = expected.renew_time;
        }
        assert_eq!(found, expected, "{}\n{outcome}", path.display());
    }
}

/// The story of every recorded election; those that tell the same are told once.
///
/// The times are those of the recordings, so they are left out.
#[test]
fn the_stories() {
    let mut stories: BTreeMap<(String, String), Vec<String>> = BTreeMap::new();
    for (path, recording) in recordings() {
        let story = without_times(&hold(&recording).to_string());
        let version = text(&recording["apiVersion"]).rsplit('/').next();
        let name = text(&recording["name"]).to_owned();
        let releases = stories.entry((name, story)).or_default();
        releases.push(format!("{} {}", support::release(&path), version.unwrap()));
    }
    let mut told = String::new();
    for ((name, story), releases) in stories {
        writeln!(told, "# {name} ({})\n{story}", releases.join(", ")).unwrap();
    }
    insta::assert_snapshot!(told);
}

/// The recorded elections, in a stable order.
fn recordings() -> impl Iterator<Item = (PathBuf, Value)> {
    let set = |path: &Path| Some(path.parent()?.file_name()?.to_str()?.ends_with("elections"));
    support::recordings().filter(move |(path, _)| set(path) == Some(true))
}

/// The outcome for the recorded candidates.
fn hold(recording: &Value) -> Outcome {
    let version: LeaseCandidateVersion = text(&recording["apiVersion"]).parse().unwrap();
    let candidates = recording["candidates"].as_array().unwrap().iter();
    let candidates: Vec<_> = candidates
        .map(|candidate| {
            AnyLeaseCandidate::decode(version, candidate, &mut ConversionReport::new()).unwrap()
        })
        .collect();
    let candidates: Vec<_> = candidates.iter().map(Candidate::from).collect();
    let before: Option<Lease> = recording.get("before").map(decode);
    Election {
        namespace: candidates[0].namespace,
        lease_name: text(&recording["leaseName"]),
        candidates: &candidates,
        lease: before.as_ref(),
        now: now(recording),
    }
    .outcome()
}

/// When the judgement was: as recorded, or when the lease was written, or any time of the recording.
fn now(recording: &Value) -> MicroTime {
    let written = recording.pointer("/lease/spec/renewTime");
    let now = recording.get("now").or(written).and_then(Value::as_str);
    let now = now.unwrap_or("2026-11-20T05:20:00.000000Z");
    now.parse().unwrap()
}

fn decode<T: DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

/// Replaces the times in a story.
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
