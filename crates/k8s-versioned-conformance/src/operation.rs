//! The operations of resources, for programs that choose among them at run time. They follow from the table of the
//! verbs and the traits of the resources: nothing is generated for them, and no verb has code of its own.

use std::collections::BTreeMap;
use std::fmt;

use k8s_versioned::meta::v1::{DeleteOptions, Status};
use k8s_versioned::protobuf::{self, CONTENT_TYPE, Message};
use k8s_versioned::requests::{
    Answer, Deletion, Parts, Patch, ProtobufAnswer, Query, RawBody, Request, RequestError,
    Response, ResponseError, Watch, http,
};
use k8s_versioned::resource_path::ResourcePath;
use k8s_versioned::verb::{BodyContent, KnownSubresource, ParameterType, Verb, is_true};
use k8s_versioned::{
    HasSubresource, Kind, List, Resource, ResourceVisitor, Resources, Scope, Subresource, TypeMeta,
    from_json,
};
use serde::Serialize;
use serde::de::{DeserializeOwned, Error as _};
use serde_json::Value;
use thiserror::Error;

/// The media type of bodies and answers that are not protobuf.
pub(crate) const JSON: &str = "application/json";

/// Builds the request of a verb.
pub type Build =
    Box<dyn Fn(&Verb, &RequestInput<'_>) -> Result<AnyRequest, InputError> + Send + Sync>;

/// The operations of a resource, or of one of its subresources.
#[non_exhaustive]
pub struct Operations {
    /// Group, version, resource and subresource.
    pub path: ResourcePath<'static>,
    /// Whether the objects live in namespaces.
    pub namespaced: bool,
    /// The verbs that the resource has.
    pub verbs: Vec<Verb>,
    /// Builds the request of a verb.
    pub build: Build,
}

impl Operations {
    /// The operations of all resources of a crate, and of their subresources.
    pub fn all<K: Resources>() -> Vec<Self> {
        let mut all = All(Vec::new());
        K::visit(&mut all);
        all.0
    }

    /// The operations of a resource.
    pub fn of_resource<R: Resource<Apply: DeserializeOwned>>() -> Self {
        Self::new::<R>(None, of_custom(R::VERBS), |verb, input| {
            let parts = input.parts::<R, R::Apply>(verb, TypeMeta::of_kind::<R>())?;
            Ok(match (verb.answers, verb.named) {
                (BodyContent::List, _) if input.watches() => parts.build::<Watch<R>>()?.into(),
                (BodyContent::List, _) => parts.build::<List<R>>()?.into(),
                (BodyContent::Status, true) => parts.build::<Deletion<R>>()?.into(),
                (BodyContent::Status, false) => parts.build::<Deletion<List<R>>>()?.into(),
                _ => parts.build::<R>()?.into(),
            })
        })
    }

    /// The operations of a resource that also has protobuf.
    pub fn of_message<R: Resource<Apply: DeserializeOwned> + Message>() -> Self {
        Self::new::<R>(None, of_custom(R::VERBS), |verb, input| {
            let json = input.json_of_protobuf::<R>(verb)?;
            let sends = json.is_some();
            let input = json.as_deref().map_or_else(
                || input.clone(),
                |body| RequestInput { content_type: Some(JSON), body, ..input.clone() },
            );
            let parts = input.parts::<R, R::Apply>(verb, TypeMeta::of_kind::<R>())?;
            match (verb.answers, verb.named) {
                (BodyContent::List, _) if input.watches() => {
                    AnyRequest::protobuf::<Watch<R>>(parts, sends)
                }
                (BodyContent::List, _) => AnyRequest::protobuf::<List<R>>(parts, sends),
                (BodyContent::Status, true) => AnyRequest::protobuf::<Deletion<R>>(parts, sends),
                (BodyContent::Status, false) => {
                    AnyRequest::protobuf::<Deletion<List<R>>>(parts, sends)
                }
                _ => AnyRequest::protobuf::<R>(parts, sends),
            }
        })
    }

    /// The operations of a subresource.
    pub fn of_subresource<R, S>() -> Self
    where
        R: HasSubresource<S, Body: Kind + Serialize + DeserializeOwned>,
        S: Subresource,
    {
        let verbs =
            KnownSubresource::find(S::NAME).map_or_else(Vec::new, |known| known.verbs.to_vec());
        Self::new::<R>(Some(S::NAME), verbs, |verb, input| {
            let parts = input.parts::<R::Body, Value>(verb, TypeMeta::of_kind::<R>())?;
            Ok(match verb.answers {
                BodyContent::Text => parts.build::<RawBody>()?.into(),
                BodyContent::Status => parts.build::<Status>()?.into(),
                _ => parts.build::<R::Body>()?.into(),
            })
        })
    }

    fn new<R: Resource>(
        subresource: Option<&'static str>,
        verbs: Vec<Verb>,
        build: impl Fn(&Verb, &RequestInput<'_>) -> Result<AnyRequest, InputError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        let path = ResourcePath {
            group: R::GROUP,
            version: R::VERSION,
            plural: R::PLURAL,
            subresource: subresource.map(Into::into),
            ..ResourcePath::default()
        };
        Self { path, namespaced: R::Scope::IS_NAMESPACED, verbs, build: Box::new(build) }
    }

    /// The verb of a method on a path.
    pub fn verb(&self, method: &str, path: &ResourcePath<'_>) -> Option<&Verb> {
        let names =
            |path: &ResourcePath<'_>| [path.group, path.version, path.plural].map(str::to_owned);
        if names(path) != names(&self.path) || path.subresource != self.path.subresource {
            return None;
        }
        self.verbs.iter().find(|verb| {
            // Deprecated paths watch one object or all.
            let list = verb.answers == BodyContent::List;
            let fits = if path.watch { list } else { verb.named == path.name.is_some() };
            let everywhere = self.namespaced && path.namespace.is_none();
            fits && verb.method == method
                && (!everywhere || list)
                && (self.namespaced || path.namespace.is_none())
        })
    }
}

/// The operations of the resources that were visited.
struct All(Vec<Operations>);

impl ResourceVisitor for All {
    fn resource<R: Resource<Apply: DeserializeOwned>>(&mut self) {
        self.0.push(Operations::of_resource::<R>());
    }

    fn message<R: Resource<Apply: DeserializeOwned> + Message>(&mut self) {
        self.0.push(Operations::of_message::<R>());
    }

    fn subresource<R, S>(&mut self)
    where
        R: HasSubresource<S, Body: Kind + Serialize + DeserializeOwned>,
        S: Subresource,
    {
        self.0.push(Operations::of_subresource::<R, S>());
    }
}

/// The verbs that requests are built from: documents of custom resources state some of them wrong.
fn of_custom(verbs: &[Verb]) -> Vec<Verb> {
    let all = Verb::OF_RESOURCES.into_iter();
    all.filter(|verb| verbs.iter().any(|known| known.name == verb.name)).collect()
}

impl fmt::Debug for Operations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.path)
    }
}

/// The input of a request.
#[derive(Clone, Debug, Default)]
pub struct RequestInput<'a> {
    /// The path that the request was sent to.
    pub path: ResourcePath<'a>,
    /// The parameters in the query, by name.
    pub query: BTreeMap<String, String>,
    /// The header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The body; empty if there is none.
    pub body: &'a [u8],
}

impl<'a> RequestInput<'a> {
    /// Returns `true` if the request asks for a watch.
    pub fn watches(&self) -> bool {
        self.path.watch || self.query.get("watch").is_some_and(|value| is_true(value))
    }

    /// The parts of the request of a verb, whose body is a `T` or, for an apply, an `A`.
    fn parts<T, A>(
        &'a self,
        verb: &'a Verb,
        about: TypeMeta<'static>,
    ) -> Result<Parts<'a>, InputError>
    where
        T: Serialize + DeserializeOwned,
        A: Serialize + DeserializeOwned,
    {
        let (path, query) = (self.path.clone(), self.typed_query(verb)?);
        let parts = Parts { about, custom: false, verb, path, query, body: None };
        Ok(match verb.sends {
            BodyContent::Object => parts.json(&self.json::<T>()?)?,
            BodyContent::Patch => parts.patch(&self.patch::<A>()?)?,
            BodyContent::DeleteOptions if !self.body.is_empty() => {
                let options = self.json::<DeleteOptions>()?;
                // Servers that get a body ignore the options in the query.
                parts.json(&options)?
            }
            _ => parts,
        })
    }

    /// The JSON of a body in protobuf; `None` for a body in another form.
    fn json_of_protobuf<T>(&self, verb: &Verb) -> Result<Option<Vec<u8>>, InputError>
    where
        T: Kind + Message + Serialize,
    {
        if self.content_type != Some(CONTENT_TYPE) {
            return Ok(None);
        }
        let json = match verb.sends {
            BodyContent::Object => as_json(&protobuf::decode::<T>(self.body)),
            BodyContent::DeleteOptions => as_json(&protobuf::decode::<DeleteOptions>(self.body)),
            _ => return Ok(None),
        };
        Ok(Some(json?))
    }

    /// The parameters, each known to the verb and of its type.
    fn typed_query(&self, verb: &Verb) -> Result<Query, InputError> {
        let mut query = Query::default();
        for (name, value) in &self.query {
            let known = verb.parameters().find(|parameter| parameter.name == name);
            let fits = match known.map(|known| known.of_type) {
                None => return Err(InputError::UnknownParameter(name.to_owned())),
                Some(ParameterType::Integer) => value.parse::<i64>().is_ok(),
                // Servers read any text as a boolean.
                Some(_) => true,
            };
            if !fits {
                let (name, value) = (name.to_owned(), value.to_owned());
                return Err(InputError::Parameter { name, value });
            }
            query.set(name, value.as_str());
        }
        Ok(query)
    }

    fn json<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        match self.content_type {
            Some(JSON) => Ok(from_json(self.body)?),
            other => Err(InputError::ContentType(other.map(str::to_owned))),
        }
    }

    /// The body as a patch. Only the patch of an apply has a type.
    fn patch<A: Serialize + DeserializeOwned>(&self) -> Result<Patch, InputError> {
        Ok(match self.content_type {
            Some("application/json-patch+json") => Patch::Json(from_json(self.body)?),
            Some("application/merge-patch+json") => Patch::Merge(from_json(self.body)?),
            Some("application/strategic-merge-patch+json") => {
                Patch::StrategicMerge(from_json(self.body)?)
            }
            Some("application/apply-patch+yaml") => Patch::apply(&from_json::<A>(self.body)?)?,
            other => return Err(InputError::ContentType(other.map(str::to_owned))),
        })
    }
}

fn as_json<T: Serialize>(
    decoded: &Result<T, protobuf::Error>,
) -> Result<Vec<u8>, serde_json::Error> {
    decoded.as_ref().map_err(serde_json::Error::custom).and_then(serde_json::to_vec)
}

/// An error in the input of a request.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// The operation has no such parameter.
    #[error("the operation has no parameter `{0}`")]
    UnknownParameter(String),
    /// A parameter does not have its type.
    #[error("the parameter `{name}` cannot be `{value}`")]
    Parameter {
        /// The name of the parameter.
        name: String,
        /// The value of the input.
        value: String,
    },
    /// The body is not what the operation takes.
    #[error("the body is not what the operation takes: {0}")]
    Body(#[from] serde_json::Error),
    /// The operation takes no such body.
    #[error("{}", content_type_message(.0.as_deref()))]
    ContentType(Option<String>),
    /// The request cannot be built.
    #[error(transparent)]
    Request(#[from] RequestError),
}

fn content_type_message(content_type: Option<&str>) -> String {
    match content_type {
        Some(name) => format!("the operation takes no body of type `{name}`"),
        None => "the header `Content-Type` is missing: the body has no type".to_owned(),
    }
}

/// The kind of a decoded answer.
type DecodedKind = Result<Response<&'static str>, ResponseError>;

type Decode = Box<dyn Fn(&http::Response<Vec<u8>>) -> DecodedKind>;

/// A request whose answer has a type that is known at run time only.
pub struct AnyRequest {
    request: Request<RawBody>,
    decode: Decode,
    /// Whether answers in protobuf are also decoded.
    protobuf: bool,
}

impl AnyRequest {
    /// The request that the types build.
    pub fn request(&self) -> &Request<RawBody> {
        &self.request
    }

    /// The same request with a parameter in its query that the function of the verb would refuse.
    #[must_use]
    pub fn with_parameter(self, name: &str, value: &str) -> Self {
        Self { request: self.request.with_parameter(name, value), ..self }
    }

    /// The request of a kind that has protobuf. `sends`: its body is protobuf.
    fn protobuf<A: ProtobufAnswer + 'static>(
        parts: Parts<'_>,
        sends: bool,
    ) -> Result<Self, InputError> {
        let json = parts.build::<A>()?;
        let protobuf = json.clone().protobuf()?;
        let sent = if sends { &protobuf } else { &json };
        let request = sent.clone().accept(JSON);
        Ok(Self { request, protobuf: true, ..Self::from(protobuf) })
    }

    /// Returns `true` if answers of the accepted media types are decoded: JSON, and protobuf if the kind has it.
    pub fn decodes(&self, accept: &str) -> bool {
        let protobuf = |it: &str| it.strip_suffix(";stream=watch").unwrap_or(it) == CONTENT_TYPE;
        // Servers answer in JSON to those who take anything.
        let json = |it: &str| matches!(it, JSON | "application/*" | "*/*");
        let mut media_types =
            accept.split(',').map(|accept| accept.split(";q=").next().unwrap_or(accept).trim());
        media_types.all(|media_type| json(media_type) || (self.protobuf && protobuf(media_type)))
    }

    /// Decodes a response into the answer of the operation, a watch with all its events. The body of the result is the
    /// kind of the answer.
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read.
    pub fn decode(
        &self,
        response: &http::Response<Vec<u8>>,
    ) -> Result<Response<&'static str>, ResponseError> {
        (self.decode)(response)
    }
}

impl fmt::Debug for AnyRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.request.fmt(f)
    }
}

impl<A: Answer + 'static> From<Request<A>> for AnyRequest {
    fn from(request: Request<A>) -> Self {
        Self {
            request: request.clone().accept(JSON),
            protobuf: false,
            decode: Box::new(move |response| {
                request.decode(response)?.try_map(|body| {
                    let kind = body.kind();
                    body.read_to_end().map(|()| kind)
                })
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use k8s_versioned::verb::Verb;

    use super::RequestInput;

    #[test]
    fn parameters_have_names_and_types() {
        let parameters = |query: &str| {
            let query = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
            let input = RequestInput { query, ..RequestInput::default() };
            let query = input.typed_query(&Verb::LIST).map(|query| query.to_string());
            query.map_err(|error| error.to_string())
        };
        let sent = "allowWatchBookmarks=true&labelSelector=true&limit=7";
        assert_eq!(parameters(sent).as_deref(), Ok(sent));
        let sent = "allowWatchBookmarks=1&timeoutSeconds=7&watch=t";
        assert_eq!(parameters(sent).as_deref(), Ok(sent));
        assert_eq!(
            parameters("dryRun=All").unwrap_err(),
            "the operation has no parameter `dryRun`"
        );
        assert_eq!(parameters("limit=1x").unwrap_err(), "the parameter `limit` cannot be `1x`");
    }
}
