//! The check of responses by their operations.

use k8s_versioned_requests::{ApiError, RawBody, Response, ResponseError, http};
use serde_json::Value;

use super::Check;
use super::rebuild::{JSON, Rebuilt, Refused};
use crate::difference::shorten;
use crate::operation::Operations;
use crate::outcome::{Examined, Mismatch};
use k8s_versioned_recordings::{Exchange, RecordedBody, RecordedResponse};

/// A response decodes into the answer of the operation, with the kind that the body names, or into a refusal with the
/// reason and the message of the body. Text in another format than JSON stays as it is. No warning is lost.
pub fn answer(operations: &[Operations]) -> Check<'_> {
    let rule =
        "a response decodes into the answer of the operation, or into a refusal with its Status";
    Check::of_exchanges("answer", rule, |_, exchange| examine(operations, exchange))
}

fn examine(operations: &[Operations], exchange: &Exchange) -> Examined {
    if matches!(exchange.request.body, Some(RecordedBody::Binary(_))) {
        return Err("a binary body".into());
    }
    let rebuilt = Rebuilt::of(operations, exchange).map_err(|refused| match refused {
        Refused::NotApplicable(reason) => reason,
        Refused::Mismatch(_) => "the request cannot be built: see the check request".into(),
    })?;
    let response = http_response(&exchange.response)?;
    Ok(compare(&rebuilt, &exchange.response, &response).into_iter().collect())
}

/// The response as an HTTP client gives it.
fn http_response(recorded: &RecordedResponse) -> Result<http::Response<Vec<u8>>, &'static str> {
    if matches!(recorded.body, Some(RecordedBody::Binary(_))) {
        return Err("a binary body");
    }
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
    recorded: &RecordedResponse,
    response: &http::Response<Vec<u8>>,
) -> Option<Mismatch> {
    let warnings = recorded.headers.get("warning").map_or(0, Vec::len);
    let (found, found_warnings) = match decode(rebuilt, response) {
        Ok(decoded) => (format!("{}, {}", decoded.code, decoded.body), decoded.warnings.len()),
        Err(ResponseError::Api(error)) => (refusal(&error), error.warnings().len()),
        Err(error) => (error.to_string(), warnings),
    };
    let expected = expected(recorded, response.status());
    (expected != found || warnings != found_warnings).then(|| {
        let expected = format!("{}, with {warnings} warnings", shorten(&expected));
        let found = format!("{}, with {found_warnings} warnings", shorten(&found));
        Mismatch::new("/response", expected, found, "does the operation answer with this kind?")
    })
}

/// The decoded response. Its body is the kind, or the text if that is not JSON.
fn decode(
    rebuilt: &Rebuilt,
    response: &http::Response<Vec<u8>>,
) -> Result<Response<String>, ResponseError> {
    if rebuilt.accept == JSON {
        let decoded = rebuilt.any.decode(response)?;
        return Ok(decoded.map(str::to_owned));
    }
    let decoded = rebuilt.request().decode(response)?;
    Ok(decoded.map(|RawBody(body)| match serde_json::from_slice(&body) {
        Ok(json) => text(&json, "kind").to_owned(),
        Err(_) => String::from_utf8_lossy(&body).into_owned(),
    }))
}

/// The expected text: the status with the kind of the body, or with the reason and the message of a refusal.
fn expected(recorded: &RecordedResponse, status: http::StatusCode) -> String {
    match &recorded.body {
        Some(RecordedBody::Json(body)) if status.is_success() => {
            format!("{status}, {}", text(body, "kind"))
        }
        Some(RecordedBody::Events(_)) => format!("{status}, WatchEvent"),
        Some(RecordedBody::Text(text)) if status.is_success() => format!("{status}, {text}"),
        Some(RecordedBody::Json(body)) => {
            let (reason, message) = (text(body, "reason"), text(body, "message"));
            format!("{status}, {reason}: {message}")
        }
        None | Some(_) => {
            format!("{status}, : ")
        }
    }
}

fn refusal(error: &ApiError) -> String {
    let (code, reason, message) = (error.code(), error.reason(), error.message());
    format!("{code}, {reason}: {message}")
}

fn text<'a>(body: &'a Value, name: &str) -> &'a str {
    body.get(name).and_then(Value::as_str).unwrap_or_default()
}
