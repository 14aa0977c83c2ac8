//! Validation of recorded objects. The check `validate` compares fields and reasons.

use std::collections::BTreeSet;

use k8s_coordination::validation::{BodyProblem, Submission, Verdict};
use k8s_coordination_cli::conformance::RecordedWrite;
use k8s_versioned_conformance::Recording;
use k8s_versioned_conformance::recordings::RecordedBody;
use serde_json::Value;

use crate::recorded::recordings;

/// The messages about all recorded objects that servers reject, each once.
#[test]
fn messages() {
    let about_validation = |one: &&Recording| {
        let set = &one.path.set;
        set.ends_with("-validation") || set.ends_with("-updates")
    };
    let mut messages = BTreeSet::new();
    for recording in recordings().filter(about_validation) {
        let request = RecordedWrite::from_recording(recording);
        let verdict = request.map(|request| request.judge(request.body.clone()));
        if let Some(Verdict::Invalid { errors, .. }) = verdict {
            messages.extend(errors.iter().map(ToString::to_string));
        }
    }
    let messages: Vec<String> = messages.into_iter().collect();
    insta::assert_snapshot!(messages.join("\n"));
}

/// Servers write years before 0 and after 9999, but refuse to read them: only these times may be refused.
fn is_accepted(verdict: &Verdict, object: &Value) -> bool {
    let odd_time = |error: &BodyProblem| {
        let time = object.pointer(&format!("/{}", error.path().replace('.', "/")));
        let time = time.and_then(Value::as_str).unwrap_or_default();
        time.starts_with("-0001-") || time.starts_with("10000-")
    };
    match verdict {
        Verdict::Unreadable { errors } => errors.iter().all(odd_time),
        verdict => verdict.is_accepted(),
    }
}

/// An object that a server accepted is accepted as our types encode it, with no warnings except those about owners. An
/// update that changes nothing of the stored object is accepted, too.
#[test]
fn accepted_objects_are_accepted_again() {
    let mut judged = 0;
    for recording in recordings() {
        let Some(request) = RecordedWrite::from_recording(recording) else {
            continue;
        };
        let exchange = recording.exchange().unwrap();
        let (200 | 201, Some(RecordedBody::Json(stored))) =
            (exchange.response.status, &exchange.response.body)
        else {
            continue;
        };
        let path = recording.path.file.display();
        let again = request.kind.receive(request.body.clone()).unwrap().object.encode().unwrap();
        let verdict = request.judge(&again);
        let name_is_in_the_url = exchange.request.method == "PUT" && exchange.before.is_none();
        assert!(is_accepted(&verdict, &again) || name_is_in_the_url, "{path}: {verdict:?}");
        let warnings = request.judge(request.body.clone());
        let about_owners = warnings.warnings().iter();
        let about_owners =
            about_owners.filter(|about_owner| about_owner.path() == "metadata.ownerReferences");
        let same = verdict.warnings().len() == about_owners.count();
        assert!(same || !verdict.is_accepted(), "{path}");
        judged += 1;
        if stored.pointer("/metadata/resourceVersion").is_none() {
            continue; // A dry run.
        }
        let object = request.kind.decode_value(stored).unwrap();
        let unchanged = Submission::update(request.kind, &*object).judge(stored);
        assert!(is_accepted(&unchanged, stored), "{path}: {unchanged:?}");
    }
    assert!(judged > 700, "{judged}");
}
