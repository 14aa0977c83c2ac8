//! Refusals by the recorder.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Response, StatusCode};
use serde_json::json;

/// An answer of the recorder instead of the server.
pub(crate) type Refusal = Box<Response<Full<Bytes>>>;

/// A refusal as a `Status` of Kubernetes, which clients can show.
pub(crate) fn refusal(code: StatusCode, reason: &str, message: &str) -> Refusal {
    let status = json!({
        "kind": "Status",
        "apiVersion": "v1",
        "status": "Failure",
        "reason": reason,
        "message": format!("the recorder: {message}"),
        "code": code.as_u16(),
    });
    let mut response = Response::new(Full::from(status.to_string()));
    *response.status_mut() = code;
    let json = hyper::header::HeaderValue::from_static("application/json");
    let headers = response.headers_mut();
    headers.insert(hyper::header::CONTENT_TYPE, json);
    Box::new(response)
}
