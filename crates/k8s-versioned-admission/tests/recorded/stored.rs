//! Objects that servers stored are valid as they stand in a dump, and what was refused is refused there as well.

use std::collections::HashMap;

use k8s_versioned_admission::{Definition, ServerAnswer, WriteRequest, is_from_server};
use serde_json::Value;

use crate::sample::Sample;

/// Judges the objects of recorded creations with a status as they stand in a dump.
fn judge_dumps(
    status: u16,
    object: impl Fn(&Value) -> Option<Value>,
    check: impl Fn(&Value, &ServerAnswer),
) {
    let sample = Sample::load();
    let mut compiled = HashMap::new();
    let mut count = 0;
    for exchange in &sample.exchanges {
        let recording = &exchange.recording;
        let is_creation = recording["request"]["method"] == "POST";
        if !is_creation || recording["response"]["status"] != status {
            continue;
        }
        let Some(object) = object(recording) else { continue };
        let key = (exchange.definition.clone(), exchange.release);
        let definition = compiled.entry(key).or_insert_with(|| {
            let source = &sample.definitions[&exchange.definition];
            Definition::compile_for(source, exchange.release).unwrap()
        });
        let body = object.to_string();
        assert!(is_from_server(&object), "{body}");
        let request = WriteRequest::recreate(exchange.version(), body.as_bytes());
        check(&object, &definition.admit(&request));
        count += 1;
    }
    assert!(count > 100, "{count}");
}

#[test]
fn a_stored_object_is_valid_as_it_stands() {
    let stored = |recording: &Value| Some(recording["response"]["json"].clone());
    judge_dumps(201, stored, |object, answer| {
        assert!(answer.is_accepted(), "{object}: {}", answer.message);
        assert_eq!(answer.object.as_ref(), Some(object));
    });
}

#[test]
fn a_stored_object_is_refused_as_a_new_one_is() {
    let dumped = |recording: &Value| {
        let mut object = recording["request"]["json"].clone();
        let metadata = object.get_mut("metadata")?.as_object_mut()?;
        metadata.insert("uid".to_owned(), "u".into());
        metadata.insert("resourceVersion".to_owned(), "7".into());
        Some(object)
    };
    judge_dumps(422, dumped, |object, answer| {
        assert_eq!(answer.status, 422, "{object}: {}", answer.message);
    });
}
