//! Responses and the content of successful ones.

use http::header;
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use super::api_error::Asked;
use super::content::{JSON, TypeName, is_page, media_type};
use super::{ApiError, BodyError, ObjectError, ResponseError, Warning, warning};
use crate::json::{self, Checked};
use crate::meta::v1::{ListMeta, Status};
use crate::wire::{self, ApiVersion, KindName};
use crate::{Kind, List, LocatedError, Resource};

/// A successful response.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Response<A> {
    /// The HTTP status code: 200; 201 if the request created the object, as a replacement or an apply also can; 202
    /// if the server has accepted the request but not finished it.
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
    ///
    /// # Errors
    ///
    /// The error of the function, with the status code and the warnings of the response.
    pub fn try_map<B>(
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

/// Decodes a response to a request for what was asked.
pub(crate) fn decode<A>(
    decode: Decode<A>,
    code: StatusCode,
    headers: &HeaderMap,
    body: &[u8],
    asked: Option<Asked>,
) -> Result<Response<A>, ResponseError> {
    let content_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    success(code, headers, body, asked)?.try_map(|body| decode(content_type, body))
}

/// The response with its body, if it is a success. It is compiled once, not for each type of answer.
fn success<'a>(
    code: StatusCode,
    headers: &HeaderMap,
    body: &'a [u8],
    asked: Option<Asked>,
) -> Result<Response<&'a [u8]>, ResponseError> {
    if SUCCESSES.contains(&code) {
        return Ok(Response { code, warnings: warning::all(headers), body });
    }
    if code.as_u16() < 400 {
        return Err(ResponseError::Unexpected(code));
    }
    Err(ResponseError::Api(Box::new(ApiError::new(code, headers, body, asked))))
}

/// The content of a successful response.
///
/// Every kind is one; so are [`Watch`](crate::requests::Watch), [`Deletion`](crate::requests::Deletion),
/// [`TolerantList`](crate::requests::TolerantList) and [`RawBody`].
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
        from_json(content_type, body).map_err(|error| error.located::<K>(body))
    }

    fn kind(&self) -> &'static str {
        K::KIND
    }

    fn continue_token(&self) -> Option<&str> {
        Kind::continue_token(self)
    }
}

/// A body that is not decoded: see [`Request::accept`](crate::requests::Request::accept).
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

/// Decodes JSON, in which a list is never an object. Another media type in the header is an error.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(
    content_type: Option<&str>,
    body: &'a [u8],
) -> Result<T, BodyError> {
    check_json(content_type)?;
    json::read(body).map_err(|error| match error {
        _ if body.trim_ascii().is_empty() => BodyError::Empty,
        _ if is_page(body) => BodyError::Page,
        error => BodyError::Json(LocatedError::from(error)),
    })
}

/// Decodes an answer of discovery. A server behind the API server can state an `apiVersion` of its own in it, such as `v1alpha3`
/// instead of `v1` by `KubeVirt`. The fields are the same.
pub(crate) fn discovery<K: Kind + Answer>(
    content_type: Option<&str>,
    body: &[u8],
) -> Result<K, BodyError> {
    K::decode(content_type, body).or_else(|error| {
        let Ok(mut members) = from_json::<Map<String, Value>>(content_type, body) else {
            return Err(error);
        };
        let (kind, version) = (members.get("kind"), members.get("apiVersion"));
        if kind != Some(&K::KIND.into()) || version.is_none_or(|version| *version == K::API_VERSION)
        {
            return Err(error);
        }
        members.insert("apiVersion".to_owned(), K::API_VERSION.into());
        K::decode(content_type, Value::from(members).to_string().as_bytes())
    })
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
        let name: TypeName = from_json(content_type, body)?;
        if name.is_status() {
            Status::decode(content_type, body).map(Box::new).map(Self::Status)
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

/// The decodable items of a list, and the errors of the other items: see
/// [`Request::tolerant`](crate::requests::Request::tolerant).
#[derive(Debug)]
#[non_exhaustive]
pub struct TolerantList<T: Resource> {
    /// The decodable items.
    pub list: List<T>,
    /// The errors of the other items.
    pub errors: Vec<ObjectError>,
}

impl<T: Resource> Answer for TolerantList<T> {
    fn decode(content_type: Option<&str>, body: &[u8]) -> Result<Self, BodyError> {
        // Nearly every list is good. Hot path, row `the tolerant list` of the benches.
        if let Ok(list) = from_json(content_type, body) {
            return Ok(Self { list, errors: Vec::new() });
        }
        let wire: Wire<'_, T> = from_json(content_type, body)?;
        let (mut items, mut errors) = (Vec::new(), Vec::new());
        for (index, item) in wire.items.unwrap_or_default().into_iter().enumerate() {
            match wire::null_is_zero(Checked::new(&mut Deserializer::from_str(item.get()))) {
                Ok(item) => items.push(item),
                Err(reason) => errors.push(ObjectError::new::<T>(Some(index), item.get(), reason)),
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

#[cfg(test)]
mod tests {
    use super::{Answer as _, Deletion, RawBody};

    /// A definition can also have a kind `Status`.
    #[test]
    fn a_deletion_returns_an_object_of_a_custom_kind_named_status() {
        for (api_version, is_status) in [("v1", true), ("example.com/v1", false)] {
            let body = format!(r#"{{"kind": "Status", "apiVersion": "{api_version}"}}"#);
            let found = Deletion::<RawBody>::decode(None, body.as_bytes()).unwrap();
            assert_eq!(found.returned().is_none(), is_status, "{api_version}");
        }
    }
}
