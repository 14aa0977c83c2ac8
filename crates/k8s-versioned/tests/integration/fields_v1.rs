//! `FieldsV1` holds any JSON, in any order of keys, through any format.

use std::hash::{DefaultHasher, Hash, Hasher};

use k8s_versioned::FieldsV1;
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Keys of managed fields, keys with characters that are escaped, and any.
fn keys() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c!\"#\\\\{}:,\u{1}]{0,2}", "f:[a-z]{1,3}", any::<String>()]
}

/// Values whose numbers `serde_json` reads exactly: the last bit of some floats differs.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i16>().prop_map(|value| Value::from(f64::from(value) / 8.0)),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::hash_map(keys(), inner, 0..6).prop_map(Value::from_iter),
        ]
    })
}

proptest! {
    #[test]
    fn text_loses_its_white_space(mut value in values()) {
        value.sort_all_objects();
        let fields = FieldsV1::from_json(&serde_json::to_string_pretty(&value).unwrap()).unwrap();
        prop_assert_eq!(fields.as_json(), value.to_string());
        prop_assert_eq!(fields.canonical(), value.to_string());
    }

    /// The order of members makes no difference.
    #[test]
    fn equal_values_have_one_text(members in prop::collection::btree_map(keys(), values(), 0..5)) {
        let members = members.into_iter().map(|(key, value)| format!("{}:{value}", Value::from(key)));
        let mut members: Vec<String> = members.collect();
        let fields = FieldsV1::from_json(&format!("{{{}}}", members.join(","))).unwrap();
        members.reverse();
        let other = FieldsV1::from_json(&format!("{{{}}}", members.join(" , "))).unwrap();
        prop_assert_eq!(hash(&fields), hash(&other));
        prop_assert_eq!(fields, other);
    }

    #[test]
    fn values_survive(value in values()) {
        let fields: FieldsV1 = serde_json::from_value(value.clone()).unwrap();
        prop_assert_eq!(fields.to_value().unwrap(), value);
        prop_assert_eq!(serde_json::to_string(&fields).unwrap(), fields.as_json());
    }

    #[test]
    fn cbor_holds_the_same(value in values()) {
        let fields: FieldsV1 = serde_json::from_value(value.clone()).unwrap();

        let bytes = cbor4ii::serde::to_vec(Vec::new(), &fields).unwrap();
        let read: FieldsV1 = cbor4ii::serde::from_slice(&bytes).unwrap();
        prop_assert_eq!(read, fields);
        let read: Value = cbor4ii::serde::from_slice(&bytes).unwrap();
        prop_assert_eq!(read, value);
    }

    #[test]
    fn parsing_never_panics(text in "[\\[\\]{}:,\"\\\\ a0.e+-]{0,24}") {
        let value = serde_json::from_str::<Value>(&text);
        prop_assert_eq!(FieldsV1::from_json(&text).is_ok(), value.is_ok());
    }
}

/// A struct around the fields, so that formats see them as one of several members.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Entry {
    before: u8,
    fields: Option<FieldsV1>,
    after: u8,
}

#[test]
fn of_two_members_with_one_key_the_last_counts() {
    let fields = FieldsV1::from_json(r#"{"b":1,"a":{"c":1,"c":2},"b":3}"#).unwrap();
    assert_eq!(fields.canonical(), r#"{"a":{"c":2},"b":3}"#);
    assert_eq!(fields, FieldsV1::from_json(&fields.canonical()).unwrap());
}

#[test]
fn fields_are_read_inside_a_struct() {
    let fields = FieldsV1::from_json(r#"{"b": [{}], "a": {"c": null}}"#).unwrap();
    let entry = Entry { before: 1, fields: Some(fields), after: 2 };
    let json = serde_json::to_string(&entry).unwrap();
    assert_eq!(json, r#"{"before":1,"fields":{"b":[{}],"a":{"c":null}},"after":2}"#);
    assert_eq!(serde_json::from_str::<Entry>(&json).unwrap(), entry);

    let pretty = serde_json::to_string_pretty(&entry).unwrap();
    assert_eq!(serde_json::from_str::<Entry>(&pretty).unwrap(), entry);

    let bytes = cbor4ii::serde::to_vec(Vec::new(), &entry).unwrap();
    let read: Entry = cbor4ii::serde::from_slice(&bytes).unwrap();
    assert_eq!(read, entry);
}

#[test]
fn depth_is_limited_in_other_formats() {
    // CBOR: 0x81 opens a list of one item, 0x80 is the empty list.
    let nested = |depth: usize| {
        let mut bytes = vec![0x81; depth - 1];
        bytes.push(0x80);
        bytes
    };
    assert!(cbor4ii::serde::from_slice::<FieldsV1>(&nested(120)).is_ok());
    assert!(cbor4ii::serde::from_slice::<FieldsV1>(&nested(401)).is_err());
}

#[test]
fn values_that_json_cannot_hold_are_errors() {
    let infinite = cbor4ii::serde::to_vec(Vec::new(), &f64::INFINITY).unwrap();
    let bytes = vec![0x41, 0x00];
    let integer_key = vec![0xa1, 0x01, 0x02];
    for input in [infinite, bytes, integer_key] {
        assert!(cbor4ii::serde::from_slice::<FieldsV1>(&input).is_err(), "{input:02x?}");
    }
}

fn hash(fields: &FieldsV1) -> u64 {
    let mut hasher = DefaultHasher::new();
    fields.hash(&mut hasher);
    hasher.finish()
}
