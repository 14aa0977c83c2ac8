//! Hand-written values inside types: in lists and maps, optional and absent, and in a format that is not JSON.

use std::collections::BTreeMap;

use k8s_versioned::{
    Bytes, DateTime, Duration, Embedded, IntOrString, Json, Quantity, meta::v1::DeleteOptions, wire,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct All {
    #[serde(default, deserialize_with = "wire::map", skip_serializing_if = "BTreeMap::is_empty")]
    limits: BTreeMap<String, Quantity>,
    #[serde(default = "wire::zero", deserialize_with = "wire::null_is_zero")]
    port: IntOrString,
    #[serde(default, deserialize_with = "wire::map", skip_serializing_if = "BTreeMap::is_empty")]
    data: BTreeMap<String, Bytes>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<Json>,
    #[serde(default, deserialize_with = "wire::list", skip_serializing_if = "Vec::is_empty")]
    timeouts: Vec<Duration>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seen: Option<DateTime>,
    #[serde(default, deserialize_with = "wire::list", skip_serializing_if = "Vec::is_empty")]
    options: Vec<Embedded<DeleteOptions>>,
    #[serde(serialize_with = "wire::number_option", skip_serializing_if = "Option::is_none")]
    minimum: Option<f64>,
}

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
fn null_and_numbers_become_the_values_of_servers() {
    let value = json!({"port": null, "limits": {"cpu": 2, "memory": null}, "timeouts": [null], "raw": null});
    let all: All = serde_json::from_value(value).unwrap();
    let expected = json!({"port": 0, "limits": {"cpu": "2", "memory": "0"}, "timeouts": ["0s"]});
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
