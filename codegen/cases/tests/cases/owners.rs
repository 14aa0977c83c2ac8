//! Server-side apply by several managers in several versions: each kept value has its own owners, so it can be removed.

use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::conversion::{AnyVersion, Options};
use serde_json::{Value, json};
use testing::apply::{Server, Shape};

use crate::emitted::owners::Kinds;
use crate::emitted::owners::conversion::AnyClock;

const SHAPE: Shape = Shape {
    lists: &[("spec.alarms", &["name"]), ("spec.hands", &["name"]), ("spec.zones", &[])],
    maps: &["metadata.annotations", "spec.notes", "spec.tags"],
};

fn clock(version: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("owners.example.dev/{version}"), "kind": "Clock", "metadata": {"name": "a"}, "spec": spec,
    })
}

fn convert(object: &Value, version: &str) -> Value {
    AnyClock::convert_value(object, version.parse().unwrap(), &Options::default()).unwrap().0
}

/// `a` applies in the other version, then `b` applies the first configuration and then the second: the object then has what both
/// have, whatever version is stored.
#[track_caller]
fn removes(version: &str, first: &Value, second: &Value) {
    let other = if version == "v1" { "v1beta1" } else { "v1" };
    for storage in ["v1beta1", "v1"] {
        let mut server = Server::new(&SHAPE, storage, &convert, clock(other, &json!({})));
        server.apply("a", other, &clock(other, &json!({"name": "clock"})));
        server.apply("b", version, &clock(version, first));
        let all = server.read(version);
        for (name, value) in first.as_object().unwrap() {
            assert_eq!(all["spec"][name], *value, "{storage}: {all}");
        }
        server.apply("b", version, &clock(version, second));
        let mut expected = second.clone();
        expected["name"] = json!("clock");
        let left = server.read(version);
        assert_eq!(left["spec"], expected, "{storage} stored as {}", server.stored);
        assert_eq!(server.owned("a"), ["f:spec.f:name"]);
    }
}

#[test]
fn a_kept_value() {
    let both = json!({"schedule": "daily", "tags": {"x": "1"}});
    removes("v1", &both, &json!({"tags": {"x": "1"}}));
    removes("v1", &both, &json!({"schedule": "daily"}));
    let both = json!({"chime": "loud", "notes": {"x": "1"}});
    removes("v1beta1", &both, &json!({"notes": {"x": "1"}}));
    removes("v1beta1", &both, &json!({"chime": "loud"}));
}

#[test]
fn a_key_of_a_kept_map() {
    let (both, one) = (json!({"x": "1", "y/z": "2"}), json!({"x": "1"}));
    removes("v1", &json!({"tags": both}), &json!({"tags": one}));
    removes("v1beta1", &json!({"notes": both}), &json!({"notes": one}));
}

#[test]
fn a_field_of_a_list_item() {
    for (version, field) in [("v1", "priority"), ("v1beta1", "volume")] {
        let both = json!({"alarms": [{"name": "x", field: 1}, {"name": "y", field: 2}]});
        let one = json!({"alarms": [{"name": "x", field: 1}, {"name": "y"}]});
        removes(version, &both, &one);
        let item = json!({"alarms": [{"name": "x", field: 1}]});
        removes(version, &both, &item);
    }
}

#[test]
fn parts_of_kept_values() {
    removes(
        "v1",
        &json!({"window": {"start": "1", "end": "2"}}),
        &json!({"window": {"start": "1"}}),
    );
    removes("v1", &json!({"zones": ["b", "a"]}), &json!({"zones": ["a"]}));
    let hands =
        json!({"hands": [{"name": "hour", "length": 1}, {"name": "minute"}, {"name": "s"}]});
    removes("v1", &hands, &json!({"hands": [{"name": "hour"}, {"name": "s"}]}));
}

/// Two managers own keys of one kept map, and each removes only its own.
#[test]
fn owners_of_one_map() {
    for storage in ["v1beta1", "v1"] {
        let mut server = Server::new(&SHAPE, storage, &convert, clock("v1", &json!({})));
        server.apply("a", "v1beta1", &clock("v1beta1", &json!({"name": "clock"})));
        server.apply("b", "v1", &clock("v1", &json!({"tags": {"x": "1", "y": "2"}})));
        server.apply("c", "v1", &clock("v1", &json!({"tags": {"z": "3"}})));
        server.apply("b", "v1", &clock("v1", &json!({"tags": {"y": "2"}})));
        assert_eq!(server.read("v1")["spec"]["tags"], json!({"y": "2", "z": "3"}), "{storage}");
        assert_eq!(server.owned("c"), ["f:spec.f:tags.f:z"]);
    }
}

/// A list never fails for one object: 300 kB have no room in annotations, so the value is not shown, and everything else is.
#[test]
fn a_large_object_does_not_fail_a_list() {
    let large = clock(
        "v1",
        &json!({"schedule": "x".repeat(300_000), "tags": {"x": "1"}, "window": {"start": "1"}}),
    );
    let small = clock("v1", &json!({"schedule": "daily"}));
    let review = json!({
        "kind": "ConversionReview", "apiVersion": "apiextensions.k8s.io/v1",
        "request": {
            "uid": "u", "desiredAPIVersion": "owners.example.dev/v1beta1", "objects": [large, small],
        },
    });
    let reviewed = Webhook::of::<Kinds>().answer(review.to_string().as_bytes()).unwrap();
    assert_eq!(reviewed.failure, None);
    let answer: Value = serde_json::from_slice(&reviewed.answer).unwrap();
    let converted = &answer["response"]["convertedObjects"];
    let key = AnyClock::ANNOTATION_KEY.unwrap();
    let annotations = &converted[0]["metadata"]["annotations"];
    assert_eq!(
        annotations[format!("{key}.NotShown")],
        r#"{"fields":{},"format":3,"notShown":{"v1":{"spec.schedule":300002}}}"#
    );
    let back = convert(&converted[0], "v1");
    assert_eq!(back["spec"], json!({"tags": {"x": "1"}, "window": {"start": "1"}}));
    assert_eq!(convert(&converted[1], "v1"), small);
    assert_eq!(reviewed.pairs[0].lossy, 1);
}

/// Many keys of a kept map: time that grows with the square of their number would be minutes.
#[test]
fn a_large_map() {
    let tags = |count: usize| -> Value {
        (0..count).map(|index| (format!("team/{index}"), json!("x"))).collect()
    };
    let key = AnyClock::ANNOTATION_KEY.unwrap();
    for (count, is_kept) in [(1_000, true), (50_000, false)] {
        let before = clock("v1", &json!({"schedule": "daily", "tags": tags(count)}));
        let converted = convert(&before, "v1beta1");
        let is_marked = converted["metadata"]["annotations"][format!("{key}.NotShown")].is_string();
        assert_eq!(is_marked, !is_kept, "{count}");
        let back = convert(&converted, "v1");
        assert_eq!(back["spec"]["schedule"], "daily");
        assert_eq!(back["spec"]["tags"] == before["spec"]["tags"], is_kept);
    }
}

/// Why the object is refused before a server stores it.
fn refusal(operation: &str, object: &Value, old: &Value) -> Option<String> {
    let review = json!({
        "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1",
        "request": {"uid": "u", "operation": operation, "object": object, "oldObject": old},
    });
    let admitted = Webhook::of::<Kinds>().admit(review.to_string().as_bytes()).unwrap();
    let answer: Value = serde_json::from_slice(&admitted.answer).unwrap();
    assert_eq!(answer["response"]["uid"], "u");
    assert_eq!(answer["response"]["allowed"], admitted.refusal.is_none());
    assert_eq!(answer["response"]["status"]["message"], json!(admitted.refusal));
    admitted.refusal
}

#[test]
fn what_cannot_be_shown_is_refused_where_it_is_written() {
    let none = Value::Null;
    let small = clock("v1", &json!({"schedule": "daily"}));
    let large = clock("v1", &json!({"schedule": "x".repeat(300_000)}));
    let too_large = "spec.schedule: 300002 bytes, for which the annotations of v1beta1 have no room: annotations have 256 KiB together";
    assert_eq!(refusal("CREATE", &small, &none), None);
    assert_eq!(refusal("CREATE", &large, &none).as_deref(), Some(too_large));
    assert_eq!(refusal("UPDATE", &large, &small).as_deref(), Some(too_large));
    // It is stored already, goes away, or is of another kind.
    assert_eq!(refusal("UPDATE", &large, &large), None);
    assert_eq!(refusal("DELETE", &none, &large), None);
    let mut going = large.clone();
    going["metadata"]["deletionTimestamp"] = json!("2026-01-02T03:04:05Z");
    assert_eq!(refusal("UPDATE", &going, &small), None);
    let mut other = large.clone();
    other["kind"] = json!("Watch");
    assert_eq!(refusal("CREATE", &other, &none), None);

    // A client of the other version does not see the value, and would remove it.
    let shown = convert(&large, "v1beta1");
    let mut edited = shown.clone();
    edited["spec"]["name"] = json!("clock");
    let hidden =
        "spec.schedule: v1beta1 could not show the value that v1 has: write the object in v1";
    assert_eq!(refusal("UPDATE", &edited, &shown).as_deref(), Some(hidden));
    // Also without the mark.
    edited["metadata"] = json!({"name": "a"});
    assert_eq!(refusal("UPDATE", &edited, &shown).as_deref(), Some(hidden));
}

#[test]
fn other_requests_are_no_reviews() {
    let webhook = Webhook::of::<Kinds>();
    for (body, expected) in [
        ("{", "not JSON: EOF while parsing an object at line 1 column 1"),
        (
            r#"{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview"}"#,
            "not a review: it has no request",
        ),
        (
            r#"{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}"#,
            "not a review: request.uid is not a text",
        ),
    ] {
        assert_eq!(webhook.admit(body.as_bytes()).unwrap_err().to_string(), expected);
    }
}
