//! The check of YAML bodies.

use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::difference::{differences, show};
use crate::kinds::kind_of;
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Body, Exchange, Recording, Recordings, ResponseBody, Subject, SubjectKind};

/// A YAML body decodes to the same value as its twin: the JSON answer to the same request.
pub struct Yaml<'a> {
    registry: &'a dyn Registry,
}

impl<'a> Yaml<'a> {
    /// The check with these types.
    pub fn new(registry: &'a dyn Registry) -> Self {
        Self { registry }
    }

    fn examine(&self, recording: &Recording, text: &str, all: &Recordings) -> Finding {
        let Some((twin, json)) = twin(recording, all) else {
            return Finding::not_applicable(POINTER, "no JSON twin beside it");
        };
        let subject = Subject {
            pointer: POINTER.to_owned(),
            kind: SubjectKind::Response,
            body: Body::Json(json),
        };
        match kind_of(self.registry, recording, &subject) {
            Err(reason) => Finding::not_applicable(POINTER, reason),
            Ok(entry) => Finding::of_mismatches(POINTER, compare(entry, text, twin, json)),
        }
    }
}

impl Check for Yaml<'_> {
    fn name(&self) -> &'static str {
        "yaml"
    }

    fn about(&self) -> &'static str {
        "YAML bodies decode to the same value as their JSON twins"
    }

    fn check(&self, recording: &Recording, all: &Recordings) -> Vec<Finding> {
        let text = recording.exchange().and_then(yaml);
        vec![match text {
            Some(text) => self.examine(recording, text, all),
            None => Finding::not_applicable("", "no YAML body"),
        }]
    }
}

const POINTER: &str = "/response/text";

fn yaml(exchange: &Exchange) -> Option<&str> {
    let media_type = exchange.response.media_type()?;
    match &exchange.response.body {
        ResponseBody::Text(text) if media_type.ends_with("yaml") => Some(text),
        _ => None,
    }
}

/// The closest recording before it, in the same set, that asked for the same and got JSON.
fn twin<'a>(one: &'a Recording, all: &'a Recordings) -> Option<(&'a Recording, &'a Value)> {
    let request = &one.exchange()?.request;
    let twins = all.beside(one).filter_map(|other| {
        let exchange = other.exchange()?;
        let same = exchange.request.method == request.method
            && exchange.request.path == request.path
            && exchange.request.query == request.query;
        match &exchange.response.body {
            // Tables and the like are answers to the same request, but in another form.
            ResponseBody::Json(json) if same && plain(exchange) => Some((other, json)),
            _ => None,
        }
    });
    twins.take_while(|(other, _)| other.place().path() < one.place().path()).last()
}

fn plain(exchange: &Exchange) -> bool {
    let accept = exchange.request.headers.get("accept");
    let mut accept = accept.into_iter().flatten();
    exchange.response.status == 200 && accept.all(|accept| !accept.contains(";as="))
}

fn compare(entry: &KindEntry, text: &str, twin: &Recording, json: &Value) -> Vec<Mismatch> {
    let mismatch = |expected: String, found: String| Mismatch {
        pointer: POINTER.to_owned(),
        expected,
        found,
        advice: format!("the twin is {}", twin.place().path().display()).into(),
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
