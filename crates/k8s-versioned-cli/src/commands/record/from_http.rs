//! A request and its response as they pass, as a recording holds them.

use std::collections::BTreeMap;

use hyper::header::HeaderMap;
use hyper::http::{request, response};
use k8s_versioned_conformance::recordings::{
    Exchange, RecordedBody, RecordedEvent, RecordedRequest, RecordedResponse,
};
use k8s_versioned_core::frame;
use k8s_versioned_core::json::StrictValue;
use k8s_versioned_core::resource_path::ResourcePath;
use k8s_versioned_core::verb::is_true;
use percent_encoding::percent_decode_str;

use super::limits::RECORDED_ANSWER;
use super::secrets::{RECORDED_HEADERS, is_secret};

/// The reason why an exchange is not recorded.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NotRecorded {
    /// A query has a parameter twice, which the format cannot hold.
    #[error("the parameter `{0}` is twice in the query")]
    ParameterTwice(String),
    /// A side ended the answer early.
    #[error("the answer is not complete")]
    Incomplete,
    /// The answer has [`RECORDED_ANSWER`] bytes or more.
    #[error("the answer is too large")]
    TooLarge,
    /// An event of a watch is not JSON.
    #[error("an event is not JSON: {0}")]
    Event(serde_json::Error),
}

/// The request of a recording.
pub(crate) fn request(head: &request::Parts, body: &[u8]) -> Result<RecordedRequest, NotRecorded> {
    let mut request = RecordedRequest::new(head.method.as_str(), head.uri.path());
    request.query = query(head.uri.query().unwrap_or_default())?;
    request.headers = headers(&head.headers);
    request.body = read(request.media_type(), body);
    Ok(request)
}

/// The recording of a request with its answer. A watch may end at any point: its complete events are recorded.
pub(crate) fn answer(
    request: RecordedRequest,
    head: &response::Parts,
    body: &[u8],
    whole: bool,
) -> Result<Exchange, NotRecorded> {
    if body.len() >= RECORDED_ANSWER {
        return Err(NotRecorded::TooLarge);
    }
    let mut response = RecordedResponse::new(head.status.as_u16());
    response.headers = headers(&head.headers);
    let watches = head.status.is_success() && is_watch(&request);
    response.body = if watches && is_json(response.media_type()) {
        Some(RecordedBody::Events(events(body)?))
    } else if watches && is_protobuf(response.media_type()) {
        Some(RecordedBody::Binary(whole_frames(body).to_vec()))
    } else if whole {
        read(response.media_type(), body)
    } else {
        return Err(NotRecorded::Incomplete);
    };
    Ok(Exchange::new(request, response))
}

/// Returns `true` for a watch, also at a deprecated path: `/apis/<group>/<version>/watch/…`.
fn is_watch(request: &RecordedRequest) -> bool {
    let parameter = request.query.get("watch");
    parameter.is_some_and(|value| is_true(value))
        || ResourcePath::parse(&request.path).is_some_and(|path| path.watch)
}

fn query(text: &str) -> Result<BTreeMap<String, String>, NotRecorded> {
    let mut query = BTreeMap::new();
    for pair in text.split('&').filter(|pair| !pair.is_empty()) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        let (name, value) = (decoded(name), decoded(value));
        if is_secret(&name) {
            continue;
        }
        if query.insert(name.clone(), value).is_some() {
            return Err(NotRecorded::ParameterTwice(name));
        }
    }
    Ok(query)
}

/// A part of a query: `+` is a space, and other letters are percent-encoded.
fn decoded(text: &str) -> String {
    let text = text.replace('+', " ");
    percent_decode_str(&text).decode_utf8_lossy().into_owned()
}

/// The headers to record, with all their values.
fn headers(headers: &HeaderMap) -> BTreeMap<String, Vec<String>> {
    let recorded = RECORDED_HEADERS.into_iter().filter(|name| headers.contains_key(*name));
    let values = |name| {
        let values = headers.get_all(name).iter();
        values.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned()).collect()
    };
    recorded.map(|name| (name.to_owned(), values(name))).collect()
}

fn is_json(media_type: Option<&str>) -> bool {
    media_type.is_some_and(|it| it == "application/json" || it.ends_with("+json"))
}

fn is_protobuf(media_type: Option<&str>) -> bool {
    media_type == Some("application/vnd.kubernetes.protobuf")
}

/// JSON as a value if it is valid without duplicate keys, other text as it is, and binary bodies as bytes. A body that
/// is said to be protobuf is bytes also where it is text.
fn read(media_type: Option<&str>, body: &[u8]) -> Option<RecordedBody> {
    if is_protobuf(media_type) {
        return Some(RecordedBody::Binary(body.to_vec()));
    }
    if body.is_empty() {
        return None;
    }
    let json = is_json(media_type).then(|| StrictValue::from_slice(body).ok());
    Some(match (json.flatten(), str::from_utf8(body)) {
        (Some(json), _) => RecordedBody::Json(json.into_inner()),
        (None, Ok(text)) => RecordedBody::Text(text.to_owned()),
        (None, Err(_)) => RecordedBody::Binary(body.to_vec()),
    })
}

/// The frames that are complete.
fn whole_frames(body: &[u8]) -> &[u8] {
    let mut rest = body;
    while let Some((_, more)) = frame::split(rest) {
        rest = more;
    }
    body.get(..body.len() - rest.len()).unwrap_or_default()
}

/// The complete events, one on each line.
fn events(body: &[u8]) -> Result<Vec<RecordedEvent>, NotRecorded> {
    let whole = body.iter().rposition(|byte| *byte == b'\n');
    let whole = body.get(..whole.unwrap_or(0)).unwrap_or_default();
    let lines = whole.split(|byte| *byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let event = |line| serde_json::from_value(StrictValue::from_slice(line)?.into_inner());
    lines.map(|line| event(line).map_err(NotRecorded::Event)).collect()
}

#[cfg(test)]
mod tests {
    use hyper::http::Response;
    use k8s_versioned_conformance::recordings::RecordedRequest;

    use super::{NotRecorded, RECORDED_ANSWER, answer, events, query};

    #[test]
    fn a_token_in_the_query_is_not_recorded() {
        let recorded = query("limit=5&access_token=a&api-key=b&X-Amz-Signature=c&watch").unwrap();
        assert_eq!(recorded.keys().collect::<Vec<_>>(), ["limit", "watch"]);
    }

    /// Managed fields nest deeper than the reader of JSON does by itself.
    #[test]
    fn events_are_read_like_other_bodies() {
        let deep = "[".repeat(200) + &"]".repeat(200);
        for (object, is_read) in [(deep.as_str(), true), (r#"{"a": 1, "a": 2}"#, false)] {
            let line = format!("{{\"type\": \"ADDED\", \"object\": {object}}}\n");
            assert_eq!(events(line.as_bytes()).is_ok(), is_read, "{line}");
        }
    }

    /// What follows the kept bytes is lost, so the events would look complete.
    #[test]
    fn a_large_watch_is_not_recorded() {
        let response = Response::builder().header("content-type", "application/json");
        let (head, ()) = response.body(()).unwrap().into_parts();
        let of_size = |size| {
            let mut request = RecordedRequest::new("GET", "/apis/example.com/v1/widgets");
            request.query.insert("watch".to_owned(), "1".to_owned());
            answer(request, &head, &vec![b'\n'; size], false)
        };
        assert!(of_size(RECORDED_ANSWER - 1).is_ok());
        assert!(matches!(of_size(RECORDED_ANSWER), Err(NotRecorded::TooLarge)));
    }
}
