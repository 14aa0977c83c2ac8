//! Validation of recorded objects. The check `validate` compares fields and reasons.

use std::collections::BTreeSet;

use k8s_coordination::validation::Verdict;
use k8s_coordination_conformance::RecordedRequest;
use k8s_versioned_conformance::Recording;

use crate::recorded::recordings;

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
        assert!(verdict.is_accepted() || name_is_in_the_url, "{path}: {verdict:?}");
        let warnings = request.judge(request.body);
        let about_owners = warnings.warnings().iter();
        let about_owners = about_owners.filter(|it| it.path() == "metadata.ownerReferences");
        assert_eq!(verdict.warnings().len(), about_owners.count(), "{path}");
        judged += 1;
    }
    assert!(judged > 700, "{judged}");
}
