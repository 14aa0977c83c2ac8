//! Every recorded creation and update, against the verdict on the same object.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use k8s_coordination::validation::{FieldErrors, Prepare, Validate};
use k8s_coordination::{v1, v1alpha1, v1alpha2, v1beta1};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support;

/// How many requests fell under each rule. A rule that stops to apply shows here.
const EXPECTED: &str = "\
v1.31 create: 55 accepted, 5 not judged, 79 rejected
v1.31 update: 33 accepted, 10 not judged, 31 rejected
v1.32 create: 48 accepted, 5 not judged, 80 rejected
v1.32 update: 32 accepted, 10 not judged, 32 rejected
v1.33 create: 76 accepted, 6 not judged, 125 rejected
v1.33 update: 47 accepted, 15 not judged, 51 rejected
v1.34 create: 76 accepted, 6 not judged, 125 rejected
v1.34 update: 47 accepted, 15 not judged, 51 rejected
v1.35 create: 76 accepted, 6 not judged, 125 rejected
v1.35 update: 47 accepted, 15 not judged, 51 rejected
v1.36 create: 76 accepted, 6 not judged, 128 rejected
v1.36 update: 47 accepted, 15 not judged, 51 rejected
";

type Counts = BTreeMap<String, BTreeMap<&'static str, usize>>;

#[test]
fn the_verdict_is_the_servers() {
    let mut counts = Counts::new();
    let mut failures = Vec::new();
    for (path, recording) in recordings() {
        let Some((way, verdict)) = judge(&recording) else {
            continue;
        };
        match compare(&recording, verdict) {
            Ok(rule) => {
                let release = recording["release"].as_str().expect("a release");
                let line = counts.entry(format!("{release} {way}")).or_default();
                *line.entry(rule).or_default() += 1;
            }
            Err(difference) => failures.push(format!("{}: {difference}", path.display())),
        }
    }
    let counts = printed(&counts);
    println!("{counts}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(counts, EXPECTED);
}

/// All messages about recorded objects, each once.
#[test]
fn what_people_read() {
    let errors = recordings().filter_map(|(_, recording)| {
        let (_, verdict) = judge(&recording)?;
        verdict
            .ok()?
            .err()
            .filter(|_| recording["response"]["status"] == 422)
    });
    let lines: BTreeSet<_> = errors.flatten().map(|error| error.to_string()).collect();
    let lines: Vec<_> = lines.into_iter().collect();
    insta::assert_snapshot!(lines.join("\n"));
}

fn printed(counts: &Counts) -> String {
    let lines = counts.iter().map(|(way, rules)| {
        let rules: Vec<_> = rules
            .iter()
            .map(|(rule, count)| format!("{count} {rule}"))
            .collect();
        format!("{way}: {}\n", rules.join(", "))
    });
    lines.collect()
}

/// The recordings that are about validation, in a stable order.
fn recordings() -> impl Iterator<Item = (PathBuf, Value)> {
    let set = |path: &Path| {
        let set = path.parent()?.file_name()?.to_str()?;
        Some(set.ends_with("-validation") || set.ends_with("-updates"))
    };
    support::recordings().filter(move |(path, _)| set(path) == Some(true))
}

type Verdict = Result<Result<(), FieldErrors>, serde_json::Error>;

/// The verdict on the object of a request; `None` if the request carries none.
fn judge(recording: &Value) -> Option<(&'static str, Verdict)> {
    let object = recording.pointer("/request/json")?;
    let before = recording.get("before");
    let judge = match (object["kind"].as_str()?, object["apiVersion"].as_str()?) {
        ("Lease", _) => verdict::<v1::Lease>,
        (_, "coordination.k8s.io/v1alpha1") => verdict::<v1alpha1::LeaseCandidate>,
        (_, "coordination.k8s.io/v1alpha2") => verdict::<v1alpha2::LeaseCandidate>,
        (_, "coordination.k8s.io/v1beta1") => verdict::<v1beta1::LeaseCandidate>,
        other => panic!("unknown kind: {other:?}"),
    };
    let path = recording["request"]["path"].as_str()?;
    let namespace = path.split_once("/namespaces/")?.1.split('/').next()?;
    let way = if before.is_some() { "update" } else { "create" };
    Some((way, judge(object, before, namespace)))
}

fn verdict<T>(object: &Value, before: Option<&Value>, namespace: &str) -> Verdict
where
    T: Validate + Prepare + DeserializeOwned,
{
    let object: T = serde_json::from_value(object.clone())?;
    Ok(match before {
        None => object.as_created_in(namespace).validate(),
        Some(before) => {
            let before: T = serde_json::from_value(before.clone())?;
            object.as_update_of(&before).validate_update(&before)
        }
    })
}

/// Compares the verdict with the answer, or says what differs.
///
/// The order is the server's, and so is how many errors there are: those that its layers repeat count once.
fn compare(recording: &Value, verdict: Verdict) -> Result<&'static str, String> {
    let status = recording["response"]["status"].as_u64().expect("a status");
    if [400, 409, 500].contains(&status) {
        return Ok("not judged");
    }
    let verdict = verdict.map_err(|error| format!("{status}, but it does not decode: {error}"))?;
    let errors = verdict.err().into_iter().flatten();
    let found: Vec<_> = errors
        .map(|error| (error.path.to_string(), error.reason.to_string()))
        .collect();
    let expected = if status == 422 {
        causes(recording)
    } else {
        Vec::new()
    };
    match (found == expected, status) {
        (true, 422) => Ok("rejected"),
        (true, 200 | 201) => Ok("accepted"),
        _ => Err(format!(
            "{status}, expected {expected:?}\n  found {found:?}"
        )),
    }
}

/// The causes of a rejection, each once, as field and reason.
fn causes(recording: &Value) -> Vec<(String, String)> {
    let causes = recording.pointer("/response/json/details/causes");
    let causes = causes.and_then(Value::as_array).expect("causes");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let mut seen = HashSet::new();
    let distinct = causes.iter().filter(|cause| seen.insert(*cause));
    distinct
        .map(|cause| (text(&cause["field"]), text(&cause["reason"])))
        .collect()
}
