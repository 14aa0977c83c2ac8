//! Protobuf through a client of `kube`: with the setting, without it, and on servers that refuse it.

use std::sync::{Arc, Mutex};

use futures_util::StreamExt;
use k8s_coordination::List;
use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_coordination::meta::v1::{ListMeta, Status};
use k8s_coordination::prelude::*;
use k8s_coordination::protobuf::{self, CONTENT_TYPE, Message};
use k8s_coordination::requests::http::{self, header, request};
use k8s_coordination::requests::{BodyForm, Event, ListParameters, WriteParameters};
use k8s_coordination::v1beta1::{LeaseCandidate, LeaseCandidateSpec};
use k8s_coordination_kube::client::Candidates;
use kube::Client;
use serde::Serialize;

use testing::cluster::http::{Response, once, server};
use testing::cluster::replay::run;

const NAMESPACE: &str = "default";

/// What a server does with protobuf.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Protobuf,
    /// Answers 415 to a body in protobuf, and in JSON to everything else.
    Json,
    /// Answers 406 to a request that accepts protobuf.
    JsonAlone,
}

/// Each request: its method, and the media type of its body or of the accepted answer.
type Requests = Arc<Mutex<Vec<String>>>;

fn candidate() -> LeaseCandidate {
    let spec = LeaseCandidateSpec::new("lock", "1.36.0", "OldestEmulationVersion");
    LeaseCandidate::named("a", spec)
}

/// A client for a server that has one candidate and returns what it gets.
fn client(takes: Takes, requests: &Requests) -> Client {
    let requests = Arc::clone(requests);
    let service = server(move |head: request::Parts, body| {
        let accepted = text(&head, header::ACCEPT).unwrap_or_default();
        let sent = text(&head, header::CONTENT_TYPE);
        let media_type = sent.as_deref().unwrap_or(&accepted);
        requests.lock().unwrap().push(format!("{} {media_type}", head.method));
        let answer = answer(takes, &head, &body, &accepted, sent.as_deref());
        async move { Ok(answer) }
    });
    Client::new(service, NAMESPACE)
}

fn answer(
    takes: Takes,
    head: &request::Parts,
    body: &[u8],
    accepted: &str,
    sent: Option<&str>,
) -> Response {
    let refusal = |code: u16, reason: &str| {
        let status = Status::default().with_code(code.into()).with_reason(reason);
        json(code, &status)
    };
    if takes == Takes::JsonAlone && accepted.contains(CONTENT_TYPE) {
        return refusal(406, "NotAcceptable");
    }
    if takes == Takes::Json && sent == Some(CONTENT_TYPE) {
        return refusal(415, "UnsupportedMediaType");
    }
    let as_protobuf = takes == Takes::Protobuf && accepted.starts_with(CONTENT_TYPE);
    let object = match sent {
        Some(CONTENT_TYPE) => protobuf::decode(body).unwrap(),
        Some(_) => serde_json::from_slice(body).unwrap(),
        None => candidate(),
    };
    let query = head.uri.query().unwrap_or_default();
    match (head.uri.path().ends_with("/leasecandidates"), as_protobuf) {
        (true, true) if query.contains("watch=true") => {
            let event = event(&protobuf::encode(&object));
            respond(200, "application/vnd.kubernetes.protobuf;stream=watch", event)
        }
        (true, _) if head.method == http::Method::GET => {
            let metadata = ListMeta::default().with_resource_version("1");
            body_of(&List::new([object]).with_metadata(metadata), as_protobuf)
        }
        _ => body_of(&object, as_protobuf),
    }
}

fn body_of<T: Kind + Message + Serialize>(body: &T, as_protobuf: bool) -> Response {
    if as_protobuf { respond(200, CONTENT_TYPE, protobuf::encode(body)) } else { json(200, body) }
}

fn json(code: u16, body: &impl Serialize) -> Response {
    testing::cluster::http::json_response(code, body)
}

fn respond(code: u16, media_type: &str, body: Vec<u8>) -> Response {
    let body = http_body_util::StreamBody::new(once(body));
    let response = http::Response::builder().status(code);
    response.header(header::CONTENT_TYPE, media_type).body(body).unwrap()
}

/// The frame of an event. Two bytes are a length below 16,384.
fn event(object: &[u8]) -> Vec<u8> {
    let field = |tag: u8, bytes: &[u8]| {
        let length =
            [bytes.len() % 128 + 128, bytes.len() / 128].map(|byte| u8::try_from(byte).unwrap());
        [&[tag], &length[..], bytes].concat()
    };
    let event = [field(0x0a, b"ADDED"), field(0x12, &field(0x0a, object))].concat();
    [&u32::try_from(event.len()).unwrap().to_be_bytes(), &*event].concat()
}

fn text(head: &request::Parts, name: header::HeaderName) -> Option<String> {
    Some(head.headers.get(name)?.to_str().unwrap().to_owned())
}

fn candidates(client: &Client) -> Candidates<LeaseCandidate> {
    Candidates::new(client.clone(), LeaseCandidateVersion::V1beta1)
}

/// Creates, reads and lists a candidate, and returns the requests.
async fn use_each(candidates: &Candidates<LeaseCandidate>, requests: &Requests) -> Vec<String> {
    let none = WriteParameters::default();
    let created = candidates.create(NAMESPACE, candidate(), &none).await.unwrap();
    assert_eq!(created.body, candidate());
    assert_eq!(candidates.get(NAMESPACE, "a").await.unwrap().body, candidate());
    let listed = candidates.list(NAMESPACE, &ListParameters::default()).await.unwrap();
    assert_eq!(listed.body.items, [candidate()]);
    std::mem::take(&mut requests.lock().unwrap())
}

fn accepts(requests: &[String]) -> Vec<bool> {
    requests.iter().map(|request| request.contains(CONTENT_TYPE)).collect()
}

#[test]
fn requests_and_answers_are_protobuf_if_the_form_says_so() {
    run(async {
        let requests = Requests::default();
        let candidates = candidates(&client(Takes::Protobuf, &requests));
        let candidates = candidates.with_form(Arc::new(BodyForm::protobuf()));
        let sent = use_each(&candidates, &requests).await;
        let accept = format!("GET {CONTENT_TYPE},application/json");
        assert_eq!(sent, [format!("POST {CONTENT_TYPE}"), accept.clone(), accept]);
        let parameters = ListParameters::default().with_resource_version("1");
        let mut events = candidates.watch(NAMESPACE, &parameters).await.unwrap();
        let (event, _) = events.next().await.unwrap().unwrap();
        assert_eq!(event, Event::Added(candidate()));
    });
}

#[test]
fn the_default_is_json() {
    run(async {
        let requests = Requests::default();
        let candidates = candidates(&client(Takes::Protobuf, &requests));
        let sent = use_each(&candidates, &requests).await;
        assert_eq!(accepts(&sent), [false; 3], "{sent:?}");
    });
}

/// One request is sent twice; from then on, every client with this form sends JSON. Another form knows nothing of it.
#[test]
fn a_refusal_is_answered_by_json_once_and_the_form_remembers_it() {
    run(async {
        for takes in [Takes::Json, Takes::JsonAlone] {
            let requests = Requests::default();
            let client = client(takes, &requests);
            let form = Arc::new(BodyForm::protobuf());
            let first = candidates(&client).with_form(Arc::clone(&form));
            let first = use_each(&first, &requests).await;
            assert_eq!(accepts(&first), [true, false, false, false], "{first:?}");
            assert!(!form.is_protobuf());
            let same = use_each(&candidates(&client).with_form(form), &requests).await;
            assert_eq!(accepts(&same), [false; 3], "{same:?}");
            let other = candidates(&client).with_form(Arc::new(BodyForm::protobuf()));
            let other = use_each(&other, &requests).await;
            assert_eq!(accepts(&other), [true, false, false, false], "{other:?}");
        }
    });
}
