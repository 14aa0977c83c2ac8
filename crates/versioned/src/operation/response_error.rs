//! Responses that do not hold what was asked for.

use std::time::Duration;

use http::StatusCode;
use thiserror::Error;

use super::{ApiError, BodyError, Warning};

/// A response that does not hold what was asked for.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// The request was refused.
    #[error(transparent)]
    Api(Box<ApiError>),
    /// Neither a success that the documents know nor a refusal, such as a redirection by something before the server.
    #[error("{0} is no answer to the request")]
    Unexpected(StatusCode),
    /// The request was carried out, and the answer cannot be read.
    #[error("{code}: {reason}")]
    Body {
        /// The HTTP status code of the success.
        code: StatusCode,
        /// The warnings that came with it.
        warnings: Vec<Warning>,
        /// The reason why it cannot be read.
        #[source]
        reason: BodyError,
    },
}

/// The questions that [`ApiError`] answers. The answer is no if the request was not refused.
impl ResponseError {
    /// The refusal, if it was one.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Api(error) => Some(error),
            Self::Unexpected(_) | Self::Body { .. } => None,
        }
    }

    /// The time to wait before the next attempt, if the server says so.
    pub fn retry_after(&self) -> Option<Duration> {
        self.api()?.retry_after()
    }

    /// The server cannot read the request (400): see [`ApiError::is_bad_request`].
    pub fn is_bad_request(&self) -> bool {
        self.api().is_some_and(ApiError::is_bad_request)
    }

    /// The request has no credentials that the server accepts (401): see [`ApiError::is_unauthorized`].
    pub fn is_unauthorized(&self) -> bool {
        self.api().is_some_and(ApiError::is_unauthorized)
    }

    /// The caller may not do this (403): see [`ApiError::is_forbidden`].
    pub fn is_forbidden(&self) -> bool {
        self.api().is_some_and(ApiError::is_forbidden)
    }

    /// There is no such object, or no such API (404): see [`ApiError::is_not_found`].
    pub fn is_not_found(&self) -> bool {
        self.api().is_some_and(ApiError::is_not_found)
    }

    /// The server does not serve this API (404): see [`ApiError::is_not_served`].
    pub fn is_not_served(&self) -> bool {
        self.api().is_some_and(ApiError::is_not_served)
    }

    /// There is such an object already (409): see [`ApiError::is_already_exists`].
    pub fn is_already_exists(&self) -> bool {
        self.api().is_some_and(ApiError::is_already_exists)
    }

    /// The object has changed, others own the fields, or a precondition does not hold (409): see [`ApiError::is_conflict`].
    pub fn is_conflict(&self) -> bool {
        self.api().is_some_and(ApiError::is_conflict)
    }

    /// The server no longer has the state that was asked for (410): see [`ApiError::is_expired`].
    pub fn is_expired(&self) -> bool {
        self.api().is_some_and(ApiError::is_expired)
    }

    /// The object breaks a rule (422): see [`ApiError::is_invalid`].
    pub fn is_invalid(&self) -> bool {
        self.api().is_some_and(ApiError::is_invalid)
    }

    /// The server has too much to do (429): see [`ApiError::is_too_many_requests`].
    pub fn is_too_many_requests(&self) -> bool {
        self.api().is_some_and(ApiError::is_too_many_requests)
    }

    /// The server could not answer in time (504): see [`ApiError::is_timeout`].
    pub fn is_timeout(&self) -> bool {
        self.api().is_some_and(ApiError::is_timeout)
    }
}
