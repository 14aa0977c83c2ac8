//! The check of responses by their operations.

use k8s_versioned::Registry;
use k8s_versioned::requests::{ApiError, RawBody, Response, ResponseError, http};
use serde_json::Value;

use super::Check;
use super::rebuild::Rebuilt;
use crate::compare_servers::mask;
use crate::differences::{differences, shorten};
use crate::examination::{Examined, Mismatch, NothingToCompare};
use crate::kinds;
use crate::operation::Operations;
use crate::recordings::{
    Exchange, RecordedBody, RecordedResponse, Recording, SubjectBody, SubjectKind,
};

/// A response decodes into the answer of the operation, with the kind that the body names, or into a refusal with the
/// reason and the message of the body. Text in another format than JSON stays as it is. No warning is lost. An object that was
/// sent and created as protobuf is the same in both bodies.
///
/// `registry` has the kinds of the bodies in protobuf.
pub fn answer<'a>(operations: &'a [Operations], registry: &'a dyn Registry) -> Check<'a> {
    let rule =
        "a response decodes into the answer of the operation, or into a refusal with its Status";
    Check::of_exchanges("answer", rule, |recording, exchange| {
        if let Some(reason) = kinds::refused(registry, recording, SubjectKind::Response) {
            return Err(reason.into());
        }
        let mut mismatches = examine(operations, registry, exchange)?;
        mismatches.extend(stored(registry, recording).unwrap_or_default());
        Ok(mismatches)
    })
}

fn examine(operations: &[Operations], registry: &dyn Registry, exchange: &Exchange) -> Examined {
    let rebuilt = Rebuilt::from_exchange(operations, exchange).map_err(|stop| match stop {
        NothingToCompare::NotApplicable(reason) => reason,
        NothingToCompare::Mismatch(_) => {
            "the request cannot be built: see the check request".into()
        }
    })?;
    let response = http_response(&exchange.response)?;
    let expected = expected(&rebuilt, registry, &exchange.response, response.status());
    Ok(compare(&rebuilt, &expected, &exchange.response, &response).into_iter().collect())
}

/// The differences between an object that was sent as protobuf and the object that the server made of it. Both are as this
/// project reads them. `None` if no object was created, or if one of the two is not protobuf that decodes.
///
/// A server decides what fields in any order, twice or in pieces mean: the types must read the same.
fn stored(registry: &dyn Registry, recording: &Recording) -> Option<Vec<Mismatch>> {
    let response = &recording.exchange()?.response;
    let subjects = recording.subjects();
    let sent = subjects.iter().find(|subject| subject.kind == SubjectKind::Request)?;
    let (201, SubjectBody::Binary(_)) = (response.status, sent.body) else {
        return None;
    };
    let entry = kinds::kind_of(registry, recording, sent).ok()?;
    let sent = kinds::value(entry, sent)?;
    let stored = kinds::json_of(registry, response.body.as_ref())?;
    Some(differences("/response/base64", &mask(&stored), &mask(&sent)))
}

/// The response as an HTTP client gives it.
fn http_response(recorded: &RecordedResponse) -> Result<http::Response<Vec<u8>>, &'static str> {
    let mut response = http::Response::builder().status(recorded.status);
    for (name, values) in &recorded.headers {
        for value in values {
            response = response.header(name, value);
        }
    }
    response.body(recorded.bytes()).map_err(|_| "not an HTTP response")
}

/// The mismatch of the decoded response, if there is one.
fn compare(
    rebuilt: &Rebuilt,
    expected: &str,
    recorded: &RecordedResponse,
    response: &http::Response<Vec<u8>>,
) -> Option<Mismatch> {
    let warnings = recorded.headers.get("warning").map_or(0, Vec::len);
    let (found, found_warnings) = match decode(rebuilt, response) {
        Ok(decoded) => (format!("{}, {}", decoded.code, decoded.body), decoded.warnings.len()),
        Err(ResponseError::Api(error)) => (refusal(&error), error.warnings().len()),
        Err(error) => (error.to_string(), warnings),
    };
    (expected != found || warnings != found_warnings).then(|| {
        let expected = format!("{}, with {warnings} warnings", shorten(expected));
        let found = format!("{}, with {found_warnings} warnings", shorten(&found));
        Mismatch::new("/response", expected, found, "does the operation answer with this kind?")
    })
}

/// The decoded response. Its body is the kind, or the text if that is not JSON.
fn decode(
    rebuilt: &Rebuilt,
    response: &http::Response<Vec<u8>>,
) -> Result<Response<String>, ResponseError> {
    if rebuilt.is_decoded() {
        let decoded = rebuilt.any.decode(response)?;
        // A text, such as a log, has no kind.
        if !decoded.body.is_empty() {
            return Ok(decoded.map(str::to_owned));
        }
    }
    let decoded = rebuilt.request().decode(response)?;
    Ok(decoded.map(|RawBody(body)| match serde_json::from_slice(&body) {
        Ok(json) => text(&json, "kind").to_owned(),
        Err(_) => String::from_utf8_lossy(&body).into_owned(),
    }))
}

/// The expected text: the status with the kind of the body, or with the reason and the message of a refusal.
fn expected(
    rebuilt: &Rebuilt,
    registry: &dyn Registry,
    recorded: &RecordedResponse,
    status: http::StatusCode,
) -> String {
    let content_type = recorded.headers.get("content-type").and_then(|header| header.first());
    let is_watch = content_type.is_some_and(|content_type| content_type.ends_with(";stream=watch"));
    let json = kinds::json_of(registry, recorded.body.as_ref());
    match (&recorded.body, json) {
        (Some(RecordedBody::Text(text)), _) if status.is_success() => format!("{status}, {text}"),
        (Some(RecordedBody::Binary(body)), _) if status.is_success() && !rebuilt.is_decoded() => {
            format!("{status}, {}", String::from_utf8_lossy(body))
        }
        (Some(RecordedBody::Binary(_)), _) if status.is_success() && is_watch => {
            format!("{status}, WatchEvent")
        }
        (Some(RecordedBody::Events(_)), _) => format!("{status}, WatchEvent"),
        (_, Some(body)) if status.is_success() => format!("{status}, {}", text(&body, "kind")),
        (_, Some(body)) => {
            let (reason, message) = (text(&body, "reason"), text(&body, "message"));
            format!("{status}, {reason}: {message}")
        }
        (_, None) => format!("{status}, : "),
    }
}

fn refusal(error: &ApiError) -> String {
    let (code, reason, message) = (error.code(), error.reason(), error.message());
    format!("{code}, {reason}: {message}")
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}
