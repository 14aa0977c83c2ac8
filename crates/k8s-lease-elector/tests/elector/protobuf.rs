//! Requests of an elector as protobuf, to servers that have it and to one that refuses it.

use k8s_lease_elector::k8s_coordination::meta::v1::{Status, StatusDetails};
use k8s_lease_elector::k8s_coordination::prelude::Kind;
use k8s_lease_elector::k8s_coordination::protobuf::{self, CONTENT_TYPE, Message};
use k8s_lease_elector::k8s_coordination::requests::http::{Request, Response};
use k8s_lease_elector::k8s_coordination::v1::Lease;
use k8s_lease_elector::{ElectorEvent, LeaderElector, Monotonic, Now, Settings, State, Step};
use serde::Serialize;

use testing::server::wall;

const JSON: &str = "application/json";

/// A server with one Lease. It notes the media type of each body, or of the accepted answer.
#[derive(Default)]
struct OneLease {
    refuses_protobuf: bool,
    lease: Option<Lease>,
    requests: Vec<String>,
}

impl OneLease {
    fn answer(&mut self, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
        let header =
            |name| request.headers().get(name).map(|header| header.to_str().unwrap().to_owned());
        let sent = header("content-type");
        let accepted = header("accept").unwrap_or_else(|| JSON.to_owned());
        self.requests.push(format!("{} {}", request.method(), sent.as_ref().unwrap_or(&accepted)));
        if self.refuses_protobuf && sent.as_deref() == Some(CONTENT_TYPE) {
            return json(
                415,
                &Status::default().with_code(415).with_reason("UnsupportedMediaType"),
            );
        }
        if let Some(sent) = sent {
            let body = request.body();
            self.lease = Some(match sent.as_str() {
                CONTENT_TYPE => protobuf::decode(body).unwrap(),
                _ => serde_json::from_slice(body).unwrap(),
            });
        }
        let as_protobuf = accepted.starts_with(CONTENT_TYPE) && !self.refuses_protobuf;
        let details = StatusDetails::default().with_name("work").with_kind("leases");
        let missing = Status::default().with_code(404).with_reason("NotFound");
        let missing = missing.with_details(details);
        match (&self.lease, as_protobuf) {
            (Some(lease), true) => in_protobuf(200, lease),
            (Some(lease), false) => json(200, lease),
            (None, true) => in_protobuf(404, &missing),
            (None, false) => json(404, &missing),
        }
    }
}

fn json(code: u16, body: &impl Serialize) -> Response<Vec<u8>> {
    response(code, JSON, serde_json::to_vec(body).unwrap())
}

fn in_protobuf<T: Kind + Message>(code: u16, body: &T) -> Response<Vec<u8>> {
    response(code, CONTENT_TYPE, protobuf::encode(body))
}

fn response(code: u16, media_type: &str, body: Vec<u8>) -> Response<Vec<u8>> {
    Response::builder().status(code).header("content-type", media_type).body(body).unwrap()
}

/// Runs an elector until it leads, and a minute longer.
fn lead(server: &mut OneLease, settings: Settings) {
    let mut now = Now { monotonic: Monotonic::default(), wall: wall(0, 0) };
    let mut elector = LeaderElector::new(settings, now).unwrap();
    let mut led = false;
    while server.requests.len() < 6 {
        match elector.poll(now) {
            Step::Send(call) => {
                let response = server.answer(&call.request.to_http().unwrap());
                elector
                    .handle(ElectorEvent::Answered(call.id, call.request.decode(&response)), now);
            }
            Step::Wait(until) => now.monotonic = until,
            other => panic!("{other:?}"),
        }
        led |= matches!(elector.state(now.monotonic), State::Leading(_));
    }
    assert!(led, "{:?}", server.requests);
}

fn settings() -> Settings {
    Settings::new("default", "work", "pod-1")
}

#[test]
fn an_elector_leads_by_protobuf_if_the_settings_say_so() {
    let mut server = OneLease::default();
    lead(&mut server, settings().with_protobuf());
    let holder = server.lease.unwrap().spec.holder_identity;
    assert_eq!(holder.as_deref(), Some("pod-1"));
    let accepts = format!("GET {CONTENT_TYPE},{JSON}");
    let sends = |method: &str| format!("{method} {CONTENT_TYPE}");
    assert_eq!(server.requests[..2], [accepts, sends("POST")]);
    assert!(
        server.requests[2..].iter().all(|request| *request == sends("PUT")),
        "{:?}",
        server.requests
    );
}

#[test]
fn the_default_is_json() {
    let mut server = OneLease::default();
    lead(&mut server, settings());
    assert!(server.requests.iter().all(|request| request.ends_with(JSON)), "{:?}", server.requests);
    assert!(
        !server.requests.iter().any(|request| request.contains("protobuf")),
        "{:?}",
        server.requests
    );
}

#[test]
fn an_elector_sends_json_from_its_next_attempt_on_after_a_refusal() {
    let mut server = OneLease { refuses_protobuf: true, ..OneLease::default() };
    lead(&mut server, settings().with_protobuf());
    let protobuf = |it: &&String| it.contains(CONTENT_TYPE);
    let refused = [format!("GET {CONTENT_TYPE},{JSON}"), format!("POST {CONTENT_TYPE}")];
    assert_eq!(server.requests[..2], refused);
    assert_eq!(server.requests.iter().filter(protobuf).count(), 2, "{:?}", server.requests);
}
