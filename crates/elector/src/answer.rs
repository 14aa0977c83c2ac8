//! The answers of the server.

use std::time::Duration;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::operation::ResponseError;
use k8s_coordination::v1::Lease;

/// The server's answer to a request.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// The Lease as it is stored now.
    Lease(Box<Lease>),
    /// The candidate as it is stored now.
    Candidate(Box<AnyLeaseCandidate>),
    /// The candidate is deleted.
    Deleted,
    /// There is no such object.
    NotFound,
    /// The server does not have this version of the API.
    NotServed,
    /// Nothing was written: the object has changed since it was read, or there is already one of this name.
    Conflict,
    /// The server refused the request, or there was no answer: the request may have been carried out.
    Failed(Failure),
}

/// The reason for which a request failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// The reason, for people.
    pub message: String,
    /// The time that the server asks to wait.
    pub retry_after: Option<Duration>,
}

impl Failure {
    /// A failure for this reason.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), retry_after: None }
    }
}

impl From<ResponseError> for Answer {
    fn from(error: ResponseError) -> Self {
        let Some(refusal) = error.api() else {
            return Self::Failed(Failure::new(error.to_string()));
        };
        if refusal.is_not_served() {
            Self::NotServed
        } else if refusal.is_not_found() {
            Self::NotFound
        } else if refusal.is_conflict() || refusal.is_already_exists() {
            Self::Conflict
        } else {
            Self::Failed(Failure {
                message: refusal.to_string(),
                retry_after: refusal.retry_after(),
            })
        }
    }
}
