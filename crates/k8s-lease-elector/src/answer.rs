//! The answers of the server.

use std::fmt;
use std::time::Duration;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::requests::ResponseError;
use k8s_coordination::v1::Lease;

/// The server's answer to a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Answer {
    /// The Lease as it is stored now.
    Lease(Box<Lease>),
    /// The candidate as it is stored now.
    Candidate(Box<AnyLeaseCandidate>),
    /// The candidate is deleted.
    Deleted,
    /// The object does not exist.
    NotFound,
    /// The server does not serve this version of the API.
    NotServed,
    /// Nothing was written: the object has changed since it was read, or an object of this name exists.
    Conflict,
    /// The server refused the request, or no answer came: then the server may have carried it out.
    Failed(CallError),
}

/// The error of a [`Call`](crate::Call): the server refused it, or no answer came.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CallError {
    /// The message, for people.
    pub message: String,
    /// The time that the server asks to wait.
    pub retry_after: Option<Duration>,
}

impl CallError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), retry_after: None }
    }

    /// Sets the time that the server asks to wait.
    #[must_use]
    pub fn with_retry_after(mut self, retry_after: Duration) -> Self {
        self.retry_after = Some(retry_after);
        self
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for CallError {}

impl From<ResponseError> for Answer {
    fn from(error: ResponseError) -> Self {
        let Some(refusal) = error.api() else {
            return Self::Failed(CallError::new(error.to_string()));
        };
        if refusal.is_not_served() {
            Self::NotServed
        } else if refusal.is_not_found() {
            Self::NotFound
        } else if refusal.is_conflict() || refusal.is_already_exists() {
            Self::Conflict
        } else {
            let error = CallError::new(refusal.to_string());
            Self::Failed(CallError { retry_after: refusal.retry_after(), ..error })
        }
    }
}
