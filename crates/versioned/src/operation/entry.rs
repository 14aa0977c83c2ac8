//! Operations for programs that choose at run time.

use std::collections::BTreeMap;
use std::fmt;

use http::Method;
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::path::placeholder;
use super::percent;
use super::{
    Answer, Parameters, Patch, Query, QueryError, Raw, Request, RequestError, Response,
    ResponseError,
};
use crate::Release;

/// One operation: what the documents state of it, and how its request is built.
pub struct OperationEntry {
    /// The id that the documents give it.
    pub id: &'static str,
    /// The HTTP method.
    pub method: Method,
    /// The path, with `{placeholders}`.
    pub path: &'static str,
    /// The names of the parameters in the query.
    pub parameters: &'static [&'static str],
    /// The status codes of the documented responses.
    pub responses: &'static [u16],
    /// The releases that serve it.
    pub releases: &'static [Release],
    /// Builds its request.
    pub build: fn(&Input<'_>) -> Result<AnyRequest, InputError>,
}

impl fmt::Debug for OperationEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} {})", self.id, self.method, self.path)
    }
}

impl OperationEntry {
    /// The operation of a method and a path, and the names in the path. A slash at the end makes no difference.
    ///
    /// Of several, the one of which most segments are fixed.
    pub fn find<'a>(
        operations: &'a [Self],
        method: &str,
        path: &str,
    ) -> Option<(&'a Self, BTreeMap<&'a str, String>)> {
        let matching = operations.iter().filter_map(|entry| {
            let names = match_path(entry.path, path)?;
            (entry.method.as_str() == method).then_some((entry, names))
        });
        matching.min_by_key(|(_, names)| names.len())
    }
}

/// The names that `path` has in the place of the placeholders; nothing if it is another path.
fn match_path<'a>(template: &'a str, path: &str) -> Option<BTreeMap<&'a str, String>> {
    let mut names = BTreeMap::new();
    let mut found = path.trim_end_matches('/').split('/');
    for expected in template.trim_end_matches('/').split('/') {
        let segment = found.next()?;
        match placeholder(expected) {
            Some(name) => drop(names.insert(name, percent::decode(segment)?)),
            None if expected == segment => {}
            None => return None,
        }
    }
    found.next().is_none().then_some(names)
}

/// What a request is built from.
#[derive(Clone, Debug, Default)]
pub struct Input<'a> {
    /// The names in the path, by placeholder.
    pub names: BTreeMap<&'a str, String>,
    /// The query.
    pub query: Query,
    /// The header `Content-Type`.
    pub content_type: Option<&'a str>,
    /// The body; empty where there is none.
    pub body: &'a [u8],
}

impl Input<'_> {
    /// The name for a placeholder; empty if there is none, which no path takes.
    pub fn name(&self, placeholder: &str) -> &str {
        self.names.get(placeholder).map_or("", String::as_str)
    }

    /// The typed parameters.
    ///
    /// # Errors
    ///
    /// The query has others, or values of another type.
    pub fn parameters<P: Parameters>(&self) -> Result<P, InputError> {
        Ok(P::from_query(&self.query)?)
    }

    /// Whether a stream of events is asked for.
    pub fn watches(&self) -> bool {
        self.query.get("watch") == Some("true")
    }

    /// The body.
    ///
    /// # Errors
    ///
    /// It is not JSON of this type.
    pub fn body<T: DeserializeOwned>(&self) -> Result<T, InputError> {
        match self.content_type {
            Some("application/json") => Ok(serde_json::from_slice(self.body)?),
            _ => Err(InputError::content_type(self.content_type)),
        }
    }

    /// The body, if there is one.
    ///
    /// # Errors
    ///
    /// It is not JSON of this type.
    pub fn optional_body<T: DeserializeOwned>(&self) -> Result<Option<T>, InputError> {
        if self.body.is_empty() {
            Ok(None)
        } else {
            self.body().map(Some)
        }
    }

    /// The body as a patch.
    ///
    /// # Errors
    ///
    /// There is no such kind of patch, or it is not one of its kind.
    pub fn patch(&self) -> Result<Patch, InputError> {
        let patch = Patch::decode(self.content_type.unwrap_or_default(), self.body)?;
        patch.ok_or_else(|| InputError::content_type(self.content_type))
    }

    /// The body as an apply; nothing if it is another kind of patch.
    ///
    /// # Errors
    ///
    /// The body cannot be decoded.
    pub fn apply<T: DeserializeOwned>(&self) -> Result<Option<T>, InputError> {
        Ok(match self.patch()? {
            Patch::Apply(value) => Some(serde_json::from_value(value)?),
            _ => None,
        })
    }
}

/// The kind of a decoded answer.
type DecodedKind = Result<Response<&'static str>, ResponseError>;

/// A request whose answer has a type that only the request still knows.
#[derive(Clone, Debug)]
pub struct AnyRequest {
    request: Request<Raw>,
    decode: fn(&Request<Raw>, &http::Response<Vec<u8>>) -> DecodedKind,
}

impl AnyRequest {
    /// The request that a function built.
    ///
    /// # Errors
    ///
    /// It built none.
    pub fn of<A: Answer>(built: Result<Request<A>, RequestError>) -> Result<Self, InputError> {
        Ok(built?.into())
    }

    /// The request.
    pub fn request(&self) -> &Request<Raw> {
        &self.request
    }

    /// Decodes a response as the type that the operation answers with, a watch with all its events, and gives the
    /// kind of what came.
    ///
    /// # Errors
    ///
    /// The request was refused, or the answer cannot be read.
    pub fn decode(
        &self,
        response: &http::Response<Vec<u8>>,
    ) -> Result<Response<&'static str>, ResponseError> {
        (self.decode)(&self.request, response)
    }
}

impl<A: Answer> From<Request<A>> for AnyRequest {
    fn from(request: Request<A>) -> Self {
        Self {
            request: request.answered_by(),
            decode: |request, response| {
                let decoded = request.clone().answered_by::<A>().decode(response)?;
                decoded.try_map(|body| {
                    let kind = body.kind();
                    body.read_to_end()?;
                    Ok(kind)
                })
            },
        }
    }
}

/// Input of which no request can be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum InputError {
    /// The query does not hold parameters of the operation.
    #[error(transparent)]
    Query(#[from] QueryError),
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

impl InputError {
    fn content_type(found: Option<&str>) -> Self {
        Self::ContentType(found.map(str::to_owned))
    }
}

fn content_type_message(found: Option<&str>) -> String {
    match found {
        Some(found) => format!("the operation takes no body of type `{found}`"),
        None => "the header `Content-Type` is missing: the body has no type".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Input, match_path};

    #[test]
    fn a_body_has_a_type() {
        let message = |content_type| {
            let input = Input {
                content_type,
                body: b"{}",
                ..Input::default()
            };
            let body = input.body::<serde_json::Value>();
            let patch = input.patch().unwrap_err().to_string();
            assert_eq!(body.unwrap_err().to_string(), patch);
            patch
        };
        assert_eq!(
            message(Some("text/plain")),
            "the operation takes no body of type `text/plain`"
        );
        assert_eq!(
            message(None),
            "the header `Content-Type` is missing: the body has no type"
        );
    }

    #[test]
    fn paths_match_templates() {
        let table = [
            ("/apis/g/v1/", "/apis/g/v1", Some(vec![])),
            ("/apis/g/v1/", "/apis/g/v1/", Some(vec![])),
            ("/apis/g/v1/", "/apis/g/v2/", None),
            ("/a/{name}", "/a/b", Some(vec![("name", "b")])),
            ("/a/{name}", "/a/b%2Fc", Some(vec![("name", "b/c")])),
            ("/a/{name}", "/a", None),
            ("/a/{name}", "/a/b/c", None),
            ("/a/{x}/{y}", "/a/b/c", Some(vec![("x", "b"), ("y", "c")])),
        ];
        for (template, path, expected) in table {
            let found = match_path(template, path);
            let found = found.as_ref().map(|names| {
                let names = names.iter().map(|(name, value)| (*name, value.as_str()));
                names.collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{template} {path}");
        }
    }
}
