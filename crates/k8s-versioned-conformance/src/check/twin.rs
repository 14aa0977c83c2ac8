//! The check of bodies in another form than JSON.

use k8s_versioned::protobuf::CONTENT_TYPE;
use k8s_versioned::{DecodedObject, KindEntry, Registry};
use k8s_versioned_source::{ReadLimits, documents};
use serde_json::Value;

use super::Check;
use crate::differences::{differences, show};
use crate::examination::{Examination, Examined, Mismatch};
use crate::kinds::{codec, kind_of};
use crate::recordings::{
    Exchange, RecordedBody, Recording, Recordings, Subject, SubjectBody, SubjectKind,
};

/// A body in YAML or protobuf decodes to the same value as its twin: the JSON answer to the same request.
pub fn twin(registry: &dyn Registry) -> Check<'_> {
    let rule = "YAML and protobuf bodies decode to the same value as their JSON twins";
    Check::new("twin", rule, |recording, all| {
        let form = recording.exchange().and_then(Form::of_response);
        let pointer = form.as_ref().map_or("", Form::pointer);
        vec![Examination::new(pointer, examine(registry, recording, all, form))]
    })
}

/// A body in another form than JSON.
enum Form<'a> {
    Yaml(&'a str),
    Protobuf(&'a [u8]),
}

impl<'a> Form<'a> {
    fn of_response(exchange: &'a Exchange) -> Option<Self> {
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

    fn decode(&self, entry: &KindEntry) -> Result<Box<dyn DecodedObject>, String> {
        match self {
            Self::Yaml(text) => {
                let mut all = documents("", text.as_bytes(), &ReadLimits::MANIFESTS);
                let tree = all.next().ok_or("the body is empty")?;
                let value = tree.map_err(|errors| errors.to_string())?.root().to_json();
                entry.decode_value(&value).map_err(|error| error.to_string())
            }
            Self::Protobuf(body) => {
                let codec = entry.protobuf().ok_or("no protobuf of the kind is registered")?;
                codec.decode(body).map_err(|error| error.to_string())
            }
        }
    }
}

fn examine(
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
        body: SubjectBody::Json(json),
    };
    let entry = kind_of(registry, recording, &subject)?;
    if let Form::Protobuf(_) = form {
        codec(entry, recording, &subject)?;
    }
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
