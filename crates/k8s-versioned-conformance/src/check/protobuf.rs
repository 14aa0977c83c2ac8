//! The check of protobuf bodies.

use k8s_versioned::Registry;
use k8s_versioned::protobuf::{CONTENT_TYPE, Codec, Envelope, WatchEvent};

use super::Check;
use crate::kinds::kind_of;
use crate::outcome::{Examined, Inapplicable, Mismatch};
use k8s_versioned_recordings::{Body, Exchange, Recording, Subject, SubjectKind};

/// A body of a server is the same bytes after a round trip, and so is the object of each event of a watch. A body of a
/// client decodes if the server could decode it, and does not if the server could not (400).
pub fn protobuf(registry: &dyn Registry) -> Check<'_> {
    let rule = "protobuf bodies of servers are the same bytes after a round trip, and bodies of clients decode if the \
                server decoded them";
    Check::of_bodies("protobuf", rule, |recording, subject| {
        let Body::Binary(body) = subject.body else { return Err("not a binary body".into()) };
        let exchange = recording.exchange().ok_or("not an exchange")?;
        if subject.kind == SubjectKind::Request {
            return sent(registry, recording, exchange, subject, body);
        }
        match content_type(&exchange.response.headers) {
            Some(found) if found.starts_with(CONTENT_TYPE) && found.contains("stream=watch") => {
                events(registry, &subject.pointer, body)
            }
            Some(found) if found.starts_with(CONTENT_TYPE) => {
                Ok(round_trip(registry, &subject.pointer, body)?.into_iter().collect())
            }
            _ => Err("not protobuf".into()),
        }
    })
}

fn content_type(headers: &std::collections::BTreeMap<String, Vec<String>>) -> Option<&str> {
    headers.get("content-type")?.first().map(String::as_str)
}

/// The codec of a kind.
fn codec<'r>(
    registry: &'r dyn Registry,
    api_version: &str,
    kind: &str,
) -> Result<&'r Codec, Inapplicable> {
    let found = registry.codecs().iter().find(|codec| codec.reads(api_version, kind));
    found.ok_or_else(|| format!("no field numbers are registered: {api_version} {kind}").into())
}

/// Examines the body of a client.
fn sent(
    registry: &dyn Registry,
    recording: &Recording,
    exchange: &Exchange,
    subject: &Subject<'_>,
    body: &[u8],
) -> Examined {
    if content_type(&exchange.request.headers) != Some(CONTENT_TYPE) {
        return Err("not protobuf".into());
    }
    let status = exchange.response.status;
    if status == 415 {
        return Err("the server takes no protobuf here, as it says (415)".into());
    }
    let entry = kind_of(registry, recording, subject)?;
    let codec = codec(registry, &entry.api_version(), entry.kind())?;
    let mismatch = |expected: String, found: String| {
        let hint = "the type and the server disagree: compare the bytes with the field numbers";
        Mismatch::new(&subject.pointer, expected, found, hint)
    };
    let mismatch = match (codec.decode(body), status) {
        (Ok(object), 400) => Some(mismatch(
            "an error, as for the server (it answered 400)".to_owned(),
            format!("{object:?}"),
        )),
        (Err(_), 400) => None,
        (Err(error), _) => {
            let expected = format!("{}, as for the server (it answered {status})", entry.kind());
            Some(mismatch(expected, error.to_string()))
        }
        (Ok(object), _) => {
            let encoded = codec.encode(&*object).unwrap_or_default();
            let again = codec.decode(&encoded).ok().and_then(|object| codec.encode(&*object));
            let stable = again.as_ref() == Some(&encoded);
            let expected = format!("the same {} bytes after a second round trip", encoded.len());
            (!stable).then(|| mismatch(expected, format!("{:?} bytes", again.map(|it| it.len()))))
        }
    };
    Ok(mismatch.into_iter().collect())
}

/// Examines the object of each event: frames of a length of 4 bytes, and that many bytes.
fn events(registry: &dyn Registry, pointer: &str, mut stream: &[u8]) -> Examined {
    let broken = |found: String| {
        let hint = "a server wrote it: each event has a length of 4 bytes, the highest first";
        Mismatch::new(pointer, "the events of a watch", found, hint)
    };
    let mut mismatches = Vec::new();
    while !stream.is_empty() {
        let frame = stream.split_first_chunk().and_then(|(length, rest)| {
            rest.split_at_checked(usize::try_from(u32::from_be_bytes(*length)).ok()?)
        });
        let Some((frame, rest)) = frame else {
            mismatches.push(broken("a frame that is cut off".to_owned()));
            break;
        };
        stream = rest;
        match WatchEvent::read(frame) {
            Ok(event) => mismatches.extend(round_trip(registry, pointer, event.object)?),
            Err(error) => mismatches.push(broken(error.to_string())),
        }
    }
    Ok(mismatches)
}

/// The mismatch of a body of a server, if there is one.
fn round_trip(
    registry: &dyn Registry,
    pointer: &str,
    body: &[u8],
) -> Result<Option<Mismatch>, Inapplicable> {
    let hint = "a server wrote it: compare the bytes with the field numbers and the presence of the fields";
    let mismatch = |found: String| {
        let expected = format!("the same {} bytes after a round trip", body.len());
        Some(Mismatch::new(pointer, expected, found, hint))
    };
    let envelope = match Envelope::read(body) {
        Ok(envelope) => envelope,
        Err(error) => return Ok(mismatch(error.to_string())),
    };
    let codec = codec(registry, envelope.api_version, envelope.kind)?;
    Ok(match codec.decode(body) {
        Err(error) => mismatch(error.to_string()),
        Ok(object) => {
            let encoded = codec.encode(&*object).unwrap_or_default();
            let pairs = encoded.iter().zip(body);
            let at = pairs.take_while(|(found, expected)| found == expected).count();
            let found = format!("{} bytes, different from byte {at} on", encoded.len());
            if encoded == body { None } else { mismatch(found) }
        }
    })
}
