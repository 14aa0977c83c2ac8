//! A server that replays recordings of real servers, with the faults of a test.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::{self, StreamExt};
use http_body_util::StreamBody;
use k8s_coordination::requests::http::{self, Uri, header};
use k8s_versioned_conformance::recordings::{
    Exchange, RecordedBody, RecordedRequest, RecordedResponse, Recording, Recordings,
};
use kube::Client;
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tower::BoxError;

use super::http::{Response, Server, json_response, once, server};
use super::run_within;

static RECORDINGS: LazyLock<Recordings> = LazyLock::new(|| {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures");
    Recordings::load(folder).unwrap()
});

/// A fault instead of an answer.
#[derive(Clone)]
pub enum Fault {
    /// No answer comes.
    Hang,
    /// The connection breaks before the answer.
    Disconnect,
    /// The connection breaks after this number of bytes of the answer.
    BreakOff(usize),
    /// A refusal with this status code and this `Retry-After`.
    Refuse(u16, &'static str),
    /// The watch begins, and its first event is this error.
    WatchError(u16),
}

/// The recordings that no request has used yet, and the faults that come before them.
#[derive(Default)]
pub struct Replay {
    expected: Mutex<Vec<(String, Exchange)>>,
    faults: Mutex<Vec<(String, Fault)>>,
    /// Whether watches end after their last event.
    watches_end: bool,
}

impl Replay {
    /// The recordings of a set, such as `("v1.36", "v1beta1", "kube")`.
    pub fn set(release: &str, version: &str, set: &str) -> Self {
        let is_of = |recording: &&Recording| {
            let path = &recording.path;
            path.release.to_string() == release && (&*path.version, &*path.set) == (version, set)
        };
        let mut found: Vec<_> = RECORDINGS.iter().filter(is_of).collect();
        found.sort_by(|one, other| one.path.file.cmp(&other.path.file));
        let exchanges = found
            .iter()
            .filter_map(|recording| Some((recording.name.clone(), recording.exchange()?.clone())));
        Self { expected: Mutex::new(exchanges.collect()), ..Self::default() }
    }

    /// Only the ones with these names.
    pub fn only(self, names: &[&str]) -> Self {
        self.expected.lock().unwrap().retain(|(name, _)| names.contains(&name.as_str()));
        self
    }

    /// Adds the recordings of another set.
    pub fn and(self, other: Self) -> Self {
        self.expected.lock().unwrap().extend(other.expected.into_inner().unwrap());
        self
    }

    /// Adds an answer to a `GET`: an object, or the events of a watch. The target may have a query. The `code` of a `Status`
    /// is the status code.
    pub fn and_get(self, target: &str, answer: &Value) -> Self {
        self.and_made_up("GET", target, json!({}), answer)
    }

    /// Adds an answer to a request with this method and body. A patch that is a list is a JSON patch, another one a merge
    /// patch.
    pub fn and_write(self, method: &str, target: &str, body: &Value, answer: &Value) -> Self {
        let patch = match method {
            "PATCH" if body.is_array() => "json-patch+",
            "PATCH" => "merge-patch+",
            _ => "",
        };
        let headers = json!({"content-type": format!("application/{patch}json")});
        self.and_made_up(method, target, json!({"headers": headers, "json": body}), answer)
    }

    fn and_made_up(self, method: &str, target: &str, mut request: Value, answer: &Value) -> Self {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let query: BTreeMap<_, _> = form_urlencoded::parse(query.as_bytes()).into_owned().collect();
        request["method"] = method.into();
        request["path"] = path.into();
        request["query"] = json!(query);
        let headers = json!({"content-type": "application/json"});
        let status = answer.get("code").cloned().unwrap_or(json!(200));
        let body = if answer.is_array() { "events" } else { "json" };
        let response = json!({"status": status, "headers": headers, body: answer});
        let exchange = json!({"request": request, "response": response});
        let exchange = serde_json::from_value(exchange).unwrap();
        self.expected.lock().unwrap().push((format!("{method} {target}"), exchange));
        self
    }

    /// Makes watches end after their last event.
    pub fn with_ending_watches(self) -> Self {
        Self { watches_end: true, ..self }
    }

    /// Adds a fault before the recording of this name.
    pub fn with_fault(self, name: &str, fault: Fault) -> Self {
        self.faults.lock().unwrap().push((name.to_owned(), fault));
        self
    }

    /// The replay as a service.
    pub fn service(self: &Arc<Self>) -> Server {
        let replay = Arc::clone(self);
        server(move |head, body| {
            let answer = replay.find_answer(&head, &body);
            async move {
                match answer {
                    Some(answer) => answer,
                    None => std::future::pending().await,
                }
            }
        })
    }

    /// A client of this server.
    pub fn client(self: &Arc<Self>) -> Client {
        Client::new(self.service(), "default-kube")
    }

    /// The recorded body of the request of this name.
    pub fn sent(&self, name: &str) -> Value {
        match self.find(name).request.body {
            Some(RecordedBody::Json(value)) => value,
            _ => panic!("no JSON in {name}"),
        }
    }

    pub fn sent_parameter(&self, name: &str, parameter: &str) -> String {
        self.find(name).request.query[parameter].clone()
    }

    fn find(&self, name: &str) -> Exchange {
        let expected = self.expected.lock().unwrap();
        let (_, found) = expected.iter().find(|(found, _)| found == name).unwrap();
        found.clone()
    }

    /// Waits until every fault has happened.
    pub async fn faults_happened(&self) {
        while !self.faults.lock().unwrap().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }

    /// Asserts that every recording was used, and that every fault happened.
    pub fn assert_used_up(&self) {
        let expected = self.expected.lock().unwrap();
        let names: Vec<_> = expected.iter().map(|(name, _)| name).collect();
        assert!(names.is_empty(), "never requested: {names:?}");
        let faults = self.faults.lock().unwrap();
        assert!(faults.is_empty(), "a fault did not happen");
    }

    /// The answer to a request; `None` if no answer comes.
    fn find_answer(
        &self,
        head: &http::request::Parts,
        body: &[u8],
    ) -> Option<Result<Response, BoxError>> {
        let mut expected = self.expected.lock().unwrap();
        let found = expected.iter().position(|(_, exchange)| is_of(&exchange.request, head, body));
        let Some(found) = found else {
            let names: Vec<_> = expected.iter().map(|(name, _)| name).collect();
            let body = String::from_utf8_lossy(body);
            let request = format!("{} {}", head.method, head.uri);
            return Some(Err(format!("not recorded: {request} {body}; left: {names:?}").into()));
        };
        let (name, exchange) = &expected[found];
        match self.next_fault(name) {
            Some(Fault::Hang) => None,
            Some(fault) => Some(self.fault(&fault, &exchange.response)),
            None => Some(Ok(self.respond(&expected.remove(found).1.response, None))),
        }
    }

    fn next_fault(&self, name: &str) -> Option<Fault> {
        let mut faults = self.faults.lock().unwrap();
        let next = faults.iter().position(|(before, _)| before == name)?;
        Some(faults.remove(next).1)
    }

    fn fault(&self, fault: &Fault, recorded: &RecordedResponse) -> Result<Response, BoxError> {
        match fault {
            Fault::Hang | Fault::Disconnect => Err("connection reset".into()),
            Fault::BreakOff(bytes) => Ok(self.respond(recorded, Some(*bytes))),
            Fault::Refuse(code, retry_after) => {
                let mut response = json_response(*code, &status(*code));
                response.headers_mut().insert(header::RETRY_AFTER, retry_after.parse()?);
                Ok(response)
            }
            Fault::WatchError(code) => {
                let event = json!({"type": "ERROR", "object": status(*code)}).to_string() + "\n";
                Ok(http::Response::new(StreamBody::new(once(event))))
            }
        }
    }

    fn respond(&self, response: &RecordedResponse, break_off: Option<usize>) -> Response {
        let bytes = Bytes::from(response.bytes());
        let is_watch = matches!(response.body, Some(RecordedBody::Events(_)));
        let mut http = http::Response::builder().status(response.status);
        for (name, values) in &response.headers {
            for value in values {
                http = http.header(name, value);
            }
        }
        let body = match break_off {
            Some(count) => {
                let begun = once(bytes.slice(..count.min(bytes.len())));
                begun.chain(stream::iter([Err("connection reset".into())])).boxed()
            }
            None if is_watch && !self.watches_end => once(bytes).chain(stream::pending()).boxed(),
            None => once(bytes),
        };
        http.body(StreamBody::new(body)).unwrap()
    }
}

fn status(code: u16) -> Value {
    let reason = match code {
        409 => "Conflict",
        410 => "Expired",
        429 => "TooManyRequests",
        _ => "InternalError",
    };
    json!({"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure",
        "message": format!("the fault of the test: {code}"), "reason": reason, "code": code})
}

/// Compares method, path, query, content type, and the body as JSON.
fn is_of(recorded: &RecordedRequest, head: &http::request::Parts, body: &[u8]) -> bool {
    let content_type = head.headers.get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap());
    let recorded_type = recorded.headers.get("content-type").map(|values| values[0].as_str());
    let same_body = match &recorded.body {
        None => body.is_empty(),
        // `kube` leaves out empty options; in the recordings they are there.
        Some(RecordedBody::Json(value)) if *value == json!({}) && body.is_empty() => true,
        Some(RecordedBody::Json(value)) => {
            recorded_type == content_type
                && serde_json::from_slice(body).is_ok_and(|sent: Value| sent == *value)
        }
        Some(RecordedBody::Text(text)) => recorded_type == content_type && text.as_bytes() == body,
        _ => false,
    };
    recorded.method == head.method.as_str()
        && recorded.path.trim_end_matches('/') == head.uri.path().trim_end_matches('/')
        && recorded.query == query(&head.uri)
        && same_body
}

fn query(uri: &Uri) -> BTreeMap<String, String> {
    let query = uri.query().unwrap_or_default();
    form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

/// Runs a test in paused time, and fails if it hangs.
pub fn run<T>(test: impl Future<Output = T>) -> T {
    run_within(Builder::new_current_thread().enable_time().start_paused(true), 3600, Box::pin(test))
}
