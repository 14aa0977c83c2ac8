//! `docs/conversion-vectors-keys.json`: the annotation of conversions in lists with merge keys, for other implementations.

use codegen_cases::nested::conversion::AnyFleet;
use serde_json::{Value, json};
use testing::vectors::{Vector, check, kept, line, run};

use crate::support::folder;

const KEY: &str = "conversion.example.internal/fleet";

#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn fleet(version: &str, annotation: Option<Value>, spec: Value) -> Value {
    let annotations = annotation.map(|it| json!({KEY: it.to_string()}));
    json!({
        "apiVersion": format!("fleet.example.net/{version}"), "kind": "Fleet",
        "metadata": {"name": "a", "annotations": annotations}, "spec": spec,
    })
}

/// A hold in the one ship.
fn holds(holds: &Value) -> Value {
    json!({"ships": [{"name": "s", "tonnage": "1", "holds": holds}]})
}

/// The fields of the holds that v1 lacks.
fn of_one_key() -> Vec<Vector> {
    let one = json!([{"id": "h", "cargo": ["tea", "salt"], "note": "dry"}]);
    let odd = json!([{"id": "a\"b\\]é", "cargo": ["tea"], "note": "dry"}]);
    let two = json!([{"id": "h", "note": "one", "cargo": ["a"]}, {"id": "h", "note": "two", "cargo": ["b"]}]);
    let none = json!([{"note": "nameless", "cargo": ["a"]}, {"id": "i", "cargo": ["a", "b"]}]);
    vec![
        ("one key, down", fleet("v1alpha1", None, holds(&one)), &["v1"]),
        ("one key, down and up", fleet("v1alpha1", None, holds(&one)), &["v1", "v1alpha1"]),
        ("a key with characters that JSON escapes", fleet("v1alpha1", None, holds(&odd)), &["v1"]),
        (
            "two items with one key: both are named by their position",
            fleet("v1alpha1", None, holds(&two)),
            &["v1"],
        ),
        (
            "two items with one key, down and up",
            fleet("v1alpha1", None, holds(&two)),
            &["v1", "v1alpha1"],
        ),
        ("an item without a key", fleet("v1alpha1", None, holds(&none)), &["v1"]),
    ]
}

fn ports(ports: &Value) -> Value {
    json!({"ports": ports})
}

/// The number of a port: a text in v1alpha1, with two keys.
fn of_two_keys() -> Vec<Vector> {
    let path = r#"spec.ports["p","left"].number"#;
    let kept = || Some(kept("v1alpha1", path, &json!("04")));
    let port = |name: &str, number: u8| json!({"name": name, "side": "left", "number": number});
    let old = json!([{"name": "p", "side": "left", "number": "04"}, {"name": "p", "number": "05"}]);
    vec![
        ("two keys, one of them absent", fleet("v1alpha1", None, ports(&old)), &["v1"]),
        (
            "the item is at another position: its value comes back",
            fleet("v1", kept(), ports(&json!([port("q", 5), port("p", 4)]))),
            &["v1alpha1"],
        ),
        ("the item was edited", fleet("v1", kept(), ports(&json!([port("p", 9)]))), &["v1alpha1"]),
        (
            "the item has another name: the value is discarded",
            fleet("v1", kept(), ports(&json!([port("q", 4)]))),
            &["v1alpha1"],
        ),
        ("the item is gone", fleet("v1", kept(), ports(&json!([]))), &["v1alpha1"]),
        (
            "a second item has the keys: neither takes the value",
            fleet("v1", kept(), ports(&json!([port("p", 4), port("p", 4)]))),
            &["v1alpha1"],
        ),
    ]
}

/// `side` is `right` by default in v1alpha1 and v1, and has no default in v1beta1.
fn of_default_keys() -> Vec<Vector> {
    let kept = |side: &str| {
        let path = format!(r#"spec.ports["p",{side}].number"#);
        Some(kept("v1alpha1", &path, &json!("04")))
    };
    let absent = || ports(&json!([{"name": "p", "number": 4}]));
    let filled = || ports(&json!([{"name": "p", "side": "right", "number": 4}]));
    let twice = json!([{"name": "p", "number": 4}, {"name": "p", "side": "right", "number": 4}]);
    vec![
        (
            "a server filled in a key since",
            fleet("v1", kept(r#""right""#), filled()),
            &["v1alpha1"],
        ),
        ("an absent key is its default", fleet("v1", kept(r#""right""#), absent()), &["v1alpha1"]),
        (
            "the default of another version, where one has none",
            fleet("v1beta1", kept(r#""right""#), absent()),
            &["v1alpha1"],
        ),
        (
            "written before an absent key was its default",
            fleet("v1", kept("null"), filled()),
            &["v1alpha1"],
        ),
        (
            "an absent key and its default are one key: neither takes the value",
            fleet("v1", kept(r#""right""#), ports(&twice)),
            &["v1alpha1"],
        ),
    ]
}

#[test]
fn of_merge_keys() {
    let vectors = [of_one_key(), of_two_keys(), of_default_keys()].concat();
    let lines: Vec<String> =
        vectors.iter().map(|it| line(it, &run::<AnyFleet>(&it.1, it.2))).collect();
    let about = "Vectors of docs/conversion-annotation.md in lists with merge keys: holds have `id`, ports have `name` and `side`.";
    check(&folder("../../docs/conversion-vectors-keys.json"), about, &lines);
}
