//! The answers to requests that no review is the answer to: their statuses and messages.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Response, StatusCode};

use crate::response::{closing, text};

type Refusal = Response<Full<Bytes>>;

/// A path that is not the webhook's.
pub(crate) fn elsewhere(path: &str) -> Refusal {
    text(StatusCode::NOT_FOUND, format!("the webhook is at {path}"))
}

pub(crate) fn not_post(review: &str) -> Refusal {
    text(StatusCode::METHOD_NOT_ALLOWED, format!("send {review} with POST"))
}

/// A body that is no review, or whose connection ends before it does.
pub(crate) fn malformed(message: String) -> Refusal {
    text(StatusCode::BAD_REQUEST, message)
}

pub(crate) fn too_large(most_bytes: usize) -> Refusal {
    closing(text(StatusCode::PAYLOAD_TOO_LARGE, format!("more than {most_bytes} bytes")))
}

pub(crate) fn late_body() -> Refusal {
    closing(text(StatusCode::REQUEST_TIMEOUT, "the body is late"))
}

/// The turn of the review did not come in time.
pub(crate) fn too_busy() -> Refusal {
    closing(text(StatusCode::SERVICE_UNAVAILABLE, "other reviews take too long: try again"))
}

pub(crate) fn panicked() -> Refusal {
    text(StatusCode::INTERNAL_SERVER_ERROR, "the conversion panicked")
}
