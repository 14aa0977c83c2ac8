//! Requests as plain data.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, Method};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::accept::JSON;
use super::place::{Place, push, root};
use super::response;
use super::{Answer, Deletion, Query, RequestError, Response, ResponseError, Tolerant, Watch};
use crate::verb::Verb;
use crate::{GroupVersionKind, HasStatus, Kind, List, Resource, Slim};

/// A request whose successful answer holds an `A`.
///
/// It is plain data: [`to_http`](Self::to_http) hands it to any HTTP client, and
/// [`decode`](Self::decode) reads what the client gets.
pub struct Request<A> {
    about: GroupVersionKind,
    method: Method,
    path: String,
    query: Query,
    accept: Cow<'static, str>,
    content_type: Option<&'static str>,
    body: Vec<u8>,
    answer: PhantomData<fn() -> A>,
}

impl<A> Request<A> {
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
        Self {
            about,
            method,
            path,
            query: Query::default(),
            accept: Cow::Borrowed(JSON),
            content_type: None,
            body: Vec::new(),
            answer: PhantomData,
        }
    }

    /// The same request with a parameter in its query that this crate does not know, or that it would refuse. It stands
    /// for the value that the parameter may have.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, value: &str) -> Self {
        self.query.set(name, value);
        self
    }

    pub(super) fn with_parameters(
        mut self,
        parameters: &impl Serialize,
    ) -> Result<Self, RequestError> {
        let extended = self.query.extend(parameters);
        extended.map_err(RequestError::Parameters)?;
        Ok(self)
    }

    /// The same request with a body in JSON, instead of the one that it may have.
    ///
    /// # Errors
    ///
    /// The body cannot be written as JSON.
    pub fn with_json(self, body: &impl Serialize) -> Result<Self, RequestError> {
        self.with_body(JSON, body)
    }

    pub(super) fn with_body(
        self,
        content_type: &'static str,
        body: &impl Serialize,
    ) -> Result<Self, RequestError> {
        Ok(Self {
            content_type: Some(content_type),
            body: serde_json::to_vec(body).map_err(RequestError::Body)?,
            ..self
        })
    }
}

impl<R: HasStatus> Request<R> {
    /// The same request for the status of the object: it reads, replaces or changes no other part.
    ///
    /// # Errors
    ///
    /// The request creates an object.
    pub fn of_status(mut self) -> Result<Self, RequestError> {
        if self.method == Method::POST {
            return Err(RequestError::NoStatus);
        }
        self.path.push_str("/status");
        Ok(self)
    }
}

impl<R: Resource> Request<Watch<R>> {
    /// The same watch under the deprecated path that the documents have for watches, of one object if it is named.
    ///
    /// Servers answer the same as without it, where a `fieldSelector` `metadata.name=<name>` selects one object.
    ///
    /// # Errors
    ///
    /// The name cannot be a segment of a path.
    pub fn at_deprecated_path(mut self, name: Option<&str>) -> Result<Self, RequestError> {
        let root = root(R::GROUP, R::VERSION);
        let rest = self.path.strip_prefix(&root).unwrap_or_default();
        self.path = format!("{root}/watch{rest}");
        if let Some(name) = name {
            self.path.push('/');
            push(&mut self.path, "name", name)?;
        }
        Ok(self)
    }
}

impl<A: Answer> Request<A> {
    /// Decodes the response.
    ///
    /// For a watch, give the head with an empty body to [`decode_parts`](Self::decode_parts), then feed the body to
    /// the [`Watch`](super::Watch) as it comes. If the status code is not 200, read the body first: it says why.
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read.
    pub fn decode<B: AsRef<[u8]>>(
        &self,
        response: &http::Response<B>,
    ) -> Result<Response<A>, ResponseError> {
        let head = (response.status(), response.headers());
        response::decode(head, response.body().as_ref(), self.api_version())
    }

    /// Decodes the response, for clients that give its head and its body apart.
    ///
    /// # Errors
    ///
    /// Those of [`decode`](Self::decode).
    pub fn decode_parts(
        &self,
        head: &http::response::Parts,
        body: &[u8],
    ) -> Result<Response<A>, ResponseError> {
        response::decode((head.status, &head.headers), body, self.api_version())
    }
}

impl<K: Kind + DeserializeOwned> Request<K> {
    /// The same request; the answer is decoded [without](Slim) managed fields and annotations.
    pub fn slim(self) -> Request<Slim<K>> {
        self.answered_by()
    }
}

impl<R: Resource> Request<Watch<R>> {
    /// The same watch; the objects are decoded [without](Slim) managed fields and annotations.
    pub fn slim(self) -> Request<Watch<Slim<R>>> {
        self.answered_by()
    }
}

impl<T: Resource> Request<List<T>> {
    /// The same request; an item that cannot be decoded does not spoil the list.
    pub fn tolerant(self) -> Request<Tolerant<T>> {
        self.answered_by()
    }
}

impl<T: Resource> Request<Deletion<List<T>>> {
    /// The same request; an item that cannot be decoded does not spoil the list of what was deleted.
    pub fn tolerant(self) -> Request<Deletion<Tolerant<T>>> {
        self.answered_by()
    }
}

impl<A> Request<A> {
    /// The same request for an answer in the form of a media type, whose body stays as it comes.
    ///
    /// Servers have `application/json`, `application/yaml`, `application/vnd.kubernetes.protobuf` and, if it is switched
    /// on, `application/cbor`. They show rows and columns with `application/json;as=Table;v=v1;g=meta.k8s.io`, and metadata
    /// alone with `as=PartialObjectMetadata` or, of a list, `as=PartialObjectMetadataList` in its place.
    pub fn accept(self, media_type: impl Into<Cow<'static, str>>) -> Request<Vec<u8>> {
        Request { accept: media_type.into(), ..self.answered_by() }
    }

    pub(super) fn answered_by<B>(self) -> Request<B> {
        Request {
            about: self.about,
            method: self.method,
            path: self.path,
            query: self.query,
            accept: self.accept,
            content_type: self.content_type,
            body: self.body,
            answer: PhantomData,
        }
    }

    /// The group and version that the request is for, and the kind that it is about. The version is empty in a request
    /// about the group.
    pub fn group_version_kind(&self) -> &GroupVersionKind {
        &self.about
    }

    /// The HTTP method.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The path, encoded.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The query. Programs have [`target`](Self::target).
    #[doc(hidden)]
    pub fn query(&self) -> &Query {
        &self.query
    }

    pub(super) fn query_mut(&mut self) -> &mut Query {
        &mut self.query
    }

    /// The headers.
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, &str)> {
        let content_type = self.content_type.map(|value| (CONTENT_TYPE, value));
        [(ACCEPT, &*self.accept)].into_iter().chain(content_type)
    }

    /// The body; empty where there is none.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The path and the query, as they follow the address of the server.
    pub fn target(&self) -> String {
        if self.query == Query::default() {
            self.path.clone()
        } else {
            format!("{}?{}", self.path, self.query)
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

    /// The request for an HTTP client that wants the whole URL. `server` is the address of the server, such as
    /// `https://10.0.0.1:6443`; it may have a path of its own.
    ///
    /// # Errors
    ///
    /// `server` is no address, or the URL is too long.
    pub fn to_http_at(&self, server: &str) -> Result<http::Request<Vec<u8>>, RequestError> {
        let server = server.strip_suffix('/').unwrap_or(server);
        let mut request = http::Request::builder()
            .method(self.method.clone())
            .uri(format!("{server}{}", self.target()));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        Ok(request.body(self.body.clone())?)
    }

    /// The `apiVersion` that the request is for; nothing if it is for a group.
    fn api_version(&self) -> Option<String> {
        let named = !self.about.version().is_empty();
        named.then(|| self.about.api_version())
    }
}

// Written out, because derives would ask the same of `A`.
impl<A> Clone for Request<A> {
    fn clone(&self) -> Self {
        Self {
            about: self.about.clone(),
            method: self.method.clone(),
            path: self.path.clone(),
            query: self.query.clone(),
            accept: self.accept.clone(),
            content_type: self.content_type,
            body: self.body.clone(),
            answer: PhantomData,
        }
    }
}

impl<A> PartialEq for Request<A> {
    fn eq(&self, other: &Self) -> bool {
        let head = (&self.about, &self.method, &self.path, &self.query);
        let body = (&self.accept, self.content_type, &self.body);
        head == (&other.about, &other.method, &other.path, &other.query)
            && body == (&other.accept, other.content_type, &other.body)
    }
}

impl<A> Eq for Request<A> {}

impl<A> fmt::Debug for Request<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("about", &self.about)
            .field("method", &self.method)
            .field("path", &self.path)
            .field("query", &self.query)
            .field("accept", &self.accept)
            .field("content_type", &self.content_type)
            .field("body", &String::from_utf8_lossy(&self.body))
            .finish_non_exhaustive()
    }
}
