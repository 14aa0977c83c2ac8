//! A recorded exchange, and the comparison of its response with an answer.

use k8s_versioned_admission::{Answer, Definition, FieldValidation, Request};
use serde_json::Value;

/// A request to a server, and its response.
pub(crate) struct Exchange {
    /// The place of the recording.
    pub(crate) path: String,
    /// The version in the URL.
    pub(crate) version: String,
    pub(crate) recording: Value,
}

/// The ways in which an answer can differ from a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Class {
    /// A rule is not judged.
    NotJudged,
    Status,
    /// The reason and the field of a cause. The order does not count: servers go through the members of an object in a
    /// random order.
    Causes,
    /// The message of a cause, or of the `Status`.
    Message,
    Warnings,
    Object,
}

impl Exchange {
    pub(crate) fn answer(&self, definition: &Definition) -> Answer {
        let request = &self.recording["request"];
        let body = match request["text"].as_str() {
            Some(text) => text.to_owned(),
            None => request["json"].to_string(),
        };
        let path = request["path"].as_str().unwrap_or_default();
        let namespace = path
            .split_once("/namespaces/")
            .map_or("", |(_, rest)| rest.split('/').next().unwrap_or_default());
        let (version, body) = (self.version.as_str(), body.as_bytes());
        let before = &self.recording["before"];
        let made = match request["method"].as_str() {
            Some("POST") => Request::create(version, namespace, body),
            _ if path.ends_with("/status") => Request::update_status(version, before, body),
            _ => Request::update(version, before, body),
        };
        let validation = match request["query"]["fieldValidation"].as_str() {
            Some("Strict") => FieldValidation::Strict,
            Some("Ignore") => FieldValidation::Ignore,
            _ => FieldValidation::Warn,
        };
        definition.admit(&made.with_field_validation(validation))
    }

    pub(crate) fn status(&self) -> u64 {
        self.recording["response"]["status"].as_u64().unwrap_or_default()
    }

    /// The differences of an answer, with a description.
    pub(crate) fn differences(&self, answer: &Answer) -> Vec<(Class, String)> {
        let response = &self.recording["response"];
        let mut found = Vec::new();
        for it in &answer.not_judged {
            found.push((Class::NotJudged, format!("{}: {}", it.field, it.rule)));
        }
        if self.status() != u64::from(answer.status) {
            let own: Vec<_> = answer.causes.iter().map(ToString::to_string).collect();
            let text = format!(
                "{} {}\n     is {} {} {own:?}",
                self.status(),
                response["json"]["message"],
                answer.status,
                answer.message
            );
            return vec![(if found.is_empty() { Class::Status } else { Class::NotJudged }, text)];
        }
        let judged = found.is_empty();
        let before = found.len();
        compare_causes(response, answer, &mut found);
        if !judged && found.len() > before {
            found.truncate(before);
            return found;
        }
        compare_warnings(response, answer, &mut found);
        if self.status() < 300 {
            compare_objects(response, answer, &mut found);
        }
        found
    }
}

fn compare_causes(response: &Value, answer: &Answer, found: &mut Vec<(Class, String)>) {
    let recorded = response["json"]["details"]["causes"].as_array().cloned().unwrap_or_default();
    let text = |cause: &Value, name: &str| cause[name].as_str().unwrap_or_default().to_owned();
    let theirs: Vec<(String, String)> =
        recorded.iter().map(|cause| (text(cause, "reason"), text(cause, "field"))).collect();
    let ours: Vec<(String, String)> =
        answer.causes.iter().map(|cause| (cause.reason.to_string(), cause.field.clone())).collect();
    let sorted = |list: &[(String, String)]| {
        let mut list = list.to_vec();
        list.sort();
        list
    };
    let own = || {
        let lines = answer.causes.iter().map(|it| format!("\n     {it}"));
        lines.collect::<Vec<_>>().concat()
    };
    let shown = || {
        let lines = recorded
            .iter()
            .map(|cause| format!("\n     {}: {}", text(cause, "field"), text(cause, "message")));
        lines.collect::<Vec<_>>().concat()
    };
    if sorted(&theirs) != sorted(&ours) {
        found.push((Class::Causes, format!("{}\n   is{}", shown(), own())));
        return;
    }
    let mut messages: Vec<_> =
        recorded.iter().map(|it| (text(it, "field"), text(it, "message"))).collect();
    let mut own_messages: Vec<_> =
        answer.causes.iter().map(|it| (it.field.clone(), it.message.clone())).collect();
    messages.sort();
    own_messages.sort();
    if messages != own_messages {
        found.push((Class::Message, format!("{}\n   is{}", shown(), own())));
    } else if theirs == ours && answer.status >= 300 && response["json"] != answer.body() {
        found.push((Class::Message, format!("{}\n   is {}", response["json"], answer.body())));
    }
}

fn compare_warnings(response: &Value, answer: &Answer, found: &mut Vec<(Class, String)>) {
    let header = &response["headers"]["warning"];
    let all: Vec<String> = match header {
        Value::String(one) => vec![one.clone()],
        Value::Array(many) => many.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect(),
        _ => Vec::new(),
    };
    let own: Vec<String> = answer
        .warnings
        .iter()
        .map(|text| format!("299 - \"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"")))
        .collect();
    if all != own {
        found.push((Class::Warnings, format!("{all:?}\n   is {own:?}")));
    }
}

fn compare_objects(response: &Value, answer: &Answer, found: &mut Vec<(Class, String)>) {
    let mut theirs = response["json"].clone();
    let mut ours = answer.object.clone().unwrap_or_default();
    for object in [&mut theirs, &mut ours] {
        if let Some(metadata) = object.get_mut("metadata").and_then(Value::as_object_mut) {
            for field in ["uid", "creationTimestamp", "resourceVersion", "managedFields"] {
                metadata.remove(field);
            }
            if let Some(prefix) = metadata.get("generateName").and_then(Value::as_str) {
                let prefix = prefix.to_owned();
                metadata.insert("name".to_owned(), prefix.into());
            }
        }
    }
    if theirs != ours {
        found.push((Class::Object, format!("{theirs}\n   is {ours}")));
    }
}
