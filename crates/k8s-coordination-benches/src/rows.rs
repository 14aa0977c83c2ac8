//! The rows of the table.

use std::slice;

use crate as texts;
use k8s_coordination::conversion::{AnyLeaseCandidate, ConvertObject};
use k8s_coordination::election::{Election, ElectionOutcome};
use k8s_coordination::requests::{Answer, TolerantList, Watch};
use k8s_coordination::validation::Validate;
use k8s_coordination::{Kinds, v1, v1alpha2, v1beta1};
use k8s_coordination::{List, Registry};
use k8s_openapi::api::coordination::{v1 as peer_v1, v1beta1 as peer_v1beta1};
use k8s_resource as dra;
use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::{Kind, StrictValue, protobuf};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

use crate::goal::Goal;
use crate::least_work;
use crate::meter::{Work, consuming, work};
use crate::row::Row;

type Candidates = List<v1beta1::LeaseCandidate>;
type Leases = List<v1::Lease>;
type PeerCandidates = k8s_openapi::List<peer_v1beta1::LeaseCandidate>;
type PeerLeases = k8s_openapi::List<peer_v1::Lease>;

/// All rows, in the order of the table.
pub fn all() -> Vec<Row> {
    let texts = Texts {
        candidates: texts::candidates().leak(),
        leases: texts::leases().leak(),
        singles: texts::single_candidates().leak(),
        watch: texts::watch().leak(),
    };
    [
        decode(&texts),
        encode(&texts),
        protobuf(&texts),
        readers(&texts),
        watch(&texts),
        rules(&texts),
        vec![lists()],
        reviews(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

struct Texts {
    candidates: &'static str,
    leases: &'static str,
    singles: &'static [String],
    watch: &'static str,
}

fn row(name: &'static str, goal: Goal, ours: Work, peer: Work) -> Row {
    Row { name, goal, ours, peer }
}

fn from_str<T: DeserializeOwned>(text: &'static str) -> Work {
    work(move || serde_json::from_str::<T>(text).unwrap())
}

fn from_slice<T: DeserializeOwned>(text: &'static str) -> Work {
    work(move || serde_json::from_slice::<T>(text.as_bytes()).unwrap())
}

/// Decoding a text as one type and as another.
fn texts_row<T: DeserializeOwned, P: DeserializeOwned>(
    name: &'static str,
    goal: Goal,
    text: &'static str,
) -> Row {
    row(name, goal, from_str::<T>(text), from_str::<P>(text))
}

/// Decoding a slice as one type and as another.
fn slices_row<T: DeserializeOwned, P: DeserializeOwned>(
    name: &'static str,
    goal: Goal,
    text: &'static str,
) -> Row {
    row(name, goal, from_slice::<T>(text), from_slice::<P>(text))
}

fn decode(texts: &Texts) -> Vec<Row> {
    let (candidates, leases) = (texts.candidates, texts.leases);
    let (full, limit) = (Goal::Speed(2.5), Goal::SpeedLimit);
    vec![
        texts_row::<Candidates, PeerCandidates>("decode candidates, from a text", full, candidates),
        slices_row::<Candidates, PeerCandidates>(
            "decode candidates, from a slice",
            full,
            candidates,
        ),
        texts_row::<Leases, PeerLeases>("decode Leases, from a text", full, leases),
        slices_row::<Leases, PeerLeases>("decode Leases, from a slice", full, leases),
        texts_row::<IgnoredAny, PeerCandidates>(
            "limit: `IgnoredAny`, which keeps nothing",
            limit,
            candidates,
        ),
        row(
            "limit: references to eleven texts of a candidate, nothing copied",
            limit,
            work(|| serde_json::from_str::<least_work::List<&str>>(candidates).unwrap()),
            from_str::<PeerCandidates>(candidates),
        ),
        texts_row::<least_work::List<String>, PeerCandidates>(
            "limit: the same eleven as `String`s, nothing else",
            limit,
            candidates,
        ),
    ]
}

fn encode(texts: &Texts) -> Vec<Row> {
    let (candidates, leases, goal) = (texts.candidates, texts.leases, Goal::Speed(2.5));
    vec![
        encode_row::<Candidates, PeerCandidates>("encode candidates", goal, candidates, json),
        encode_row::<Leases, PeerLeases>("encode Leases", goal, leases, json),
    ]
}

fn json<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}

/// Encoding the list in a text by a function, against the peer with JSON.
fn encode_row<T, P>(
    name: &'static str,
    goal: Goal,
    text: &'static str,
    encode: impl Fn(&T) -> Vec<u8> + 'static,
) -> Row
where
    T: DeserializeOwned + 'static,
    P: Serialize + DeserializeOwned + 'static,
{
    let ours: T = serde_json::from_str(text).unwrap();
    let peer: P = serde_json::from_str(text).unwrap();
    row(name, goal, work(move || encode(&ours)), work(move || json(&peer)))
}

/// Lists as protobuf, against the peer with the same lists as JSON: it has no protobuf.
fn protobuf(texts: &Texts) -> Vec<Row> {
    let (candidates, leases, goal) = (texts.candidates, texts.leases, Goal::Cost(0.15));
    vec![
        protobuf_decode::<Candidates, PeerCandidates>("decode candidates, as protobuf", candidates),
        protobuf_decode::<Leases, PeerLeases>("decode Leases, as protobuf", leases),
        encode_row::<Candidates, PeerCandidates>(
            "encode candidates, as protobuf",
            goal,
            candidates,
            protobuf::encode,
        ),
        encode_row::<Leases, PeerLeases>(
            "encode Leases, as protobuf",
            goal,
            leases,
            protobuf::encode,
        ),
        protobuf_watch("watch as protobuf in chunks of 1,400 bytes, to JSON", texts.watch, 1_400),
    ]
}

/// The watch decoder with frames of protobuf, against the same events as lines of JSON.
fn protobuf_watch(name: &'static str, text: &'static str, size: usize) -> Row {
    let frames: Vec<u8> = lines(text).iter().flat_map(frame).collect();
    let frames = frames.leak();
    let new = Watch::<v1beta1::LeaseCandidate>::protobuf;
    let ours = work(move || stream(new(), frames, size));
    let peer = work(move || stream(Watch::default(), text.as_bytes(), size));
    row(name, Goal::Cost(0.5), ours, peer)
}

/// An event as a frame of a watch. All lengths need two bytes.
fn frame(object: &v1beta1::LeaseCandidate) -> Vec<u8> {
    let field = |tag: u8, bytes: &[u8]| {
        let length = u16::try_from(bytes.len()).unwrap();
        let [low, high] = [(length & 0x7f) | 0x80, length >> 7].map(|it| u8::try_from(it).unwrap());
        [&[tag, low, high], bytes].concat()
    };
    let object = field(0x12, &field(0x0a, &protobuf::encode(object)));
    let event = [field(0x0a, b"MODIFIED"), object].concat();
    [&u32::try_from(event.len()).unwrap().to_be_bytes(), &*event].concat()
}

fn protobuf_decode<T, P>(name: &'static str, text: &'static str) -> Row
where
    T: Kind + protobuf::Message + DeserializeOwned + 'static,
    P: DeserializeOwned + 'static,
{
    let body = protobuf::encode(&serde_json::from_str::<T>(text).unwrap()).leak();
    let ours = work(|| protobuf::decode::<T>(body).unwrap());
    row(name, Goal::Cost(0.2), ours, from_slice::<P>(text))
}

/// Ways to decode, against the typed one.
fn readers(texts: &Texts) -> Vec<Row> {
    let (list, singles) = (texts.candidates, texts.singles);
    let typed_singles = || work(move || each::<v1beta1::LeaseCandidate>(singles));
    let entry = Kinds.find("coordination.k8s.io/v1beta1", "LeaseCandidate").unwrap();
    let decode = |text: &String| entry.decode(text.as_bytes()).unwrap();
    vec![
        row(
            "the tolerant list, to the typed one",
            Goal::Cost(1.3),
            work(|| {
                TolerantList::<v1beta1::LeaseCandidate>::decode(None, list.as_bytes()).unwrap()
            }),
            from_slice::<Candidates>(list),
        ),
        row(
            "a registry, to the type",
            Goal::Cost(1.3),
            work(move || singles.iter().map(decode).collect::<Vec<_>>()),
            typed_singles(),
        ),
        row(
            "`AnyLeaseCandidate`, to the type",
            Goal::Cost(1.3),
            work(move || each::<AnyLeaseCandidate>(singles)),
            typed_singles(),
        ),
        slices_row::<StrictValue, Candidates>("`StrictValue`, to the type", Goal::Cost(2.0), list),
        slices_row::<serde_json::Value, Candidates>(
            "limit: `serde_json::Value`, to the type",
            Goal::CostLimit,
            list,
        ),
    ]
}

fn each<T: DeserializeOwned>(texts: &[String]) -> Vec<T> {
    let objects = texts.iter();
    objects.map(|text| serde_json::from_slice(text.as_bytes()).unwrap()).collect()
}

/// The watch decoder with chunks of several sizes, against decoding the same lines.
fn watch(texts: &Texts) -> Vec<Row> {
    let sizes = [
        ("watch in chunks of 64 KiB, to its lines", 64 << 10),
        ("watch in chunks of 1,400 bytes, to its lines", 1_400),
        ("watch in chunks of 100 bytes, to its lines", 100),
        ("watch byte by byte, to its lines", 1),
    ];
    let text = texts.watch;
    let rows = sizes.map(|(name, size)| {
        row(
            name,
            Goal::Cost(1.1),
            work(move || stream(Watch::default(), text.as_bytes(), size)),
            work(move || lines(text)),
        )
    });
    let limit = row(
        "limit: each byte copied and compared, to the lines",
        Goal::CostLimit,
        work(move || least_work::byte_by_byte(text.as_bytes(), event)),
        work(move || lines(text)),
    );
    rows.into_iter().chain([limit]).collect()
}

fn stream(
    mut watch: Watch<v1beta1::LeaseCandidate>,
    body: &[u8],
    size: usize,
) -> Vec<v1beta1::LeaseCandidate> {
    let mut objects = Vec::new();
    for chunk in body.chunks(size) {
        watch.push(chunk);
        while let Some(event) = watch.next_event() {
            match event.unwrap() {
                k8s_coordination::requests::Event::Modified(object) => objects.push(object),
                other => panic!("{other:?}"),
            }
        }
    }
    objects
}

/// Decodes the lines of the watch without the watch decoder.
fn lines(text: &str) -> Vec<v1beta1::LeaseCandidate> {
    text.lines().map(|line| event(line.as_bytes())).collect()
}

fn event(line: &[u8]) -> v1beta1::LeaseCandidate {
    #[derive(serde::Deserialize)]
    struct Line {
        r#type: String,
        object: v1beta1::LeaseCandidate,
    }
    let line: Line = serde_json::from_slice(line).unwrap();
    assert_eq!(line.r#type, "MODIFIED");
    line.object
}

/// Conversion, validation and election, against the decoding of the same objects by the peer.
fn rules(texts: &Texts) -> Vec<Row> {
    let peer = || from_str::<PeerCandidates>(texts.candidates);
    let list: Candidates = serde_json::from_str(texts.candidates).unwrap();
    let items: &'static [v1beta1::LeaseCandidate] = list.items.clone().leak();
    vec![
        row("clone candidates", Goal::Cost(0.15), work(move || items.to_vec()), peer()),
        row("convert candidates", Goal::Cost(0.04), consuming(list, convert), peer()),
        row(
            "validate candidates",
            Goal::Cost(0.08),
            work(|| items.iter().for_each(|item| item.validate().unwrap())),
            peer(),
        ),
        row(
            "limit: the texts that an election compares, a byte of each",
            Goal::CostLimit,
            work(|| items.iter().map(least_work::look).sum::<usize>()),
            peer(),
        ),
        row("elect", Goal::Cost(0.03), work(|| elect(items)), peer()),
        row(
            "elect, with the explanation",
            Goal::Cost(0.1),
            work(|| elect(items).to_string()),
            peer(),
        ),
    ]
}

/// Claims of 32 requests.
pub fn claims() -> Vec<dra::v1beta1::ResourceClaim> {
    let request = |index| {
        serde_json::json!({
            "name": format!("request-{index}"), "deviceClassName": "gpu.example.com", "count": 2,
            "allocationMode": "ExactCount", "adminAccess": false,
            "selectors": [{"cel": {"expression": "device.driver == \"gpu.example.com\""}}],
        })
    };
    let requests: Vec<_> = (0..32).map(request).collect();
    let claim = serde_json::json!({
        "metadata": {"name": "a", "namespace": "default", "annotations": {"example.com/a": "b"}},
        "spec": {"devices": {"requests": requests}},
    });
    let claim: dra::v1beta1::ResourceClaim = serde_json::from_value(claim).unwrap();
    vec![claim; 500]
}

/// Converts the claims of [`claims`].
pub fn convert_claims(claims: Vec<dra::v1beta1::ResourceClaim>) -> Vec<dra::v1::ResourceClaim> {
    claims.into_iter().map(|claim| claim.convert().0).collect()
}

/// Conversion inside a list, against the encoding of the same objects.
fn lists() -> Row {
    let claims = claims();
    let items: &'static [_] = claims.clone().leak();
    row(
        "convert claims of 32 requests, to encoding them",
        Goal::Cost(0.4),
        consuming(claims, convert_claims),
        work(|| serde_json::to_vec(items).unwrap()),
    )
}

/// The answers of a conversion webhook, against reading the request and writing it as JSON.
fn reviews() -> Vec<Row> {
    let request = |index| {
        serde_json::json!({
            "name": format!("request-{index}"), "deviceClassName": "gpu.example.com", "count": 2,
            "allocationMode": "ExactCount",
            "selectors": [{"cel": {"expression": "device.driver == \"gpu.example.com\""}}],
        })
    };
    let requests: Vec<_> = (0..4).map(request).collect();
    let plain = (0..1_000).map(|at| claim("v1beta1", at, &requests));
    // `v1alpha3` cannot hold it.
    let capacity = serde_json::json!({"requests": {"memory": "1Gi"}});
    let request = serde_json::json!({
        "name": "request", "exactly": {"deviceClassName": "gpu.example.com", "capacity": capacity},
    });
    let kept = review((0..1_000).map(|at| claim("v1", at, slice::from_ref(&request))), "v1alpha3");
    let answer = Webhook::of::<dra::Kinds>().answer(kept).unwrap().answer;
    let mut answer: serde_json::Value = serde_json::from_slice(&answer).unwrap();
    let with_annotations = answer["response"]["convertedObjects"].take();
    assert!(with_annotations[0].pointer("/metadata/annotations").is_some());
    let back = review(with_annotations.as_array().unwrap().iter().cloned(), "v1");
    vec![
        review_row(
            "answer a review of 1,000 claims, to reading and writing it",
            Goal::Cost(3.0),
            review(plain, "v1"),
        ),
        review_row(
            "the same, of claims of one request with a value to keep",
            Goal::Cost(4.0),
            kept,
        ),
        review_row("the same, of claims whose kept values come back", Goal::Cost(4.0), back),
    ]
}

fn claim(version: &str, index: usize, requests: &[serde_json::Value]) -> serde_json::Value {
    serde_json::json!({
        "apiVersion": format!("resource.k8s.io/{version}"), "kind": "ResourceClaim",
        "metadata": {"name": format!("claim-{index}"), "namespace": "default", "uid": "7", "resourceVersion": "8"},
        "spec": {"devices": {"requests": requests}},
    })
}

fn review(objects: impl Iterator<Item = serde_json::Value>, to: &str) -> &'static [u8] {
    let review = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {
            "uid": "9", "desiredAPIVersion": format!("resource.k8s.io/{to}"),
            "objects": objects.collect::<Vec<_>>(),
        },
    });
    review.to_string().into_bytes().leak()
}

fn review_row(name: &'static str, goal: Goal, body: &'static [u8]) -> Row {
    let webhook = Webhook::of::<dra::Kinds>();
    let ours = work(move || {
        let reviewed = webhook.answer(body).unwrap();
        assert_eq!(reviewed.failure, None);
        reviewed
    });
    let peer = work(move || {
        let review: serde_json::Value = serde_json::from_slice(body).unwrap();
        serde_json::to_vec(&review).unwrap()
    });
    row(name, goal, ours, peer)
}

fn convert(list: Candidates) -> Vec<v1alpha2::LeaseCandidate> {
    let items = list.items.into_iter();
    items.map(|item| item.convert().0).collect()
}

fn elect(items: &[v1beta1::LeaseCandidate]) -> ElectionOutcome<'_> {
    let outcome = Election::new(
        "kube-system",
        "kube-scheduler",
        items,
        "2026-11-20T05:07:00Z".parse().unwrap(),
    )
    .outcome();
    assert!(outcome.best.is_some());
    outcome
}
