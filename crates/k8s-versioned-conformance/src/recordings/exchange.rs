//! One request and its response, and their form in a file.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// One request and its response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The stored object before the request, if it was recorded.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<Value>,
    /// The request as the client sent it.
    pub request: RecordedRequest,
    /// The answer of the server.
    pub response: RecordedResponse,
}

impl Exchange {
    /// An exchange without a stored object.
    pub fn new(request: RecordedRequest, response: RecordedResponse) -> Self {
        Self { before: None, request, response }
    }

    /// Returns `true` if the server could not read the request body: it answered 400, or 500 to deletion options.
    pub fn refuses_body(&self) -> bool {
        self.response.status == 400
            || (self.request.method == "DELETE" && self.response.status == 500)
    }
}

/// A recorded request.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WireRequest")]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The HTTP method, in upper case.
    pub method: String,
    /// The path of the URL.
    pub path: String,
    /// The query parameters, before percent-encoding.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub query: BTreeMap<String, String>,
    /// The headers; names are in lower case.
    #[serde(serialize_with = "one_or_many")]
    pub headers: BTreeMap<String, Vec<String>>,
    /// The body, if there is one. It is never [`RecordedBody::Events`].
    #[serde(flatten)]
    pub body: Option<RecordedBody>,
}

impl RecordedRequest {
    /// A request without query, headers and body.
    pub fn new(method: impl Into<String>, path: impl Into<String>) -> Self {
        let (query, headers) = (BTreeMap::new(), BTreeMap::new());
        Self { method: method.into(), path: path.into(), query, headers, body: None }
    }

    /// The media type of the body, without parameters.
    pub fn media_type(&self) -> Option<&str> {
        media_type(&self.headers)
    }

    /// The bytes of the body; empty if there is none.
    pub fn bytes(&self) -> Vec<u8> {
        self.body.as_ref().map(RecordedBody::to_bytes).unwrap_or_default()
    }
}

/// The first header `content-type`, without parameters.
fn media_type(headers: &BTreeMap<String, Vec<String>>) -> Option<&str> {
    let value = headers.get("content-type")?.first()?;
    value.split(';').next().map(str::trim)
}

/// A recorded response.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "WireResponse")]
#[non_exhaustive]
pub struct RecordedResponse {
    /// The HTTP status code.
    pub status: u16,
    /// The headers; names are in lower case.
    #[serde(serialize_with = "one_or_many")]
    pub headers: BTreeMap<String, Vec<String>>,
    /// The body, if there is one.
    #[serde(flatten)]
    pub body: Option<RecordedBody>,
}

impl RecordedResponse {
    /// A response without headers and body.
    pub fn new(status: u16) -> Self {
        Self { status, headers: BTreeMap::new(), body: None }
    }

    /// The bytes of the body; empty if there is none.
    pub fn bytes(&self) -> Vec<u8> {
        self.body.as_ref().map(RecordedBody::to_bytes).unwrap_or_default()
    }

    /// The media type of the body, without parameters.
    pub fn media_type(&self) -> Option<&str> {
        media_type(&self.headers)
    }

    /// The body, if it is JSON.
    pub fn json(&self) -> Option<&Value> {
        self.body.as_ref()?.json()
    }

    /// The field and the reason of each cause of a refusal; empty if the server gives none.
    pub fn causes(&self) -> Vec<(String, String)> {
        let causes = self.json().and_then(|body| body.pointer("/details/causes")?.as_array());
        let text = |cause: &Value, name| {
            cause.get(name).and_then(Value::as_str).unwrap_or_default().to_owned()
        };
        let causes = causes.into_iter().flatten();
        causes.map(|cause| (text(cause, "field"), text(cause, "reason"))).collect()
    }
}

/// The body of a request or a response.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RecordedBody {
    /// JSON.
    Json(Value),
    /// Text in another format, such as YAML, or JSON that is not valid or whose exact text matters.
    Text(String),
    /// Bytes, such as protobuf. The file has them in base64.
    #[serde(rename = "base64", serialize_with = "base64")]
    Binary(Vec<u8>),
    /// The events of a watch, in the order in which they came.
    Events(Vec<RecordedEvent>),
}

impl RecordedBody {
    /// The value, if the body is JSON.
    pub fn json(&self) -> Option<&Value> {
        match self {
            Self::Json(value) => Some(value),
            _ => None,
        }
    }

    /// The bytes as in an HTTP message: a watch event is a line of JSON.
    pub fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Json(value) => value.to_string().into_bytes(),
            Self::Text(text) => text.clone().into_bytes(),
            Self::Binary(bytes) => bytes.clone(),
            Self::Events(events) => {
                let line = |event| serde_json::to_string(event).unwrap_or_default() + "\n";
                events.iter().map(line).collect::<String>().into_bytes()
            }
        }
    }

    /// The one body of those that a file may name; `None` if it names none.
    fn one_of(
        (json, text, base64): (Option<Value>, Option<String>, Option<String>),
        events: Option<Vec<RecordedEvent>>,
        error: &'static str,
    ) -> Result<Option<Self>, String> {
        let bytes = base64.map(|text| STANDARD.decode(text)).transpose();
        let bytes = bytes.map_err(|error| format!("`base64`: {error}"))?;
        let (json, text) = (json.map(Self::Json), text.map(Self::Text));
        let bodies = [json, text, bytes.map(Self::Binary), events.map(Self::Events)];
        let mut bodies = bodies.into_iter().flatten();
        let body = bodies.next();
        if bodies.next().is_some() { Err(error.to_owned()) } else { Ok(body) }
    }
}

/// One event of a recorded watch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename = "event")]
#[non_exhaustive]
pub struct RecordedEvent {
    /// The type of the event: `ADDED`, `MODIFIED`, `DELETED`, `BOOKMARK` or `ERROR`.
    #[serde(rename = "type")]
    pub kind: String,
    /// The object of the event.
    pub object: Value,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "request")]
struct WireRequest {
    method: String,
    path: String,
    #[serde(default)]
    query: BTreeMap<String, String>,
    #[serde(default)]
    headers: BTreeMap<String, OneOrMany>,
    #[serde(default, deserialize_with = "present")]
    json: Option<Value>,
    text: Option<String>,
    base64: Option<String>,
}

impl TryFrom<WireRequest> for RecordedRequest {
    type Error = String;

    fn try_from(wire: WireRequest) -> Result<Self, Self::Error> {
        let WireRequest { method, path, query, headers, json, text, base64 } = wire;
        let error = "a request has one of `json`, `text` and `base64`";
        let body = RecordedBody::one_of((json, text, base64), None, error)?;
        Ok(Self { method, path, query, headers: many(headers), body })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "response")]
struct WireResponse {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, OneOrMany>,
    #[serde(default, deserialize_with = "present")]
    json: Option<Value>,
    text: Option<String>,
    base64: Option<String>,
    events: Option<Vec<RecordedEvent>>,
}

impl TryFrom<WireResponse> for RecordedResponse {
    type Error = String;

    fn try_from(wire: WireResponse) -> Result<Self, Self::Error> {
        let WireResponse { status, headers, json, text, base64, events } = wire;
        let error = "a response has one of `json`, `text`, `base64` and `events`";
        let body = RecordedBody::one_of((json, text, base64), events, error)?;
        Ok(Self { status, headers: many(headers), body })
    }
}

/// A member that is present: `null` is a body.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// The value of a header that came once, or the values of a repeated header.
#[derive(Serialize, Deserialize)]
#[serde(untagged, expecting = "a header has a string or a list of strings as its value")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

fn many(headers: BTreeMap<String, OneOrMany>) -> BTreeMap<String, Vec<String>> {
    let headers = headers.into_iter().map(|(name, value)| match value {
        OneOrMany::One(value) => (name, vec![value]),
        OneOrMany::Many(values) => (name, values),
    });
    headers.collect()
}

fn one_or_many<S: Serializer>(
    headers: &BTreeMap<String, Vec<String>>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(headers.iter().map(|(name, values)| match values.as_slice() {
        [one] => (name, OneOrMany::One(one.clone())),
        many => (name, OneOrMany::Many(many.to_vec())),
    }))
}

fn base64<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&STANDARD.encode(bytes))
}
