//! The model of the API server as an HTTP service.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use futures_util::future;
use futures_util::stream::{self, StreamExt};
use http_body_util::StreamBody;
use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::requests::http;
use k8s_lease_elector::{ElectorAnswer, ElectorVerb};
use kube::Client;
use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::time::Instant;
use tower::BoxError;

use super::http::{Response, Server, json_response, server};
use crate::server::{self as model, Change, Elections, Micros, Serves, duration, micros, wall};

/// A cluster with one Lease, its candidates, and the elector of the server.
#[derive(Clone)]
pub struct Cluster {
    state: Arc<Mutex<State>>,
    /// Notifies of changes.
    changed: watch::Sender<()>,
    start: Instant,
    /// The number of watches in a version that the server does not serve.
    refused_watches: Arc<AtomicUsize>,
    /// The Events that were created.
    events: Arc<Mutex<Vec<Value>>>,
    /// The methods and targets of all requests.
    requests: Arc<Mutex<Vec<String>>>,
}

struct State {
    server: model::Server,
    elections: Elections,
}

/// A client whose connection can break.
pub struct Connection {
    pub client: Client,
    broken: Arc<AtomicBool>,
}

impl Connection {
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }
}

impl Cluster {
    pub fn new(serves: Option<LeaseCandidateVersion>) -> Self {
        let state = State {
            server: model::Server::new(serves.map(Serves::coordinated).unwrap_or_default()),
            elections: Elections::new(micros(Duration::from_millis(10)), 0),
        };
        let cluster = Self {
            state: Arc::new(Mutex::new(state)),
            changed: watch::Sender::new(()),
            start: Instant::now(),
            refused_watches: Arc::default(),
            events: Arc::default(),
            requests: Arc::default(),
        };
        tokio::spawn(cluster.clone().elect());
        cluster
    }

    pub fn client(&self) -> Client {
        self.client_that_can_break().client
    }

    pub fn client_that_can_break(&self) -> Connection {
        let broken = Arc::new(AtomicBool::new(false));
        let service = self.service(Arc::clone(&broken));
        Connection { client: Client::new(service, "default"), broken }
    }

    /// The cluster as a service, for one connection that can break.
    pub fn service(&self, broken: Arc<AtomicBool>) -> Server {
        let cluster = self.clone();
        server(move |head, body| {
            let answer = if broken.load(Ordering::SeqCst) {
                Err(BoxError::from("connection refused"))
            } else {
                Ok(cluster.respond(&head, &body, Arc::clone(&broken)))
            };
            std::future::ready(answer)
        })
    }

    pub fn holder(&self) -> Option<String> {
        self.state.lock().unwrap().server.lease.as_ref()?.spec.holder_identity.clone()
    }

    pub fn candidates(&self) -> Vec<String> {
        self.state.lock().unwrap().server.candidates.keys().cloned().collect()
    }

    /// Returns `true` if the version of candidates in a path is served.
    fn serves(&self, path: &str) -> bool {
        let version = path.split('/').nth(3).unwrap().parse().ok();
        version == self.state.lock().unwrap().server.serves.candidates
    }

    pub fn events(&self) -> Vec<Value> {
        self.events.lock().unwrap().clone()
    }

    /// The methods and targets of the requests since the last call.
    pub fn take_requests(&self) -> Vec<String> {
        std::mem::take(&mut self.requests.lock().unwrap())
    }

    pub fn refused_watches(&self) -> usize {
        self.refused_watches.load(Ordering::SeqCst)
    }

    fn time(&self) -> Micros {
        micros(self.start.elapsed())
    }

    /// The elector of the server.
    async fn elect(self) {
        loop {
            let next = self.state.lock().unwrap().elections.next();
            let changed = &mut self.changed.subscribe();
            match next {
                None => changed.changed().await.unwrap(),
                Some(next) => tokio::time::sleep_until(self.start + duration(next)).await,
            }
            let time = self.time();
            let State { server, elections } = &mut *self.state.lock().unwrap();
            for change in elections.look(server, time, wall(time, 0)) {
                elections.notice(&change, time);
                self.changed.send_replace(());
            }
        }
    }

    fn respond(
        &self,
        head: &http::request::Parts,
        body: &[u8],
        is_broken: Arc<AtomicBool>,
    ) -> Response {
        self.requests.lock().unwrap().push(format!("{} {}", head.method, head.uri));
        let query = head.uri.query().unwrap_or_default();
        if head.uri.path().ends_with("/events") {
            let mut event: Value = serde_json::from_slice(body).unwrap();
            event["eventTime"].take();
            self.events.lock().unwrap().push(event.clone());
            return json_response(201, &event);
        }
        if query.contains("watch=true") {
            let path = head.uri.path();
            let of_candidate = path.contains("leasecandidates");
            if of_candidate && !self.serves(path) {
                self.refused_watches.fetch_add(1, Ordering::SeqCst);
                return encode(ElectorAnswer::NotServed);
            }
            return self.watch(of_candidate, query, is_broken);
        }
        if head.method == http::Method::GET && head.uri.path().ends_with("/leases") {
            return self.list();
        }
        let time = self.time();
        let verb = verb(head, body);
        let State { server, elections } = &mut *self.state.lock().unwrap();
        let (answer, change) = server.execute(&verb, wall(time, 0));
        elections.notice(&change, time);
        if change != Change::Nothing {
            self.changed.send_replace(());
        }
        encode(answer)
    }

    fn list(&self) -> Response {
        let lease = serde_json::to_value(&self.state.lock().unwrap().server.lease).unwrap();
        let items = if lease.is_null() { vec![] } else { vec![lease] };
        json_response(
            200,
            &json!({"kind": "LeaseList", "apiVersion": "coordination.k8s.io/v1",
            "metadata": {"resourceVersion": "1"}, "items": items}),
        )
    }

    /// The watch of the object that the selector names; without a selector, of the Lease.
    fn watch(&self, of_candidate: bool, query: &str, is_broken: Arc<AtomicBool>) -> Response {
        let name = query.split("metadata.name%3D").nth(1).unwrap_or_default();
        let name = name.split('&').next().unwrap().to_owned();
        let first = stream::once(future::ready(()));
        let changes = stream::unfold(self.changed.subscribe(), async |mut changed| {
            changed.changed().await.ok().map(|()| ((), changed))
        });
        let (cluster, mut last) = (self.clone(), Value::Null);
        let event = move |()| {
            let found = cluster.object(of_candidate, &name);
            let event = match (&last, &found) {
                (last, found) if last == found => None,
                (last, Value::Null) => Some(json!({"type": "DELETED", "object": last})),
                (Value::Null, found) => Some(json!({"type": "ADDED", "object": found})),
                (_, found) => Some(json!({"type": "MODIFIED", "object": found})),
            };
            last = found;
            let line = event.map(|event| Bytes::from(event.to_string() + "\n"));
            future::ready(line.map(|line| Ok(http_body::Frame::data(line))))
        };
        let is_whole = move |(): &()| future::ready(!is_broken.load(Ordering::SeqCst));
        let events = first.chain(changes).take_while(is_whole).filter_map(event);
        http::Response::new(StreamBody::new(events.boxed()))
    }

    fn object(&self, of_candidate: bool, name: &str) -> Value {
        let State { server, .. } = &*self.state.lock().unwrap();
        let value = if of_candidate {
            serde_json::to_value(server.candidates.get(name))
        } else {
            serde_json::to_value(&server.lease)
        };
        value.unwrap()
    }
}

fn verb(head: &http::request::Parts, body: &[u8]) -> ElectorVerb {
    let segments: Vec<_> = head.uri.path().split('/').skip(3).collect();
    let (version, name) = (segments[0], segments.get(4).copied().unwrap_or_default());
    let method = head.method.as_str();
    if segments[3] == "leases" {
        let lease = || Box::new(serde_json::from_slice(body).unwrap());
        return match method {
            "GET" => ElectorVerb::ReadLease(name.into()),
            "POST" if head.uri.query().is_some() => ElectorVerb::TryLease(lease()),
            "POST" => ElectorVerb::CreateLease(lease()),
            _ => ElectorVerb::ReplaceLease(lease()),
        };
    }
    let version = version.parse().unwrap();
    let candidate = || Box::new(serde_json::from_slice::<AnyLeaseCandidate>(body).unwrap());
    match method {
        "GET" => ElectorVerb::ReadCandidate(version, name.into()),
        "POST" => ElectorVerb::CreateCandidate(candidate()),
        "PUT" => ElectorVerb::ReplaceCandidate(candidate()),
        _ => ElectorVerb::DeleteCandidate(version, name.into()),
    }
}

fn encode(answer: ElectorAnswer) -> Response {
    match answer {
        ElectorAnswer::Lease(lease) => json_response(200, &lease),
        ElectorAnswer::Candidate(candidate) => json_response(200, &candidate),
        ElectorAnswer::Deleted => {
            json_response(200, &json!({"kind": "Status", "apiVersion": "v1", "status": "Success"}))
        }
        ElectorAnswer::NotFound => refusal(404, "NotFound", "not found"),
        ElectorAnswer::Conflict => refusal(409, "Conflict", "the object has changed"),
        ElectorAnswer::NotServed => json_response(404, &"404 page not found"),
        ElectorAnswer::Failed(error) => refusal(422, "Invalid", &error.message),
        other => panic!("{other:?}"),
    }
}

fn refusal(code: u16, reason: &str, message: &str) -> Response {
    let status = json!({"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": reason,
        "message": message, "details": {"name": "a"}, "code": code});
    json_response(code, &status)
}
