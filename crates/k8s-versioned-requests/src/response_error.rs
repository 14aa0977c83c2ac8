//! Responses without the requested answer.

use std::time::Duration;

use http::StatusCode;
use thiserror::Error;

use super::{ApiError, BodyError, Warning};

/// A response without the requested answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// The server refused the request.
    #[error(transparent)]
    Api(Box<ApiError>),
    /// A status code that is neither a documented success nor a refusal, such as a redirection by a proxy.
    #[error("{0} is no answer to the request")]
    Unexpected(StatusCode),
    /// The server carried out the request, and the answer cannot be read.
    #[error("{code}: {reason}")]
    Body {
        /// The HTTP status code of the success.
        code: StatusCode,
        /// The warnings that came with it.
        warnings: Vec<Warning>,
        /// The reason.
        #[source]
        reason: BodyError,
    },
}

/// Functions that call those of the [`ApiError`].
macro_rules! questions {
    ($($question:ident: $meaning:literal;)*) => {$(
        #[doc = concat!($meaning, ": see [`ApiError::", stringify!($question), "`].")]
        pub fn $question(&self) -> bool {
            self.api().is_some_and(ApiError::$question)
        }
    )*};
}

/// The functions of [`ApiError`]. They return `false` if the server did not refuse the request.
impl ResponseError {
    /// The refusal; `None` for another error.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api(error) => Some(error),
            Self::Unexpected(_) | Self::Body { .. } => None,
        }
    }

    /// The time to wait before the next attempt, if the server states one.
    pub fn retry_after(&self) -> Option<Duration> {
        self.api()?.retry_after()
    }

    questions! {
        is_bad_request: "The server cannot read the request (400)";
        is_unauthorized: "The request has no credentials that the server accepts (401)";
        is_forbidden: "The caller may not do this (403)";
        is_not_found: "There is no such object, or no such API (404)";
        is_not_served: "The server does not serve this API (404)";
        is_already_exists: "There is such an object already (409)";
        is_conflict: "The object has changed, others own the fields, or a precondition does not hold (409)";
        is_expired: "The server no longer has the state that was asked for (410)";
        is_invalid: "The object breaks a rule (422)";
        is_too_many_requests: "The server has too much to do (429)";
        is_timeout: "The server could not answer in time (504)";
    }
}
