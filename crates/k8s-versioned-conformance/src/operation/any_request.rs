//! Requests whose answers have types that are known at run time only.

use std::fmt;

use k8s_versioned_requests::{Answer, RawBody, Request, Response, ResponseError, http};

/// The kind of a decoded answer.
type DecodedKind = Result<Response<&'static str>, ResponseError>;

type Decode = Box<dyn Fn(&http::Response<Vec<u8>>) -> DecodedKind>;

/// A request whose answer has a type that is known at run time only.
pub struct AnyRequest {
    request: Request<RawBody>,
    decode: Decode,
}

impl AnyRequest {
    /// The request.
    pub fn request(&self) -> &Request<RawBody> {
        &self.request
    }

    /// The same request with a parameter in its query that the function of the verb would refuse.
    #[must_use]
    pub fn with_parameter(self, name: &str, value: &str) -> Self {
        Self { request: self.request.with_parameter(name, value), ..self }
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
            request: request.clone().accept("application/json"),
            decode: Box::new(move |response| {
                let mut wrong = None;
                let decoded = request.decode(response)?.map(|body| {
                    let kind = body.kind();
                    wrong = body.read_to_end().err();
                    kind
                });
                match wrong {
                    None => Ok(decoded),
                    Some(reason) => Err(ResponseError::Body {
                        code: decoded.code,
                        warnings: decoded.warnings,
                        reason,
                    }),
                }
            }),
        }
    }
}
