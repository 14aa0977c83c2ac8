//! Whether validation comes to the verdict of the server.

use std::collections::BTreeSet;

use k8s_coordination::Kinds;
use k8s_versioned::KindEntry;
use k8s_versioned_conformance::recording::{Body, Exchange, Response, ResponseBody, SubjectKind};
use k8s_versioned_conformance::{Check, Finding, Mismatch, Recording, Recordings, kind_of};
use serde_json::Value;

use super::Stop;
use crate::object;

/// What a server accepts has no errors, and what it rejects has errors in the same fields for the same reasons.
pub(super) struct Validate;

impl Check for Validate {
    fn name(&self) -> &'static str {
        "validate"
    }

    fn about(&self) -> &'static str {
        "validation accepts what the server accepted, and names the fields and reasons for which it rejected"
    }

    fn check(&self, recording: &Recording, _: &Recordings) -> Vec<Finding> {
        let finding = examine(recording);
        vec![finding.unwrap_or_else(|stop| stop.finding("/request/json"))]
    }
}

/// A field and a reason: what programs may rely on.
type Cause = (String, String);

fn examine(recording: &Recording) -> Result<Finding, Stop> {
    let exchange = recording.exchange().ok_or("not an exchange")?;
    let subjects = recording.subjects();
    let mut sent = subjects.iter();
    let sent = sent.find(|subject| subject.kind == SubjectKind::Request);
    let sent = sent.ok_or("a request without a body")?;
    let way = way(exchange)?;
    let expected = expected(&exchange.response)?;
    let entry = kind_of(&Kinds, recording, sent).map_err(Stop::NotApplicable)?;
    let Body::Json(object) = sent.body else {
        return Err("the body is not JSON".into());
    };
    let found = verdict(entry, object, way)?;
    let mismatches = compare(&expected, &found);
    Ok(Finding::of_mismatches(sent.pointer.as_str(), mismatches))
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way<'a> {
    /// It creates an object in a namespace.
    Create { namespace: &'a str },
    /// It replaces a stored object.
    Update { before: &'a Value },
}

fn way(exchange: &Exchange) -> Result<Way<'_>, Stop> {
    let request = &exchange.request;
    match (request.method.as_str(), &exchange.before) {
        ("PUT", Some(before)) => Ok(Way::Update { before }),
        ("PUT", None) if exchange.response.status != 201 => {
            Err("an update whose stored object was not recorded".into())
        }
        // Whoever replaces what does not exist creates it.
        ("PUT" | "POST", _) => {
            let namespace = namespace(&request.path).ok_or("a creation outside all namespaces")?;
            Ok(Way::Create { namespace })
        }
        _ => Err("neither a creation nor an update of a whole object".into()),
    }
}

/// The namespace in a path.
fn namespace(path: &str) -> Option<&str> {
    let (_, rest) = path.split_once("/namespaces/")?;
    rest.split('/').next()
}

/// The causes for which the server rejected an object; none if it accepted it.
fn expected(response: &Response) -> Result<BTreeSet<Cause>, Stop> {
    let status = response.status;
    match (status, &response.body) {
        (200 | 201, _) => Ok(BTreeSet::new()),
        (422, ResponseBody::Json(body)) => {
            let causes = body.pointer("/details/causes").and_then(Value::as_array);
            let causes = causes.ok_or("a rejection without causes")?;
            Ok(causes.iter().map(cause).collect())
        }
        _ => {
            let reason = format!("the server answered {status}: that is not about the rules");
            Err(Stop::NotApplicable(reason.into()))
        }
    }
}

fn cause(cause: &Value) -> Cause {
    let member = |name| cause.get(name).and_then(Value::as_str).unwrap_or_default();
    (member("field").to_owned(), member("reason").to_owned())
}

/// What validation finds.
fn verdict(entry: &KindEntry, object: &Value, way: Way<'_>) -> Result<BTreeSet<Cause>, Stop> {
    let decode = |pointer, value| {
        let object = entry.decode_value(value);
        object.map_err(|error| Stop::undecodable(pointer, &error))
    };
    let object = decode("/request/json", object)?;
    let verdict = match way {
        Way::Create { namespace } => object::verdict_on_creation(&*object, namespace),
        Way::Update { before } => object::verdict_on_update(&*object, &*decode("/before", before)?),
    };
    let verdict = verdict.ok_or("no rules are known for the kind")?;
    let errors = verdict.err().into_iter().flatten();
    Ok(errors
        .map(|error| (error.path.to_string(), error.reason.to_string()))
        .collect())
}

fn compare(expected: &BTreeSet<Cause>, found: &BTreeSet<Cause>) -> Vec<Mismatch> {
    let missing = expected.difference(found).map(|(field, reason)| Mismatch {
        pointer: "/response/json/details/causes".to_owned(),
        expected: format!("{field}: {reason}"),
        found: "absent".to_owned(),
        advice: "the server rejects it and validation does not: a rule is missing".into(),
    });
    let surplus = found.difference(expected).map(|(field, reason)| Mismatch {
        pointer: "/response/json/details/causes".to_owned(),
        expected: "absent".to_owned(),
        found: format!("{field}: {reason}"),
        advice: "validation rejects it and the server does not: a rule is too strict".into(),
    });
    missing.chain(surplus).collect()
}
