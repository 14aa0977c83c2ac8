//! The check of decoding.

use k8s_versioned::{DecodedObject, KindEntry, Registry};
use serde_json::Value;

use super::Check;
use crate::differences::shorten;
use crate::examination::{Examined, Mismatch};
use crate::kinds;
use crate::recordings::{Recording, Subject, SubjectBody, SubjectKind};

/// Every body of a known kind decodes into its type, and equally from text and from a JSON value.
///
/// The body of a request may fail to decode if the server could not decode it either (400).
pub fn decode(registry: &dyn Registry) -> Check<'_> {
    let rule = "bodies decode into the types of their kinds, unless the server could not decode them either";
    Check::of_bodies("decode", rule, |recording, subject| examine(registry, recording, subject))
}

fn examine(registry: &dyn Registry, recording: &Recording, subject: &Subject<'_>) -> Examined {
    if let Some(reason) = kinds::unreadable_watch(recording, subject) {
        let hint = "a server wrote it: compare `WatchEvent` and the frames with the body";
        return Ok(vec![Mismatch::new(&subject.pointer, "a watch in protobuf", reason, hint)]);
    }
    let entry = &kinds::entry_of(registry, recording, subject)?;
    if let SubjectBody::Binary(body) = subject.body {
        return examine_protobuf(entry, recording, subject, body);
    }
    let value = kinds::value(entry, subject);
    let text = match (&value, subject.body) {
        (_, SubjectBody::Text(text)) => text.to_owned(),
        (Some(value), _) => value.to_string(),
        (None, _) => return Err(kinds::BINARY.into()),
    };
    let mismatch = match entry.decode(text.as_bytes()) {
        Ok(object) => value.and_then(|value| two_ways(entry, &subject.pointer, &value, &*object)),
        Err(_) if recording.refuses(subject) => None,
        Err(error) => {
            let found = format!("{error}: {}", shorten(&text));
            Some(undecodable(entry, recording, subject, found))
        }
    };
    Ok(mismatch.into_iter().collect())
}

/// A body in protobuf decodes to the value of the JSON that it encodes to.
fn examine_protobuf(
    entry: &KindEntry,
    recording: &Recording,
    subject: &Subject<'_>,
    body: &[u8],
) -> Examined {
    let mismatch = match kinds::codec(entry, recording, subject)?.decode(body) {
        Ok(object) => match object.encode() {
            Ok(value) => two_ways(entry, &subject.pointer, &value, &*object),
            Err(error) => Some(undecodable(entry, recording, subject, error.to_string())),
        },
        Err(_) if recording.refuses(subject) => None,
        Err(error) => Some(undecodable(entry, recording, subject, error.to_string())),
    };
    Ok(mismatch.into_iter().collect())
}

fn undecodable(
    entry: &KindEntry,
    recording: &Recording,
    subject: &Subject<'_>,
    found: String,
) -> Mismatch {
    let kind = entry.type_meta();
    let exchange = recording.exchange();
    let (expected, hint) = match (subject.kind, exchange) {
        (SubjectKind::Request, Some(exchange)) => {
            let status = exchange.response.status;
            (
                format!("{kind}, as for the server (it answered {status})"),
                "the type is stricter than the server: compare its fields with the body",
            )
        }
        _ => (kind.to_string(), "a server wrote it: compare the fields of the type with the body"),
    };
    Mismatch::new(&subject.pointer, expected, found, hint).undecodable()
}

/// The value must not depend on how the body was read.
fn two_ways(
    entry: &KindEntry,
    pointer: &str,
    value: &Value,
    from_text: &dyn DecodedObject,
) -> Option<Mismatch> {
    let hint = "the type decodes differently from text and from a value: see its `Deserialize`";
    let differs = |found: String| {
        Mismatch::new(pointer, shorten(&format!("{from_text:?}")), shorten(&found), hint)
    };
    match entry.decode_value(value) {
        Ok(from_value) if from_value.equals(from_text) => None,
        Ok(from_value) => Some(differs(format!("{from_value:?}"))),
        Err(error) => Some(differs(error.to_string()).undecodable()),
    }
}
