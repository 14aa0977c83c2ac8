//! The errors of requests.

use k8s_coordination::conversion::ConversionError;
use k8s_coordination::requests::{ApiError, BodyError, RequestError, ResponseError};
use thiserror::Error;

/// The errors of requests.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// The request cannot be built, and was not sent.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// The client failed: it cannot reach the server, or the connection broke. The server may have carried out a write.
    #[error("the client failed: {0}")]
    Client(#[source] Box<kube::Error>),
    /// The server refused the request, or its answer cannot be decoded.
    #[error(transparent)]
    Response(#[from] ResponseError),
    /// An event of a watch cannot be decoded.
    #[error(transparent)]
    Watch(#[from] BodyError),
    /// The options refuse the conversion to or from the version that the cluster serves.
    #[error("the conversion is refused: {0}")]
    Conversion(#[from] ConversionError),
    /// The fields of an apply are not an object of the kind.
    #[error("the apply cannot be converted: {0}")]
    Apply(#[source] serde_json::Error),
}

impl Error {
    /// The server's refusal, if it was one.
    pub fn api(&self) -> Option<&ApiError> {
        match self {
            Self::Response(error) => error.api(),
            _ => None,
        }
    }
}

impl From<kube::Error> for Error {
    fn from(error: kube::Error) -> Self {
        Self::Client(Box::new(error))
    }
}
