//! Whether the judge of bodies comes to the verdict of the server.

use std::collections::BTreeSet;

use k8s_coordination::Kinds;
use k8s_coordination::meta::v1::FieldValidation;
use k8s_coordination::validation::{Request, Verdict};
use k8s_versioned::registry::Body;
use k8s_versioned::{KindEntry, Object, Quoted};
use k8s_versioned_conformance::recording::{
    Exchange, RequestBody, Response, ResponseBody, SubjectKind,
};
use k8s_versioned_conformance::{Check, Finding, Mismatch, Recording, Recordings, kind_of};
use serde_json::Value;

use super::Stop;

/// What a server accepts is accepted, with its warnings; what it cannot read is refused for a reason that it
/// names; and what it rejects has errors in the same fields for the same reasons.
pub(super) struct Validate;

impl Check for Validate {
    fn name(&self) -> &'static str {
        "validate"
    }

    fn about(&self) -> &'static str {
        "the judge accepts what the server accepted, refuses what it refused (400), and names the fields and reasons \
         for which it rejected (422), with the same warnings"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let finding = examine(recording);
        vec![finding.unwrap_or_else(|stop| stop.finding("/request"))]
    }
}

fn examine(recording: &Recording) -> Result<Finding, Stop> {
    let exchange = recording.exchange().ok_or("not an exchange")?;
    let subjects = recording.subjects();
    let mut sent = subjects.iter();
    let sent = sent.find(|subject| subject.kind == SubjectKind::Request);
    let sent = sent.ok_or("a request without a body")?;
    let (body, field_validation) = body(exchange)?;
    let action = Action::of(exchange)?;
    let expected = Answer::recorded(&exchange.response)?;
    let kind = kind_of(&Kinds, recording, sent).map_err(Stop::NotApplicable)?;
    let stored = action.stored(kind)?;
    let request = match (action, stored.as_deref()) {
        (Action::Update { .. }, Some(stored)) => Request::update(kind, stored),
        (Action::Update { .. }, None) => return Err("an update of nothing".into()),
        (Action::Create { namespace }, _) => Request::create(kind, namespace),
    };
    let request = request.with_field_validation(&field_validation);
    let found = Answer::judged(&request.judge(body));
    Ok(Finding::of_mismatches(
        &sent.pointer,
        compare(&expected, &found),
    ))
}

/// The body of a request in JSON, and what its sender wants to know of unknown fields.
fn body(exchange: &Exchange) -> Result<(Body<'_>, FieldValidation), Stop> {
    let request = &exchange.request;
    let media_type = request
        .headers
        .get("content-type")
        .and_then(|values| values.first());
    if media_type.is_none_or(|media_type| media_type != "application/json") {
        return Err("the body is not JSON".into());
    }
    let body = match &request.body {
        RequestBody::Json(value) => value.into(),
        RequestBody::Text(text) => text.as_str().into(),
        RequestBody::None => return Err("a request without a body".into()),
    };
    let field_validation = request.query.get("fieldValidation");
    let field_validation =
        field_validation.map_or(FieldValidation::Warn, |word| word.as_str().into());
    Ok((body, field_validation))
}

/// What a request does.
#[derive(Clone, Copy)]
enum Action<'a> {
    /// It creates an object in a namespace.
    Create { namespace: &'a str },
    /// It replaces a stored object.
    Update { before: &'a Value },
}

impl<'a> Action<'a> {
    fn of(exchange: &'a Exchange) -> Result<Self, Stop> {
        let request = &exchange.request;
        match (request.method.as_str(), &exchange.before) {
            ("PUT", Some(before)) => Ok(Self::Update { before }),
            ("PUT", None) if exchange.response.status != 201 => {
                Err("an update whose stored object was not recorded".into())
            }
            // Whoever replaces what does not exist creates it.
            ("PUT" | "POST", _) => {
                let namespace = namespace(&request.path);
                let namespace = namespace.ok_or("a creation outside all namespaces")?;
                Ok(Self::Create { namespace })
            }
            _ => Err("neither a creation nor an update of a whole object".into()),
        }
    }

    fn stored(self, kind: &KindEntry) -> Result<Option<Box<dyn Object>>, Stop> {
        let Self::Update { before } = self else {
            return Ok(None);
        };
        let stored = kind.decode_value(before);
        stored
            .map(Some)
            .map_err(|error| Stop::undecodable("/before", &error))
    }
}

/// The namespace in a path.
fn namespace(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once("/namespaces/")?;
    rest.split('/').next()
}

/// What programs may rely on in an answer.
struct Answer {
    status: u16,
    /// Of 422 each field and its reason, of 400 what is wrong and where. A server names the first of these.
    reasons: BTreeSet<String>,
    warnings: BTreeSet<String>,
}

impl Answer {
    fn recorded(response: &Response) -> Result<Self, Stop> {
        let (status, ResponseBody::Json(body)) = (response.status, &response.body) else {
            return Err("an answer that is not JSON".into());
        };
        let reasons = match status {
            200 | 201 => BTreeSet::new(),
            400 => reason_of_400(body).into_iter().collect(),
            422 => {
                let causes = body.pointer("/details/causes").and_then(Value::as_array);
                let causes = causes.ok_or("a rejection without causes")?;
                causes.iter().map(cause).collect()
            }
            _ => {
                let reason = format!("the server answered {status}: that is not about the body");
                return Err(Stop::NotApplicable(reason.into()));
            }
        };
        let headers = response.headers.get("warning");
        let warnings = headers.into_iter().flatten().filter_map(|header| {
            // Servers quote the text as JSON does.
            serde_json::from_str(header.strip_prefix("299 - ")?).ok()
        });
        // That a version is deprecated depends on the server's release.
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
            Verdict::Invalid { errors, .. } => errors
                .iter()
                .map(|error| format!("{}: {}", error.path, error.reason))
                .collect(),
            _ => BTreeSet::new(),
        };
        let warnings = verdict.warnings().iter().map(ToString::to_string);
        Self {
            status: verdict.status(),
            reasons,
            warnings: warnings.collect(),
        }
    }
}

fn cause(cause: &Value) -> String {
    let member = |name| cause.get(name).and_then(Value::as_str).unwrap_or_default();
    format!("{}: {}", member("field"), member("reason"))
}

/// The place or the text that a server names when it cannot read a body, as far as it names one.
fn reason_of_400(body: &Value) -> Option<String> {
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
    after("strict decoding error: ").map(str::to_owned)
}

/// A path as servers name it that cannot read a body.
fn without_indices(path: &str) -> String {
    let parts = path
        .split('[')
        .map(|part| part.split_once(']').map_or(part, |(_, rest)| rest));
    parts.collect()
}

fn compare(expected: &Answer, found: &Answer) -> Vec<Mismatch> {
    let mut mismatches = Vec::new();
    if expected.status != found.status {
        let all = |answer: &Answer| {
            let reasons: Vec<_> = answer.reasons.iter().map(String::as_str).collect();
            format!("{} {}", answer.status, reasons.join("; "))
        };
        mismatches.push(Mismatch {
            pointer: "/response/status".to_owned(),
            expected: all(expected),
            found: all(found),
            advice: "the judge comes to another verdict: a rule is missing or too strict".into(),
        });
        return mismatches;
    }
    let surplus = match expected.status {
        400 => None,
        _ => Some(&found.reasons),
    };
    let missing = expected
        .reasons
        .iter()
        .filter(|reason| match expected.status {
            400 => !found.reasons.iter().any(|found| found.contains(*reason)),
            _ => !found.reasons.contains(*reason),
        });
    let of = "/response/json";
    mismatches.extend(missing.map(|reason| missed(of, reason)));
    let surplus = surplus
        .into_iter()
        .flatten()
        .filter(|reason| !expected.reasons.contains(*reason));
    mismatches.extend(surplus.map(|reason| added(of, reason)));
    if expected.status != 400 {
        let of = "/response/headers/warning";
        let missing = expected.warnings.difference(&found.warnings);
        mismatches.extend(missing.map(|warning| missed(of, warning)));
        let surplus = found.warnings.difference(&expected.warnings);
        mismatches.extend(surplus.map(|warning| added(of, warning)));
    }
    mismatches
}

/// What the server says and the judge does not.
fn missed(pointer: &str, said: &str) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        expected: said.to_owned(),
        found: "absent".to_owned(),
        advice: "the server says it and the judge does not: a rule is missing".into(),
    }
}

/// What the judge says and the server does not.
fn added(pointer: &str, said: &str) -> Mismatch {
    Mismatch {
        pointer: pointer.to_owned(),
        expected: "absent".to_owned(),
        found: said.to_owned(),
        advice: "the judge says it and the server does not: a rule is too strict".into(),
    }
}
