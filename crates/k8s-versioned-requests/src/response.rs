//! Responses, decoded.

use http::{HeaderMap, StatusCode, header};

use super::warning;
use super::{ApiError, BodyError, ResponseError, Warning};

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Response<A> {
    /// The HTTP status code: 200; 201 if the request created the object, which a replacement and an apply can, too; 202
    /// if the server has accepted the request and not finished it.
    pub code: StatusCode,
    /// The warnings that came with it.
    pub warnings: Vec<Warning>,
    /// The content.
    pub body: A,
}

impl<A> Response<A> {
    /// Maps the body.
    pub fn map<B>(self, change: impl FnOnce(A) -> B) -> Response<B> {
        Response { code: self.code, warnings: self.warnings, body: change(self.body) }
    }

    /// Maps the body with a function that can fail.
    pub(super) fn try_map<B>(
        self,
        read: impl FnOnce(A) -> Result<B, BodyError>,
    ) -> Result<Response<B>, ResponseError> {
        let (code, warnings) = (self.code, self.warnings);
        match read(self.body) {
            Ok(body) => Ok(Response { code, warnings, body }),
            Err(reason) => Err(ResponseError::Body { code, warnings, reason }),
        }
    }
}

/// The successes that the documents know.
const SUCCESSES: [StatusCode; 3] = [StatusCode::OK, StatusCode::CREATED, StatusCode::ACCEPTED];

/// Decodes a response to a request for `api_version`.
pub(super) fn decode<A>(
    (code, headers): (StatusCode, &HeaderMap),
    body: &[u8],
    decode: fn(Option<&str>, &[u8]) -> Result<A, BodyError>,
    api_version: Option<String>,
) -> Result<Response<A>, ResponseError> {
    if !SUCCESSES.contains(&code) {
        if code.as_u16() < 400 {
            return Err(ResponseError::Unexpected(code));
        }
        let error = ApiError::new(code, headers, body, api_version);
        return Err(ResponseError::Api(Box::new(error)));
    }
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let response = Response { code, warnings: warning::read(headers), body };
    response.try_map(|body| decode(content_type, body))
}
