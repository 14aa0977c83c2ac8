//! The check of validation.

use std::collections::BTreeSet;

use k8s_coordination::Kinds;
use k8s_coordination::meta::v1::FieldValidation;
use k8s_coordination::validation::{Submission, Verdict};
use k8s_versioned::Body;
use k8s_versioned::protobuf::CONTENT_TYPE;
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned::{DecodedObject, KindEntry, Quoted};
use k8s_versioned_conformance::recordings::{
    Exchange, RecordedBody, RecordedResponse, SubjectKind,
};
use k8s_versioned_conformance::{
    Check, Examination, Mismatch, NothingToCompare, Recording, json_of, kind_of, refused,
};
use serde_json::Value;

/// Validation accepts the objects that the server accepted, with the same warnings. It refuses those that the server
/// could not read (400), for the same reason. For those that the server rejected (422) it has the same errors in the same
/// order: field and reason.
pub(super) fn check() -> Check<'static> {
    let rule = "validation accepts, refuses (400) and rejects (422) the same objects as the server, with the same \
                fields and reasons in the same order, and the same warnings";
    Check::new("validate", rule, |recording, _| {
        vec![Examination::new("/request", NothingToCompare::examined(examine(recording)))]
    })
}

fn examine(recording: &Recording) -> Result<Vec<Mismatch>, NothingToCompare> {
    let request = RecordedWrite::read(recording)?;
    let actual = Answer::judged(&request.judge(request.body.clone()));
    Ok(compare(&request.answer, &actual))
}

/// A recorded request that creates or replaces an object, with the stored object.
#[derive(Debug)]
pub struct RecordedWrite<'a> {
    /// The kind of the object.
    pub kind: &'static KindEntry,
    /// The object as it was sent.
    pub body: Body<'a>,
    /// The object that is replaced; `None` if the request creates it.
    stored: Option<Box<dyn DecodedObject>>,
    namespace: String,
    field_validation: FieldValidation,
    answer: Answer,
}

impl<'a> RecordedWrite<'a> {
    /// The request of a recording; `None` if it neither creates nor replaces an object, or cannot be read.
    pub fn from_recording(recording: &'a Recording) -> Option<Self> {
        Self::read(recording).ok()
    }

    /// The verdict on this request with another body.
    pub fn judge<'b>(&self, body: impl Into<Body<'b>>) -> Verdict {
        let request = match self.stored.as_deref() {
            Some(stored) => Submission::update(self.kind, stored),
            None => Submission::create(self.kind, &self.namespace),
        };
        let request = request.with_field_validation(&self.field_validation);
        request.judge(body)
    }

    fn read(recording: &'a Recording) -> Result<Self, NothingToCompare> {
        let exchange = recording.exchange().ok_or("not an exchange")?;
        let subjects = recording.subjects();
        let mut sent = subjects.iter();
        let sent = sent.find(|subject| subject.kind == SubjectKind::Request);
        let sent = sent.ok_or("a request without a body")?;
        let body = body(exchange)?;
        let (namespace, before) = target(exchange)?;
        let kind = kind_of(&Kinds, recording, sent)?;
        // The answer repeats a text that no type can hold.
        if let Some(reason) = refused(&Kinds, recording, SubjectKind::Response) {
            return Err(reason.into());
        }
        let answer = Answer::recorded(&exchange.response, kind)?;
        let stored = before.map(|before| kind.decode_value(before)).transpose();
        let field_validation = exchange.request.query.get("fieldValidation");
        Ok(Self {
            kind,
            body,
            stored: stored.map_err(|error| NothingToCompare::undecodable("/before", &error))?,
            namespace,
            field_validation: field_validation
                .map_or(FieldValidation::Warn, |word| word.as_str().into()),
            answer,
        })
    }
}

/// The body of a request in JSON or protobuf.
fn body(exchange: &Exchange) -> Result<Body<'_>, NothingToCompare> {
    let request = &exchange.request;
    let media_type = request.media_type();
    match (media_type, &request.body) {
        (Some("application/json"), Some(RecordedBody::Json(value))) => Ok(value.into()),
        (Some("application/json"), Some(RecordedBody::Text(text))) => Ok(text.as_str().into()),
        (Some(CONTENT_TYPE), Some(RecordedBody::Binary(body))) => Ok(Body::Protobuf(body)),
        (Some("application/json" | CONTENT_TYPE), _) => Err("a request without a body".into()),
        _ => Err("the body is neither JSON nor protobuf".into()),
    }
}

/// The namespace of a request that creates an object, or the object that it replaces.
fn target(exchange: &Exchange) -> Result<(String, Option<&Value>), NothingToCompare> {
    let request = &exchange.request;
    match (request.method.as_str(), &exchange.before) {
        ("PUT", Some(before)) => Ok((String::new(), Some(before))),
        ("PUT", None) if exchange.response.status != 201 => {
            Err("an update whose stored object was not recorded".into())
        }
        // A PUT of an object that does not exist creates it.
        ("PUT" | "POST", _) => {
            let namespace = namespace(&request.path);
            Ok((namespace.ok_or("a creation outside all namespaces")?, None))
        }
        _ => Err("neither a creation nor an update of a whole object".into()),
    }
}

/// The namespace in a path.
fn namespace(path: &str) -> Option<String> {
    Some(ResourcePath::parse(path)?.namespace?.into_owned())
}

/// The parts of an answer that programs may rely on.
#[derive(Debug)]
struct Answer {
    status: u16,
    /// For 422 each field and its reason. For 400 each error and its place; a server names one of them.
    reasons: Vec<String>,
    warnings: BTreeSet<String>,
}

impl Answer {
    fn recorded(response: &RecordedResponse, kind: &KindEntry) -> Result<Self, NothingToCompare> {
        let (status, Some(body)) = (response.status, json_of(&Kinds, response.body.as_ref()))
        else {
            return Err("an answer that is neither JSON nor protobuf".into());
        };
        let body = &*body;
        let reasons = match status {
            200 | 201 => Vec::new(),
            400 => reason_of_400(body, kind).into_iter().collect(),
            422 => causes(body).ok_or("a rejection without causes")?,
            _ => {
                let reason =
                    format!("the server answered {status}, which says nothing of the body");
                return Err(reason.into());
            }
        };
        let headers = response.headers.get("warning");
        let warnings = headers.into_iter().flatten().filter_map(|header| {
            // Servers quote the text as JSON does.
            serde_json::from_str(header.strip_prefix("299 - ")?).ok()
        });
        // The check `lifecycle` compares these.
        let warnings = warnings.filter(|text: &String| !text.contains(" is deprecated in "));
        Ok(Self {
            status: if status == 201 { 200 } else { status },
            reasons,
            warnings: warnings.collect(),
        })
    }

    fn judged(verdict: &Verdict) -> Self {
        let reasons = match verdict {
            Verdict::Unreadable { errors } => errors
                .iter()
                .map(|error| format!("{}: {error}", without_indices(error.path())))
                .collect(),
            Verdict::Invalid { errors, .. } => {
                errors.iter().map(|error| format!("{}: {}", error.path, error.reason)).collect()
            }
            _ => Vec::new(),
        };
        let warnings = verdict.warnings().iter().map(ToString::to_string);
        Self { status: verdict.status(), reasons, warnings: warnings.collect() }
    }
}

/// The causes of a rejection, in their order, as field and reason. Servers repeat some.
fn causes(body: &Value) -> Option<Vec<String>> {
    let causes = body.pointer("/details/causes")?.as_array()?;
    let mut seen = BTreeSet::new();
    let distinct = causes.iter().filter(|cause| seen.insert(cause.to_string()));
    let cause = |cause: &Value| {
        let member = |name| cause.get(name).and_then(Value::as_str).unwrap_or_default();
        format!("{}: {}", member("field"), member("reason"))
    };
    Some(distinct.map(cause).collect())
}

/// The place or the text that a server names if it refuses a body. `None` for an error of syntax.
fn reason_of_400(body: &Value, kind: &KindEntry) -> Option<String> {
    let message = body.get("message").and_then(Value::as_str)?;
    let after = |before: &str| message.split_once(before).map(|(_, after)| after);
    // `json: cannot unmarshal bool into Go struct field LeaseSpec.spec.renewTime of type string`
    if let Some((field, _)) = after("Go struct field ").and_then(|rest| rest.split_once(" of type"))
    {
        return field.split_once('.').map(|(_, path)| format!("{path}: "));
    }
    // `parsing time "2026-01-02T03:04:05Z" as …`
    if let Some((time, _)) = after("parsing time \"").and_then(|rest| rest.split_once('"')) {
        return Some(Quoted(time).to_string());
    }
    // `strict decoding error: unknown field "spec.colour"`
    if let Some(error) = after("strict decoding error: ") {
        return Some(error.to_owned());
    }
    // `no kind "Lease" is registered for version "v1" in scheme …`
    let version = after("\" is registered for version \"").and_then(|rest| rest.split_once('"'));
    if version.is_some_and(|(version, _)| version != kind.api_version()) {
        return Some("apiVersion: ".to_owned());
    }
    // These name the field in words.
    let fields = [
        ("the name of the object ", "metadata.name: "),
        ("the namespace of the provided object ", "metadata.namespace: "),
        (" cannot be handled as a ", "kind: "),
    ];
    // `Lease in version "v1" cannot be handled as a Lease: proto: wrong wireType = 0 for field ObjectMeta`
    if let Some(field) =
        after(": proto: wrong wireType = ").and_then(|after| after.split_once(" for field "))
    {
        return Some(format!("{}: ", name_in_json(field.1)));
    }
    let field = fields.iter().find(|(words, _)| message.contains(words));
    field.map(|(_, path)| (*path).to_owned())
}

/// The name in JSON of a field of a Go type.
fn name_in_json(field: &str) -> String {
    if matches!(field, "ObjectMeta" | "ListMeta") {
        return "metadata".to_owned();
    }
    // `UID`, `APIVersion`, `FieldsV1`, `LeaseName`: the last capital of several begins the next word.
    let capitals = field.bytes().take_while(u8::is_ascii_uppercase).count();
    let ends = if capitals > 1 && capitals < field.len() { capitals - 1 } else { capitals };
    let (first, rest) = field.split_at_checked(ends).unwrap_or((field, ""));
    first.to_ascii_lowercase() + rest
}

/// A path as a server names it if it cannot read a body.
fn without_indices(path: &str) -> String {
    let parts = path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
    parts.collect()
}

fn compare(expected: &Answer, actual: &Answer) -> Vec<Mismatch> {
    let all = |answer: &Answer| {
        let text = format!("{} {}", answer.status, answer.reasons.join("; "));
        text.trim_end().to_owned()
    };
    let whole = |pointer: &str, hint: &'static str| {
        Mismatch::new(pointer, all(expected), all(actual), hint)
    };
    if expected.status != actual.status {
        let hint = "validation has another verdict: a rule is missing or too strict";
        return vec![whole("/response/status", hint)];
    }
    if expected.status == 400 {
        let named = |reason: &&String| actual.reasons.iter().any(|known| known.contains(*reason));
        let missed = expected.reasons.iter().filter(|reason| !named(reason));
        return missed.map(|reason| missing("/response/json", reason)).collect();
    }
    let set = |answer: &Answer| answer.reasons.iter().cloned().collect();
    let mut mismatches = difference("/response/json", &set(expected), &set(actual));
    if mismatches.is_empty() && expected.reasons != actual.reasons {
        let hint = "validation finds these in another order, or another number of times";
        mismatches.push(whole("/response/json/details/causes", hint));
    }
    let warnings = [&expected.warnings, &actual.warnings];
    mismatches.extend(difference("/response/headers/warning", warnings[0], warnings[1]));
    mismatches
}

/// The texts that only the server or only validation has.
fn difference(pointer: &str, server: &BTreeSet<String>, ours: &BTreeSet<String>) -> Vec<Mismatch> {
    let surplus = ours.difference(server).map(|text| {
        let hint = "validation says it and the server does not: a rule is too strict";
        Mismatch::new(pointer, "absent", text, hint)
    });
    let missed = server.difference(ours).map(|text| missing(pointer, text));
    missed.chain(surplus).collect()
}

/// A text of the server that validation does not have.
fn missing(pointer: &str, text: &str) -> Mismatch {
    let hint = "the server says it and validation does not: a rule is missing";
    Mismatch::new(pointer, text, "absent", hint)
}

#[cfg(test)]
mod tests {
    use super::namespace;

    /// Names are percent-encoded in a path and not in a body.
    #[test]
    fn the_namespace_is_decoded() {
        let path = "/apis/coordination.k8s.io/v1/namespaces/%3D%3Dx%3D%3D/leases";
        assert_eq!(namespace(path).as_deref(), Some("==x=="));
        assert_eq!(namespace("/apis/coordination.k8s.io/v1/leases"), None);
    }
}
