//! `docs/reference/conversion-vectors-keys.json` and `docs/reference/conversion-vectors-shapes.json`: the annotation of conversions in lists with merge
//! keys, and between objects of other shapes, for other implementations.

use serde_json::{Value, json};
use testing::vectors::{Vector, annotations, check, kept, line, run};

use crate::emitted::nested::conversion::AnyFleet;
use crate::emitted::shapes::conversion::{AnyDock, AnyLock, AnyMeter, AnySiren, AnyZone};
use crate::support::folder;

const KEY: &str = "conversion.example.internal/fleet";

#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn fleet(version: &str, annotation: Option<Value>, spec: Value) -> Value {
    let annotations = annotation.map(|annotation| annotations(KEY, &annotation));
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
        vectors.iter().map(|vector| line(vector, &run::<AnyFleet>(&vector.1, vector.2))).collect();
    let about = "Vectors of docs/reference/conversion-annotation.md in lists with merge keys: holds have `id`, ports have `name` and `side`.";
    check(&folder("../../docs/reference/conversion-vectors-keys.json"), about, &lines);
}

/// An object of the case `shapes`.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn object(kind: &str, version: &str, kept: Option<Value>, spec: Value) -> Value {
    let key = format!("conversion.example.internal/{}", kind.to_lowercase());
    let annotations = kept.map(|kept| annotations(&key, &kept));
    json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": kind,
        "metadata": {"name": "a", "annotations": annotations}, "spec": spec,
    })
}

/// Lists of one object, which are objects in v1.
fn of_first_items() -> Vec<Vector> {
    let old = |logging: Value, crane: Value| {
        object("Dock", "v1alpha1", None, json!({"logging": logging, "crane": crane, "gates": []}))
    };
    let new = |list: Value, logging: Value| {
        let spec = json!({"logging": logging, "crane": {}, "ramp": {"slope": 5}});
        object("Dock", "v1", Some(kept("v1alpha1", "spec.logging", &list)), spec)
    };
    let two = || json!([{}, {"level": "b"}]);
    vec![
        ("one item", old(json!([{"level": "a", "glue": "g"}]), json!([])), &["v1", "v1alpha1"]),
        ("two items", old(json!([{"glue": "g"}, {"level": "b"}]), json!([])), &["v1", "v1alpha1"]),
        ("no item, where an absent list is another value", old(json!([]), json!([])), &["v1"]),
        ("an empty item of a required object", old(json!([{}]), json!([{}])), &["v1", "v1alpha1"]),
        (
            "the object was edited: the others stay",
            new(two(), json!({"level": "c"})),
            &["v1alpha1"],
        ),
        ("the object is gone", new(two(), Value::Null), &["v1alpha1"]),
        (
            "a first item that no conversion keeps",
            new(json!([{"level": "a"}]), json!({})),
            &["v1alpha1"],
        ),
    ]
}

/// A key size that is beside the private key in v1alpha1 and inside it in the others.
fn of_moved_fields() -> Vec<Vector> {
    let lock =
        |version: &str, kept: Option<Value>, spec: Value| object("Lock", version, kept, spec);
    let explicit = || Some(kept("v1alpha1", "spec.privateKey", &json!({})));
    let both = json!({"keySize": 1, "privateKey": {}});
    let filled = json!({"privateKey": {"rotation": "r"}});
    vec![
        ("an object is made", lock("v1alpha1", None, json!({"keySize": 1})), &["v1", "v1alpha1"]),
        ("an empty object was there", lock("v1alpha1", None, both), &["v1", "v1beta1", "v1alpha1"]),
        ("and is edited", lock("v1", explicit(), filled), &["v1alpha1"]),
        ("and is gone", lock("v1", explicit(), json!({})), &["v1alpha1"]),
    ]
}

/// Domains that are a map in v1alpha1 and a list in v1.
fn of_keyed_lists() -> Vec<Vector> {
    let list =
        |domains: Value| object("Zone", "v1", None, json!({"domains": domains, "pools": []}));
    let twice = json!([{"name": "a"}, {"name": "a", "new": "n"}]);
    let map = json!({"domains": {"b": {}, "c": {}}, "pools": {}});
    let order = Some(kept("v1", "spec.domains", &json!([{"name": "b"}, {"name": "a"}])));
    vec![
        (
            "a list in the order of its keys",
            list(json!([{"name": "a"}, {"name": "b"}])),
            &["v1alpha1"],
        ),
        ("in another order", list(json!([{"name": "b"}, {"name": "a"}])), &["v1alpha1", "v1"]),
        ("two items with one key of a map", list(twice), &["v1alpha1", "v1"]),
        ("an item is gone, and one is new", object("Zone", "v1alpha1", order, map), &["v1"]),
    ]
}

/// Values that do not fit, and a default that is not kept.
fn of_values() -> Vec<Vector> {
    let old = |port: &str| json!({"port": port, "gate": "1", "count": 1, "mode": "day"});
    let new =
        |limit: Value| json!({"port": 1, "gate": 1, "count": 1, "mode": "day", "limit": limit});
    let replaced = Some(kept("v1beta1", "spec.count", &json!(5_000_000_000_i64)));
    vec![
        ("a fallback", object("Meter", "v1beta1", None, old("https")), &["v1", "v1beta1"]),
        ("a default", object("Meter", "v1", None, new(json!(10))), &["v1beta1", "v1"]),
        ("no default", object("Meter", "v1", None, new(Value::Null)), &["v1beta1", "v1"]),
        ("a value that was replaced", object("Meter", "v1", replaced, new(json!(10))), &["v2"]),
        (
            "a value of another type",
            object("Meter", "v1", None, new(json!("ten"))),
            &["v1beta1", "v2"],
        ),
    ]
}

/// A tone that is absent in v1alpha1, optional in v1beta1 and required in v1.
fn of_presence() -> Vec<Vector> {
    let siren = |spec: Value| object("Siren", "v1beta1", None, spec);
    let walk: &[&str] = &["v1alpha1", "v1", "v1beta1"];
    vec![
        ("an optional value", siren(json!({"tone": "low"})), walk),
        ("an optional value that is empty", siren(json!({"tone": ""})), walk),
    ]
}

#[test]
fn of_shapes() {
    let mut lines = Vec::new();
    lines.extend(
        of_first_items().iter().map(|vector| line(vector, &run::<AnyDock>(&vector.1, vector.2))),
    );
    lines.extend(
        of_moved_fields().iter().map(|vector| line(vector, &run::<AnyLock>(&vector.1, vector.2))),
    );
    lines.extend(
        of_keyed_lists().iter().map(|vector| line(vector, &run::<AnyZone>(&vector.1, vector.2))),
    );
    lines.extend(
        of_values().iter().map(|vector| line(vector, &run::<AnyMeter>(&vector.1, vector.2))),
    );
    lines.extend(
        of_presence().iter().map(|vector| line(vector, &run::<AnySiren>(&vector.1, vector.2))),
    );
    let about = "Vectors of docs/reference/conversion-annotation.md for lists of one object, moved fields, maps that are lists, values that do not fit, and fields that are absent, optional and required.";
    check(&folder("../../docs/reference/conversion-vectors-shapes.json"), about, &lines);
}
