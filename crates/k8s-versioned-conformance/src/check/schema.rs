//! The check of schemas.

use std::borrow::Cow;

use k8s_versioned::Registry;
use serde_json::Value;

use super::Check;
use crate::documents::{Document, Documents, Violation};
use crate::examination::{Examination, Examined, Inapplicable, Mismatch};
use crate::kinds;
use crate::recordings::{Recording, Subject, SubjectBody, SubjectKind};

/// Responses and the objects of events are valid against the schema of their kind, in the `OpenAPI` document of
/// the release that they were recorded from. `null` equals absent.
///
/// It is the schema of the body's kind, not the schema that the operation names: servers answer a DELETE with the
/// object, where the documents name a `Status`.
pub fn schema<'a>(registry: &'a dyn Registry, documents: &'a Documents) -> Check<'a> {
    let rule = "responses are valid against the schemas of their release";
    Check::new("schema", rule, |recording, _| {
        let subjects = kinds::subjects(recording).into_iter();
        let sent = subjects.filter(|subject| {
            matches!(subject.kind, SubjectKind::Response | SubjectKind::Event { .. })
        });
        let findings = sent.map(|subject| {
            let examined = examine(registry, documents, recording, &subject);
            Examination::new(subject.pointer, examined)
        });
        let findings: Vec<Examination> = findings.collect();
        if findings.is_empty() {
            return vec![Examination::not_applicable("", "no response with a body")];
        }
        findings
    })
}

fn examine(
    registry: &dyn Registry,
    documents: &Documents,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Examined {
    let document = documents.for_recording(recording)?;
    let body = applicable(registry, recording, subject)?;
    let mismatches = validate(document, &subject.pointer, &body);
    mismatches.ok_or("no schema of the body's kind in the document".into())
}

fn applicable<'a>(
    registry: &dyn Registry,
    recording: &Recording,
    subject: &Subject<'a>,
) -> Result<Cow<'a, Value>, Inapplicable> {
    match (subject.kind, subject.body) {
        (SubjectKind::Event { kind: "BOOKMARK" }, _) => {
            Err("the object of a bookmark has only a resourceVersion".into())
        }
        (_, SubjectBody::Json(body)) => Ok(Cow::Borrowed(body)),
        (_, SubjectBody::Text(_)) => Err("a textual body that is not JSON".into()),
        (_, SubjectBody::Binary(_)) => {
            let entry = kinds::kind_of(registry, recording, subject)?;
            kinds::value(entry, subject).ok_or("a binary body that does not decode".into())
        }
    }
}

/// `None` if the document has no schema for it.
fn validate(document: &Document, pointer: &str, body: &Value) -> Option<Vec<Mismatch>> {
    let schema = document.schema_of(body)?;
    let hint =
        format!("the server and `{}` in {} disagree", schema.name(), document.path().display());
    let violations = match schema.violations(body) {
        Ok(violations) => violations,
        Err(error) => {
            let expected = "a schema that can be used";
            return Some(vec![Mismatch::new(pointer, expected, error.to_string(), hint)]);
        }
    };
    let mismatches =
        violations.into_iter().map(|Violation { pointer: at, message, place, found, .. }| {
            let expected = format!("{message} ({place})");
            Mismatch::new(format!("{pointer}{at}"), expected, found, hint.clone())
        });
    Some(mismatches.collect())
}
