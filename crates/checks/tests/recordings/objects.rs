//! Recorded objects, decoded and encoded again.

use std::collections::{BTreeMap, BTreeSet};

use k8s_coordination::Kinds;
use k8s_versioned::{KindEntry, Registry};
use k8s_versioned_conformance::recording::{Body, Subject, SubjectKind};
use k8s_versioned_conformance::{Recording, kind_of};
use serde_json::Value;

use crate::recorded::RECORDINGS;

/// The most lines of an object that people read.
const LINES: usize = 95;

/// An object, where it was recorded, and how many fields it has.
struct Specimen {
    source: String,
    text: String,
    fields: usize,
}

/// For each kind, the recorded object with the most fields among those that people can read.
#[test]
fn one_object_of_each_kind() {
    let mut best: BTreeMap<String, Specimen> = BTreeMap::new();
    for recording in &*RECORDINGS {
        for subject in recording.subjects() {
            let Some((kind, specimen)) = specimen(recording, &subject) else {
                continue;
            };
            if best.get(&kind).is_none_or(|best| specimen.fields > best.fields) {
                best.insert(kind, specimen);
            }
        }
    }
    for entry in Kinds.kinds() {
        let name = name(entry);
        let Some(Specimen { source, text, .. }) = best.get(&name) else {
            panic!("no recording of {}", entry.group_version_kind());
        };
        insta::assert_snapshot!(name, text, source);
    }
}

fn name(entry: &KindEntry) -> String {
    format!("{}.{}", entry.version(), entry.kind())
}

/// An object as the types write it. What takes part in a scenario may be incomplete.
fn specimen(recording: &Recording, subject: &Subject<'_>) -> Option<(String, Specimen)> {
    let Body::Json(body) = subject.body else {
        return None;
    };
    if subject.kind == SubjectKind::Scenario {
        return None;
    }
    let entry = kind_of(&Kinds, recording, subject).ok()?;
    let object = entry.decode_value(body).ok()?.encode().unwrap();
    let text = serde_json::to_string_pretty(&object).unwrap();
    if text.lines().count() > LINES {
        return None;
    }
    let mut fields = BTreeSet::new();
    collect_fields("", &object, &mut fields);
    let specimen = Specimen {
        source: format!("{} {}", recording.name(), subject.pointer),
        text,
        fields: fields.len(),
    };
    Some((name(entry), specimen))
}

/// The paths of all fields, whatever the item of a list they are in.
fn collect_fields(place: &str, value: &Value, fields: &mut BTreeSet<String>) {
    match value {
        Value::Array(items) => {
            for item in items {
                collect_fields(place, item, fields);
            }
        }
        Value::Object(members) => {
            // What is below depends on the data, not on the type.
            let leaf =
                ["fieldsV1", "labels", "annotations"].iter().any(|name| place.ends_with(name));
            for (name, member) in members.iter().filter(|_| !leaf) {
                let place = format!("{place}/{name}");
                collect_fields(&place, member, fields);
                fields.insert(place);
            }
        }
        _ => {}
    }
}
