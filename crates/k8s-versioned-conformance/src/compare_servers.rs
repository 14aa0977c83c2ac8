//! The answers of two servers in the same recorded cases: what a new release changes.

use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

use k8s_versioned::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use serde_json::Value;

use crate::differences::differences;
use crate::recordings::{Exchange, RecordedResponse, Recording, Recordings};

/// Members of `metadata` that a server generates, and that differ from run to run.
const GENERATED: [&str; 7] = [
    "continue",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "uid",
];

/// Other places of a generated `uid`: in a `Status`, and in `DeleteOptions`.
const REFERENCES: [&str; 2] = ["/details", "/preconditions"];

/// The number of cases of one set that a finding names.
const NAMES: usize = 12;

/// One side of a comparison: the recordings of a release, or of one API version in it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordedSide {
    /// The release of the servers.
    pub release: Release,
    /// The folder of the API version; `None` for all.
    pub version: Option<String>,
}

/// Reads `v1.36` or `v1.36/v1beta1`.
impl FromStr for RecordedSide {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (release, version) = match text.split_once('/') {
            Some((release, version)) => (release, Some(version.to_owned())),
            None => (text, None),
        };
        let release = release.parse::<Release>().map_err(|error| error.to_string())?;
        Ok(Self { release, version })
    }
}

/// The set and the name of a case, after the version's folder as the new side has it.
type Case = (String, String, String);

/// Facts that many cases share: the identifier, and the set or the warning; with the names of the cases.
type Shared<'a> = BTreeMap<(&'static str, String), Vec<&'a str>>;

/// The differences between the answers of two servers.
///
/// The set and the name identify a case. If the two requests of a case differ, the answers are not compared. Cases of a
/// version that only one side has are left out.
///
/// | finding | means |
/// |---|---|
/// | `now-refused`, `now-accepted`, `status-changed` | the status codes differ |
/// | `causes-changed` | both refuse the request, with other reasons or other fields |
/// | `object-changed` | the same request makes another object |
/// | `warning-changed` | one of the servers does not send the warning |
/// | `requests-differ` | the requests were recorded with other bodies, so the answers are not compared |
/// | `only-in-old`, `only-in-new` | the case is recorded on one side |
/// | `not-recorded` | nothing is recorded on a side |
pub fn compare(recordings: &Recordings, old: &RecordedSide, new: &RecordedSide) -> Vec<Finding> {
    let (before, after) = (cases(recordings, old, new), cases(recordings, new, new));
    for (side, cases) in [(old, &before), (new, &after)] {
        if cases.is_empty() {
            let message = "nothing is recorded";
            let side = side.release.to_string();
            return vec![Finding::new(Severity::Warning, "not-recorded", side, message)];
        }
    }
    let has_version = |cases: &BTreeMap<Case, _>, (version, ..): &Case| {
        cases.keys().any(|(other, ..): &Case| other == version)
    };
    let (mut findings, mut shared) = (Vec::new(), Shared::new());
    for case in before.keys().chain(after.keys().filter(|case| !before.contains_key(*case))) {
        let (version, set, name) = case;
        let mut note = |id, about: String| shared.entry((id, about)).or_default().push(name);
        let of_set = format!("{version}/{set}");
        match (before.get(case), after.get(case)) {
            (Some((_, was)), Some((recording, is))) if is_same_request(was, is) => {
                let warnings = [was, is].map(|exchange| warnings(&exchange.response));
                for warning in warnings[0].symmetric_difference(&warnings[1]) {
                    let by = if warnings[0].contains(warning) { old } else { new };
                    note("warning-changed", format!("only {} warns: {warning}", by.release));
                }
                findings.extend(answer(recording, was, is));
            }
            (Some(_), Some(_)) => note("requests-differ", of_set),
            (Some(_), None) if has_version(&after, case) => note("only-in-old", of_set),
            (None, _) if has_version(&before, case) => note("only-in-new", of_set),
            _ => {}
        }
    }
    findings.extend(shared.into_iter().map(|((id, about), names)| {
        let hidden = names.len().saturating_sub(NAMES);
        let more = if hidden > 0 { format!(", and {hidden} more") } else { String::new() };
        let names: Vec<&str> = names.into_iter().take(NAMES).collect();
        Finding::new(Severity::Note, id, about, names.join(", ") + &more)
    }));
    findings.sort();
    findings
}

fn cases<'a>(
    recordings: &'a Recordings,
    side: &RecordedSide,
    new: &RecordedSide,
) -> BTreeMap<Case, (&'a Recording, &'a Exchange)> {
    let selected = recordings.iter().filter(|recording| {
        let path = &recording.path;
        let chosen = side.version.as_ref().is_none_or(|version| *version == path.version);
        path.release == side.release && chosen
    });
    let exchanges = selected.filter_map(|recording| {
        let folder = new.version.as_ref().unwrap_or(&recording.path.version);
        let case = (folder.clone(), recording.path.set.clone(), recording.name.clone());
        Some((case, (recording, recording.exchange()?)))
    });
    exchanges.collect()
}

/// The difference between two answers to one request, without the warnings.
fn answer(recording: &Recording, was: &Exchange, is: &Exchange) -> Option<Finding> {
    let (old, new) = (&was.response, &is.response);
    let refused = |response: &RecordedResponse| response.status >= 400;
    let (id, severity) = match (refused(old), refused(new)) {
        (false, true) => ("now-refused", Severity::Warning),
        (true, false) => ("now-accepted", Severity::Note),
        _ if old.status != new.status => ("status-changed", Severity::Warning),
        (true, true) if verdict(old) != verdict(new) => ("causes-changed", Severity::Warning),
        (true, true) => return None,
        (false, false) => ("object-changed", Severity::Warning),
    };
    let file = recording.path.file.display().to_string();
    let finding = |message| Finding::new(severity, id, file, message);
    if id != "object-changed" {
        return Some(finding(format!("{} \u{2192} {}", verdict(old), verdict(new))));
    }
    let sent = |exchange: &Exchange| (exchange.request.path.clone(), sent(exchange));
    if sent(was) != sent(is) {
        return None;
    }
    let first = differences("/response/json", &mask(old.json()?), &mask(new.json()?));
    let first = first.into_iter().next()?;
    Some(finding(format!("{} \u{2192} {}", first.expected, first.found)).at(first.pointer))
}

/// The body and the stored object that a request was sent with, without generated members.
fn sent(exchange: &Exchange) -> (Option<Value>, Option<Value>) {
    let json = exchange.request.body.as_ref().and_then(|body| body.json());
    (json.map(mask), exchange.before.as_ref().map(mask))
}

/// Returns `true` if two recordings have the same request, in the fields that both versions of the API have.
fn is_same_request(was: &Exchange, is: &Exchange) -> bool {
    let ((was, before), (is, now)) = (sent(was), sent(is));
    let reads = is.is_none();
    agree(was, is) && (reads || agree(before, now))
}

/// Returns `true` if two objects have the same metadata, and no member in common that differs.
fn agree(was: Option<Value>, is: Option<Value>) -> bool {
    fn values(was: &Value, is: &Value) -> bool {
        let (Some(was), Some(is)) = (was.as_object(), is.as_object()) else {
            return was == is;
        };
        was.iter().all(|(name, value)| match is.get(name) {
            _ if name == "apiVersion" => true,
            Some(other) if name == "metadata" => value == other,
            Some(other) => values(value, other),
            None => name != "metadata",
        })
    }
    match (was, is) {
        (Some(was), Some(is)) => values(&was, &is),
        (was, is) => was.is_none() && is.is_none(),
    }
}

/// The value without the members that a server generates.
pub(crate) fn mask(value: &Value) -> Value {
    let mut masked = value.clone();
    mask_metadata(&mut masked);
    for place in REFERENCES {
        masked.pointer_mut(place).into_iter().for_each(remove_generated);
    }
    masked
}

/// Masks the metadata of an object, and of the objects inside it.
fn mask_metadata(value: &mut Value) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if name == "metadata" && member.is_object() {
                    remove_generated(member);
                } else {
                    mask_metadata(member);
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_metadata),
        _ => {}
    }
}

fn remove_generated(metadata: &mut Value) {
    let Some(members) = metadata.as_object_mut() else {
        return;
    };
    members.retain(|name, _| !GENERATED.contains(&name.as_str()));
    if members.contains_key("generateName") {
        members.remove("name");
    }
    let owners = members.get_mut("ownerReferences").and_then(Value::as_array_mut);
    owners.into_iter().flatten().for_each(remove_generated);
}

/// The status code, and for a refusal the reason and the causes. Messages are left out.
fn verdict(response: &RecordedResponse) -> String {
    let mut text = response.status.to_string();
    if response.status < 400 {
        return text;
    }
    let reason = response.json().and_then(|status| status.get("reason")?.as_str());
    text.extend(reason.map(|reason| format!(" {reason}")));
    let causes = response.causes().into_iter();
    let causes = causes.map(|(field, reason)| format!("{field} {reason}").trim().to_owned());
    let causes: BTreeSet<String> = causes.collect();
    if !causes.is_empty() {
        text += ": ";
        text += &causes.into_iter().collect::<Vec<_>>().join(", ");
    }
    text
}

/// The texts of the header `Warning`.
fn warnings(response: &RecordedResponse) -> BTreeSet<&String> {
    response.headers.get("warning").into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::mask;

    #[test]
    fn only_what_servers_generate_is_masked() {
        let spec = json!({"uid": "u", "time": "t", "generateName": "g", "name": "n"});
        let labels = json!({"uid": "u", "time": "t"});
        let template = |metadata| json!({"metadata": metadata, "spec": spec});
        let metadata = json!({
            "name": "a-1", "generateName": "a-", "uid": "u", "resourceVersion": "1", "labels": labels,
            "managedFields": [{"time": "t"}], "ownerReferences": [{"name": "b", "uid": "u"}],
        });
        let kept = json!({
            "generateName": "a-", "labels": labels, "ownerReferences": [{"name": "b"}],
        });
        let list = json!({"metadata": {"continue": "c"}, "items": [template(metadata)]});
        assert_eq!(mask(&list), json!({"metadata": {}, "items": [template(kept)]}));
        let status = json!({"details": {"uid": "u", "name": "n"}, "preconditions": {"uid": "u"}});
        assert_eq!(mask(&status), json!({"details": {"name": "n"}, "preconditions": {}}));
        assert_eq!(mask(&spec), spec);
    }
}
