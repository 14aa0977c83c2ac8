//! What servers accept and what they reject: one line per case, releases that agree folded together.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_versioned::Release;
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recording::ResponseBody;
use serde_json::Value;

use crate::recorded::{set, spans};

#[test]
fn lease_v1() {
    insta::assert_snapshot!(matrix("v1", "leases-validation"));
}

#[test]
fn lease_candidate_v1alpha1() {
    insta::assert_snapshot!(matrix("v1alpha1", "leasecandidates-validation"));
}

#[test]
fn lease_candidate_v1alpha2() {
    insta::assert_snapshot!(matrix("v1alpha2", "leasecandidates-validation"));
}

#[test]
fn lease_candidate_v1beta1() {
    insta::assert_snapshot!(matrix("v1beta1", "leasecandidates-validation"));
}

#[test]
fn lease_v1_updates() {
    insta::assert_snapshot!(matrix("v1", "leases-updates"));
}

#[test]
fn lease_candidate_v1alpha1_updates() {
    insta::assert_snapshot!(matrix("v1alpha1", "leasecandidates-updates"));
}

#[test]
fn lease_candidate_v1alpha2_updates() {
    insta::assert_snapshot!(matrix("v1alpha2", "leasecandidates-updates"));
}

#[test]
fn lease_candidate_v1beta1_updates() {
    insta::assert_snapshot!(matrix("v1beta1", "leasecandidates-updates"));
}

/// The verdicts on the cases of a set.
fn matrix(version: &str, name: &str) -> String {
    let recordings = set(version, name);
    let all: BTreeSet<Release> = recordings.iter().map(|one| one.release()).collect();
    let mut cases: Vec<&str> = Vec::new();
    let mut verdicts: BTreeMap<&str, BTreeMap<String, BTreeSet<Release>>> = BTreeMap::new();
    // The newest release has all cases, in the order in which they make sense.
    for recording in recordings.iter().rev() {
        let releases = verdicts.entry(recording.name()).or_default();
        let releases = releases.entry(verdict(recording)).or_default();
        releases.insert(recording.release());
        if !cases.contains(&recording.name()) {
            cases.push(recording.name());
        }
    }
    cases.reverse();
    let width = cases.iter().map(|case| case.len()).max().unwrap();
    let mut matrix = format!("{name} of {version}, {} unless noted\n\n", spans(&all));
    for case in cases {
        for (verdict, releases) in &verdicts[case] {
            let note = if *releases == all {
                String::new()
            } else {
                format!(" [{}]", spans(releases))
            };
            writeln!(matrix, "{case:width$}  {verdict}{note}").unwrap();
        }
    }
    matrix
}

/// The status code and the causes, as a set of fields and reasons: that is what programs may rely on.
fn verdict(recording: &Recording) -> String {
    let response = &recording.exchange().unwrap().response;
    let ResponseBody::Json(body) = &response.body else {
        panic!("{}: not JSON", recording.place().path().display());
    };
    if response.status < 300 {
        return format!("{} accepted", response.status);
    }
    let causes = body.pointer("/details/causes").and_then(Value::as_array);
    let causes: BTreeSet<String> = causes.into_iter().flatten().map(cause).collect();
    let causes: Vec<String> = causes.into_iter().collect();
    let reason = body["reason"].as_str().unwrap_or("no reason");
    format!("{} {reason} {}", response.status, causes.join(", "))
        .trim_end()
        .to_owned()
}

fn cause(cause: &Value) -> String {
    let member = |name: &str| cause[name].as_str().unwrap_or_default();
    let reason = member("reason");
    let reason = reason.strip_prefix("FieldValue").unwrap_or(reason);
    format!("{} {reason}", member("field"))
}
