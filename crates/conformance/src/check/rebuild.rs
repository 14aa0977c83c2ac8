//! Recorded requests, built again by the functions of their operations.

use std::borrow::Cow;

use k8s_versioned::operation::{
    Accept, AnyRequest, Input, InputError, OperationEntry, Raw, Request, RequestError,
};

use crate::outcome::Mismatch;
use crate::recording::{Exchange, RequestBody};

/// A request that was built again.
pub(super) struct Rebuilt {
    /// The request with the type of its answer.
    pub(super) any: AnyRequest,
    /// The form in which the answer is wanted.
    pub(super) accept: Accept,
}

/// Why a request is not built again.
pub(super) enum Refused {
    /// It is not meant to be.
    NotApplicable(Cow<'static, str>),
    /// It should be.
    Mismatch(Mismatch),
}

impl Rebuilt {
    /// Builds the request of an exchange. Deliberate misuse, which the server refused too, does not apply.
    pub(super) fn of(operations: &[OperationEntry], exchange: &Exchange) -> Result<Self, Refused> {
        let (request, status) = (&exchange.request, exchange.response.status);
        let not_applicable = |reason: &'static str| Refused::NotApplicable(reason.into());
        let found = OperationEntry::find(operations, &request.method, &request.path);
        let (entry, names) = found.ok_or_else(|| Refused::unknown(exchange))?;
        let header = |name| request.headers.get(name)?.first().map(String::as_str);
        let accept = header("accept").and_then(Accept::parse);
        let accept =
            accept.ok_or_else(|| not_applicable("a form of the answer that is not known"))?;
        let body = bytes(&request.body);
        let input = Input {
            names,
            query: request.query.iter().collect(),
            content_type: header("content-type"),
            body: &body,
        };
        match (entry.build)(&input) {
            Ok(any) => Ok(Self { any, accept }),
            Err(InputError::ContentType(_)) if status == 415 => Err(not_applicable(
                "the operation takes no such media type, as the server says (415)",
            )),
            Err(InputError::Body(_)) if status == 400 => Err(not_applicable(
                "the operation takes no such body, as the server says (400)",
            )),
            Err(InputError::Request(RequestError::IgnoredParameter(_))) => Err(not_applicable(
                "options beside a parameter that servers then ignore, which is not built",
            )),
            Err(InputError::Request(_)) if matches!(status, 400 | 422) => Err(not_applicable(
                "a request that is not built, and that the server refused, too (400, 422)",
            )),
            Err(error) => Err(Refused::Mismatch(Mismatch {
                pointer: "/request".to_owned(),
                expected: format!("a request that {entry:?} can build"),
                found: error.to_string(),
                advice: "do the parameters and the body of the operation hold what was sent?"
                    .into(),
            })),
        }
    }

    /// The request with the form of its answer.
    pub(super) fn request(&self) -> Request<Raw> {
        self.any.request().clone().accept(self.accept)
    }
}

impl Refused {
    /// No operation has the method and the path of an exchange. That is misuse if the server says so, too.
    fn unknown(exchange: &Exchange) -> Self {
        let (request, status) = (&exchange.request, exchange.response.status);
        if matches!(status, 404 | 405) {
            let reason = "no operation has this method and path, as the server says (404, 405)";
            return Self::NotApplicable(reason.into());
        }
        Self::Mismatch(Mismatch {
            pointer: "/request".to_owned(),
            expected: format!("an operation for {} {}", request.method, request.path),
            found: "none".to_owned(),
            advice: "are all operations handed to the check?".into(),
        })
    }
}

/// The bytes of a request's body; none where there is no body.
pub(super) fn bytes(body: &RequestBody) -> Vec<u8> {
    match body {
        RequestBody::None => Vec::new(),
        RequestBody::Json(json) => json.to_string().into_bytes(),
        RequestBody::Text(text) => text.clone().into_bytes(),
    }
}
