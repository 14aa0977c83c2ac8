//! What API servers sent and took, through the types: decoded, encoded, compared.
//!
//! `null` equals absent; nothing else is forgiven. How many bodies fell under which rule is checked in, so
//! that a rule cannot quietly stop applying.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod support;

use std::collections::BTreeMap;

use k8s_coordination::Kinds;
use k8s_coordination::k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

/// How many bodies fell under each rule, over all releases.
const EXPECTED: &str = "\
election object: equal 630
event: equal 507
request: decoded, and encoding it again changes nothing 2091
request: not an object of a known kind 150
request: refused, as the server did (400) 38
response: equal 2845
response: not an object of a known kind 36
stored object: equal 600
";

#[test]
fn recorded_bodies_survive_the_types() {
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for (path, recording) in support::recordings() {
        for (subject, result) in check(&recording) {
            match result {
                Ok(rule) => counts.add(&format!("{subject}: {rule}")),
                Err(failure) => failures.push(format!("{}: {subject}: {failure}", path.display())),
            }
        }
    }
    println!("{counts}");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert_eq!(counts.to_string(), EXPECTED);
}

/// What became of a body: the rule that it fell under, or what went wrong.
type Outcome = Result<&'static str, String>;

/// Checks every body of a recording.
fn check(recording: &Value) -> Vec<(&'static str, Outcome)> {
    let mut outcomes = Vec::new();
    if let Some(body) = recording.pointer("/request/json") {
        let status = recording
            .pointer("/response/status")
            .and_then(Value::as_u64);
        outcomes.push(("request", request(body, status == Some(400))));
    }
    if let Some(body) = recording.pointer("/response/json") {
        outcomes.push(("response", sent(body)));
    }
    for event in recording
        .pointer("/response/events")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
    {
        outcomes.push(("event", sent(&event["object"])));
    }
    if recording.get("candidates").is_some() {
        outcomes.extend(
            election_objects(recording)
                .iter()
                .map(|body| ("election object", sent(body))),
        );
    } else if let Some(before) = recording.get("before") {
        outcomes.push(("stored object", sent(before)));
    }
    outcomes
}

/// The candidates and leases of an election. Candidates were taken from a list, so that most lack what they
/// are: the recording says it for all.
fn election_objects(recording: &Value) -> Vec<Value> {
    let named = |body: &Value, api_version: &Value, kind: &str| {
        let mut named = serde_json::json!({ "apiVersion": api_version, "kind": kind });
        let members = body.as_object().expect("an object");
        named
            .as_object_mut()
            .expect("an object")
            .extend(members.clone());
        named
    };
    let leases = [recording.get("lease"), recording.get("before")];
    let leases = leases
        .into_iter()
        .flatten()
        .filter(|lease| !lease.is_null());
    let leases = leases.map(|lease| named(lease, &"coordination.k8s.io/v1".into(), "Lease"));
    let candidates = recording["candidates"].as_array().expect("a list");
    let candidates = candidates
        .iter()
        .map(|body| named(body, &recording["apiVersion"], "LeaseCandidate"));
    leases.chain(candidates).collect()
}

/// A body that a server sent comes back equal.
fn sent(body: &Value) -> Outcome {
    let Some(entry) = entry(body) else {
        return Ok("not an object of a known kind");
    };
    let encoded = recode(entry, body)?;
    let (expected, found) = (without_nulls(body), without_nulls(&encoded));
    if expected == found {
        Ok("equal")
    } else {
        Err(format!("expected {expected}\n  found {found}"))
    }
}

/// A body that a client sent decodes, unless the server refused to decode it, too. What it decodes to need
/// not equal what was sent (an offset becomes UTC), but it stays what it is.
fn request(body: &Value, refused: bool) -> Outcome {
    let Some(entry) = entry(body) else {
        return Ok("not an object of a known kind");
    };
    match recode(entry, body) {
        Ok(encoded) if recode(entry, &encoded)? == encoded => {
            Ok("decoded, and encoding it again changes nothing")
        }
        Ok(encoded) => Err(format!("{encoded} does not encode to itself")),
        Err(_) if refused => Ok("refused, as the server did (400)"),
        Err(error) => Err(error),
    }
}

static KINDS: Kinds = Kinds;

fn entry(body: &Value) -> Option<&'static KindEntry> {
    let (api_version, kind) = (
        body.get("apiVersion")?.as_str()?,
        body.get("kind")?.as_str()?,
    );
    KINDS.find(api_version, kind)
}

fn recode(entry: &KindEntry, body: &Value) -> Result<Value, String> {
    let object = entry
        .decode_value(body)
        .map_err(|error| error.to_string())?;
    object.encode().map_err(|error| error.to_string())
}

fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members
                .map(|(key, value)| (key.clone(), without_nulls(value)))
                .collect()
        }
        other => other.clone(),
    }
}

/// How many bodies fell under which rule.
#[derive(Default)]
struct Counts(BTreeMap<String, usize>);

impl Counts {
    fn add(&mut self, rule: &str) {
        *self.0.entry(rule.to_owned()).or_default() += 1;
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0
            .iter()
            .try_for_each(|(rule, count)| writeln!(f, "{rule} {count}"))
    }
}
