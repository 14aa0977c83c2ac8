//! Verdicts of servers: a table, one line for each case, and the messages of validation for the same objects.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use k8s_coordination::validation::Verdict;
use k8s_coordination_conformance::RecordedRequest;
use k8s_versioned::Release;
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recording::ResponseBody;
use serde_json::Value;

use crate::recorded::{recordings, set, spans};

#[test]
fn tables() {
    for version in ["v1", "v1alpha1", "v1alpha2", "v1beta1"] {
        let (kind, resource) = match version {
            "v1" => ("lease", "leases"),
            _ => ("lease_candidate", "leasecandidates"),
        };
        let created = matrix(version, &format!("{resource}-validation"));
        insta::assert_snapshot!(format!("{kind}_{version}"), created);
        let updated = matrix(version, &format!("{resource}-updates"));
        insta::assert_snapshot!(format!("{kind}_{version}_updates"), updated);
    }
}

/// The messages about all recorded objects that servers reject, each once.
#[test]
fn messages() {
    let about_validation = |one: &&Recording| {
        let set = one.place().set();
        set.ends_with("-validation") || set.ends_with("-updates")
    };
    let mut messages = BTreeSet::new();
    for recording in recordings().filter(about_validation) {
        let request = RecordedRequest::of(recording);
        let verdict = request.map(|request| request.judge(request.body));
        if let Some(Verdict::Invalid { errors, .. }) = verdict {
            messages.extend(errors.iter().map(ToString::to_string));
        }
    }
    let messages: Vec<String> = messages.into_iter().collect();
    insta::assert_snapshot!(messages.join("\n"));
}

/// An object that a server accepted is accepted as our types encode it, without warnings but those about owners.
/// Servers write years before 0 and after 9999 and do not read them: such times alone may be refused.
#[test]
fn accepted_objects_are_accepted_when_they_are_encoded_again() {
    let mut judged = 0;
    for recording in recordings() {
        let Some(request) = RecordedRequest::of(recording) else {
            continue;
        };
        let exchange = recording.exchange().unwrap();
        if !matches!(exchange.response.status, 200 | 201) {
            continue;
        }
        let object = request.kind.receive(request.body).unwrap().object;
        let again = object.encode().unwrap();
        let verdict = request.judge(&again);
        if let Verdict::Unreadable { errors } = &verdict {
            let refused_time = |path: &str| {
                let time = again.pointer(&format!("/{}", path.replace('.', "/")));
                let time = time.and_then(serde_json::Value::as_str).unwrap_or_default();
                time.starts_with("-0001-") || time.starts_with("10000-")
            };
            if errors.iter().all(|error| refused_time(error.path())) {
                continue;
            }
        }
        let name_is_in_the_url = exchange.request.method == "PUT" && exchange.before.is_none();
        let path = recording.place().path().display();
        assert!(
            verdict.is_accepted() || name_is_in_the_url,
            "{path}: {verdict:?}"
        );
        let warnings = request.judge(request.body);
        let about_owners = warnings.warnings().iter();
        let about_owners = about_owners.filter(|it| it.path() == "metadata.ownerReferences");
        assert_eq!(verdict.warnings().len(), about_owners.count(), "{path}");
        judged += 1;
    }
    assert!(judged > 700, "{judged}");
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
