//! The kinds of rules for conversions, in the items of a list: each item has a value that the other version cannot hold, where the rule
//! keeps such values. The kind is a case of the generator, `codegen/cases/good/rules`.

use codegen_cases::rules::Kinds;
use k8s_versioned::conversion::review::Webhook;
use serde_json::{Map, Value, json};

use crate::row::{Row, Work};

/// The smallest number of items.
const FIRST: usize = 4;

pub(crate) const ROWS: &[Row] = &[
    Row::new("rule move, items", FIRST, |size| {
        items(
            size,
            "move",
            [|at| json!({"volume": text(at)}), |at| json!({"volumeName": text(at)})],
        )
    }),
    Row::new("rule first-of-list, items", FIRST, |size| {
        items(
            size,
            "firstOfList",
            [|at| json!({"colours": [text(at), "more"]}), |at| json!({"colour": text(at)})],
        )
    }),
    Row::new("rule absent-to-zero, items", FIRST, |size| {
        items(size, "absentToZero", [|_| json!({}), |at| json!({"length": at})])
    }),
    Row::new("rule keep-aside, items", FIRST, |size| {
        items(
            size,
            "keepAside",
            [|at| json!({"name": text(at)}), |at| json!({"name": text(at), "schedule": text(at)})],
        )
    }),
    Row::new("rule keep-aside, equal items", FIRST, |size| {
        items(
            size,
            "keepAside",
            [|_| json!({"name": "a"}), |at| json!({"name": "a", "schedule": text(at)})],
        )
    }),
    Row::new("rule in-metadata, items", FIRST, |size| {
        let list: Vec<String> = (0..size).map(text).collect();
        walks([json!({}), json!({"inMetadata": list})])
    }),
    Row::new("rule keyed-list, items", FIRST, |size| {
        let map = map(size, |at| json!({"size": at}));
        walks(
            [map, list(size, |at| json!({"name": reversed(at), "size": at}))]
                .map(in_field("keyedList")),
        )
    }),
    Row::new("rule keyed-list, items of one key", FIRST, |size| {
        let map = map(size, |at| json!({"size": at}));
        walks([map, list(size, |at| json!({"name": "a", "size": at}))].map(in_field("keyedList")))
    }),
    Row::new("rule named-values, items", FIRST, |size| {
        let map = map(size, |at| json!(text(at)));
        walks(
            [map, list(size, |at| json!({"name": reversed(at), "value": "a"}))]
                .map(in_field("namedValues")),
        )
    }),
    Row::new("rule named-values, items of one name", FIRST, |size| {
        let map = map(size, |at| json!(text(at)));
        walks(
            [map, list(size, |at| json!({"name": "a", "value": text(at)}))]
                .map(in_field("namedValues")),
        )
    }),
    Row::new("rule nest, items", FIRST, |size| {
        items(size, "nest", [|at| json!({"size": at}), |at| json!({"rig": {"size": at}})])
    }),
    Row::new("rule words, items", FIRST, |size| {
        items(size, "words", [|_| json!({"mode": "Slow"}), |_| json!({"mode": "Wild"})])
    }),
    Row::new("rule text, items", FIRST, |size| {
        items(size, "text", [|at| json!({"port": text(at)}), |at| json!({"port": at})])
    }),
    Row::new("rule narrow, items", FIRST, |size| {
        items(
            size,
            "narrow",
            [|at| json!({"count": (1_u64 << 40) + at as u64}), |at| json!({"count": at})],
        )
    }),
    Row::new("rule units, items", FIRST, |size| {
        items(
            size,
            "units",
            [|at| json!({"timeout": format!("{at}s5ms")}), |at| json!({"timeoutSeconds": at})],
        )
    }),
    Row::new("rule part-of-text, items", FIRST, |size| {
        items(
            size,
            "partOfText",
            [|at| json!({"image": format!("{}:{at}", text(at))}), |at| json!({"tag": text(at)})],
        )
    }),
    Row::new("rule pattern, items", FIRST, |size| {
        items(
            size,
            "pattern",
            [|at| json!({"mode": text(at)}), |at| json!({"modes": [text(at), "more"]})],
        )
    }),
    Row::new("rule wrap, items", FIRST, |size| {
        items(size, "wrap", [|at| json!(text(at)), |at| json!({"name": text(at), "weight": at})])
    }),
    Row::new("rule schema, items", FIRST, |size| {
        items(
            size,
            "schema",
            [
                |at| json!({"value": {"size": at, "unknown": at}}),
                |at| json!({"value": {"size": at}}),
            ],
        )
    }),
    Row::new("rule embedded, items", FIRST, |size| {
        items(
            size,
            "embedded",
            [
                |at| json!({"template": {"units": [{"timeout": format!("{at}s5ms")}]}}),
                |at| json!({"template": {"units": [{"timeoutSeconds": at}]}}),
            ],
        )
    }),
    Row::new("rule embedded, objects in objects", 1, |size| {
        let deep = |inner| around(size, inner);
        walks([
            deep(json!({"units": [{"timeout": "5ms"}]})),
            deep(json!({"units": [{"timeoutSeconds": 5}]})),
        ])
    })
    .doubled(4),
    Row::new("rule custom, items", FIRST, |size| {
        items(size, "custom", [|at| json!({"pace": 1000 * at + 1}), |at| json!({"pace": at})])
    }),
    Row::new("shared rules, items", FIRST, |size| {
        items(
            size,
            "shared",
            [|at| json!({"name": text(at), "note": text(at)}), |at| json!({"name": text(at)})],
        )
    }),
    Row::new("adopt, an object", FIRST, |size| {
        let whole = object(
            "v1",
            &in_field("keepAside")(list(size, |at| json!({"name": text(at), "schedule": "daily"}))),
        );
        let mut older =
            object("v1beta1", &in_field("keepAside")(list(size, |at| json!({"name": text(at)}))));
        older["metadata"]["annotations"] =
            json!({"rules.example.dev/conversion-data": whole.to_string()});
        answers(vec![review(&older, "v1")])
    }),
    Row::new("adopt, a field", FIRST, |size| {
        let noted = list(size, |at| json!({"name": text(at), "note": text(at)}));
        let mut newer =
            object("v1", &in_field("shared")(list(size, |at| json!({"name": text(at)}))));
        newer["metadata"]["annotations"] =
            json!({"rules.example.dev/v1beta1-shared": noted.to_string()});
        answers(vec![review(&newer, "v1beta1")])
    }),
];

/// Objects in each other, around a `spec`.
fn around(size: usize, spec: Value) -> Value {
    (0..size).fold(spec, |inner, _| json!({"embedded": [{"template": inner}]}))
}

fn text(at: usize) -> String {
    format!("text-{at}")
}

/// A name that comes the earlier in the order of the keys the later its item is in the list.
fn reversed(at: usize) -> String {
    text(99_999 - at)
}

fn list(size: usize, item: impl Fn(usize) -> Value) -> Value {
    (0..size).map(item).collect()
}

fn map(size: usize, value: impl Fn(usize) -> Value) -> Value {
    (0..size).map(|at| (text(at), value(at))).collect::<Map<_, _>>().into()
}

fn in_field(name: &'static str) -> impl Fn(Value) -> Value {
    move |value| json!({name: value})
}

/// Walks over both versions, with a list of items as each version has them.
fn items(size: usize, field: &'static str, of_versions: [fn(usize) -> Value; 2]) -> Work {
    walks(of_versions.map(|item| in_field(field)(list(size, item))))
}

/// Walks from each version to the other and back, with the `spec` of an object of `v1beta1` and of one of `v1`. Nothing is lost.
fn walks([older, newer]: [Value; 2]) -> Work {
    let mut bodies = Vec::new();
    for (spec, from, to) in [(older, "v1beta1", "v1"), (newer, "v1", "v1beta1")] {
        let there = review(&object(from, &spec), to);
        let back = review(&converted(&there), from);
        assert_eq!(converted(&back)["spec"], spec, "{from} to {to}");
        bodies.extend([there, back]);
    }
    answers(bodies)
}

fn object(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("rules.example.dev/{version}"), "kind": "Parcel",
        "metadata": {"name": "a", "namespace": "b", "uid": "7"}, "spec": spec,
    })
}

fn review(object: &Value, to: &str) -> String {
    let to = format!("rules.example.dev/{to}");
    let request = json!({"uid": "9", "desiredAPIVersion": to, "objects": [object]});
    let kind = "ConversionReview";
    json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": kind, "request": request}).to_string()
}

/// The object of an answer.
fn converted(review: &str) -> Value {
    let reviewed = Webhook::of::<Kinds>().answer(review.as_bytes()).unwrap();
    assert_eq!(reviewed.failure, None);
    let answer: Value = serde_json::from_slice(&reviewed.answer).unwrap();
    answer["response"]["convertedObjects"][0].clone()
}

fn answers(reviews: Vec<String>) -> Work {
    let webhook = Webhook::of::<Kinds>();
    Box::new(move || {
        for review in &reviews {
            let reviewed = webhook.answer(review.as_bytes()).unwrap();
            assert_eq!(reviewed.failure, None);
        }
    })
}

/// Each object has a copy of those in it: without a limit, 256 KiB took a gigabyte.
#[test]
fn objects_in_objects_are_converted_up_to_a_depth() {
    let of = |size, units: Value| object("v1beta1", &around(size, json!({"units": [units]})));
    let deepest = of(16, json!({"timeout": "5s"}));
    let new = converted(&review(&deepest, "v1"));
    assert!(new["spec"].to_string().contains(r#"{"timeoutSeconds":5}"#), "{new}");
    let too_deep = of(17, json!({"timeout": "5s"}));
    let new = converted(&review(&too_deep, "v1"));
    assert_eq!(new["spec"], too_deep["spec"]);
    assert_eq!(converted(&review(&new, "v1beta1"))["spec"], too_deep["spec"]);
    let webhook = Webhook::of::<Kinds>();
    let (_, report) = webhook.convert_object(&too_deep, "rules.example.dev/v1").unwrap();
    assert!(report.to_string().contains("spec.embedded[0].template"), "{report}");
}
