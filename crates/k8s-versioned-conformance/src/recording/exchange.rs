//! One request and its response.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::target::Target;

/// One request and its response.
#[derive(Clone, Debug, Deserialize)]
#[non_exhaustive]
pub struct Exchange {
    /// The stored object before the request, if it was recorded.
    pub before: Option<Value>,
    /// The request.
    pub request: RecordedRequest,
    /// The response.
    pub response: RecordedResponse,
}

/// A request that was recorded.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WireRequest")]
#[non_exhaustive]
pub struct RecordedRequest {
    /// The HTTP method, in upper case.
    pub method: String,
    /// The path of the URL.
    pub path: String,
    /// The query parameters, before percent-encoding.
    pub query: BTreeMap<String, String>,
    /// The headers; names are in lower case.
    pub headers: BTreeMap<String, Vec<String>>,
    /// The body.
    pub body: RequestBody,
}

impl RecordedRequest {
    /// The target of the path.
    pub fn target(&self) -> Target<'_> {
        Target::parse(&self.path)
    }
}

/// The body of a request.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RequestBody {
    /// There is none.
    None,
    /// A body in JSON.
    Json(Value),
    /// A body that is not valid JSON, or whose exact text matters.
    Text(String),
}

/// A response that was recorded.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "WireResponse")]
#[non_exhaustive]
pub struct RecordedResponse {
    /// The HTTP status code.
    pub status: u16,
    /// The headers; names are in lower case.
    pub headers: BTreeMap<String, Vec<String>>,
    /// The body.
    pub body: ResponseBody,
}

impl RecordedResponse {
    /// The media type of the body, without parameters.
    pub fn media_type(&self) -> Option<&str> {
        let value = self.headers.get("content-type")?.first()?;
        value.split(';').next().map(str::trim)
    }
}

/// The body of a response.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ResponseBody {
    /// There is none.
    None,
    /// A body in JSON.
    Json(Value),
    /// A body in another textual format, such as YAML.
    Text(String),
    /// A binary body, in base64.
    Base64(String),
    /// The events of a watch, in the order in which they came.
    Events(Vec<RecordedEvent>),
}

/// One event of a recorded watch.
#[derive(Clone, Debug, PartialEq, Deserialize)]
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
    json: Option<Value>,
    text: Option<String>,
}

impl TryFrom<WireRequest> for RecordedRequest {
    type Error = &'static str;

    fn try_from(wire: WireRequest) -> Result<Self, Self::Error> {
        let body = match (wire.json, wire.text) {
            (None, None) => RequestBody::None,
            (Some(json), None) => RequestBody::Json(json),
            (None, Some(text)) => RequestBody::Text(text),
            (Some(_), Some(_)) => return Err("a request has `json` or `text`, not both"),
        };
        Ok(Self {
            method: wire.method,
            path: wire.path,
            query: wire.query,
            headers: many(wire.headers),
            body,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "response")]
struct WireResponse {
    status: u16,
    #[serde(default)]
    headers: BTreeMap<String, OneOrMany>,
    json: Option<Value>,
    text: Option<String>,
    base64: Option<String>,
    events: Option<Vec<RecordedEvent>>,
}

impl TryFrom<WireResponse> for RecordedResponse {
    type Error = &'static str;

    fn try_from(wire: WireResponse) -> Result<Self, Self::Error> {
        let json = wire.json.map(ResponseBody::Json);
        let text = wire.text.map(ResponseBody::Text);
        let base64 = wire.base64.map(ResponseBody::Base64);
        let events = wire.events.map(ResponseBody::Events);
        let mut bodies = [json, text, base64, events].into_iter().flatten();
        let body = bodies.next().unwrap_or(ResponseBody::None);
        if bodies.next().is_some() {
            return Err("a response has one of `json`, `text`, `base64` and `events`");
        }
        Ok(Self { status: wire.status, headers: many(wire.headers), body })
    }
}

/// The value of a header that came once, or the values of one that came several times.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a header has a string or a list of strings as its value")]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

fn many(headers: BTreeMap<String, OneOrMany>) -> BTreeMap<String, Vec<String>> {
    let headers = headers.into_iter().map(|(name, value)| {
        let values = match value {
            OneOrMany::One(value) => vec![value],
            OneOrMany::Many(values) => values,
        };
        (name, values)
    });
    headers.collect()
}
