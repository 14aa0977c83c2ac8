//! Recorded requests, built again by the functions of their operations.

use k8s_versioned_requests::{RawBody, Request, RequestError};

use crate::operation::{AnyRequest, Input, InputError, Operation};
use crate::outcome::{Inapplicable, Mismatch};
use k8s_versioned_recordings::Exchange;

/// The media type of answers that are decoded.
pub(super) const JSON: &str = "application/json";

/// The parameter that indents JSON for people. Every request takes it; it is no parameter of a verb.
const PRETTY: &str = "pretty";

/// A request that was built again.
pub(super) struct Rebuilt {
    /// The request with the type of its answer.
    pub(super) any: AnyRequest,
    /// The media type of the answer.
    pub(super) accept: String,
}

/// The reason why a request is not built again.
pub(super) enum Refused {
    /// The check does not apply.
    NotApplicable(Inapplicable),
    /// An operation should build it.
    Mismatch(Mismatch),
}

impl Rebuilt {
    /// Builds the request of an exchange. The check does not apply to deliberate misuse that the server refused, too.
    pub(super) fn of(operations: &[Operation], exchange: &Exchange) -> Result<Self, Refused> {
        let (request, status) = (&exchange.request, exchange.response.status);
        let not_applicable = |reason: &'static str| Refused::NotApplicable(reason.into());
        let found = Operation::find(operations, &request.method, &request.path);
        let (operation, names) = found.ok_or_else(|| Refused::unknown(exchange))?;
        let header = |name| request.headers.get(name)?.first().map(String::as_str);
        let accept = header("accept").unwrap_or(JSON).to_owned();
        let body = request.bytes();
        let input = Input {
            names,
            query: request.query.clone(),
            content_type: header("content-type"),
            body: &body,
        };
        match build(operation, &input, matches!(status, 400 | 422)) {
            Ok(any) => Ok(Self { any, accept }),
            Err(InputError::ContentType(_)) if status == 415 => Err(not_applicable(
                "the operation takes no such media type, as the server says (415)",
            )),
            Err(InputError::Body(_)) if status == 400 => {
                Err(not_applicable("the operation takes no such body, as the server says (400)"))
            }
            Err(InputError::Request(_)) if matches!(status, 400 | 422) => Err(not_applicable(
                "a request that is not built, and that the server refused, too (400, 422)",
            )),
            Err(error) => Err(Refused::Mismatch(Mismatch::new(
                "/request",
                format!("a request that `{operation}` can build"),
                error.to_string(),
                "do the parameters and the body of the operation hold what was sent?",
            ))),
        }
    }

    /// The request with the media type of its answer.
    pub(super) fn request(&self) -> Request<RawBody> {
        self.any.request().clone().accept(self.accept.clone())
    }
}

/// Builds the request, with `pretty` if it was sent.
fn build(
    operation: &Operation,
    input: &Input<'_>,
    refused: bool,
) -> Result<AnyRequest, InputError> {
    let mut input = input.clone();
    let pretty = input.query.remove(PRETTY);
    let built = build_verb(operation, &input, refused)?;
    Ok(match pretty {
        Some(pretty) => built.with_parameter(PRETTY, &pretty),
        None => built,
    })
}

/// Builds the request of a verb. Parameters that exclude each other are set anyway if the server refused the request,
/// too.
fn build_verb(
    operation: &Operation,
    input: &Input<'_>,
    refused: bool,
) -> Result<AnyRequest, InputError> {
    match (operation.build)(input) {
        Err(InputError::Request(RequestError::Refused(refusals))) if refused => {
            let is_refused = |name: &str| refusals.iter().any(|it| it.path == name);
            let mut rest = input.clone();
            rest.query.retain(|name, _| !is_refused(name));
            let built = build_verb(operation, &rest, refused)?;
            let set = input.query.iter().filter(|(name, _)| is_refused(name));
            Ok(set.fold(built, |built, (name, value)| built.with_parameter(name, value)))
        }
        built => built,
    }
}

impl Refused {
    /// No operation has the method and the path of an exchange. That is misuse if the server refused it, too.
    fn unknown(exchange: &Exchange) -> Self {
        let (request, status) = (&exchange.request, exchange.response.status);
        if matches!(status, 404 | 405) {
            let reason = "no operation has this method and path, as the server says (404, 405)";
            return Self::NotApplicable(reason.into());
        }
        let expected = format!("an operation for {} {}", request.method, request.path);
        let hint = "does the check get all operations?";
        Self::Mismatch(Mismatch::new("/request", expected, "none", hint))
    }
}
