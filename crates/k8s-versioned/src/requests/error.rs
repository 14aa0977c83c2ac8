//! Requests that cannot be built, and responses that cannot be read.

use std::fmt;
use std::time::Duration;

use http::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::api_error::OTHER_SERVER;
use super::{ApiError, Warning};
use crate::field::{FieldError, FieldErrors};
use crate::json::located;
use crate::quoted::place;
use crate::resource_path::PathError;
use crate::{LocatedError, Quoted, Short, wire};

/// A request that cannot be built: servers would refuse it, or it cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A name cannot be a segment of a path.
    #[error(transparent)]
    Name(#[from] PathError),
    /// Parameters that servers reject together with the other parameters of the request, for any objects, and names of the object that are
    /// not those of the path: all of them, by name.
    ///
    /// API servers of all known releases have these rules. A request that breaks one is not built;
    /// [`Request::with_parameter`](crate::requests::Request::with_parameter) and [`Request::with_json`](crate::requests::Request::with_json) set
    /// such a parameter and such an object anyway.
    ///
    /// | refused | answer of a server | known from |
    /// |---|---|---|
    /// | list: `resourceVersionMatch` without `resourceVersion` | 422 | recordings |
    /// | list: `resourceVersionMatch` with `continue` | 422 | the source of the API server |
    /// | list: `resourceVersionMatch=Exact` with `resourceVersion=0` | 422 | the source |
    /// | list: `resourceVersion` other than `0` with `continue` | 400 | the source |
    /// | list: `sendInitialEvents` | 422 | the source |
    /// | watch: `sendInitialEvents` without `resourceVersionMatch=NotOlderThan` | 422 | the source |
    /// | watch: `resourceVersionMatch` without `sendInitialEvents` | 422 | the source |
    /// | watch: `resourceVersionMatch` with `continue` | 422 | the source |
    /// | deletion: `orphanDependents` with `propagationPolicy` | 422 | the source |
    /// | creation, replacement: `metadata.namespace` that is not the namespace of the path | 400 | recordings |
    /// | replacement: `metadata.name` that is not the name of the path | 400 | recordings; without one: the source |
    #[error("{}", join(.0))]
    Refused(FieldErrors),
    /// A strategic merge patch of a custom resource, which servers reject with 415.
    #[error("custom resources do not support strategic merge patches: use a merge patch")]
    StrategicMerge,
    /// A patch does not have the form of its kind.
    #[error("{0} must be a JSON object")]
    PatchForm(&'static str),
    /// `force` on a request that is not an apply.
    #[error("`force` is only for apply")]
    Force,
    /// An apply without a `fieldManager`.
    #[error(
        "apply needs a `fieldManager`: the name under which the server records who owns which field"
    )]
    FieldManager,
    /// The parameters cannot be written into a query.
    #[error("the parameters cannot be written: {0}")]
    Parameters(#[source] serde_json::Error),
    /// The body cannot be written as JSON.
    #[error("the body cannot be written as JSON: {0}")]
    Body(#[source] serde_json::Error),
    /// The body cannot be read as its kind, so it cannot be written as protobuf.
    #[error("the body cannot be written as protobuf: {0}")]
    Protobuf(#[source] serde_json::Error),
    /// A text that is not the address of a server. Behind a query or a fragment, the path of the request would not count.
    #[error(
        "{} is not the address of a server, such as `https://10.0.0.1:6443`: a scheme, a host, and no query",
        Quoted(.0)
    )]
    Server(String),
    /// The parts do not make a request, for example because the URL is too long.
    #[error("the request cannot be built: {0}")]
    Http(#[from] http::Error),
}

fn join(refused: &FieldErrors) -> String {
    let line = |it: &FieldError| format!("servers reject `{}` {}", it.path, it.message);
    let lines: Vec<String> = refused.iter().map(line).collect();
    lines.join("; ")
}

/// A response that is not the requested answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ResponseError {
    /// The server refused the request.
    #[error(transparent)]
    Api(Box<ApiError>),
    /// A status code that is neither a documented success nor a refusal, such as a redirection by a proxy.
    #[error("{0} is not an answer to the request")]
    Unexpected(StatusCode),
    /// The server carried out the request, and the answer cannot be read.
    #[error("{code}: {reason}")]
    Body {
        /// The HTTP status code of the success.
        code: StatusCode,
        /// The warnings that came with it.
        warnings: Vec<Warning>,
        /// The reason why the answer cannot be read.
        #[source]
        reason: BodyError,
    },
}

/// Functions that call the functions of [`ApiError`].
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

    /// The HTTP status code; of a body that cannot be read, the code of the success.
    pub fn code(&self) -> StatusCode {
        match self {
            Self::Api(error) => error.code(),
            Self::Unexpected(code) | Self::Body { code, .. } => *code,
        }
    }

    /// The time to wait before the next attempt, if the server states one: see [`ApiError::retry_after`].
    pub fn retry_after(&self) -> Option<Duration> {
        self.api()?.retry_after()
    }

    /// What to do, if known: see [`ApiError::hint`]; also for a response that no API server gives.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Api(error) => error.hint(),
            Self::Unexpected(_)
            | Self::Body { reason: BodyError::MediaType(_) | BodyError::Page, .. } => {
                Some(OTHER_SERVER.to_owned())
            }
            Self::Body { .. } => None,
        }
    }

    questions! {
        is_bad_request: "The server cannot read the request (400)";
        is_unauthorized: "The request has no credentials that the server accepts (401)";
        is_forbidden: "The caller may not do this (403)";
        is_unsupported: "The server does not read or does not have the media type (415, 406)";
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

/// A body of a successful response, or a part of a watch, that is not the requested answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BodyError {
    /// The header `Content-Type` does not name JSON.
    #[error("the body is `{0}` and not JSON")]
    MediaType(String),
    /// The body is empty.
    #[error("the body is empty")]
    Empty,
    /// The body is a page, such as the one of a login.
    #[error("the body is a page (HTML) and not JSON")]
    Page,
    /// The body does not decode: it is not JSON, has a field twice, or is not of the kind. The error has the path of the
    /// wrong field.
    #[error("the body cannot be decoded: {0}")]
    Json(#[from] LocatedError),
    /// The body does not decode as protobuf.
    #[cfg(feature = "protobuf")]
    #[error("the body cannot be decoded: {0}")]
    Protobuf(#[from] crate::protobuf::Error),
    /// The answer opens a connection, and has no body.
    #[error("the answer opens a connection, and has no body")]
    Connection,
    /// A line of a watch is not an event.
    #[error("a line of the watch is not an event: {0}")]
    NotAnEvent(#[source] serde_json::Error),
    /// An event has an unknown type.
    #[error("the watch has an event of unknown type {}", Quoted(.0))]
    UnknownType(String),
    /// The object of an event cannot be decoded.
    #[error(transparent)]
    Object(Box<ObjectError>),
    /// A bookmark has no `resourceVersion`.
    #[error("a bookmark of the watch has no `resourceVersion`")]
    Bookmark,
    /// An event has more bytes than the limit.
    #[error("an event of the watch has more than {0} bytes")]
    TooLong(usize),
    /// The stream ended in the middle of an event.
    #[error("the watch was cut off in the middle of an event")]
    CutOff,
}

impl BodyError {
    /// The same error of a body that is not a `K`, with the path of the field.
    #[cold]
    pub(crate) fn located<K: DeserializeOwned>(self, body: &[u8]) -> Self {
        match self {
            Self::Json(error) => Self::Json(located::<K>(body, error.reason)),
            other => other,
        }
    }
}

/// An item of a list, or the object of an event, that cannot be decoded.
#[derive(Debug, Error)]
#[error(
    "{}{} cannot be decoded: {}{}",
    self.position(), self.identity(), place(path), Short(&reason.to_string())
)]
#[non_exhaustive]
pub struct ObjectError {
    /// The position in the list, from 0; `None` in a watch.
    pub index: Option<usize>,
    /// `metadata.namespace`, if it can be read.
    pub namespace: Option<String>,
    /// `metadata.name`, if it can be read.
    pub name: Option<String>,
    /// `metadata.resourceVersion`, if it can be read. A watch can continue from it.
    pub resource_version: Option<String>,
    /// The JSON of the object; empty if it came as protobuf.
    pub json: String,
    /// The field of the object that is wrong, such as `spec.leaseDurationSeconds`; empty if no field is known.
    pub path: String,
    /// The reason why it cannot be decoded.
    #[source]
    pub reason: serde_json::Error,
}

/// An object, reduced to its metadata, which is read as an `M`.
#[derive(Default, Deserialize)]
#[serde(expecting = "an object", bound = "M: Deserialize<'de> + wire::ZeroValue")]
pub(crate) struct Metadata<M> {
    #[serde(default = "wire::zero", deserialize_with = "wire::null_is_zero")]
    pub(crate) metadata: M,
}

/// The names of an object whose other fields may be broken.
#[derive(Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(crate) struct Identity {
    pub(crate) namespace: Option<String>,
    pub(crate) name: Option<String>,
    pub(crate) resource_version: Option<String>,
}

impl ObjectError {
    /// The error of the JSON of an object that is not a `T`.
    pub(crate) fn new<T: DeserializeOwned>(
        index: Option<usize>,
        json: &str,
        reason: serde_json::Error,
    ) -> Self {
        let Metadata { metadata } = serde_json::from_str(json).unwrap_or_default();
        Self::of(index, metadata, json, located::<T>(json.as_bytes(), reason))
    }

    pub(crate) fn of(
        index: Option<usize>,
        Identity { namespace, name, resource_version }: Identity,
        json: &str,
        LocatedError { path, reason, .. }: LocatedError,
    ) -> Self {
        Self { index, namespace, name, resource_version, json: json.to_owned(), path, reason }
    }

    fn position(&self) -> impl fmt::Display {
        match self.index {
            Some(index) => format!("item {index}"),
            None => "the object of an event".to_owned(),
        }
    }

    /// The known parts in brackets, after a space; empty if none is known.
    fn identity(&self) -> impl fmt::Display {
        let parts = [
            ("namespace", &self.namespace),
            ("name", &self.name),
            ("resourceVersion", &self.resource_version),
        ];
        let known = parts.iter().filter_map(|(of, value)| Some((of, value.as_ref()?)));
        let known = known.map(|(of, value)| format!("{of} {}", Quoted(value)));
        let known: Vec<String> = known.collect();
        if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) }
    }
}
