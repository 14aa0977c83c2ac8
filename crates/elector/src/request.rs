//! What is asked of the server, as plain data, and what it answers.
//!
//! This is the one module that knows how requests are built.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::k8s_versioned::operation::{
    self, Deletion, RequestError, Response, ResponseError, Watch, http,
};
use k8s_coordination::meta::v1::{DryRun, Status};
use k8s_coordination::parameters::{
    DeleteParameters, GetParameters, ListParameters, WriteParameters,
};
use k8s_coordination::v1::Lease;
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};

/// A request to send. Hand the answer, or that there was none, back with its `id`.
#[derive(Clone, Debug)]
pub struct Call {
    /// Tells the call from all others of this elector.
    pub id: CallId,
    /// What to send.
    pub request: Request,
    /// How long to wait for the answer. The elector itself waits no longer.
    pub timeout: Duration,
}

/// The number of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId(pub(crate) u64);

/// A request as plain data.
#[derive(Clone, Debug)]
pub struct Request {
    /// The namespace.
    pub namespace: Arc<str>,
    /// The verb, and what it is about.
    pub verb: Verb,
}

/// What an elector asks for. Every replacement carries the `resourceVersion` that it is based on.
#[derive(Clone, Debug, PartialEq)]
pub enum Verb {
    /// Reads the Lease of this name.
    ReadLease(Arc<str>),
    /// Creates the Lease.
    CreateLease(Box<Lease>),
    /// Creates a Lease on trial: nothing is stored. The answer shows whether the server keeps `strategy`.
    TryLease(Box<Lease>),
    /// Replaces the Lease.
    ReplaceLease(Box<Lease>),
    /// Reads a candidate.
    ReadCandidate(LeaseCandidateVersion, Arc<str>),
    /// Creates our candidate.
    CreateCandidate(Box<AnyLeaseCandidate>),
    /// Replaces our candidate.
    ReplaceCandidate(Box<AnyLeaseCandidate>),
    /// Deletes our candidate.
    DeleteCandidate(LeaseCandidateVersion, Arc<str>),
}

/// What the server answered.
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
    /// The object has changed meanwhile, or there is one of this name already: nothing was written.
    Conflict,
    /// The request failed, or nothing is known of it: a refusal, a time-out, a broken connection.
    Failed(Failure),
}

/// Why a request failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// What is known of the reason, for people.
    pub message: String,
    /// How long the server asks to wait.
    pub retry_after: Option<Duration>,
    /// Whether the server refused the request, and would refuse it again: 403, 422 and the like.
    pub refused: bool,
}

impl Failure {
    /// A failure for this reason.
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            ..Self::default()
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
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
                refused: refusal.code().is_client_error() && !refusal.is_too_many_requests(),
            })
        }
    }
}

impl Request {
    /// The request for an HTTP client; its URI is the path and the query.
    ///
    /// # Errors
    ///
    /// The request cannot be built. With settings that were checked, that does not happen.
    pub fn to_http(&self) -> Result<http::Request<Vec<u8>>, RequestError> {
        match self.typed()? {
            Typed::Lease(request) => request.to_http(),
            Typed::V1alpha1(request) => request.to_http(),
            Typed::V1alpha2(request) => request.to_http(),
            Typed::V1beta1(request) => request.to_http(),
            Typed::DeleteV1alpha1(request) => request.to_http(),
            Typed::DeleteV1alpha2(request) => request.to_http(),
            Typed::DeleteV1beta1(request) => request.to_http(),
        }
    }

    /// Reads the response. A response that is no answer is a failure.
    pub fn decode(&self, response: &http::Response<impl AsRef<[u8]>>) -> Answer {
        let typed = match self.typed() {
            Ok(typed) => typed,
            Err(error) => return Answer::Failed(Failure::new(error.to_string())),
        };
        match typed {
            Typed::Lease(request) => answer(request.decode(response), |lease| {
                Answer::Lease(lease.into())
            }),
            Typed::V1alpha1(request) => answer(request.decode(response), candidate),
            Typed::V1alpha2(request) => answer(request.decode(response), candidate),
            Typed::V1beta1(request) => answer(request.decode(response), candidate),
            Typed::DeleteV1alpha1(request) => answer(request.decode(response), |_| Answer::Deleted),
            Typed::DeleteV1alpha2(request) => answer(request.decode(response), |_| Answer::Deleted),
            Typed::DeleteV1beta1(request) => answer(request.decode(response), |_| Answer::Deleted),
        }
    }

    fn typed(&self) -> Result<Typed, RequestError> {
        let namespace = &*self.namespace;
        let (get, write) = (GetParameters::default(), WriteParameters::default());
        Ok(match &self.verb {
            Verb::ReadLease(name) => Typed::Lease(Lease::get(namespace, name, &get)?),
            Verb::CreateLease(lease) => Typed::Lease(Lease::create(namespace, lease, &write)?),
            Verb::TryLease(lease) => {
                let write = write.with_dry_run(DryRun::All);
                Typed::Lease(Lease::create(namespace, lease, &write)?)
            }
            Verb::ReplaceLease(lease) => {
                let name = lease.metadata.name.as_deref().unwrap_or_default();
                Typed::Lease(Lease::replace(namespace, name, lease, &write)?)
            }
            Verb::ReadCandidate(version, name) => match version {
                LeaseCandidateVersion::V1alpha1 => {
                    Typed::V1alpha1(v1alpha1::LeaseCandidate::get(namespace, name, &get)?)
                }
                LeaseCandidateVersion::V1alpha2 => {
                    Typed::V1alpha2(v1alpha2::LeaseCandidate::get(namespace, name, &get)?)
                }
                LeaseCandidateVersion::V1beta1 => {
                    Typed::V1beta1(v1beta1::LeaseCandidate::get(namespace, name, &get)?)
                }
            },
            Verb::CreateCandidate(candidate) => match &**candidate {
                AnyLeaseCandidate::V1alpha1(candidate) => Typed::V1alpha1(
                    v1alpha1::LeaseCandidate::create(namespace, candidate, &write)?,
                ),
                AnyLeaseCandidate::V1alpha2(candidate) => Typed::V1alpha2(
                    v1alpha2::LeaseCandidate::create(namespace, candidate, &write)?,
                ),
                AnyLeaseCandidate::V1beta1(candidate) => Typed::V1beta1(
                    v1beta1::LeaseCandidate::create(namespace, candidate, &write)?,
                ),
            },
            Verb::ReplaceCandidate(candidate) => {
                let name = candidate.metadata().name.as_deref().unwrap_or_default();
                match &**candidate {
                    AnyLeaseCandidate::V1alpha1(candidate) => Typed::V1alpha1(
                        v1alpha1::LeaseCandidate::replace(namespace, name, candidate, &write)?,
                    ),
                    AnyLeaseCandidate::V1alpha2(candidate) => Typed::V1alpha2(
                        v1alpha2::LeaseCandidate::replace(namespace, name, candidate, &write)?,
                    ),
                    AnyLeaseCandidate::V1beta1(candidate) => Typed::V1beta1(
                        v1beta1::LeaseCandidate::replace(namespace, name, candidate, &write)?,
                    ),
                }
            }
            Verb::DeleteCandidate(version, name) => Typed::delete(*version, namespace, name)?,
        })
    }
}

/// A request that knows how its answer is read.
enum Typed {
    Lease(operation::Request<Lease>),
    V1alpha1(operation::Request<v1alpha1::LeaseCandidate>),
    V1alpha2(operation::Request<v1alpha2::LeaseCandidate>),
    V1beta1(operation::Request<v1beta1::LeaseCandidate>),
    DeleteV1alpha1(operation::Request<Deletion<v1alpha1::LeaseCandidate, Status>>),
    DeleteV1alpha2(operation::Request<Deletion<v1alpha2::LeaseCandidate, Status>>),
    DeleteV1beta1(operation::Request<Deletion<v1beta1::LeaseCandidate, Status>>),
}

impl Typed {
    fn delete(
        version: LeaseCandidateVersion,
        namespace: &str,
        name: &str,
    ) -> Result<Self, RequestError> {
        let parameters = DeleteParameters::default();
        Ok(match version {
            LeaseCandidateVersion::V1alpha1 => Self::DeleteV1alpha1(
                v1alpha1::LeaseCandidate::delete(namespace, name, None, &parameters)?,
            ),
            LeaseCandidateVersion::V1alpha2 => Self::DeleteV1alpha2(
                v1alpha2::LeaseCandidate::delete(namespace, name, None, &parameters)?,
            ),
            LeaseCandidateVersion::V1beta1 => Self::DeleteV1beta1(v1beta1::LeaseCandidate::delete(
                namespace,
                name,
                None,
                &parameters,
            )?),
        })
    }
}

fn answer<A>(
    response: Result<Response<A>, ResponseError>,
    read: impl FnOnce(A) -> Answer,
) -> Answer {
    response.map_or_else(Answer::from, |response| read(response.body))
}

fn candidate(candidate: impl Into<AnyLeaseCandidate>) -> Answer {
    Answer::Candidate(Box::new(candidate.into()))
}

/// The request to watch one Lease. It begins with the Lease as it is.
pub(crate) fn watch_lease(
    namespace: &str,
    name: &str,
) -> Result<operation::Request<Watch<Lease>>, RequestError> {
    let field = format!("metadata.name={name}");
    Lease::watch(
        namespace,
        &ListParameters::default().with_field_selector(field),
    )
}
