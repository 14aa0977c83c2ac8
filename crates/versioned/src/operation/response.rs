//! Responses, decoded.

use http::{HeaderMap, StatusCode, header};

use super::warning;
use super::{Answer, ApiError, BodyError, ResponseError, Warning};

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Response<A> {
    /// Which of the successes it is.
    pub success: Success,
    /// The warnings that came with it.
    pub warnings: Vec<Warning>,
    /// What it holds.
    pub body: A,
}

impl<A> Response<A> {
    /// The same response with something else made of its body.
    pub fn map<B>(self, change: impl FnOnce(A) -> B) -> Response<B> {
        Response { success: self.success, warnings: self.warnings, body: change(self.body) }
    }

    /// The same response with something else read from its body.
    pub(super) fn try_map<B>(
        self,
        read: impl FnOnce(A) -> Result<B, BodyError>,
    ) -> Result<Response<B>, ResponseError> {
        let (success, warnings) = (self.success, self.warnings);
        match read(self.body) {
            Ok(body) => Ok(Response { success, warnings, body }),
            Err(reason) => Err(ResponseError::Body { success, warnings, reason }),
        }
    }
}

/// The successes that the documents know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Success {
    /// 200: done.
    Ok,
    /// 201: the object was created, also by a replacement or an apply.
    Created,
    /// 202: accepted, and not done yet.
    Accepted,
}

impl Success {
    fn from_code(code: StatusCode) -> Option<Self> {
        Some(match code {
            StatusCode::OK => Self::Ok,
            StatusCode::CREATED => Self::Created,
            StatusCode::ACCEPTED => Self::Accepted,
            _ => return None,
        })
    }

    /// The HTTP status code.
    pub fn code(self) -> StatusCode {
        match self {
            Self::Ok => StatusCode::OK,
            Self::Created => StatusCode::CREATED,
            Self::Accepted => StatusCode::ACCEPTED,
        }
    }
}

/// Decodes a response to a request for `api_version`.
pub(super) fn decode<A: Answer>(
    (code, headers): (StatusCode, &HeaderMap),
    body: &[u8],
    api_version: Option<String>,
) -> Result<Response<A>, ResponseError> {
    let Some(success) = Success::from_code(code) else {
        if code.as_u16() < 400 {
            return Err(ResponseError::Unexpected(code));
        }
        let error = ApiError::new(code, headers, body, api_version);
        return Err(ResponseError::Api(Box::new(error)));
    };
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let response = Response { success, warnings: warning::read(headers), body };
    response.try_map(|body| A::decode(content_type, body))
}
