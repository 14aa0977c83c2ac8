//! The check of schemas.

use serde_json::Value;

use super::Check;
use crate::difference::show;
use crate::documents::{Document, Documents};
use crate::kinds::Reason;
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Body, Recording, Recordings, Subject, SubjectKind};

/// Responses and the objects of events are valid against the schema of their kind, in the `OpenAPI` document of
/// the release that they were recorded from. `null` equals absent.
///
/// The schema is that of the body's own kind, not the one that the operation names: servers answer a DELETE
/// with the object, where the documents promise a `Status`.
pub struct Schema<'a> {
    documents: &'a Documents,
}

impl<'a> Schema<'a> {
    /// The check with these documents.
    pub fn new(documents: &'a Documents) -> Self {
        Self { documents }
    }

    fn examine(&self, recording: &Recording, subject: &Subject<'_>) -> Finding {
        let pointer = subject.pointer.as_str();
        let found = self.documents.of(recording);
        let applicable = found.and_then(|document| Ok((document, applicable(subject)?)));
        let mismatches = match applicable {
            Ok((document, body)) => validate(document, pointer, body),
            Err(reason) => return Finding::not_applicable(pointer, reason),
        };
        match mismatches {
            Some(mismatches) => Finding::of_mismatches(pointer, mismatches),
            None => {
                Finding::not_applicable(pointer, "no schema of the body's kind in the document")
            }
        }
    }
}

impl Check for Schema<'_> {
    fn name(&self) -> &'static str {
        "schema"
    }

    fn about(&self) -> &'static str {
        "responses are valid against the schemas of their release"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let sent = |subject: &Subject<'_>| {
            matches!(subject.kind, SubjectKind::Response | SubjectKind::Event { .. })
        };
        let subjects = recording.subjects();
        let findings = subjects
            .iter()
            .filter(|subject| sent(subject))
            .map(|subject| self.examine(recording, subject));
        let findings: Vec<Finding> = findings.collect();
        if findings.is_empty() {
            return vec![Finding::not_applicable("", "no response with a body")];
        }
        findings
    }
}

fn applicable<'a>(subject: &Subject<'a>) -> Result<&'a Value, Reason> {
    match (subject.kind, subject.body) {
        (SubjectKind::Event { kind: "BOOKMARK" }, _) => {
            Err("a bookmark's object has nothing but a resourceVersion".into())
        }
        (_, Body::Json(body)) => Ok(body),
        (_, Body::Text(_)) => Err("a textual body that is not JSON".into()),
        (_, Body::Base64(_)) => Err("a binary body".into()),
    }
}

/// `None`: the document has no schema for it.
fn validate(document: &Document, pointer: &str, body: &Value) -> Option<Vec<Mismatch>> {
    let body = without_nulls(body);
    let schema = document.schema_of(&body)?;
    let advice =
        format!("the server and `{}` in {} disagree", schema.name(), document.path().display());
    let validator = match schema.validator() {
        Ok(validator) => validator,
        Err(error) => {
            return Some(vec![Mismatch {
                pointer: pointer.to_owned(),
                expected: "a schema that can be used".to_owned(),
                found: error.to_string(),
                advice: advice.into(),
            }]);
        }
    };
    let mismatches = validator.iter_errors(&body).map(|error| Mismatch {
        pointer: format!("{pointer}{}", error.instance_path()),
        expected: format!("{} ({})", error, error.schema_path()),
        found: show(Some(error.instance())),
        advice: advice.clone().into(),
    });
    Some(mismatches.collect())
}

/// A value without its `null` members. Items of lists stay: there, a `null` has a place.
fn without_nulls(value: &Value) -> Value {
    match value {
        Value::Array(items) => items.iter().map(without_nulls).collect(),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            members.map(|(name, value)| (name.clone(), without_nulls(value))).collect()
        }
        other => other.clone(),
    }
}
