//! `--migrate`: objects that are to be created in another cluster.

use k8s_coordination::migration::SERVER_FIELDS;
use k8s_versioned_findings::Severity;
use serde_json::{Map, Value};

use crate::input::InputPosition;
use crate::report::{Note, ObjectReport};

/// The annotation in which `kubectl apply` keeps the object that it sent.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Removes the fields that only a server can set, and reports others that may not fit another cluster.
pub(super) fn remove_server_fields(
    object: &mut Value,
    place: &InputPosition,
    report: &mut ObjectReport,
) {
    let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
        return;
    };
    let found = SERVER_FIELDS.iter().filter(|field| metadata.remove(**field).is_some());
    let fields: Vec<&'static str> = found.copied().collect();
    if !fields.is_empty() {
        let message = format!("removed: {}", fields.join(", "));
        report.note(place, "metadata", Note::new(Severity::Note, "server-fields-removed", message));
    }
    warn_of_kept_fields(metadata, place, report);
}

fn warn_of_kept_fields(
    metadata: &Map<String, Value>,
    place: &InputPosition,
    report: &mut ObjectReport,
) {
    let has = |field: &str| {
        let items = metadata.get(field).and_then(Value::as_array);
        items.is_some_and(|items| !items.is_empty())
    };
    if has("ownerReferences") {
        let note = Note::new(Severity::Warning, "owners-kept", "kept as they are").with_hint(
            "owners in another cluster have other uids: an object whose owners do not exist is garbage-collected",
        );
        report.note(place, "metadata.ownerReferences", note);
    }
    if has("finalizers") {
        let note = Note::new(Severity::Warning, "finalizers-kept", "kept as they are")
            .with_hint("if no controller removes them, the object cannot be deleted");
        report.note(place, "metadata.finalizers", note);
    }
    let annotations = metadata.get("annotations");
    if annotations.is_some_and(|annotations| annotations.get(LAST_APPLIED).is_some()) {
        let path = format!("metadata.annotations[{LAST_APPLIED}]");
        let message = "kept as it is, in the version before the conversion";
        let note = Note::new(Severity::Warning, "last-applied-kept", message);
        report.note(place, &path, note.with_hint("remove it, or apply the converted object once"));
    }
}
