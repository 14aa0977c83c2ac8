//! The answers of two servers in the same recorded cases.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::catalogue::{
    RECORDED_ACCEPTED, RECORDED_AFTER, RECORDED_BEFORE, RECORDED_CAUSES, RECORDED_NONE,
    RECORDED_OBJECT, RECORDED_REFUSED, RECORDED_REQUESTS, RECORDED_STATUS, RECORDED_WARNING,
};
use super::changes::{Changes, pairs};
use super::{Finding, Rule, Selection, Tree};
use crate::recordings::{Recording, Response};
use crate::text::join;

/// Members that a server generates, and that differ from run to run.
const GENERATED: [&str; 8] = [
    "continue",
    "creationTimestamp",
    "deletionTimestamp",
    "managedFields",
    "resourceVersion",
    "selfLink",
    "time",
    "uid",
];

/// The set and the name of a case, with the version's folder as the new side has it.
type Case = (String, String, String);

/// The differences between the answers of two servers.
///
/// The set and the name identify a case. If the two requests of a case differ, the answers are not compared. Cases of a
/// version that only one side has are left out: the version itself is a difference of the documents.
pub fn recorded(recordings: &[Recording], old: Selection, new: Selection) -> Vec<Finding> {
    let recorded = |side: &&Selection| {
        let mut recordings = recordings.iter();
        recordings.any(|recording| recording.release == side.release)
    };
    let missing: Vec<Finding> =
        [old, new].iter().filter(|side| !recorded(side)).map(none).collect();
    if !missing.is_empty() {
        return missing;
    }
    let before = cases(recordings, old, new);
    let after = cases(recordings, new, new);
    let has_version = |cases: &BTreeMap<Case, &Recording>, (version, ..): &Case| {
        cases.keys().any(|(other, ..)| other == version)
    };
    let (mut findings, mut shared) = (Vec::new(), Changes::default());
    for (case, was, is) in pairs(&before, &after) {
        match (was, is) {
            (Some(was), Some(is)) if is_same_request(was, is) => {
                findings.extend(answer(case, was, is));
                add_warnings(&mut shared, case, was, is);
            }
            (Some(_), Some(_)) => add(&mut shared, case, of_set(RECORDED_REQUESTS, case)),
            (Some(_), None) if has_version(&after, case) => {
                add(&mut shared, case, of_set(RECORDED_BEFORE, case));
            }
            (None, _) if has_version(&before, case) => {
                add(&mut shared, case, of_set(RECORDED_AFTER, case));
            }
            _ => {}
        }
    }
    findings.extend(shared.findings());
    findings
}

fn none(side: &Selection) -> Finding {
    let subject = side.release.to_string();
    Finding::new(RECORDED_NONE, subject, RECORDED_NONE.classes(true, true))
}

fn cases(recordings: &[Recording], side: Selection, new: Selection) -> BTreeMap<Case, &Recording> {
    let version = side.version.map(|version| version.to_string());
    let selected = recordings.iter().filter(|recording| {
        let chosen = version.as_ref().is_none_or(|version| *version == recording.version);
        recording.release == side.release && chosen
    });
    let case = |recording: &Recording| {
        let folder = new.version.map(|version| version.to_string());
        let folder = folder.unwrap_or_else(|| recording.version.clone());
        (folder, recording.set.clone(), recording.name.clone())
    };
    selected.map(|recording| (case(recording), recording)).collect()
}

/// The difference between two answers, without the warnings.
fn answer(case: &Case, was: &Recording, is: &Recording) -> Option<Finding> {
    let (old, new) = (was.response.as_ref()?, is.response.as_ref()?);
    let reads = is.request.as_ref().is_some_and(|sent| sent.method == "GET");
    let (version, set, name) = case;
    let about = |rule: Rule| {
        let subject = format!("{version} {set}/{name}");
        let mut finding = Finding::new(rule, subject, rule.classes(!reads, reads));
        finding.reaches = vec![Tree::leaf(&was.path), Tree::leaf(&is.path)];
        finding
    };
    let refused = (old.status >= 400, new.status >= 400);
    let rule = match refused {
        (false, true) => RECORDED_REFUSED,
        (true, false) => RECORDED_ACCEPTED,
        _ if old.status != new.status => RECORDED_STATUS,
        (true, true) if causes(old) != causes(new) => RECORDED_CAUSES,
        (true, true) => return None,
        (false, false) => {
            return object(was, is).map(|pointer| {
                about(RECORDED_OBJECT).with_values(None, format!("differs at {pointer}"))
            });
        }
    };
    Some(about(rule).with_values(verdict(old), verdict(new)))
}

/// Tells if two recordings have the same request, in the fields that both versions of the API have.
fn is_same_request(was: &Recording, is: &Recording) -> bool {
    let sent = |recording: &Recording| recording.request.as_ref()?.json.as_ref().map(mask);
    let before = |recording: &Recording| recording.before.as_ref().map(mask);
    agree(sent(was), sent(is)) && (sent(is).is_none() || agree(before(was), before(is)))
}

/// Tells if two objects have the same metadata, and no member in common that differs.
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

/// The place where the stored objects differ, if the same request was sent.
fn object(was: &Recording, is: &Recording) -> Option<String> {
    let sent = |recording: &Recording| {
        let request = recording.request.as_ref()?;
        let json = request.json.as_ref().map(mask)?;
        Some((recording.before.as_ref().map(mask), request.path.clone(), json))
    };
    if sent(was)? != sent(is)? {
        return None;
    }
    let body = |recording: &Recording| recording.response.as_ref()?.json.as_ref().map(mask);
    let (was, is) = (body(was)?, body(is)?);
    first_difference(&was, &is, "")
}

/// The value without the members that a server generates.
fn mask(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let generated = members.contains_key("generateName");
            let kept = members.iter().filter(|(name, _)| {
                !(GENERATED.contains(&name.as_str()) || generated && *name == "name")
            });
            let masked = kept.map(|(name, member)| (name.clone(), mask(member)));
            Value::Object(masked.collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(mask).collect()),
        other => other.clone(),
    }
}

/// The JSON pointer of the first place where two values differ.
fn first_difference(was: &Value, is: &Value, at: &str) -> Option<String> {
    if was == is {
        return None;
    }
    let deeper = match (was, is) {
        (Value::Object(was), Value::Object(is)) => {
            let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
            names.into_iter().find_map(|name| {
                let (was, is) = (was.get(name), is.get(name));
                let none = &Value::Null;
                first_difference(was.unwrap_or(none), is.unwrap_or(none), &format!("{at}/{name}"))
            })
        }
        _ => None,
    };
    Some(deeper.unwrap_or_else(|| at.to_owned()))
}

/// The status code, and for a refusal the reason and the causes.
fn verdict(response: &Response) -> String {
    let (reason, causes) = causes(response);
    let mut text = response.status.to_string();
    text.extend(reason.map(|reason| format!(" {reason}")));
    if !causes.is_empty() {
        text += ": ";
        text += &join(causes, ", ");
    }
    text
}

/// The reason of a refusal, and its causes: each field with its reason. Messages are left out.
fn causes(response: &Response) -> (Option<&str>, BTreeSet<String>) {
    let status = response.json.as_ref().filter(|_| response.status >= 400);
    let reason = status.and_then(|status| status.get("reason")?.as_str());
    let causes = status.map(|_| response.causes()).unwrap_or_default().into_iter();
    let causes = causes.map(|(field, reason)| format!("{field} {reason}").trim().to_owned());
    (reason, causes.collect())
}

/// Adds the warnings that only one of the two servers sent.
fn add_warnings(changes: &mut Changes, case: &Case, was: &Recording, is: &Recording) {
    let (was, is) = (warnings_of(was), warnings_of(is));
    for warning in was.symmetric_difference(&is) {
        let show = |sent| if sent { "sent" } else { "not sent" }.to_owned();
        let classes = RECORDED_WARNING.classes(true, true);
        let finding = Finding::new(RECORDED_WARNING, format!("Warning: {warning}"), classes);
        let (before, after) = (was.contains(warning), is.contains(warning));
        add(changes, case, finding.with_values(show(before), show(after)));
    }
}

/// A finding about the cases of a set.
fn of_set(rule: Rule, (version, set, _): &Case) -> Finding {
    Finding::new(rule, format!("{version} {set}"), rule.classes(true, true))
}

/// Adds a finding about a case to those about others.
fn add(changes: &mut Changes, (version, set, name): &Case, finding: Finding) {
    changes.push(finding, format!("{version} {set}"), Some(name));
}

/// The texts of the header `Warning`.
fn warnings_of(recording: &Recording) -> BTreeSet<String> {
    let response = recording.response.as_ref();
    let values = match response.and_then(|response| response.headers.get("warning")) {
        Some(Value::Array(values)) => values.clone(),
        Some(value) => vec![value.clone()],
        None => Vec::new(),
    };
    let texts = values.iter().filter_map(Value::as_str);
    texts.map(str::to_owned).collect()
}
