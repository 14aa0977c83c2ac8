//! Requests as plain data.

use std::borrow::Cow;
use std::fmt;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, Method};
use serde::Serialize;

use super::accept::JSON;
use super::place::{Place, push, root};
use super::response;
use super::{
    Answer, BodyError, Deletion, Query, RawBody, RequestError, Response, ResponseError,
    TolerantList, Watch,
};
use k8s_versioned::verb::Verb;
use k8s_versioned::{GroupVersionKind, HasStatus, List, Resource};

/// A request whose successful answer holds an `A`.
///
/// It is plain data: [`to_http`](Self::to_http) makes a request for any HTTP client, and [`decode`](Self::decode) reads
/// the response.
pub struct Request<A> {
    pub(super) plain: Plain,
    pub(super) decode: Decode<A>,
}

/// The function that decodes the body of an answer: the header `Content-Type`, and the body.
type Decode<A> = fn(Option<&str>, &[u8]) -> Result<A, BodyError>;

/// A request without the type of its answer.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Plain {
    about: GroupVersionKind,
    method: Method,
    path: String,
    query: Query,
    pub(super) accept: Cow<'static, str>,
    pub(super) content_type: Option<&'static str>,
    pub(super) body: Vec<u8>,
}

impl<A: Answer> Request<A> {
    /// A request without a body for objects of `R`.
    pub(super) fn of<R: Resource>(
        verb: &Verb,
        place: Place<'_>,
        parameters: &impl Serialize,
    ) -> Result<Self, RequestError> {
        let path = place.path(&root(R::GROUP, R::VERSION), R::PLURAL)?;
        let method = Method::from_bytes(verb.method.as_bytes());
        let method = method.map_err(http::Error::from)?;
        Self::new(GroupVersionKind::of::<R>(), method, path).with_parameters(parameters)
    }

    /// A request without parameters and body.
    pub(super) fn new(about: GroupVersionKind, method: Method, path: String) -> Self {
        let (query, accept) = (Query::default(), Cow::Borrowed(JSON));
        let plain =
            Plain { about, method, path, query, accept, content_type: None, body: Vec::new() };
        Self { plain, decode: A::decode }
    }
}

impl<A> Request<A> {
    /// Sets a parameter of the query, also one that this crate does not know or would refuse. It replaces a value that
    /// the parameter already has.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, value: &str) -> Self {
        self.plain.query.set(name, value);
        self
    }

    pub(super) fn with_parameters(
        mut self,
        parameters: &impl Serialize,
    ) -> Result<Self, RequestError> {
        let extended = self.plain.query.extend(parameters);
        extended.map_err(RequestError::Parameters)?;
        Ok(self)
    }

    /// Sets a body in JSON, or replaces the body.
    ///
    /// # Errors
    ///
    /// The body cannot be written as JSON.
    pub fn with_json(self, body: &impl Serialize) -> Result<Self, RequestError> {
        self.with_body(JSON, body)
    }

    pub(super) fn with_body(
        mut self,
        content_type: &'static str,
        body: &impl Serialize,
    ) -> Result<Self, RequestError> {
        self.plain.content_type = Some(content_type);
        self.plain.body = serde_json::to_vec(body).map_err(RequestError::Body)?;
        Ok(self)
    }
}

impl<R: HasStatus> Request<R> {
    /// The same request for the status of the object. It does not read or change any other part.
    ///
    /// # Errors
    ///
    /// The request creates an object.
    pub fn of_status(mut self) -> Result<Self, RequestError> {
        if self.plain.method == Method::POST {
            return Err(RequestError::NoStatus);
        }
        self.plain.path.push_str("/status");
        Ok(self)
    }
}

impl<R: Resource> Request<Watch<R>> {
    /// The same watch at the deprecated path for watches, of one object if `name` is one.
    ///
    /// Servers give the same answer as at the usual path, where a `fieldSelector` `metadata.name=<name>` selects one
    /// object.
    ///
    /// # Errors
    ///
    /// The name cannot be a segment of a path.
    pub fn at_deprecated_path(mut self, name: Option<&str>) -> Result<Self, RequestError> {
        let root = root(R::GROUP, R::VERSION);
        let rest = self.plain.path.strip_prefix(&root).unwrap_or_default();
        self.plain.path = format!("{root}/watch{rest}");
        if let Some(name) = name {
            self.plain.path.push('/');
            push(&mut self.plain.path, "name", name)?;
        }
        Ok(self)
    }
}

impl<A: Answer> Request<A> {
    /// Decodes the response.
    ///
    /// For a watch, give the head with an empty body to [`decode_parts`](Self::decode_parts), then push the pieces of
    /// the body into the [`Watch`](super::Watch). If the status code is not 200, read the body first: it has the
    /// reason.
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read.
    pub fn decode<B: AsRef<[u8]>>(
        &self,
        response: &http::Response<B>,
    ) -> Result<Response<A>, ResponseError> {
        let head = (response.status(), response.headers());
        response::decode(head, response.body().as_ref(), self.decode, self.api_version())
    }

    /// Decodes the response of a client that gives its head and its body separately.
    ///
    /// # Errors
    ///
    /// Those of [`decode`](Self::decode).
    pub fn decode_parts(
        &self,
        head: &http::response::Parts,
        body: &[u8],
    ) -> Result<Response<A>, ResponseError> {
        response::decode((head.status, &head.headers), body, self.decode, self.api_version())
    }
}

impl<T: Resource> Request<List<T>> {
    /// The same request; its answer is the list of the items that decode, and the errors of the others.
    pub fn tolerant(self) -> Request<TolerantList<T>> {
        self.answered_by()
    }
}

impl<T: Resource> Request<Deletion<List<T>>> {
    /// The same request; a list in its answer holds the items that decode, and the errors of the others stand beside
    /// it.
    pub fn tolerant(self) -> Request<Deletion<TolerantList<T>>> {
        self.answered_by()
    }
}

impl<A> Request<A> {
    /// The same request for an answer of a media type, whose body is not decoded.
    ///
    /// Servers have `application/json`, `application/yaml`, `application/vnd.kubernetes.protobuf` and, if it is
    /// switched on, `application/cbor`. They send a table with `application/json;as=Table;v=v1;g=meta.k8s.io`, and
    /// metadata alone with `as=PartialObjectMetadata` or, for a list, `as=PartialObjectMetadataList` instead of
    /// `as=Table`.
    pub fn accept(mut self, media_type: impl Into<Cow<'static, str>>) -> Request<RawBody> {
        self.plain.accept = media_type.into();
        self.answered_by()
    }

    pub(super) fn answered_by<B: Answer>(self) -> Request<B> {
        Request { plain: self.plain, decode: B::decode }
    }

    /// The group, version and kind of the request. The version is empty in a request about the group.
    pub fn group_version_kind(&self) -> &GroupVersionKind {
        &self.plain.about
    }

    /// The HTTP method.
    pub fn method(&self) -> &Method {
        &self.plain.method
    }

    /// The path, encoded.
    pub fn path(&self) -> &str {
        &self.plain.path
    }

    /// The query. Programs use [`target`](Self::target).
    #[doc(hidden)]
    pub fn query(&self) -> &Query {
        &self.plain.query
    }

    pub(super) fn query_mut(&mut self) -> &mut Query {
        &mut self.plain.query
    }

    /// The headers.
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, &str)> {
        let content_type = self.plain.content_type.map(|value| (CONTENT_TYPE, value));
        [(ACCEPT, &*self.plain.accept)].into_iter().chain(content_type)
    }

    /// The body; empty without one.
    pub fn body(&self) -> &[u8] {
        &self.plain.body
    }

    /// The path and the query: the part of the URL after the address of the server.
    pub fn target(&self) -> String {
        if self.plain.query == Query::default() {
            self.plain.path.clone()
        } else {
            format!("{}?{}", self.plain.path, self.plain.query)
        }
    }

    /// The request for an HTTP client that knows the address of the server: its URI is the path and the query.
    ///
    /// # Errors
    ///
    /// The URI is too long.
    pub fn to_http(&self) -> Result<http::Request<Vec<u8>>, RequestError> {
        self.to_http_at("")
    }

    /// The request for an HTTP client that needs the whole URL. `server` is the address of the server, such as
    /// `https://10.0.0.1:6443`; it may have a path.
    ///
    /// # Errors
    ///
    /// `server` is not an address, or the URL is too long.
    pub fn to_http_at(&self, server: &str) -> Result<http::Request<Vec<u8>>, RequestError> {
        let server = server.strip_suffix('/').unwrap_or(server);
        let mut request = http::Request::builder()
            .method(self.plain.method.clone())
            .uri(format!("{server}{}", self.target()));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        Ok(request.body(self.plain.body.clone())?)
    }

    /// The `apiVersion` of the request; `None` for a group.
    fn api_version(&self) -> Option<String> {
        let named = !self.plain.about.version().is_empty();
        named.then(|| self.plain.about.api_version())
    }
}

// Not derived: a derive would need the same trait for `A`.
impl<A> Clone for Request<A> {
    fn clone(&self) -> Self {
        Self { plain: self.plain.clone(), decode: self.decode }
    }
}

impl<A> PartialEq for Request<A> {
    fn eq(&self, other: &Self) -> bool {
        self.plain == other.plain
    }
}

impl<A> Eq for Request<A> {}

impl<A> fmt::Debug for Request<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.plain.method)
            .field("target", &self.target())
            .field("headers", &self.headers().collect::<Vec<_>>())
            .field("body", &String::from_utf8_lossy(&self.plain.body))
            .finish_non_exhaustive()
    }
}
