//! The check of round trips.

use std::fmt;

use k8s_versioned::protobuf::Codec;
use k8s_versioned::{KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::differences::{differences, show};
use crate::examination::{Examined, Mismatch};
use crate::kinds;
use crate::recordings::{Recording, Subject, SubjectBody, SubjectKind};

/// A body that a server sent or stored is equal after decoding and encoding.
///
/// A `null` of the server may be absent; any other difference fails, also a `null` that the server did not write. A body in
/// protobuf is equal byte for byte. The body of a client may change (a time becomes UTC, an unknown field is dropped), but only
/// once: a second round trip changes nothing. Of a bookmark in JSON, only the metadata is read.
pub fn round_trip(registry: &dyn Registry) -> Check<'_> {
    let rule =
        "bodies of servers are equal after a round trip, and bodies of clients change at most once";
    Check::of_bodies("round-trip", rule, |recording, subject| examine(registry, recording, subject))
}

fn examine(registry: &dyn Registry, recording: &Recording, subject: &Subject<'_>) -> Examined {
    let pointer = subject.pointer.as_str();
    let entry = &kinds::entry_of(registry, recording, subject)?;
    if let SubjectBody::Binary(body) = subject.body {
        let codec = kinds::codec(entry, recording, subject)?;
        return match recode_bytes(codec, body) {
            Ok(encoded) if subject.kind == SubjectKind::Request => {
                Ok(compare_bytes(pointer, &encoded, recode_bytes(codec, &encoded))
                    .into_iter()
                    .collect())
            }
            Err(_) if recording.refuses(subject) => Err(REFUSED.into()),
            encoded => Ok(compare_bytes(pointer, body, encoded).into_iter().collect()),
        };
    }
    let body = kinds::value(entry, subject).ok_or("the body is not JSON")?;
    Ok(match recode(entry, pointer, &body) {
        Ok(encoded) if subject.kind == SubjectKind::Request => {
            fixed_point(entry, pointer, &encoded)
        }
        Ok(encoded) => differences(pointer, &body, &encoded),
        Err(_) if recording.refuses(subject) => {
            return Err(REFUSED.into());
        }
        Err(mismatch) => vec![mismatch],
    })
}

const REFUSED: &str = "the server could not decode it either";

fn recode_bytes(codec: &Codec, body: &[u8]) -> Result<Vec<u8>, String> {
    let object = codec.decode(body).map_err(|error| error.to_string())?;
    codec.encode(&*object).ok_or_else(|| "an object of another type".to_owned())
}

/// Bodies in protobuf are equal byte for byte.
fn compare_bytes(
    pointer: &str,
    expected: &[u8],
    found: Result<Vec<u8>, String>,
) -> Option<Mismatch> {
    let size = expected.len();
    let hint =
        "do the numbers and the presence of the fields in `protobuf.toml` agree with Go's types?";
    let differs =
        |found: String| Mismatch::new(pointer, format!("the same {size} bytes"), found, hint);
    match found {
        Ok(found) if found == expected => None,
        Ok(found) => {
            let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
            Some(differs(format!("{} bytes, of which the first {same} are equal", found.len())))
        }
        Err(error) => Some(differs(error).undecodable()),
    }
}

fn recode(entry: &KindEntry, pointer: &str, body: &Value) -> Result<Value, Mismatch> {
    let hint = "it does not decode, or does not encode: see the check `decode`";
    let broken = |error: &dyn fmt::Display| {
        Mismatch::new(pointer, show(Some(body)), error.to_string(), hint)
    };
    let object = entry.decode_value(body).map_err(|error| broken(&error).undecodable())?;
    object.encode().map_err(|error| broken(&error))
}

fn fixed_point(entry: &KindEntry, pointer: &str, encoded: &Value) -> Vec<Mismatch> {
    const HINT: &str =
        "the type does not read what it wrote: do names and formats agree both ways?";
    let mut mismatches = match recode(entry, pointer, encoded) {
        Ok(again) => differences(pointer, encoded, &again),
        Err(mismatch) => vec![mismatch],
    };
    for mismatch in &mut mismatches {
        mismatch.hint = HINT.into();
    }
    mismatches
}
