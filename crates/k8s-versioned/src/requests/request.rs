//! Requests as plain data.

use std::borrow::Cow;
use std::fmt;

use http::header::{ACCEPT, CONTENT_TYPE};
use http::{HeaderName, Method, Uri};
use serde::Serialize;

use super::answer::{self, Decode};
use super::api_error::{Asked, is_custom};
use super::content::JSON;
use super::{
    Answer, BodyError, Deletion, Patch, Query, RawBody, RequestError, Response, ResponseError,
    TolerantList, parameters,
};
use crate::meta::v1::{APIGroup, APIResourceList, DeleteOptions};
use crate::resource_path::{ResourcePath, encode};
use crate::verb::{Verb, is_true};
use crate::{GroupVersion, Kind, List, Resource, Subresource, TypeMeta};

/// A request whose successful response contains an `A`.
///
/// It is plain data: [`to_http`](Self::to_http) makes a request for any HTTP client, and [`decode`](Self::decode) reads
/// the response.
pub struct Request<A> {
    pub(crate) plain: Plain,
    pub(crate) decode: Decode<A>,
}

/// A request without the type of its answer.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Plain {
    about: TypeMeta<'static>,
    custom: bool,
    method: Method,
    path: String,
    query: Query,
    pub(crate) accept: Cow<'static, str>,
    pub(crate) content_type: Option<&'static str>,
    pub(crate) body: Vec<u8>,
    /// The body as JSON, of a request whose body is protobuf.
    #[cfg(feature = "protobuf")]
    pub(crate) json: Option<Vec<u8>>,
}

/// The answer to a request that opens a connection: nothing here decodes it.
///
/// Such a request is sent by a WebSocket client: [`Request::to_http_at`] gives method, URL and headers, the client adds
/// the headers of its handshake, the credentials and the subprotocol, and speaks it. Servers have `v5.channel.k8s.io` and
/// `v4.channel.k8s.io` for `exec` and `attach`, whose messages begin with the byte of a channel (0 to 2 for the standard
/// streams, 3 for the result), and `SPDY/3.1` in messages for `portforward`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Upgrade {}

impl Answer for Upgrade {
    fn decode(_: Option<&str>, _: &[u8]) -> Result<Self, BodyError> {
        Err(BodyError::Connection)
    }

    fn kind(&self) -> &'static str {
        ""
    }
}

/// What a request is built from. The functions of the verbs fill it; the conformance kit fills it from recordings.
#[doc(hidden)]
#[derive(Clone, Debug)]
#[allow(missing_docs, reason = "hidden: for the crates of this project")]
pub struct Parts<'a> {
    pub about: TypeMeta<'static>,
    /// Whether the resource is custom, which the group also shows.
    pub custom: bool,
    pub verb: &'a Verb,
    pub path: ResourcePath<'a>,
    pub query: Query,
    /// The media type and the bytes.
    pub body: Option<(&'static str, Vec<u8>)>,
}

#[allow(
    missing_docs,
    clippy::missing_errors_doc,
    reason = "hidden: for the crates of this project"
)]
impl<'a> Parts<'a> {
    /// A verb on all objects of a resource.
    pub fn of<R: Resource>(verb: &'a Verb, namespace: Option<&'a str>) -> Self {
        let path = ResourcePath {
            group: R::GROUP,
            version: R::VERSION,
            namespace: namespace.map(Cow::Borrowed),
            plural: R::PLURAL,
            ..ResourcePath::default()
        };
        let (about, query) = (TypeMeta::of_kind::<R>(), Query::default());
        Self { about, custom: R::TYPED_ITEMS, verb, path, query, body: None }
    }

    pub(crate) fn subresource<S: Subresource>(mut self) -> Self {
        self.path.subresource = Some(S::NAME.into());
        self
    }

    pub(crate) fn watching(mut self) -> Self {
        self.query.set("watch", "true");
        self
    }

    /// Sets a parameter for each field of a struct.
    pub(crate) fn with(mut self, parameters: &impl Serialize) -> Result<Self, RequestError> {
        self.query.extend(parameters)?;
        Ok(self)
    }

    pub fn json(mut self, body: &impl Serialize) -> Result<Self, RequestError> {
        let body = serde_json::to_vec(body).map_err(RequestError::Body)?;
        self.body = Some((JSON, body));
        Ok(self)
    }

    /// Checks the patch against the rules of servers for any object, and sends it.
    pub fn patch(self, patch: &Patch) -> Result<Self, RequestError> {
        patch.check(&self.query)?;
        let parts = self.json(patch)?;
        let body = parts.body.map(|(_, body)| (patch.content_type(), body));
        Ok(Self { body, ..parts })
    }

    /// Sets the options of a deletion: in the query if it can hold them all, else in the body. Servers that get a body
    /// ignore the options in the query.
    pub(crate) fn options(self, options: &DeleteOptions) -> Result<Self, RequestError> {
        let mut fields = serde_json::to_value(options).map_err(RequestError::Parameters)?;
        if let Some(fields) = fields.as_object_mut() {
            let known = |name: &str| self.verb.parameters().any(|parameter| parameter.name == name);
            fields.retain(|name, _| known(name));
        }
        let in_query = self.clone().with(&fields)?;
        parameters::check(self.verb, false, &in_query.query)?;
        let fits = options.preconditions.is_none() && options.dry_run.len() <= 1;
        if fits { Ok(in_query) } else { self.json(options) }
    }

    /// Builds the request. Parameters that servers reject for any objects are an error.
    pub fn build<A: Answer>(self) -> Result<Request<A>, RequestError> {
        Ok(Request { plain: self.plain()?, decode: A::decode })
    }

    /// The request without the type of its answer. It is compiled once, not for each type.
    fn plain(self) -> Result<Plain, RequestError> {
        let watches = self.path.watch || self.query.get("watch").is_some_and(is_true);
        parameters::check(self.verb, watches, &self.query)?;
        let is_apply = self.body.as_ref().is_some_and(|(of, _)| *of == Patch::APPLY);
        if self.query.get("force").is_some() && !is_apply {
            return Err(RequestError::Force);
        }
        let method = Method::from_bytes(self.verb.method.as_bytes()).map_err(http::Error::from)?;
        let mut plain = Plain::new(self.about, self.path.group, method, self.path.to_text()?);
        plain.custom |= self.custom;
        plain.query = self.query;
        if let Some((content_type, body)) = self.body {
            (plain.content_type, plain.body) = (Some(content_type), body);
        }
        Ok(plain)
    }

    /// The request of a program to a server behind the API server.
    pub(crate) fn proxy<B>(
        mut self,
        path: &str,
        request: http::Request<B>,
    ) -> Result<http::Request<B>, RequestError> {
        let (path, query) = path.split_once('?').map_or((path, None), |(a, b)| (a, Some(b)));
        let path = path.trim_start_matches('/');
        self.path.rest = (!path.is_empty()).then(|| path.to_owned().into());
        let mut target = self.path.to_text()?;
        if let Some(query) = query {
            target = format!("{target}?{query}");
        }
        let (mut head, body) = request.into_parts();
        head.uri = target.parse().map_err(http::Error::from)?;
        Ok(http::Request::from_parts(head, body))
    }
}

impl Plain {
    /// A request without parameters and body.
    fn new(about: TypeMeta<'static>, group: &str, method: Method, path: String) -> Self {
        Self {
            custom: is_custom(group),
            about,
            method,
            path,
            query: Query::default(),
            accept: Cow::Borrowed(JSON),
            content_type: None,
            body: Vec::new(),
            #[cfg(feature = "protobuf")]
            json: None,
        }
    }

    pub(crate) fn accepting(mut self, media_type: Cow<'static, str>) -> Self {
        self.accept = media_type;
        self
    }
}

impl<A: Answer> Request<A> {
    /// Sets or replaces a query parameter, even one that this crate does not know or would refuse.
    #[must_use]
    pub fn with_parameter(mut self, name: &str, value: &str) -> Self {
        self.plain.query.set(name, value);
        self
    }

    /// Sets a body in JSON, or replaces the body.
    ///
    /// # Errors
    ///
    /// The body cannot be written as JSON.
    pub fn with_json(mut self, body: &impl Serialize) -> Result<Self, RequestError> {
        self.plain.content_type = Some(JSON);
        self.plain.body = serde_json::to_vec(body).map_err(RequestError::Body)?;
        #[cfg(feature = "protobuf")]
        {
            self.plain.json = None;
        }
        Ok(self)
    }
}

impl Request<APIGroup> {
    /// Reads the versions of a group that the server serves, and the version that it prefers.
    pub fn api_group(group: &str) -> Self {
        discovery(group, "")
    }
}

impl Request<APIResourceList> {
    /// Reads the resources that the server serves in a version of a group.
    ///
    /// Servers of their own groups can state any `apiVersion` in the answer:
    ///
    /// ```
    /// # #[cfg(feature = "requests")] {
    /// use k8s_versioned::requests::Request;
    ///
    /// let request = Request::api_resource_list("subresources.kubevirt.io", "v1");
    /// let body = r#"{"kind": "APIResourceList", "apiVersion": "v1alpha3", "groupVersion": "subresources.kubevirt.io/v1",
    ///     "resources": [{"name": "guestfs", "singularName": "", "namespaced": true, "kind": "", "verbs": ["get"]}]}"#;
    /// let answer = request.decode(&http::Response::new(body))?;
    /// assert_eq!(answer.body.resources[0].name, "guestfs");
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn api_resource_list(group: &str, version: &str) -> Self {
        discovery(group, version)
    }
}

/// Documents end these paths in a slash.
fn discovery<K: Kind + Answer>(group: &str, version: &str) -> Request<K> {
    let named = (!version.is_empty()).then(|| GroupVersion { group, version }.to_string());
    let about = TypeMeta { api_version: named.unwrap_or_default().into(), kind: K::KIND.into() };
    let (encoded, version) = (encode(group).to_string(), encode(version).to_string());
    let path = ResourcePath { group: &encoded, version: &version, ..ResourcePath::default() };
    let plain = Plain::new(about, group, Method::GET, path.root() + "/");
    Request { plain, decode: answer::discovery }
}

impl<A: Answer> Request<A> {
    /// Decodes the response.
    ///
    /// For a watch, give the head with an empty body to [`decode_parts`](Self::decode_parts), then push the pieces of
    /// the body into the [`Watch`](crate::requests::Watch). A body that is given to `decode` is in the `Watch` already: pushing it again
    /// doubles its events. If the status code is not 200, read the body first: it has the
    /// reason.
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read.
    pub fn decode<B: AsRef<[u8]>>(
        &self,
        response: &http::Response<B>,
    ) -> Result<Response<A>, ResponseError> {
        let body = response.body().as_ref();
        answer::decode(self.decode, response.status(), response.headers(), body, self.asked())
    }

    /// Decodes the response of a client that returns head and body separately.
    ///
    /// # Errors
    ///
    /// The errors of [`decode`](Self::decode).
    pub fn decode_parts(
        &self,
        head: &http::response::Parts,
        body: &[u8],
    ) -> Result<Response<A>, ResponseError> {
        answer::decode(self.decode, head.status, &head.headers, body, self.asked())
    }
}

impl<T: Resource> Request<List<T>> {
    /// The same request; its answer has the decodable items of the list, and the errors of the other items.
    ///
    /// It accepts JSON, also after `protobuf`: call that after this one.
    pub fn tolerant(self) -> Request<TolerantList<T>> {
        self.json().answered_by()
    }
}

impl<T: Resource> Request<Deletion<List<T>>> {
    /// The same request; a list in its answer has only the decodable items, and the errors of the other items are returned with it. It
    /// accepts JSON, even after `protobuf`: call `protobuf` after this function.
    pub fn tolerant(self) -> Request<Deletion<TolerantList<T>>> {
        self.json().answered_by()
    }
}

impl<A> Request<A> {
    /// The same request for another media type. The body of the answer is not decoded.
    ///
    /// Servers have `application/json`, `application/yaml`, `application/vnd.kubernetes.protobuf` and, if it is
    /// switched on, `application/cbor`. They send a table with `application/json;as=Table;v=v1;g=meta.k8s.io`, and
    /// metadata alone with `as=PartialObjectMetadata` or, for a list, `as=PartialObjectMetadataList` instead of
    /// `as=Table`.
    pub fn accept(self, media_type: impl Into<Cow<'static, str>>) -> Request<RawBody> {
        let plain = self.plain.accepting(media_type.into());
        Request { plain, decode: RawBody::decode }
    }

    /// Every request is JSON without the feature `protobuf`.
    #[cfg(not(feature = "protobuf"))]
    fn json(self) -> Self {
        self
    }

    fn answered_by<B: Answer>(self) -> Request<B> {
        Request { plain: self.plain, decode: B::decode }
    }

    /// The type that the request is about. Its `apiVersion` is empty in a request about a group.
    pub fn type_meta(&self) -> &TypeMeta<'static> {
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

    pub(crate) fn query_mut(&mut self) -> &mut Query {
        &mut self.plain.query
    }

    /// The headers that the request needs: `Accept`, and `Content-Type` if it has a body.
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
        self.to_http_after("")
    }

    /// The request for an HTTP client that needs the whole URL. `server` is the address of the server, such as
    /// `https://10.0.0.1:6443`; it may have a path.
    ///
    /// # Errors
    ///
    /// `server` is not the address of a server, or has a query or a fragment, or the URL is too long.
    pub fn to_http_at(&self, server: &str) -> Result<http::Request<Vec<u8>>, RequestError> {
        if !is_address(server) {
            return Err(RequestError::Server(server.to_owned()));
        }
        self.to_http_after(server.strip_suffix('/').unwrap_or(server))
    }

    fn to_http_after(&self, server: &str) -> Result<http::Request<Vec<u8>>, RequestError> {
        let mut request = http::Request::builder()
            .method(self.plain.method.clone())
            .uri(format!("{server}{}", self.target()));
        for (name, value) in self.headers() {
            request = request.header(name, value);
        }
        Ok(request.body(self.plain.body.clone())?)
    }

    /// What the request is for; `None` for a group.
    fn asked(&self) -> Option<Asked> {
        let Plain { about, custom, .. } = &self.plain;
        let named = !about.api_version.is_empty();
        named.then(|| Asked { api_version: about.api_version.to_string(), custom: *custom })
    }
}

/// Returns `true` for the URL of a server: without a host, the path of a request would begin with one.
fn is_address(server: &str) -> bool {
    let has_host = |uri: Uri| {
        let (authority, scheme) = (uri.authority()?, uri.scheme_str()?);
        let host = authority.host();
        // A number beyond 65535 is not a port.
        let ends = authority.port_u16().is_some() || authority.as_str().ends_with(host);
        Some(ends && !host.is_empty() && matches!(scheme, "http" | "https"))
    };
    let uri = server.parse().ok().filter(|_| !server.contains(['?', '#']));
    uri.and_then(has_host).unwrap_or_default()
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
