//! The check of round trips.

use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::{Check, each_body};
use crate::difference::{differences, show};
use crate::kinds::{self, kind_of};
use crate::outcome::{Finding, Mismatch};
use crate::recording::{Recording, Recordings, Subject, SubjectKind};

/// A body that a server sent or stored comes back equal when it is decoded and encoded.
///
/// `null` equals absent; nothing else is forgiven. What a client sent may change (a time in UTC, an unknown
/// field gone), but only once: encoding what it decodes to is a fixed point.
pub struct RoundTrip<'a> {
    registry: &'a dyn Registry,
}

impl<'a> RoundTrip<'a> {
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
        let Some(body) = kinds::value(entry, subject) else {
            return Finding::not_applicable(pointer, "the body is not JSON");
        };
        let encoded = match recode(entry, &body) {
            Ok(encoded) => encoded,
            Err(_) if recording.refuses(subject) => {
                return Finding::not_applicable(
                    pointer,
                    "the server could not decode it either (400)",
                );
            }
            Err(error) => {
                return Finding::of_mismatches(pointer, vec![broken(pointer, &body, error)]);
            }
        };
        let mismatches = match subject.kind {
            SubjectKind::Request => fixed_point(entry, pointer, &encoded),
            _ => differences(pointer, &body, &encoded),
        };
        Finding::of_mismatches(pointer, mismatches)
    }
}

impl Check for RoundTrip<'_> {
    fn name(&self) -> &'static str {
        "round-trip"
    }

    fn about(&self) -> &'static str {
        "what servers send comes back equal, and what clients send changes at most once"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        each_body(recording, |subject| self.examine(recording, subject))
    }
}

fn recode(entry: &KindEntry, body: &Value) -> Result<Value, String> {
    let object = entry.decode_value(body).map_err(|error| error.to_string())?;
    object.encode().map_err(|error| error.to_string())
}

fn broken(pointer: &str, body: &Value, error: String) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        expected: show(Some(body)),
        found: error,
        advice: "it does not decode, or does not encode: see the check `decode`".into(),
    }
}

fn fixed_point(entry: &KindEntry, pointer: &str, encoded: &Value) -> Vec<Mismatch> {
    const ADVICE: &str =
        "the type does not read what it wrote: do names and formats agree both ways?";
    let mut mismatches = match recode(entry, encoded) {
        Ok(again) => differences(pointer, encoded, &again),
        Err(error) => vec![broken(pointer, encoded, error)],
    };
    for mismatch in &mut mismatches {
        mismatch.advice = ADVICE.into();
    }
    mismatches
}
