//! The check of round trips.

use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::difference::{differences, show};
use crate::kinds::{self, readable_kind_of};
use crate::outcome::{Examined, Mismatch};
use k8s_versioned_recordings::{Recording, Subject, SubjectKind};

/// A body that a server sent or stored is equal after decoding and encoding.
///
/// `null` equals absent; any other difference fails. The body of a client may change (a time becomes UTC, an unknown
/// field is dropped), but only once: a second round trip changes nothing.
pub fn round_trip(registry: &dyn Registry) -> Check<'_> {
    let rule =
        "bodies of servers are equal after a round trip, and bodies of clients change at most once";
    Check::of_bodies("round-trip", rule, |recording, subject| examine(registry, recording, subject))
}

fn examine(registry: &dyn Registry, recording: &Recording, subject: &Subject<'_>) -> Examined {
    let pointer = subject.pointer.as_str();
    let entry = readable_kind_of(registry, recording, subject)?;
    let body = kinds::value(entry, subject).ok_or("the body is not JSON")?;
    Ok(match recode(entry, &body) {
        Ok(encoded) if subject.kind == SubjectKind::Request => {
            fixed_point(entry, pointer, &encoded)
        }
        Ok(encoded) => differences(pointer, &body, &encoded),
        Err(_) if recording.refuses(subject) => {
            return Err("the server could not decode it either (400)".into());
        }
        Err(error) => vec![broken(pointer, &body, error)],
    })
}

fn recode(entry: &KindEntry, body: &Value) -> Result<Value, String> {
    let object = entry.decode_value(body).map_err(|error| error.to_string())?;
    object.encode().map_err(|error| error.to_string())
}

fn broken(pointer: &str, body: &Value, error: String) -> Mismatch {
    let hint = "it does not decode, or does not encode: see the check `decode`";
    Mismatch::new(pointer, show(Some(body)), error, hint)
}

fn fixed_point(entry: &KindEntry, pointer: &str, encoded: &Value) -> Vec<Mismatch> {
    const HINT: &str =
        "the type does not read what it wrote: do names and formats agree both ways?";
    let mut mismatches = match recode(entry, encoded) {
        Ok(again) => differences(pointer, encoded, &again),
        Err(error) => vec![broken(pointer, encoded, error)],
    };
    for mismatch in &mut mismatches {
        mismatch.hint = HINT.into();
    }
    mismatches
}
