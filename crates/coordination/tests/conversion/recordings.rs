//! Recorded candidates, from each version to each other and back; and objects that a server showed in two
//! versions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
use walkdir::WalkDir;

use crate::support::*;

/// All recordings with their paths, whose parts are separated by `/`.
fn recordings() -> Vec<(String, Value)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let entries = WalkDir::new(&fixtures).sort_by_file_name().into_iter();
    let paths = entries.map(|entry| entry.unwrap().into_path());
    let is_recording = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    };
    let read = |path: PathBuf| {
        let recording = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
        let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
        (parts.join("/"), recording)
    };
    paths.filter(is_recording).map(read).collect()
}

/// Every recorded candidate of a recording: what clients sent and what servers did.
fn candidates(recording: &Value) -> Vec<Any> {
    let mut found = Vec::new();
    collect(recording, recording.get("apiVersion"), &mut found);
    found
}

/// Objects at any depth. Items of a list have the version of the list.
fn collect(value: &Value, around: Option<&Value>, found: &mut Vec<Any>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| collect(item, around, found)),
        Value::Object(members) => {
            let api_version = members.get("apiVersion").or(around);
            let is_candidate = match members.get("kind") {
                Some(kind) => kind == "LeaseCandidate",
                None => {
                    members.contains_key("metadata")
                        && members
                            .get("spec")
                            .is_some_and(|spec| spec.get("leaseName").is_some())
                }
            };
            let mut named = value.clone();
            named["kind"] = "LeaseCandidate".into();
            named["apiVersion"] = api_version.cloned().unwrap_or_default();
            match serde_json::from_value(named) {
                Ok(candidate) if is_candidate => found.push(candidate),
                _ => members
                    .values()
                    .for_each(|member| collect(member, api_version, found)),
            }
        }
        _ => {}
    }
}

#[test]
fn every_candidate_comes_back_from_every_version() {
    let mut counts: BTreeMap<Version, usize> = BTreeMap::new();
    for candidate in recordings()
        .iter()
        .flat_map(|(_, recording)| candidates(recording))
    {
        *counts.entry(candidate.version()).or_default() += 1;
        for version in Version::ALL {
            let (target, _) = candidate.clone().convert_to(*version);
            let (back, _) = target.convert_to(candidate.version());
            assert_eq!(back, candidate, "through {version}");
        }
    }
    println!("{counts:?}");
    let expected = [
        (Version::V1alpha1, 399),
        (Version::V1alpha2, 1955),
        (Version::V1beta1, 1627),
    ];
    assert_eq!(counts, BTreeMap::from(expected));
}

#[test]
fn servers_convert_across_as_this_does() {
    let mut stored: BTreeMap<(String, String), Vec<Any>> = BTreeMap::new();
    let mut across = recordings();
    across.retain(|(path, _)| path.contains("/across/"));
    for (_, recording) in &mut across {
        // What clients sent was not stored yet under the resource version that it names.
        recording.as_object_mut().unwrap().remove("request");
    }
    for candidate in across
        .iter()
        .flat_map(|(_, recording)| candidates(recording))
    {
        let metadata = candidate.metadata();
        if let (Some(uid), Some(version)) =
            (metadata.uid.clone(), metadata.resource_version.clone())
        {
            stored.entry((uid, version)).or_default().push(candidate);
        }
    }
    let mut pairs = 0;
    for seen in stored.values() {
        for (index, first) in seen.iter().enumerate() {
            for second in &seen[index + 1..] {
                if first.version() != second.version() {
                    assert_eq!(first.clone().convert_to(second.version()).0, *second);
                    assert_eq!(second.clone().convert_to(first.version()).0, *first);
                    pairs += 1;
                }
            }
        }
    }
    println!("{pairs} pairs");
    assert_eq!(pairs, 144);
}
