//! Hand-written values inside types: in lists and maps, optional and absent, and in a format that is not JSON.

use std::collections::BTreeMap;

use k8s_versioned::{
    Bytes, DateTime, Duration, Embedded, IntOrString, Json, Quantity, RawExtension,
    meta::v1::DeleteOptions,
};
use serde_json::{Value, json};

#[derive(Clone, Debug, Default, PartialEq)]
struct All {
    limits: BTreeMap<String, Quantity>,
    port: IntOrString,
    data: BTreeMap<String, Bytes>,
    raw: Option<Json>,
    timeouts: Vec<Duration>,
    seen: Option<DateTime>,
    options: Vec<Embedded<DeleteOptions>>,
    minimum: Option<f64>,
}

k8s_versioned::fields!(All {
    0 "limits" => limits: map, unless_zero;
    1 "port" => port: value, value;
    2 "data" => data: map, unless_zero;
    3 "raw" => raw: option, option;
    4 "timeouts" => timeouts: list, unless_zero;
    5 "seen" => seen: option, option;
    6 "options" => options: list, unless_zero;
    7 "minimum" => minimum: option, number_option;
});

fn full() -> Value {
    json!({
        "limits": {"cpu": "1500m", "memory": "1.50Gi", "odd": "+0.5"},
        "port": "25%",
        "data": {"key": "aGVsbG8=", "none": ""},
        "raw": {"a": [1, null, 1.5, {"b": "c"}], "big": 9_007_199_254_740_993_i64},
        "timeouts": ["1h", "90s"],
        "seen": "2026-01-02T04:04:05.5+01:00",
        "options": [
            {"apiVersion": "v1", "kind": "DeleteOptions", "gracePeriodSeconds": 5},
            {"gracePeriodSeconds": 5},
        ],
        "minimum": 0,
    })
}

#[test]
fn what_came_is_written() {
    for value in [full(), json!({"port": 0})] {
        let text = value.to_string();
        let all: All = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_value(&all).unwrap(), value);
        let again: All = serde_json::from_value(value).unwrap();
        assert_eq!(again, all);
    }
}

#[test]
fn null_becomes_the_value_of_servers_and_numbers_stay() {
    let value = json!({"port": null, "limits": {"cpu": 2, "memory": null}, "timeouts": [null], "raw": null});
    let all: All = serde_json::from_value(value).unwrap();
    let expected = json!({"port": 0, "limits": {"cpu": 2, "memory": "0"}, "timeouts": ["0s"]});
    assert_eq!(serde_json::to_value(&all).unwrap(), expected);
}

#[test]
fn an_embedded_object_is_of_its_kind_and_no_list() {
    for options in [json!({"apiVersion": "v1", "kind": "Pod"}), json!([]), json!([[]])] {
        let error = serde_json::from_value::<All>(json!({"options": [options]})).unwrap_err();
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn other_formats_hold_them() {
    let mut all: All = serde_json::from_value(full()).unwrap();
    // The reader of this format takes no whole number for a fraction.
    all.minimum = Some(0.5);
    let bytes = cbor4ii::serde::to_vec(Vec::new(), &all).unwrap();
    assert_eq!(cbor4ii::serde::from_slice::<All>(&bytes).unwrap(), all);

    let raw = RawExtension::from(json!({"a": [null]}));
    let bytes = cbor4ii::serde::to_vec(Vec::new(), &raw).unwrap();
    assert_eq!(cbor4ii::serde::from_slice::<RawExtension>(&bytes).unwrap(), raw);
}

#[cfg(feature = "schemars")]
#[test]
fn schemas_are_those_of_the_documents() {
    let schema = |schema: schemars::Schema| {
        let mut schema = schema.to_value();
        let members = schema.as_object_mut().unwrap();
        for name in ["$schema", "title", "description"] {
            members.remove(name);
        }
        schema
    };
    let table = [
        (
            schema(schemars::schema_for!(Quantity)),
            json!({"oneOf": [{"type": "string"}, {"type": "number"}]}),
        ),
        (
            schema(schemars::schema_for!(IntOrString)),
            json!({"oneOf": [{"type": "integer"}, {"type": "string"}], "format": "int-or-string"}),
        ),
        (schema(schemars::schema_for!(Bytes)), json!({"type": "string", "format": "byte"})),
        (schema(schemars::schema_for!(Duration)), json!({"type": "string", "format": "duration"})),
        (schema(schemars::schema_for!(DateTime)), json!({"type": "string", "format": "date-time"})),
        (schema(schemars::schema_for!(Json)), json!({})),
    ];
    for (found, expected) in table {
        assert_eq!(found, expected);
    }
}

/// Texts are kept as they come; `FromStr` checks them.
#[test]
fn texts_are_checked_and_kept() {
    assert_eq!("1500m".parse::<Quantity>().unwrap().as_str(), "1500m");
    assert_eq!("1h0m".parse::<Duration>().unwrap().as_str(), "1h0m");
    let time = "2026-01-02T04:04:05.5+01:00";
    assert_eq!(time.parse::<DateTime>().unwrap().as_str(), time);
    for text in ["", "1 m", "soon"] {
        assert!(text.parse::<Quantity>().is_err(), "{text}");
        assert!(text.parse::<Duration>().is_err(), "{text}");
        assert!(text.parse::<DateTime>().is_err(), "{text}");
    }
}
