//! Requests as plain data.

use std::fmt;
use std::marker::PhantomData;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, Method};
use serde::Serialize;

use super::response;
use super::{
    Accept, Answer, Deletion, Parameters, Patch, Query, Raw, RequestError, Response, ResponseError,
    Tolerant, path,
};
use crate::{List, Resource};

/// A request whose successful answer holds an `A`.
///
/// It is plain data: [`to_http`](Self::to_http) hands it to any HTTP client, and
/// [`decode`](Self::decode) reads what the client gets.
pub struct Request<A> {
    method: Method,
    path: String,
    query: Query,
    accept: Accept,
    content_type: Option<&'static str>,
    body: Vec<u8>,
    answer: PhantomData<fn() -> A>,
}

impl<A: Answer> Request<A> {
    /// A request without a body. `template` is the path with `{placeholders}`, which are filled with `names`.
    ///
    /// # Errors
    ///
    /// A name cannot be a segment of a path, or `watch` says something else than `A`.
    pub fn new(
        method: Method,
        template: &str,
        names: &[(&str, &str)],
        parameters: &impl Parameters,
    ) -> Result<Self, RequestError> {
        let path = path::fill(template, names)?;
        let mut query = Query::default();
        parameters.write(&mut query);
        match (A::WATCH, query.get("watch")) {
            (true, Some("false")) => return Err(RequestError::NoWatch),
            (true, _) => query.set("watch", "true"),
            (false, Some("true")) => return Err(RequestError::Watch),
            (false, _) => {}
        }
        Ok(Self {
            method,
            path,
            query,
            accept: Accept::Json,
            content_type: None,
            body: Vec::new(),
            answer: PhantomData,
        })
    }

    /// The same request with a body in JSON.
    ///
    /// # Errors
    ///
    /// The body cannot be written as JSON.
    pub fn with_json(self, body: &impl Serialize) -> Result<Self, RequestError> {
        self.with_body("application/json", body)
    }

    /// The same request with a patch as its body.
    ///
    /// # Errors
    ///
    /// The patch is not one of its kind, an apply comes without a `fieldManager`, or `force` with another patch.
    pub fn with_patch(self, patch: &Patch) -> Result<Self, RequestError> {
        patch.check(&self.query)?;
        self.with_body(patch.content_type(), patch)
    }

    /// The same request with options as its body, if there are any. Servers that get options ignore the parameters
    /// of the names in `ignored`.
    ///
    /// # Errors
    ///
    /// The request has options and one of these parameters, or the options cannot be written as JSON.
    pub fn with_options(
        self,
        options: Option<&impl Serialize>,
        ignored: &[&'static str],
    ) -> Result<Self, RequestError> {
        let Some(options) = options else {
            return Ok(self);
        };
        match ignored.iter().find(|name| self.query.get(name).is_some()) {
            Some(name) => Err(RequestError::IgnoredParameter(name)),
            None => self.with_json(options),
        }
    }

    fn with_body(
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

impl<T: Resource> Request<List<T>> {
    /// The same request; an item that cannot be decoded does not spoil the list.
    pub fn tolerant(self) -> Request<Tolerant<T>> {
        self.answered_by()
    }
}

impl<T: Resource, S> Request<Deletion<List<T>, S>> {
    /// The same request; an item that cannot be decoded does not spoil the list of what was deleted.
    pub fn tolerant(self) -> Request<Deletion<Tolerant<T>, S>> {
        self.answered_by()
    }
}

impl<A> Request<A> {
    /// The same request for an answer in another form, which stays as it comes.
    pub fn accept(self, accept: Accept) -> Request<Raw> {
        Request {
            accept,
            ..self.answered_by()
        }
    }

    pub(super) fn answered_by<B>(self) -> Request<B> {
        Request {
            method: self.method,
            path: self.path,
            query: self.query,
            accept: self.accept,
            content_type: self.content_type,
            body: self.body,
            answer: PhantomData,
        }
    }

    /// The HTTP method.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// The path, encoded.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The query.
    pub fn query(&self) -> &Query {
        &self.query
    }

    pub(super) fn query_mut(&mut self) -> &mut Query {
        &mut self.query
    }

    /// The headers.
    pub fn headers(&self) -> impl Iterator<Item = (HeaderName, &'static str)> {
        let content_type = self.content_type.map(|value| (CONTENT_TYPE, value));
        [(ACCEPT, self.accept.as_str())]
            .into_iter()
            .chain(content_type)
    }

    /// The body; empty where there is none.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// The path and the query, as they follow the address of the server.
    pub fn target(&self) -> String {
        if self.query.is_empty() {
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

    /// The group and version that the request is for, from its path; nothing if it is for a group.
    fn api_version(&self) -> Option<String> {
        let mut segments = self.path.strip_prefix("/apis/")?.split('/');
        let (group, version) = (segments.next()?, segments.next()?);
        (!version.is_empty()).then(|| format!("{group}/{version}"))
    }
}

// Written out, because derives would ask the same of `A`.
impl<A> Clone for Request<A> {
    fn clone(&self) -> Self {
        Self {
            method: self.method.clone(),
            path: self.path.clone(),
            query: self.query.clone(),
            accept: self.accept,
            content_type: self.content_type,
            body: self.body.clone(),
            answer: PhantomData,
        }
    }
}

impl<A> PartialEq for Request<A> {
    fn eq(&self, other: &Self) -> bool {
        (&self.method, &self.path, &self.query, self.accept)
            == (&other.method, &other.path, &other.query, other.accept)
            && (self.content_type, &self.body) == (other.content_type, &other.body)
    }
}

impl<A> Eq for Request<A> {}

impl<A> fmt::Debug for Request<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Request")
            .field("method", &self.method)
            .field("path", &self.path)
            .field("query", &self.query)
            .field("accept", &self.accept)
            .field("content_type", &self.content_type)
            .field("body", &String::from_utf8_lossy(&self.body))
            .finish_non_exhaustive()
    }
}
