//! The check of decoding.

use k8s_versioned::{DecodeError, KindEntry, Object, Registry};
use serde_json::Value;

use super::{Check, each_body};
use crate::difference::shorten;
use crate::kinds::{self, kind_of};
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Body, Recording, Recordings, Subject, SubjectKind};

/// Every body of a known kind decodes into its type, from text and from a value, to the same.
///
/// The body of a request may also fail where the server answered that it cannot decode it (400).
pub struct Decode<'a> {
    registry: &'a dyn Registry,
}

impl<'a> Decode<'a> {
    /// The check with these types.
    pub fn new(registry: &'a dyn Registry) -> Self {
        Self { registry }
    }

    fn examine(&self, recording: &Recording, subject: &Subject<'_>) -> Finding {
        let pointer = subject.pointer.as_str();
        let entry = match kind_of(self.registry, recording, subject) {
            Ok(entry) => entry,
            Err(reason) => return Finding::not_applicable(pointer, reason),
        };
        if let Some(reason) = kinds::refused_on_purpose(entry, subject) {
            return Finding::not_applicable(pointer, reason);
        }
        let value = kinds::value(entry, subject);
        let text = match (&value, subject.body) {
            (_, Body::Text(text)) => text.to_owned(),
            (Some(value), _) => value.to_string(),
            (None, _) => return Finding::not_applicable(pointer, "a binary body"),
        };
        match entry.decode(text.as_bytes()) {
            Ok(object) => {
                let mismatch = value.and_then(|value| two_ways(entry, pointer, &value, &*object));
                Finding::of_mismatches(pointer, mismatch.into_iter().collect())
            }
            Err(_) if recording.refuses(subject) => Finding::passed(pointer),
            Err(error) => {
                let mismatch = undecodable(recording, subject, &text, &error);
                Finding::of_mismatches(pointer, vec![mismatch])
            }
        }
    }
}

impl Check for Decode<'_> {
    fn name(&self) -> &'static str {
        "decode"
    }

    fn about(&self) -> &'static str {
        "bodies decode into the types of their kinds, unless the server could not decode them either"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        each_body(recording, |subject| self.examine(recording, subject))
    }
}

fn undecodable(
    recording: &Recording,
    subject: &Subject<'_>,
    text: &str,
    error: &DecodeError,
) -> Mismatch {
    let exchange = recording.exchange();
    let (expected, advice) = match (subject.kind, exchange) {
        (SubjectKind::Request, Some(exchange)) => {
            let status = exchange.response.status;
            (
                format!("{}, as for the server (it answered {status})", error.kind()),
                "the type is stricter than the server: compare its fields with the body",
            )
        }
        _ => (
            error.kind().to_string(),
            "a server wrote it: compare the fields of the type with the body",
        ),
    };
    Mismatch {
        pointer: subject.pointer.clone(),
        expected,
        found: format!("{}: {}", error.reason(), shorten(text)),
        advice: advice.into(),
    }
}

/// The value must not depend on how the body was read.
fn two_ways(
    entry: &KindEntry,
    pointer: &str,
    value: &Value,
    from_text: &dyn Object,
) -> Option<Mismatch> {
    let found = match entry.decode_value(value) {
        Ok(from_value) if from_value.equals(from_text) => return None,
        Ok(from_value) => format!("{from_value:?}"),
        Err(error) => error.to_string(),
    };
    Some(Mismatch {
        pointer: pointer.to_owned(),
        expected: shorten(&format!("{from_text:?}")),
        found: shorten(&found),
        advice: "the type decodes differently from text and from a value: see its `Deserialize`"
            .into(),
    })
}
