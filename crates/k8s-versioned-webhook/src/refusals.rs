//! The answers to requests that no review is the answer to: their statuses and messages.

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Response, StatusCode};

use crate::response::{closing, text};

/// Why a request is not answered with a review.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The server does not serve the path. It serves these.
    Elsewhere([String; 2]),
    /// Another method than POST for a review with this name.
    NotPost(&'static str),
    /// The body is not a review, or the connection ends before the body does.
    Malformed(String),
    /// The body has more bytes than this.
    TooLarge(usize),
    /// The body did not arrive in time.
    LateBody,
    /// Other reviews did not leave a permit in time.
    Busy,
    /// A step of the program panicked.
    Panicked,
}

impl Refused {
    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        match self {
            Self::Elsewhere([conversion, admission]) => {
                let message =
                    format!("the webhook is at {conversion}, its admission at {admission}");
                text(StatusCode::NOT_FOUND, message)
            }
            Self::NotPost(review) => {
                text(StatusCode::METHOD_NOT_ALLOWED, format!("send {review} with POST"))
            }
            Self::Malformed(message) => text(StatusCode::BAD_REQUEST, message),
            Self::TooLarge(most_bytes) => {
                let message = format!("more than {most_bytes} bytes");
                closing(text(StatusCode::PAYLOAD_TOO_LARGE, message))
            }
            Self::LateBody => closing(text(StatusCode::REQUEST_TIMEOUT, "the body is late")),
            Self::Busy => {
                let message = "other reviews take too long: try again";
                closing(text(StatusCode::SERVICE_UNAVAILABLE, message))
            }
            Self::Panicked => text(StatusCode::INTERNAL_SERVER_ERROR, "the conversion panicked"),
        }
    }
}
