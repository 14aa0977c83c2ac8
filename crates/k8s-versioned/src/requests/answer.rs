//! Responses and the content of successful ones.

use std::fmt;

use http::header::{self, WARNING};
use http::{HeaderMap, StatusCode};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;
use serde_json::{Deserializer, Map, Value};

use super::api_error::Asked;
use super::{ApiError, BodyError, ObjectError, ResponseError};
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
        return Ok(Response { code, warnings: read(headers), body });
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

/// The `apiVersion` and the `kind` of an object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
pub(crate) struct TypeName {
    api_version: Option<String>,
    kind: Option<String>,
}

impl TypeName {
    /// Returns `false` if it names another kind.
    #[cfg(feature = "protobuf")]
    pub(crate) fn may_be(&self, api_version: &str, kind: &str) -> bool {
        self.kind.as_deref().is_none_or(|it| it == kind)
            && self.api_version.as_deref().is_none_or(|it| it == api_version)
    }

    /// Returns `true` for `Status`, but not for a custom kind of this name.
    pub(crate) fn is_status(&self) -> bool {
        self.kind.as_deref() == Some(Status::KIND)
            && self.api_version.as_deref().is_none_or(|it| it == Status::API_VERSION)
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
        if kind != Some(&K::KIND.into()) || version.is_none_or(|it| *it == K::API_VERSION) {
            return Err(error);
        }
        members.insert("apiVersion".to_owned(), K::API_VERSION.into());
        K::decode(content_type, Value::from(members).to_string().as_bytes())
    })
}

/// Returns `true` for HTML, which no API server sends.
pub(crate) fn is_page(body: &[u8]) -> bool {
    body.trim_ascii_start().starts_with(b"<")
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
        // Nearly every list is good. Row: the tolerant list.
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

// Warnings in the headers of a response.

/// A warning in a response, for example about a deprecated API version or an unknown field of the request. RFC 7234,
/// section 5.5, has the form.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Warning {
    /// The code; API servers use 299.
    pub code: u16,
    /// The server or proxy that added the warning; `-` if none is named.
    pub agent: String,
    /// The text, without quotes.
    pub text: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// All warnings of a response, in their order.
pub(super) fn read(headers: &HeaderMap) -> Vec<Warning> {
    let values = headers.get_all(WARNING).into_iter();
    values.flat_map(|value| parse(&String::from_utf8_lossy(value.as_bytes()))).collect()
}

/// The warnings of one header. A part that cannot be read is a warning, too, with code 199.
fn parse(header: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let mut rest = header.trim();
    while !rest.is_empty() {
        let Some((warning, after)) = parse_one(rest) else {
            warnings.push(Warning {
                code: MISCELLANEOUS,
                agent: "-".to_owned(),
                text: rest.to_owned(),
            });
            break;
        };
        warnings.push(warning);
        rest = after.trim_start_matches([',', ' ', '\t']);
    }
    warnings
}

const MISCELLANEOUS: u16 = 199;

/// Reads `code agent "text"`, perhaps with a `"date"`. Also returns the rest.
fn parse_one(text: &str) -> Option<(Warning, &str)> {
    let (code, rest) = text.split_once(' ')?;
    let (agent, rest) = rest.trim_start().split_once(' ')?;
    let (text, rest) = quoted(rest.trim_start())?;
    let after_date = quoted(rest.trim_start()).map(|(_, after)| after);
    let rest = after_date.unwrap_or(rest);
    if !rest.is_empty() && !rest.trim_start().starts_with(',') {
        return None;
    }
    let code = code.parse().ok().filter(|code| (100..1000).contains(code))?;
    let agent = agent.to_owned();
    Some((Warning { code, agent, text }, rest))
}

/// Reads a quoted string, in which a backslash escapes the next character. Also returns the rest.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?.chars();
    let mut unquoted = String::new();
    loop {
        match rest.next()? {
            '"' => return Some((unquoted, rest.as_str())),
            '\\' => unquoted.push(rest.next()?),
            character => unquoted.push(character),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Answer as _, Deletion, MISCELLANEOUS, RawBody, Warning, parse};

    /// A definition can have a kind `Status`, too.
    #[test]
    fn a_deletion_returns_an_object_of_a_custom_kind_named_status() {
        for (api_version, is_status) in [("v1", true), ("example.com/v1", false)] {
            let body = format!(r#"{{"kind": "Status", "apiVersion": "{api_version}"}}"#);
            let found = Deletion::<RawBody>::decode(None, body.as_bytes()).unwrap();
            assert_eq!(found.returned().is_none(), is_status, "{api_version}");
        }
    }

    type Case<'a> = (&'a str, &'a [(u16, &'a str, &'a str)]);

    #[test]
    fn headers() {
        let table: [Case<'_>; 10] = [
            ("", &[]),
            (r#"299 - "old""#, &[(299, "-", "old")]),
            (
                r#"299 - "unknown field \"spec.colour\"""#,
                &[(299, "-", r#"unknown field "spec.colour""#)],
            ),
            (r#"299 - "a, b", 199 host:80 "c\\""#, &[(299, "-", "a, b"), (199, "host:80", r"c\")]),
            (r#"299 - "" "Sat, 25 Aug 2012 23:34:45 GMT""#, &[(299, "-", "")]),
            (r#"299 - "a" "date" , 299 - "b""#, &[(299, "-", "a"), (299, "-", "b")]),
            ("just text", &[(MISCELLANEOUS, "-", "just text")]),
            (r#"299 - "open"#, &[(MISCELLANEOUS, "-", r#"299 - "open"#)]),
            (r#"299 - "a" b"#, &[(MISCELLANEOUS, "-", r#"299 - "a" b"#)]),
            (r#"99 - "a""#, &[(MISCELLANEOUS, "-", r#"99 - "a""#)]),
        ];
        for (header, expected) in table {
            let found = parse(header);
            let found: Vec<_> = found
                .iter()
                .map(|Warning { code, agent, text }| (*code, agent.as_str(), text.as_str()))
                .collect();
            assert_eq!(found, expected, "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_quoted_text_is_read(texts in prop::collection::vec(any::<String>(), 0..4)) {
            let quote = |text: &String| {
                let text = text.replace('\\', r"\\").replace('"', r#"\""#);
                format!("299 - \"{text}\"")
            };
            let header: Vec<String> = texts.iter().map(quote).collect();
            let found: Vec<String> = parse(&header.join(", ")).into_iter().map(|it| it.text).collect();
            prop_assert_eq!(found, texts);
        }

        #[test]
        fn every_header_with_text_has_a_warning(header in "\\PC+") {
            prop_assert_eq!(parse(&header).is_empty(), header.trim().is_empty());
        }
    }
}
