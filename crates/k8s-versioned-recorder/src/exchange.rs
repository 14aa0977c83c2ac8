//! A request and its response, as a recording holds them.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use hyper::header::{CONTENT_TYPE, HeaderMap};
use hyper::http::{request, response};
use k8s_versioned::StrictValue;
use serde::Serialize;
use serde_json::{Value, json};

/// The headers that are recorded. They are part of the API and do not identify the client.
const RECORDED: [&str; 3] = ["accept", "content-type", "warning"];

/// A recording.
#[derive(Debug, Serialize)]
pub(crate) struct Exchange {
    pub(crate) name: String,
    request: Request,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<Response>,
}

#[derive(Debug, Serialize)]
struct Request {
    method: String,
    path: String,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    query: BTreeMap<String, String>,
    headers: BTreeMap<&'static str, Value>,
    #[serde(flatten)]
    body: Option<Body>,
}

#[derive(Debug, Serialize)]
struct Response {
    status: u16,
    headers: BTreeMap<&'static str, Value>,
    #[serde(flatten)]
    body: Option<Body>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Body {
    Json(Value),
    Text(String),
    Base64(String),
    Events(Vec<Value>),
}

/// The reason why an exchange is not recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRecorded {
    /// A query has a parameter twice, which the format cannot hold.
    #[error("the parameter `{0}` is twice in the query")]
    ParameterTwice(String),
    /// A side ended the answer early, or it is too large.
    #[error("the answer is not complete, or is too large")]
    Incomplete,
    /// An event of a watch is not JSON.
    #[error("an event is not JSON: {0}")]
    Event(serde_json::Error),
}

impl Exchange {
    /// An exchange with a request and no answer yet.
    pub(crate) fn new(
        name: String,
        head: &request::Parts,
        body: &[u8],
    ) -> Result<Self, NotRecorded> {
        let request = Request {
            method: head.method.to_string(),
            path: head.uri.path().to_owned(),
            query: query(head.uri.query().unwrap_or_default())?,
            headers: recorded(&head.headers),
            body: read(&head.headers, body),
        };
        Ok(Self { name, request, response: None })
    }

    /// Adds the answer. A watch may end at any point: its complete events are recorded.
    pub(crate) fn answer(
        &mut self,
        head: &response::Parts,
        body: &[u8],
        whole: bool,
    ) -> Result<(), NotRecorded> {
        let body = if head.status.is_success() && self.is_watch() && is_json(&head.headers) {
            Some(Body::Events(events(body)?))
        } else if whole {
            read(&head.headers, body)
        } else {
            return Err(NotRecorded::Incomplete);
        };
        self.response =
            Some(Response { status: head.status.as_u16(), headers: recorded(&head.headers), body });
        Ok(())
    }

    /// True for a watch, also at a deprecated path: `/apis/<group>/<version>/watch/…`. Servers read every value of the
    /// parameter as true but `false` and `0`.
    fn is_watch(&self) -> bool {
        let parameter = self.request.query.get("watch");
        parameter.is_some_and(|value| !value.eq_ignore_ascii_case("false") && value != "0")
            || self.request.path.split('/').nth(4) == Some("watch")
    }
}

fn query(text: &str) -> Result<BTreeMap<String, String>, NotRecorded> {
    let mut query = BTreeMap::new();
    for (name, value) in form_urlencoded::parse(text.as_bytes()).into_owned() {
        if query.insert(name.clone(), value).is_some() {
            return Err(NotRecorded::ParameterTwice(name));
        }
    }
    Ok(query)
}

/// The headers to record: a text each, or a list if a header is there several times.
fn recorded(headers: &HeaderMap) -> BTreeMap<&'static str, Value> {
    let value = |name| {
        let values = headers.get_all(name).iter();
        let values = values.map(|value| String::from_utf8_lossy(value.as_bytes()));
        match values.collect::<Vec<_>>().as_slice() {
            [] => None,
            [one] => Some((name, json!(one))),
            many => Some((name, json!(many))),
        }
    };
    RECORDED.into_iter().filter_map(value).collect()
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let essence = media_type.and_then(|value| value.split(';').next());
    essence.is_some_and(|essence| essence == "application/json" || essence.ends_with("+json"))
}

/// JSON as a value if it is valid without duplicate keys, other text as it is, and binary bodies in base64.
fn read(headers: &HeaderMap, body: &[u8]) -> Option<Body> {
    if body.is_empty() {
        return None;
    }
    let json = is_json(headers).then(|| serde_json::from_slice::<StrictValue>(body).ok());
    Some(match (json.flatten(), str::from_utf8(body)) {
        (Some(json), _) => Body::Json(json.into_inner()),
        (None, Ok(text)) => Body::Text(text.to_owned()),
        (None, Err(_)) => Body::Base64(STANDARD.encode(body)),
    })
}

/// The complete events, one on each line.
fn events(body: &[u8]) -> Result<Vec<Value>, NotRecorded> {
    let whole = body.iter().rposition(|byte| *byte == b'\n');
    let whole = body.get(..whole.unwrap_or(0)).unwrap_or_default();
    let lines = whole.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_slice(line).map_err(NotRecorded::Event)).collect()
}
