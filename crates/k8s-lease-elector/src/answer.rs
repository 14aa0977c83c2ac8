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
    /// What to do, if that is known.
    pub hint: Option<String>,
    /// The time that the server asks to wait.
    pub retry_after: Option<Duration>,
    /// `true` if the server does not take the form of the request (406, 415).
    pub(crate) unsupported: bool,
}

impl CallError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, retry_after: None, unsupported: false }
    }

    /// The error of a request without an answer after its time-out.
    pub fn late() -> Self {
        Self::new("no answer in time").with_hint(
            "does the API server answer others? If it does, give the elector a client of its own: a rate limit that it \
             shares with other work delays its requests",
        )
    }

    pub(crate) fn no_namespace() -> Self {
        Self::new("the namespace does not exist").with_hint("create it, or correct the settings")
    }

    pub(crate) fn other_answer() -> Self {
        Self::new("the answer belongs to another request")
    }

    /// Sets the hint.
    #[must_use]
    pub fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
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
            Self::Failed(CallError {
                message: refusal.to_string(),
                hint: refusal.hint(),
                retry_after: refusal.retry_after(),
                unsupported: refusal.is_unsupported(),
            })
        }
    }
}
