//! Conversions, reviews, decoding, elections.

use std::hint::black_box;

use k8s_coordination::conversion::ConvertObject as _;
use k8s_coordination::election::Election;
use k8s_coordination::requests::{Answer as _, TolerantList, Watch};
use k8s_coordination::validation::Validate as _;
use k8s_coordination::{List, v1alpha1, v1beta1};
use k8s_resource as dra;
use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::protobuf;
use serde_json::{Map, Value, json};

use crate::annotations::{KEY, keeping};
use crate::row::{Row, Work};

type Candidates = List<v1beta1::LeaseCandidate>;

pub(crate) const ROWS: &[Row] = &[
    Row::new("convert, kept values", 16, |size| {
        let candidate: v1alpha1::LeaseCandidate = read(&strategies(size));
        Box::new(move || {
            let (up, _): (v1beta1::LeaseCandidate, _) = candidate.clone().convert();
            let (down, _): (v1alpha1::LeaseCandidate, _) = up.convert();
            black_box(down);
        })
    }),
    Row::new("convert, list items with kept values", 8, |size| {
        let claim: dra::v1::ResourceClaim = read(&claim(0, size));
        Box::new(move || {
            let (down, _): (dra::v1alpha3::ResourceClaim, _) = claim.clone().convert();
            let (up, _): (dra::v1::ResourceClaim, _) = down.convert();
            black_box(up);
        })
    }),
    Row::new("review, objects", 4, |size| review((0..size).map(|at| claim(at, 1)), "v1beta1")),
    Row::new("review, objects with kept values", 4, |size| {
        assert!(converted([claim(0, 1)].into_iter(), "v1alpha3")[0].to_string().contains(KEY));
        review((0..size).map(|at| claim(at, 4)), "v1alpha3")
    }),
    Row::new("review, objects whose kept values come back", 4, |size| {
        let objects = converted((0..size).map(|at| claim(at, 4)), "v1alpha3");
        review(objects.into_iter(), "v1")
    }),
    Row::new("review, objects with values of another type", 4, |size| {
        let mistyped = |at| {
            let mut claim = claim(at, 4);
            claim["spec"]["devices"]["requests"][0]["exactly"]["count"] = json!("two");
            claim
        };
        review((0..size).map(mistyped), "v1beta1")
    }),
    Row::new("review, an object with values of another type", 4, |size| {
        let mut claim = claim(0, size);
        for request in claim["spec"]["devices"]["requests"].as_array_mut().unwrap() {
            request["exactly"]["count"] = json!("two");
        }
        review([claim].into_iter(), "v1beta1")
    }),
    Row::new("review, list items with kept values", 4, |size| {
        review([claim(0, size)].into_iter(), "v1alpha3")
    }),
    Row::new("review, kept values of another type", 64, |size| {
        annotated(
            (0..size).map(|at| ("v1alpha3", format!("/spec/devices/requests/{at}"), json!(1))),
        )
    }),
    Row::new("review, kept values of items that are gone", 64, |size| {
        annotated((0..size).map(|at| {
            let path = format!("spec.devices.requests[#{at}:00000000].exactly.capacity");
            ("v1", path, json!({}))
        }))
    }),
    Row::new("review, kept values of many versions", 64, |size| {
        annotated((0..size).map(|at| ("v1", format!("spec.a{at}"), json!(1))))
    }),
    Row::new("review, kept parts", 64, |size| {
        let part = |at| ("v1", format!("spec.controller/f:m{at}"), json!(1));
        annotated((0..size).map(part))
    }),
    Row::new("review, a step after conversions", 4, |size| {
        let webhook = Webhook::of::<dra::Kinds>().after(|source, target| {
            target["metadata"]["labels"] = json!({"name": source["metadata"]["name"]});
        });
        let body = request((0..size).map(|at| claim(at, 1)), "v1beta1");
        Box::new(move || {
            let reviewed = webhook.answer(body.as_bytes()).unwrap();
            assert_eq!(reviewed.failure, None);
        })
    }),
    Row::new("admission review, kept values", 16, |size| admission(&claim(0, size), None, true)),
    Row::new("admission review, values without room", 16, |size| {
        admission(&without_room(claim(0, size)), None, false)
    }),
    Row::new("admission review, an update of values without room", 16, |size| {
        let stored = without_room(claim(0, size));
        admission(&stored, Some(&stored), true)
    }),
    Row::new("admission review, marks of values that were not shown", 16, |size| {
        let marks: Map<String, Value> =
            (0..size).map(|at| (format!("spec.a{at}"), json!(at))).collect();
        let text = json!({"fields": {}, "format": 3, "notShown": {"v1alpha3": marks}});
        let mut claim = claim(0, 1);
        claim["metadata"]["annotations"] = json!({format!("{KEY}.NotShown"): text.to_string()});
        admission(&claim, None, false)
    }),
    Row::new("decode, a list", 16, |size| {
        let text = candidates(size).to_string();
        Box::new(move || drop(serde_json::from_str::<Candidates>(&text).unwrap()))
    }),
    Row::new("decode, annotations", 16, |size| {
        let text = with_annotations(size).to_string();
        Box::new(move || drop(serde_json::from_str::<v1beta1::LeaseCandidate>(&text).unwrap()))
    }),
    Row::new("decode, managed fields", 16, |size| {
        let mut candidate = candidate(0);
        let fields = (0..size).map(|at| (format!("f:{at}"), json!({})));
        let fields: Map<String, Value> = fields.collect();
        candidate["metadata"]["managedFields"] = json!([{"manager": "a", "fieldsV1": fields}]);
        let text = candidate.to_string();
        Box::new(move || drop(serde_json::from_str::<v1beta1::LeaseCandidate>(&text).unwrap()))
    }),
    Row::new("decode, protobuf", 16, |size| {
        let body = protobuf::encode(&read::<Candidates>(&candidates(size)));
        Box::new(move || drop(protobuf::decode::<Candidates>(&body).unwrap()))
    }),
    Row::new("decode, protobuf with unknown fields", 16, |size| {
        let mut body = protobuf::encode(&read::<v1beta1::LeaseCandidate>(&candidate(0)));
        body.extend([0x7a, 0x02, 1, 2].repeat(size));
        Box::new(move || drop(protobuf::decode::<v1beta1::LeaseCandidate>(&body)))
    }),
    Row::new("decode, a tolerant list", 16, |size| {
        let text = candidates(size).to_string();
        Box::new(move || {
            let list = TolerantList::<v1beta1::LeaseCandidate>::decode(None, text.as_bytes());
            drop(list.unwrap());
        })
    }),
    Row::new("decode, a watch", 16, watch),
    Row::new("encode, a list", 16, |size| {
        let list: Candidates = read(&candidates(size));
        Box::new(move || drop(serde_json::to_vec(&list).unwrap()))
    }),
    Row::new("encode, protobuf", 16, |size| {
        let list: Candidates = read(&candidates(size));
        Box::new(move || drop(protobuf::encode(&list)))
    }),
    Row::new("elect, candidates", 16, |size| {
        let list: Candidates = read(&candidates(size));
        let now = "2026-11-20T05:07:00Z".parse().unwrap();
        Box::new(move || {
            let outcome = Election::new("b", "l", &list.items, now).outcome();
            black_box(outcome.to_string());
        })
    }),
    Row::new("validate, annotations", 16, |size| {
        let candidate: v1beta1::LeaseCandidate = read(&with_annotations(size));
        Box::new(move || drop(candidate.validate()))
    }),
];

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_str(&value.to_string()).unwrap()
}

fn candidate(at: usize) -> Value {
    json!({
        "apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidate",
        "metadata": {"name": format!("a{at}"), "namespace": "b"},
        "spec": {
            "leaseName": "l", "binaryVersion": "1.33.0", "emulationVersion": "1.33.0",
            "renewTime": "2026-11-20T05:06:00.000000Z", "strategy": "OldestEmulationVersion",
        },
    })
}

fn candidates(size: usize) -> Value {
    let items: Vec<Value> = (0..size).map(candidate).collect();
    json!({
        "apiVersion": "coordination.k8s.io/v1beta1", "kind": "LeaseCandidateList", "metadata": {}, "items": items,
    })
}

fn with_annotations(size: usize) -> Value {
    let mut candidate = candidate(0);
    let annotations = (0..size).map(|at| (format!("/{at}"), json!("a")));
    candidate["metadata"]["annotations"] = annotations.collect::<Map<_, _>>().into();
    candidate
}

fn strategies(size: usize) -> Value {
    let strategies: Vec<String> = (0..size).map(|at| format!("example.com/s{at}")).collect();
    json!({
        "apiVersion": "coordination.k8s.io/v1alpha1", "kind": "LeaseCandidate", "metadata": {"name": "a"},
        "spec": {"leaseName": "l", "binaryVersion": "1.33.0", "preferredStrategies": strategies},
    })
}

/// A claim of several requests, each with a value that v1alpha3 cannot hold.
fn claim(at: usize, requests: usize) -> Value {
    let request = |at| {
        json!({
            "name": format!("r{at}"),
            "exactly": {"deviceClassName": "a", "capacity": {"requests": {"memory": "1Gi"}}},
        })
    };
    let requests: Vec<Value> = (0..requests).map(request).collect();
    json!({
        "apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaim",
        "metadata": {"name": format!("a{at}"), "namespace": "b", "uid": "7"},
        "spec": {"devices": {"requests": requests}},
    })
}

fn request(objects: impl Iterator<Item = Value>, version: &str) -> String {
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {
            "uid": "9", "desiredAPIVersion": format!("resource.k8s.io/{version}"),
            "objects": objects.collect::<Vec<_>>(),
        },
    });
    review.to_string()
}

/// The objects as a webhook answers them.
fn converted(objects: impl Iterator<Item = Value>, version: &str) -> Vec<Value> {
    let reviewed = Webhook::of::<dra::Kinds>().answer(request(objects, version).as_bytes());
    let answer: Value = serde_json::from_slice(&reviewed.unwrap().answer).unwrap();
    answer["response"]["convertedObjects"].as_array().unwrap().clone()
}

fn review(objects: impl Iterator<Item = Value>, version: &str) -> Work {
    let (body, webhook) = (request(objects, version), Webhook::of::<dra::Kinds>());
    Box::new(move || {
        let reviewed = webhook.answer(body.as_bytes()).unwrap();
        assert_eq!(reviewed.failure, None);
    })
}

/// The claim with annotations that leave no room for others.
fn without_room(mut claim: Value) -> Value {
    claim["metadata"]["annotations"] = json!({"a": "a".repeat((256 << 10) - 100)});
    claim
}

/// The review of a write, and whether it is allowed.
fn admission(new: &Value, old: Option<&Value>, is_allowed: bool) -> Work {
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let request = json!({"uid": "9", "operation": operation, "object": new, "oldObject": old});
    let of =
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": request});
    let (body, webhook) = (of.to_string(), Webhook::of::<dra::Kinds>());
    Box::new(move || {
        let admitted = webhook.admit(body.as_bytes()).unwrap();
        assert_eq!(admitted.refusal.is_none(), is_allowed, "{:?}", admitted.refusal);
    })
}

/// The review of an object whose annotations keep these values, each of a version and a path.
fn annotated(values: impl Iterator<Item = (&'static str, String, Value)>) -> Work {
    let mut claim = claim(0, 1);
    let values = values.map(|(version, path, value)| (version.to_owned(), path, value));
    claim["metadata"]["annotations"] = keeping(values);
    review([claim].into_iter(), "v1alpha3")
}

fn watch(size: usize) -> Work {
    let event = |at| format!("{}\n", json!({"type": "MODIFIED", "object": candidate(at)}));
    let body = (0..size).map(event).collect::<Vec<_>>().concat();
    Box::new(move || {
        let mut watch = Watch::<v1beta1::LeaseCandidate>::default();
        for chunk in body.as_bytes().chunks(100) {
            watch.push(chunk);
            while let Some(event) = watch.next_event() {
                black_box(event.unwrap());
            }
        }
    })
}
