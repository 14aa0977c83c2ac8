//! The requests of an elector, as plain data. No other module builds requests.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::generic::{AnyMessage, MessageVisitor, VersionOf};
use k8s_coordination::conversion::{
    AnyLeaseCandidate, AnyVersion, ConversionReport, LeaseCandidateVersion, Options,
};
use k8s_coordination::meta::v1::{DryRun, ObjectMeta};
use k8s_coordination::prelude::Verbs;
use k8s_coordination::protobuf::Message;
use k8s_coordination::requests::{
    self, ListParameters, ProtobufAnswer, RequestError, ResponseError, Watch, WriteParameters, http,
};
use k8s_coordination::v1::Lease;

/// A request to send. Hand the answer back with its `id`, or a [`CallError`] if no answer comes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Call {
    /// The number of the call in this elector.
    pub id: CallId,
    /// What to send.
    pub request: ElectorRequest,
    /// The longest wait for the answer. After that, the elector counts the request as failed.
    pub timeout: Duration,
}

/// The number of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CallId(pub(crate) u64);

/// A request as plain data.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ElectorRequest {
    /// The namespace of the object.
    pub namespace: Arc<str>,
    /// The verb, and the object.
    pub verb: ElectorVerb,
    /// Whether the request is sent as protobuf.
    pub protobuf: bool,
}

/// The verb and the object of a request. Every replacement carries the `resourceVersion` that it is based on.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElectorVerb {
    /// Reads the Lease of this name.
    ReadLease(Arc<str>),
    /// Creates the Lease.
    CreateLease(Box<Lease>),
    /// Creates a Lease with a dry run: nothing is stored. The answer shows whether the server keeps `strategy`.
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

impl ElectorVerb {
    /// Returns `true` for a request about the Lease, `false` for one about a candidate.
    pub fn is_of_lease(&self) -> bool {
        matches!(
            self,
            Self::ReadLease(_) | Self::CreateLease(_) | Self::TryLease(_) | Self::ReplaceLease(_)
        )
    }
}

impl ElectorRequest {
    /// The request for an HTTP client; its URI is the path and the query.
    ///
    /// # Errors
    ///
    /// The request cannot be built. With settings that were checked, that does not happen.
    pub fn to_http(&self) -> Result<http::Request<Vec<u8>>, RequestError> {
        self.build().map(|(request, _)| request)
    }

    /// Reads the response. A response that cannot be read is a failure.
    pub fn decode(&self, response: &http::Response<impl AsRef<[u8]>>) -> ElectorAnswer {
        let mut plain = http::Response::new(response.body().as_ref());
        *plain.status_mut() = response.status();
        plain.headers_mut().clone_from(response.headers());
        match self.build() {
            Ok((_, read)) => read(&plain),
            Err(error) => ElectorAnswer::Failed(CallError::new(error.to_string())),
        }
    }

    fn build(&self) -> Result<Built, RequestError> {
        let version = match &self.verb {
            ElectorVerb::ReadCandidate(version, _) | ElectorVerb::DeleteCandidate(version, _) => {
                *version
            }
            ElectorVerb::CreateCandidate(new) | ElectorVerb::ReplaceCandidate(new) => new.version(),
            // A Lease has one version: this version is only for requests about candidates.
            _ => LeaseCandidateVersion::NEWEST,
        };
        AnyLeaseCandidate::visit_message(version, Build(self))
    }

    /// The request in its form, with the function that reads the answer.
    fn send<A: ProtobufAnswer + 'static>(
        &self,
        request: Result<requests::Request<A>, RequestError>,
        read: fn(A) -> ElectorAnswer,
    ) -> Result<Built, RequestError> {
        let request = if self.protobuf { request?.protobuf()? } else { request? };
        let http = request.to_http()?;
        let read = move |response: &http::Response<&[u8]>| match request.decode(response) {
            Ok(decoded) => read(decoded.body),
            Err(error) => error.into(),
        };
        Ok((http, Box::new(read)))
    }
}

/// A request for an HTTP client, and the function that reads its response.
type Built = (http::Request<Vec<u8>>, Box<dyn FnOnce(&http::Response<&[u8]>) -> ElectorAnswer>);

/// Builds a request with the type of a version of candidates.
struct Build<'a>(&'a ElectorRequest);

impl MessageVisitor<AnyLeaseCandidate> for Build<'_> {
    type Output = Result<Built, RequestError>;

    fn visit<K: VersionOf<AnyLeaseCandidate> + Message>(self) -> Self::Output {
        let (of, space) = (self.0, &*self.0.namespace);
        let own = |new: &AnyLeaseCandidate| {
            K::from_any(new.clone(), &Options::default(), &mut ConversionReport::new())
        };
        match &of.verb {
            ElectorVerb::ReadLease(name) => of.send(Lease::get(space, name), lease),
            ElectorVerb::CreateLease(new) => of.send(Lease::create(space, new, ()), lease),
            ElectorVerb::TryLease(new) => {
                let dry_run = WriteParameters::default().with_dry_run(DryRun::All);
                of.send(Lease::create(space, new, dry_run), lease)
            }
            ElectorVerb::ReplaceLease(new) => {
                of.send(Lease::replace(space, name(&new.metadata), new, ()), lease)
            }
            ElectorVerb::ReadCandidate(_, name) => of.send(K::get(space, name), candidate),
            ElectorVerb::CreateCandidate(new) => {
                of.send(K::create(space, &own(new), ()), candidate)
            }
            ElectorVerb::ReplaceCandidate(new) => {
                of.send(K::replace(space, name(new.metadata()), &own(new), ()), candidate)
            }
            ElectorVerb::DeleteCandidate(_, name) => of.send(K::delete(space, name, ()), deleted),
        }
    }
}

fn lease(lease: Lease) -> ElectorAnswer {
    ElectorAnswer::Lease(Box::new(lease))
}

fn candidate<K: Into<AnyLeaseCandidate>>(candidate: K) -> ElectorAnswer {
    ElectorAnswer::Candidate(Box::new(candidate.into()))
}

fn deleted<A>(_: A) -> ElectorAnswer {
    ElectorAnswer::Deleted
}

fn name(metadata: &ObjectMeta) -> &str {
    metadata.name.as_deref().unwrap_or_default()
}

/// The request to watch one Lease. The first event is the Lease as it is stored.
pub(crate) fn watch_lease(
    namespace: &str,
    name: &str,
) -> Result<requests::Request<Watch<Lease>>, RequestError> {
    let field = format!("metadata.name={name}");
    Lease::watch(namespace, ListParameters::default().with_field_selector(field))
}

// The answers of the server.

/// The server's answer to a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ElectorAnswer {
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
    /// Whether the server does not take the form of the request (406, 415).
    pub(crate) unsupported: bool,
}

impl CallError {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, retry_after: None, unsupported: false }
    }

    /// The error of a request that timed out.
    pub fn late() -> Self {
        Self::new("no answer in time").with_hint(
            "does the API server answer others? If it does, a rate limit that this process shares, or retries after 429 and \
             503, can delay requests: a program gives its elector a client of its own (`default_retry = false` of `kube`)",
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

impl From<ResponseError> for ElectorAnswer {
    fn from(error: ResponseError) -> Self {
        let Some(refusal) = error.api() else {
            let failed = CallError::new(error.to_string());
            return Self::Failed(CallError { hint: error.hint(), ..failed });
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
