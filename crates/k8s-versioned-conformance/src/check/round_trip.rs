//! The check of round trips.

use k8s_versioned::protobuf::{CONTENT_TYPE, Codec};
use k8s_versioned::{KindEntry, Object, Registry};
use k8s_versioned_recordings::{
    Body, Exchange, RecordedBody, Recording, Recordings, Subject, SubjectKind,
};
use serde_json::Value;

use super::Check;
use crate::compare::{differences, shorten, show};
use crate::kinds::{self, kind_of, readable_kind_of};
use crate::suite::{Examination, Examined, Mismatch};

/// A body that a server sent or stored is equal after decoding and encoding.
///
/// `null` equals absent; any other difference fails. A body in protobuf is equal byte for byte. The body of a client may change (a time becomes UTC, an unknown
/// field is dropped), but only once: a second round trip changes nothing.
pub fn round_trip(registry: &dyn Registry) -> Check<'_> {
    let rule =
        "bodies of servers are equal after a round trip, and bodies of clients change at most once";
    Check::of_bodies("round-trip", rule, |recording, subject| examine(registry, recording, subject))
}

fn examine(registry: &dyn Registry, recording: &Recording, subject: &Subject<'_>) -> Examined {
    let pointer = subject.pointer.as_str();
    let entry = readable_kind_of(registry, recording, subject)?;
    if let Body::Binary(body) = subject.body {
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
    Ok(match recode(entry, &body) {
        Ok(encoded) if subject.kind == SubjectKind::Request => {
            fixed_point(entry, pointer, &encoded)
        }
        Ok(encoded) => differences(pointer, &body, &encoded),
        Err(_) if recording.refuses(subject) => {
            return Err(REFUSED.into());
        }
        Err(error) => vec![broken(pointer, &body, error)],
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
    let found = match found {
        Ok(found) if found == expected => return None,
        Ok(found) => {
            let same = expected.iter().zip(&found).take_while(|(a, b)| a == b).count();
            format!("{} bytes, of which the first {same} are equal", found.len())
        }
        Err(error) => error,
    };
    let hint =
        "do the numbers and the presence of the fields in `protobuf.toml` agree with Go's types?";
    Some(Mismatch::new(pointer, format!("the same {size} bytes"), found, hint))
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

// The check of decoding.

/// Every body of a known kind decodes into its type, and equally from text and from a JSON value.
///
/// The body of a request may fail to decode if the server could not decode it either (400).
pub fn decode(registry: &dyn Registry) -> Check<'_> {
    let rule = "bodies decode into the types of their kinds, unless the server could not decode them either";
    Check::of_bodies("decode", rule, |recording, subject| {
        examine_decode(registry, recording, subject)
    })
}

fn examine_decode(
    registry: &dyn Registry,
    recording: &Recording,
    subject: &Subject<'_>,
) -> Examined {
    let entry = readable_kind_of(registry, recording, subject)?;
    if let Body::Binary(body) = subject.body {
        return examine_protobuf(entry, recording, subject, body);
    }
    let value = kinds::value(entry, subject);
    let text = match (&value, subject.body) {
        (_, Body::Text(text)) => text.to_owned(),
        (Some(value), _) => value.to_string(),
        (None, _) => return Err(kinds::BINARY.into()),
    };
    let mismatch = match entry.decode(text.as_bytes()) {
        Ok(object) => value.and_then(|value| two_ways(entry, &subject.pointer, &value, &*object)),
        Err(_) if recording.refuses(subject) => None,
        Err(error) => {
            let found = format!("{}: {}", error.reason(), shorten(&text));
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
    let kind = entry.group_version_kind();
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
    Mismatch::new(&subject.pointer, expected, found, hint)
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
    let hint = "the type decodes differently from text and from a value: see its `Deserialize`";
    Some(Mismatch::new(pointer, shorten(&format!("{from_text:?}")), shorten(&found), hint))
}

// The check of bodies in another form than JSON.

/// A body in YAML or protobuf decodes to the same value as its twin: the JSON answer to the same request.
pub fn twin(registry: &dyn Registry) -> Check<'_> {
    let rule = "YAML and protobuf bodies decode to the same value as their JSON twins";
    Check::new("twin", rule, |recording, all| {
        let form = recording.exchange().and_then(Form::of);
        let pointer = form.as_ref().map_or("", Form::pointer);
        vec![Examination::new(pointer, examine_twin(registry, recording, all, form))]
    })
}

/// A body in another form than JSON.
enum Form<'a> {
    Yaml(&'a str),
    Protobuf(&'a [u8]),
}

impl<'a> Form<'a> {
    fn of(exchange: &'a Exchange) -> Option<Self> {
        let media_type = exchange.response.media_type()?;
        match &exchange.response.body {
            Some(RecordedBody::Text(text)) if media_type.ends_with("yaml") => {
                Some(Self::Yaml(text))
            }
            Some(RecordedBody::Binary(body)) if media_type == CONTENT_TYPE && plain(exchange) => {
                Some(Self::Protobuf(body))
            }
            _ => None,
        }
    }

    const fn pointer(&self) -> &'static str {
        match self {
            Self::Yaml(_) => "/response/text",
            Self::Protobuf(_) => "/response/base64",
        }
    }

    fn decode(&self, entry: &KindEntry) -> Result<Box<dyn Object>, String> {
        match self {
            Self::Yaml(text) => {
                let value: Value =
                    serde_saphyr::from_str(text).map_err(|error| error.to_string())?;
                entry.decode_value(&value).map_err(|error| error.to_string())
            }
            Self::Protobuf(body) => {
                let codec = entry.protobuf().ok_or("no protobuf of the kind is registered")?;
                codec.decode(body).map_err(|error| error.to_string())
            }
        }
    }
}

fn examine_twin(
    registry: &dyn Registry,
    recording: &Recording,
    all: &Recordings,
    form: Option<Form<'_>>,
) -> Examined {
    let form = form.ok_or("no body in YAML, and none in protobuf that has a twin")?;
    let (twin, json) = find(recording, all).ok_or("no JSON twin in the folder")?;
    let subject = Subject {
        pointer: form.pointer().to_owned(),
        kind: SubjectKind::Response,
        body: Body::Json(json),
    };
    let entry = kind_of(registry, recording, &subject)?;
    Ok(compare(entry, &form, twin, json))
}

/// The last recording before it in the same set with the same request and a JSON answer; the next one after it, if there
/// is none.
fn find<'a>(one: &'a Recording, all: &'a Recordings) -> Option<(&'a Recording, &'a Value)> {
    let request = &one.exchange()?.request;
    let twins = all.beside(one).filter_map(|other| {
        let exchange = other.exchange()?;
        let same = request.method == "GET"
            && exchange.request.method == "GET"
            && exchange.request.path == request.path
            && exchange.request.query == request.query;
        match &exchange.response.body {
            // A table answers the same request in another form.
            Some(RecordedBody::Json(json)) if same && plain(exchange) => Some((other, json)),
            _ => None,
        }
    });
    let (before, after): (Vec<_>, Vec<_>) =
        twins.partition(|(other, _)| other.path.file < one.path.file);
    before.last().or(after.first()).copied()
}

/// Returns `true` for an object or a list, as the resource has it.
fn plain(exchange: &Exchange) -> bool {
    let accept = exchange.request.headers.get("accept");
    let mut accept = accept.into_iter().flatten();
    let watches = matches!(&exchange.response.body, Some(RecordedBody::Events(_)));
    exchange.response.status == 200 && !watches && accept.all(|accept| !accept.contains(";as="))
}

fn compare(entry: &KindEntry, form: &Form<'_>, twin: &Recording, json: &Value) -> Vec<Mismatch> {
    let mismatch = |expected: String, found: String| {
        let hint = format!("the twin is {}", twin.path.file.display());
        Mismatch::new(form.pointer(), expected, found, hint)
    };
    let expected = entry.decode_value(json).map_err(|error| error.to_string());
    let (found, expected) = match (form.decode(entry), expected) {
        (Ok(found), Ok(expected)) => (found, expected),
        (Err(error), _) | (_, Err(error)) => return vec![mismatch(show(Some(json)), error)],
    };
    if found.equals(&*expected) {
        return Vec::new();
    }
    let value = found.encode().unwrap_or_default();
    let mut mismatches = differences(form.pointer(), json, &value);
    if mismatches.is_empty() {
        mismatches.push(mismatch(format!("{expected:?}"), format!("{found:?}")));
    }
    mismatches
}
