//! What is asked of the server, as plain data, and what it answers.
//!
//! This is the one module that knows how requests are built.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::k8s_versioned::operation::{
    self, ListParameters, RequestError, ResponseError, Watch, WriteParameters, http,
};
use k8s_coordination::k8s_versioned::verb;
use k8s_coordination::meta::v1::DryRun;
use k8s_coordination::prelude::{NamespacedVerbs, Serves};
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
        self.typed()?.to_http()
    }

    /// Reads the response. A response that is no answer is a failure.
    pub fn decode(&self, response: &http::Response<impl AsRef<[u8]>>) -> Answer {
        let (head, body) = (response.status(), response.body().as_ref());
        let mut plain = http::Response::new(body);
        *plain.status_mut() = head;
        plain.headers_mut().clone_from(response.headers());
        match self.typed() {
            Ok(typed) => typed.decode(&plain),
            Err(error) => Answer::Failed(Failure::new(error.to_string())),
        }
    }

    fn typed(&self) -> Result<Box<dyn Typed>, RequestError> {
        let namespace = &*self.namespace;
        match &self.verb {
            Verb::ReadLease(name) => typed(Lease::get(namespace, name, ()), lease),
            Verb::CreateLease(new) => typed(Lease::create(namespace, new, ()), lease),
            Verb::TryLease(new) => {
                let trial = WriteParameters::default().with_dry_run(DryRun::All);
                typed(Lease::create(namespace, new, trial), lease)
            }
            Verb::ReplaceLease(new) => {
                let name = new.metadata.name.as_deref().unwrap_or_default();
                typed(Lease::replace(namespace, name, new, ()), lease)
            }
            Verb::ReadCandidate(version, name) => match version {
                LeaseCandidateVersion::V1alpha1 => {
                    read::<v1alpha1::LeaseCandidate>(namespace, name)
                }
                LeaseCandidateVersion::V1alpha2 => {
                    read::<v1alpha2::LeaseCandidate>(namespace, name)
                }
                LeaseCandidateVersion::V1beta1 => read::<v1beta1::LeaseCandidate>(namespace, name),
            },
            Verb::CreateCandidate(new) => match &**new {
                AnyLeaseCandidate::V1alpha1(new) => create(namespace, new),
                AnyLeaseCandidate::V1alpha2(new) => create(namespace, new),
                AnyLeaseCandidate::V1beta1(new) => create(namespace, new),
            },
            Verb::ReplaceCandidate(new) => match &**new {
                AnyLeaseCandidate::V1alpha1(new) => replace(namespace, new),
                AnyLeaseCandidate::V1alpha2(new) => replace(namespace, new),
                AnyLeaseCandidate::V1beta1(new) => replace(namespace, new),
            },
            Verb::DeleteCandidate(version, name) => match version {
                LeaseCandidateVersion::V1alpha1 => {
                    delete::<v1alpha1::LeaseCandidate>(namespace, name)
                }
                LeaseCandidateVersion::V1alpha2 => {
                    delete::<v1alpha2::LeaseCandidate>(namespace, name)
                }
                LeaseCandidateVersion::V1beta1 => {
                    delete::<v1beta1::LeaseCandidate>(namespace, name)
                }
            },
        }
    }
}

/// A request that knows how its answer is read.
trait Typed {
    fn to_http(&self) -> Result<http::Request<Vec<u8>>, RequestError>;
    fn decode(&self, response: &http::Response<&[u8]>) -> Answer;
}

impl<A: operation::Answer> Typed for (operation::Request<A>, fn(A) -> Answer) {
    fn to_http(&self) -> Result<http::Request<Vec<u8>>, RequestError> {
        self.0.to_http()
    }

    fn decode(&self, response: &http::Response<&[u8]>) -> Answer {
        let decoded = self.0.decode(response);
        decoded.map_or_else(Answer::from, |decoded| (self.1)(decoded.body))
    }
}

type Built<A> = Result<operation::Request<A>, RequestError>;

fn typed<A: operation::Answer + 'static>(
    request: Built<A>,
    read: fn(A) -> Answer,
) -> Result<Box<dyn Typed>, RequestError> {
    Ok(Box::new((request?, read)))
}

fn lease(lease: Lease) -> Answer {
    Answer::Lease(Box::new(lease))
}

/// A version of `LeaseCandidate`, with the verbs that an elector needs.
trait Candidate:
    NamespacedVerbs
    + Serves<verb::Get>
    + Serves<verb::Create>
    + Serves<verb::Replace>
    + Serves<verb::Delete>
    + Into<AnyLeaseCandidate>
    + 'static
{
}

impl Candidate for v1alpha1::LeaseCandidate {}
impl Candidate for v1alpha2::LeaseCandidate {}
impl Candidate for v1beta1::LeaseCandidate {}

fn candidate<K: Candidate>(candidate: K) -> Answer {
    Answer::Candidate(Box::new(candidate.into()))
}

fn read<K: Candidate>(namespace: &str, name: &str) -> Result<Box<dyn Typed>, RequestError> {
    typed(K::get(namespace, name, ()), candidate)
}

fn create<K: Candidate>(namespace: &str, new: &K) -> Result<Box<dyn Typed>, RequestError> {
    typed(K::create(namespace, new, ()), candidate)
}

fn replace<K: Candidate>(namespace: &str, new: &K) -> Result<Box<dyn Typed>, RequestError> {
    let name = new.metadata().name.as_deref().unwrap_or_default();
    typed(K::replace(namespace, name, new, ()), candidate)
}

fn delete<K: Candidate>(namespace: &str, name: &str) -> Result<Box<dyn Typed>, RequestError> {
    typed(K::delete(namespace, name, ()), |_| Answer::Deleted)
}

/// The request to watch one Lease. It begins with the Lease as it is.
pub(crate) fn watch_lease(
    namespace: &str,
    name: &str,
) -> Result<operation::Request<Watch<Lease>>, RequestError> {
    let field = format!("metadata.name={name}");
    Lease::watch(
        namespace,
        ListParameters::default().with_field_selector(field),
    )
}
