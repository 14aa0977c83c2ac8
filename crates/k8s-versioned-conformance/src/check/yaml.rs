//! The check of YAML bodies.

use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::difference::{differences, show};
use crate::kinds::kind_of;
use crate::outcome::{Examination, Examined, Mismatch};
use k8s_versioned_recordings::{
    Body, Exchange, RecordedBody, Recording, Recordings, Subject, SubjectKind,
};

/// A YAML body decodes to the same value as its twin: the JSON answer to the same request.
pub fn yaml(registry: &dyn Registry) -> Check<'_> {
    let rule = "YAML bodies decode to the same value as their JSON twins";
    Check::new("yaml", rule, |recording, all| {
        vec![Examination::new(POINTER, examine(registry, recording, all))]
    })
}

fn examine(registry: &dyn Registry, recording: &Recording, all: &Recordings) -> Examined {
    let text = recording.exchange().and_then(yaml_text).ok_or("no YAML body")?;
    let (twin, json) = twin(recording, all).ok_or("no JSON twin in the folder")?;
    let subject = Subject {
        pointer: POINTER.to_owned(),
        kind: SubjectKind::Response,
        body: Body::Json(json),
    };
    let entry = kind_of(registry, recording, &subject)?;
    Ok(compare(entry, text, twin, json))
}

const POINTER: &str = "/response/text";

fn yaml_text(exchange: &Exchange) -> Option<&str> {
    let media_type = exchange.response.media_type()?;
    match &exchange.response.body {
        Some(RecordedBody::Text(text)) if media_type.ends_with("yaml") => Some(text),
        _ => None,
    }
}

/// The last recording before it in the same set with the same request and a JSON answer.
fn twin<'a>(one: &'a Recording, all: &'a Recordings) -> Option<(&'a Recording, &'a Value)> {
    let request = &one.exchange()?.request;
    let twins = all.beside(one).filter_map(|other| {
        let exchange = other.exchange()?;
        let same = exchange.request.method == request.method
            && exchange.request.path == request.path
            && exchange.request.query == request.query;
        match &exchange.response.body {
            // A table answers the same request in another form.
            Some(RecordedBody::Json(json)) if same && plain(exchange) => Some((other, json)),
            _ => None,
        }
    });
    twins.take_while(|(other, _)| other.path.file < one.path.file).last()
}

fn plain(exchange: &Exchange) -> bool {
    let accept = exchange.request.headers.get("accept");
    let mut accept = accept.into_iter().flatten();
    exchange.response.status == 200 && accept.all(|accept| !accept.contains(";as="))
}

fn compare(entry: &KindEntry, text: &str, twin: &Recording, json: &Value) -> Vec<Mismatch> {
    let mismatch = |expected: String, found: String| {
        let hint = format!("the twin is {}", twin.path.file.display());
        Mismatch::new(POINTER, expected, found, hint)
    };
    let value: Value = match serde_saphyr::from_str(text) {
        Ok(value) => value,
        Err(error) => return vec![mismatch("YAML".to_owned(), error.to_string())],
    };
    let (from_yaml, from_json) = match (entry.decode_value(&value), entry.decode_value(json)) {
        (Ok(from_yaml), Ok(from_json)) => (from_yaml, from_json),
        (Err(error), _) | (_, Err(error)) => {
            return vec![mismatch(show(Some(json)), error.to_string())];
        }
    };
    if from_yaml.equals(&*from_json) {
        return Vec::new();
    }
    let mut mismatches = differences(POINTER, json, &value);
    if mismatches.is_empty() {
        mismatches.push(mismatch(format!("{from_json:?}"), format!("{from_yaml:?}")));
    }
    mismatches
}
