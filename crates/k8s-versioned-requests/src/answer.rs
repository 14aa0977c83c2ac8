//! Responses and the content of successful ones.

use http::{HeaderMap, StatusCode, header};
use k8s_versioned::json::{self, Checked};
use k8s_versioned::meta::v1::{ListMeta, Status};
use k8s_versioned::wire::{self, ApiVersion, KindName};
use k8s_versioned::{Kind, List, Resource};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Deserializer;
use serde_json::value::RawValue;

use crate::{ApiError, BodyError, ObjectError, ResponseError, Warning, warning};

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Response<A> {
    /// The HTTP status code: 200; 201 if the request created the object, which a replacement and an apply can, too; 202
    /// if the server has accepted the request and not finished it.
    pub code: StatusCode,
    /// The warnings that came with it.
    pub warnings: Vec<Warning>,
    /// The decoded content of the response.
    pub body: A,
}

impl<A> Response<A> {
    /// Maps the body.
    pub fn map<B>(self, change: impl FnOnce(A) -> B) -> Response<B> {
        Response { code: self.code, warnings: self.warnings, body: change(self.body) }
    }

    /// Maps the body with a function that can fail.
    pub(crate) fn try_map<B>(
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

/// The function that decodes the body of an answer: the header `Content-Type`, and the body.
pub(crate) type Decode<A> = fn(Option<&str>, &[u8]) -> Result<A, BodyError>;

/// Decodes a response to a request for `api_version`.
pub(crate) fn decode<A>(
    decode: Decode<A>,
    (code, headers): (StatusCode, &HeaderMap),
    body: &[u8],
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

/// The content of a successful response.
///
/// Every kind is one; so are [`Watch`](crate::Watch), [`Deletion`](crate::Deletion),
/// [`TolerantList`](crate::TolerantList) and [`RawBody`].
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

/// A body as it came: see [`Request::accept`](crate::Request::accept).
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
pub(crate) struct TypeName {
    pub(crate) kind: Option<String>,
}

/// Decodes JSON, in which a list is never an object. Another media type in the header is an error.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(
    content_type: Option<&str>,
    body: &'a [u8],
) -> Result<T, BodyError> {
    check_json(content_type)?;
    Ok(json::read(body)?)
}

/// Checks the header `Content-Type`. Servers always send it; a proxy can drop it.
pub(crate) fn check_json(content_type: Option<&str>) -> Result<(), BodyError> {
    let Some(content_type) = content_type else {
        return Ok(());
    };
    if media_type(content_type).eq_ignore_ascii_case(JSON) {
        Ok(())
    } else {
        Err(BodyError::MediaType(content_type.to_owned()))
    }
}

pub(crate) const JSON: &str = "application/json";

/// The forms of Kubernetes that are never decoded.
const UNDECODED: [&str; 3] =
    ["application/yaml", "application/vnd.kubernetes.protobuf", "application/cbor"];

/// Returns `true` if a body is in a form of Kubernetes that is never decoded.
pub(crate) fn is_undecoded(content_type: &str) -> bool {
    let found = media_type(content_type);
    UNDECODED.iter().any(|form| form.eq_ignore_ascii_case(found))
}

/// The media type without its parameters.
pub(crate) fn media_type(content_type: &str) -> &str {
    let (media_type, _) = content_type.split_once(';').unwrap_or((content_type, ""));
    media_type.trim()
}

/// The answer to a deletion.
///
/// The documents state a `Status`. Servers send it where the object is gone. They send the object where it stays until
/// its finalizers are removed, and the list of the deleted objects for a collection. The answer to a dry run is the
/// same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Deletion<T> {
    /// The deletion is complete, unless the request was a dry run.
    Status(Box<Status>),
    /// An object that waits for its finalizers, or the list of the deleted objects.
    Returned(T),
}

impl<T> Deletion<T> {
    /// The object or the list that the server returned.
    pub fn returned(&self) -> Option<&T> {
        match self {
            Self::Status(_) => None,
            Self::Returned(returned) => Some(returned),
        }
    }

    /// The object or the list that the server returned, by value.
    pub fn into_returned(self) -> Option<T> {
        match self {
            Self::Status(_) => None,
            Self::Returned(returned) => Some(returned),
        }
    }
}

impl<T: Answer> Answer for Deletion<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        let TypeName { kind } = from_json(content_type, body)?;
        if kind.as_deref() == Some(Status::KIND) {
            from_json(content_type, body).map(Box::new).map(Self::Status)
        } else {
            T::decode(content_type, body).map(Self::Returned)
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Status(_) => Status::KIND,
            Self::Returned(returned) => returned.kind(),
        }
    }
}

/// The items of a list that decode, and the errors of the others: see
/// [`Request::tolerant`](crate::Request::tolerant).
#[derive(Debug)]
pub struct TolerantList<T: Resource> {
    /// The list of the items that decode.
    pub list: List<T>,
    /// The errors of the others.
    pub errors: Vec<ObjectError>,
}

impl<T: Resource> Answer for TolerantList<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        // Nearly every list is good. Row: the tolerant list.
        if let Ok(list) = from_json(content_type, body) {
            return Ok(Self { list, errors: Vec::new() });
        }
        let wire: Wire<'_, T> = from_json(content_type, body)?;
        let (mut items, mut errors) = (Vec::new(), Vec::new());
        for (index, item) in wire.items.unwrap_or_default().into_iter().enumerate() {
            match wire::null_is_zero(Checked::new(&mut Deserializer::from_str(item.get()))) {
                Ok(item) => items.push(item),
                Err(reason) => errors.push(ObjectError::new(Some(index), item.get(), reason)),
            }
        }
        let list = List::new(items).with_metadata(wire.metadata.unwrap_or_default());
        Ok(Self { list, errors })
    }

    fn kind(&self) -> &'static str {
        T::LIST_KIND
    }

    fn continue_token(&self) -> Option<&str> {
        self.list.metadata.continue_token()
    }
}

#[derive(Deserialize)]
#[serde(bound = "T: Resource", expecting = "a list of objects")]
struct Wire<'a, T: Resource> {
    #[serde(default, rename = "apiVersion")]
    _api_version: ApiVersion<List<T>>,
    #[serde(default, rename = "kind")]
    _kind: KindName<List<T>>,
    #[serde(default)]
    metadata: Option<ListMeta>,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}
