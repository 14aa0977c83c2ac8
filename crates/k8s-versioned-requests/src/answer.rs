//! The content of successful responses.

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::BodyError;
use super::accept::{JSON, media_type};
use k8s_versioned::Kind;
use k8s_versioned::json;

/// The content of a successful response.
///
/// Every kind is one; so are [`Watch`](super::Watch), [`Deletion`](super::Deletion),
/// [`TolerantList`](super::TolerantList) and [`RawBody`].
pub trait Answer: Sized {
    /// Decodes a body.
    ///
    /// # Errors
    ///
    /// The body is not such an answer.
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError>;

    /// The kind of the answer; empty if it is not decoded.
    #[doc(hidden)]
    fn kind(&self) -> &'static str;

    /// The token that gets the next page of a list; `None` on the last page, and for an answer without pages.
    fn continue_token(&self) -> Option<&str> {
        None
    }

    /// Reads the events of a watch, which [`decode`](Self::decode) does not read.
    ///
    /// # Errors
    ///
    /// An event cannot be read.
    #[doc(hidden)]
    fn read_to_end(self) -> Result<(), BodyError> {
        Ok(())
    }
}

impl<K: Kind + DeserializeOwned> Answer for K {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        from_json(content_type, body)
    }

    fn kind(&self) -> &'static str {
        K::KIND
    }

    fn continue_token(&self) -> Option<&str> {
        Kind::continue_token(self)
    }
}

/// A body as it came: see [`Request::accept`](super::Request::accept).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct RawBody(pub Vec<u8>);

impl Answer for RawBody {
    fn decode(_: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        Ok(Self(body.to_vec()))
    }

    fn kind(&self) -> &'static str {
        ""
    }
}

/// The `kind` of an object.
#[derive(Deserialize)]
#[serde(expecting = "an object")]
pub(super) struct TypeName {
    pub(super) kind: Option<String>,
}

/// Decodes JSON, in which a list is never an object. Another media type in the header is an error.
pub(super) fn from_json<'a, T: Deserialize<'a>>(
    content_type: Option<&str>,
    body: &'a [u8],
) -> Result<T, BodyError> {
    check_json(content_type)?;
    Ok(json::read(body)?)
}

/// Checks the header `Content-Type`. Servers always send it; a proxy can drop it.
pub(super) fn check_json(content_type: Option<&str>) -> Result<(), BodyError> {
    let Some(content_type) = content_type else {
        return Ok(());
    };
    if media_type(content_type).eq_ignore_ascii_case(JSON) {
        Ok(())
    } else {
        Err(BodyError::MediaType(content_type.to_owned()))
    }
}
