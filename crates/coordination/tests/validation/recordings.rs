//! Every recorded rejection, against the verdict on the same object.

use std::collections::{BTreeSet, HashSet};
use std::path::{Path, PathBuf};

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::v1::Lease;
use k8s_coordination::validation::{FieldErrors, Prepare, Validate};
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::support;

/// The order of errors is the server's, and how many there are; the check *validate* of the command compares
/// them as a set.
#[test]
fn the_order_is_the_servers() {
    for (path, recording) in recordings() {
        let rejected = recording["response"]["status"] == 422;
        let Some(Ok(Err(errors))) = judge(&recording).filter(|_| rejected) else {
            continue;
        };
        let found: Vec<_> = errors
            .iter()
            .map(|error| (error.path.to_string(), error.reason.to_string()))
            .collect();
        assert_eq!(found, causes(&recording), "{}", path.display());
    }
}

/// All messages about recorded objects, each once.
#[test]
fn what_people_read() {
    let errors = recordings().filter_map(|(_, recording)| {
        judge(&recording)?
            .ok()?
            .err()
            .filter(|_| recording["response"]["status"] == 422)
    });
    let lines: BTreeSet<_> = errors.flatten().map(|error| error.to_string()).collect();
    let lines: Vec<_> = lines.into_iter().collect();
    insta::assert_snapshot!(lines.join("\n"));
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
fn judge(recording: &Value) -> Option<Verdict> {
    let object = recording.pointer("/request/json")?;
    let before = recording.get("before");
    let path = recording["request"]["path"].as_str()?;
    let namespace = path.split_once("/namespaces/")?.1.split('/').next()?;
    Some(if object["kind"] == "Lease" {
        verdict::<Lease>(object, before, namespace)
    } else {
        verdict::<AnyLeaseCandidate>(object, before, namespace)
    })
}

fn verdict<T>(object: &Value, before: Option<&Value>, namespace: &str) -> Verdict
where
    T: Validate + Prepare + DeserializeOwned,
{
    let object: T = serde_json::from_value(object.clone())?;
    Ok(match before {
        None => object.to_created_in(namespace).validate(),
        Some(before) => {
            let before: T = serde_json::from_value(before.clone())?;
            object.to_update_of(&before).validate_update(&before)
        }
    })
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
