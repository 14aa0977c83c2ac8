//! `--migrate`: objects that are to be created in another cluster.

use k8s_coordination::migration::SERVER_FIELDS;
use serde_json::{Map, Value};

use crate::input::Place;
use crate::report::{Note, ObjectReport};

/// The annotation in which `kubectl apply` keeps the object that it sent.
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Removes the fields that only a server can set, and reports others that may not fit another cluster.
pub(super) fn remove_server_fields(object: &mut Value, place: &Place, report: &mut ObjectReport) {
    let Some(Value::Object(metadata)) = object.get_mut("metadata") else {
        return;
    };
    let found = SERVER_FIELDS.iter().filter(|field| metadata.remove(**field).is_some());
    let fields: Vec<&'static str> = found.copied().collect();
    if !fields.is_empty() {
        report.note(place, "metadata", Note::ServerFieldsRemoved { fields });
    }
    warn_of_kept_fields(metadata, place, report);
}

fn warn_of_kept_fields(metadata: &Map<String, Value>, place: &Place, report: &mut ObjectReport) {
    let has = |field: &str| {
        let items = metadata.get(field).and_then(Value::as_array);
        items.is_some_and(|items| !items.is_empty())
    };
    if has("ownerReferences") {
        report.note(place, "metadata.ownerReferences", Note::OwnersKept);
    }
    if has("finalizers") {
        report.note(place, "metadata.finalizers", Note::FinalizersKept);
    }
    let annotations = metadata.get("annotations");
    if annotations.is_some_and(|annotations| annotations.get(LAST_APPLIED).is_some()) {
        let path = format!("metadata.annotations[{LAST_APPLIED}]");
        report.note(place, &path, Note::LastAppliedKept);
    }
}
