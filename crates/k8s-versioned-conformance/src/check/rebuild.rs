//! Recorded requests, built again by the operations of their resources.

use k8s_versioned::protobuf::CONTENT_TYPE;
use k8s_versioned::requests::{RawBody, Request, RequestError};
use k8s_versioned::resource_path::ResourcePath;

use crate::examination::{Mismatch, NothingToCompare};
use crate::operation::{AnyRequest, InputError, JSON, Operations, RequestInput};
use crate::recordings::Exchange;

/// The parameter that indents JSON for people. Every request takes it; it is not a parameter of a verb.
const PRETTY: &str = "pretty";

/// A request that was built again.
pub(super) struct Rebuilt {
    /// The request with the type of its answer.
    pub(super) any: AnyRequest,
    /// The media type of the answer.
    pub(super) accept: String,
}

impl Rebuilt {
    /// Builds the request of an exchange. The check does not apply to deliberate misuse that the server also refused.
    pub(super) fn from_exchange(
        operations: &[Operations],
        exchange: &Exchange,
    ) -> Result<Self, NothingToCompare> {
        let (request, status) = (&exchange.request, exchange.response.status);
        let path = ResourcePath::parse(&request.path);
        let path = path.ok_or_else(|| unknown(exchange))?;
        let header = |name| request.headers.get(name)?.first().map(String::as_str);
        let accept = header("accept").unwrap_or(JSON).to_owned();
        let body = request.bytes();
        let input = RequestInput {
            path,
            query: request.query.clone(),
            content_type: header("content-type"),
            body: &body,
        };
        let built = build(operations, &request.method, &input, matches!(status, 400 | 422));
        match built.ok_or_else(|| unknown(exchange))? {
            Ok(any) => Ok(Self { any, accept }),
            // The operations of a kind without protobuf.
            Err(InputError::ContentType(name)) if name.as_deref() == Some(CONTENT_TYPE) => {
                Err("the operation has no protobuf".into())
            }
            Err(InputError::ContentType(_)) if status == 415 => {
                Err("the operation takes no such media type, as the server says (415)".into())
            }
            Err(InputError::Request(RequestError::Refused(_))) if status == 400 => {
                Err("the operation takes no such names, as the server says (400)".into())
            }
            Err(InputError::Body(_)) if exchange.refuses_body() => {
                Err("the operation takes no such body, as the server says (400, 500)".into())
            }
            Err(InputError::Request(_)) if matches!(status, 400 | 422) => {
                Err("a request that is not built, and that the server refused, too (400, 422)"
                    .into())
            }
            Err(error) => Err(NothingToCompare::Mismatch(Mismatch::new(
                "/request",
                format!("a request that can be built for {} {}", request.method, request.path),
                error.to_string(),
                "do the parameters and the body of the operation hold what was sent?",
            ))),
        }
    }

    /// Returns `true` if the answer is decoded.
    pub(super) fn is_decoded(&self) -> bool {
        self.any.decodes(&self.accept)
    }

    /// The request with the media type of its answer.
    pub(super) fn request(&self) -> Request<RawBody> {
        self.any.request().clone().accept(self.accept.clone())
    }
}

type Built = Result<AnyRequest, InputError>;

/// Builds the request, with `pretty` if it was sent; `None` if no operation has this method and path.
fn build(
    operations: &[Operations],
    method: &str,
    input: &RequestInput<'_>,
    refused: bool,
) -> Option<Built> {
    let mut input = input.clone();
    let pretty = input.query.remove(PRETTY);
    let built = if input.path.plural.is_empty() {
        discovery(operations, method, &input)?
    } else {
        let mut resources = operations.iter();
        let (operations, verb) = resources
            .find_map(|resource| Some((resource, *resource.verb(method, &input.path)?)))?;
        build_verb(&|input| (operations.build)(&verb, input), &input, refused)
    };
    Some(built.map(|built| match pretty {
        Some(pretty) => built.with_parameter(PRETTY, &pretty),
        None => built,
    }))
}

/// The request by which servers describe a group or a version that the operations are of.
fn discovery(operations: &[Operations], method: &str, input: &RequestInput<'_>) -> Option<Built> {
    let ResourcePath { group, version, .. } = input.path;
    let known = operations.iter().any(|operation| {
        operation.path.group == group && (version.is_empty() || operation.path.version == version)
    });
    // The versions of the core group are not described by an `APIGroup`.
    let described = known && method == "GET" && !(group.is_empty() && version.is_empty());
    described.then(|| match input.query.keys().next() {
        Some(name) => Err(InputError::UnknownParameter(name.clone())),
        None if version.is_empty() => Ok(Request::api_group(group).into()),
        None => Ok(Request::api_resource_list(group, version).into()),
    })
}

/// Builds the request of a verb. Parameters that exclude each other are set anyway if the server also refused the
/// request.
fn build_verb(
    make: &dyn Fn(&RequestInput<'_>) -> Built,
    input: &RequestInput<'_>,
    refused: bool,
) -> Built {
    match make(input) {
        Err(InputError::Request(RequestError::Refused(refusals))) if refused => {
            let is_refused = |name: &str| refusals.iter().any(|refusal| refusal.path == name);
            let mut rest = input.clone();
            rest.query.retain(|name, _| !is_refused(name));
            if rest.query.len() == input.query.len() {
                // Names of the object.
                return Err(InputError::Request(RequestError::Refused(refusals)));
            }
            let built = build_verb(make, &rest, refused)?;
            let set = input.query.iter().filter(|(name, _)| is_refused(name));
            Ok(set.fold(built, |built, (name, value)| built.with_parameter(name, value)))
        }
        built => built,
    }
}

/// No operation has the method and the path of an exchange. That is misuse if the server also refused it.
fn unknown(exchange: &Exchange) -> NothingToCompare {
    let (request, status) = (&exchange.request, exchange.response.status);
    if matches!(status, 404 | 405) {
        return "no operation has this method and path, as the server says (404, 405)".into();
    }
    let expected = format!("an operation for {} {}", request.method, request.path);
    let hint = "does the check get all operations?";
    NothingToCompare::Mismatch(Mismatch::new("/request", expected, "none", hint))
}
