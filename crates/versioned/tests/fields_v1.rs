//! `FieldsV1` holds any JSON, in any order of keys, through any format.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use k8s_versioned::FieldsV1;
use proptest::prelude::*;
use proptest::sample::Index;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// JSON whose objects keep the order of their members, and may have the same key twice.
#[derive(Clone, Debug)]
enum Json {
    Word(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    fn text(&self) -> String {
        match self {
            Json::Word(word) => word.clone(),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Json::text).collect();
                format!("[{}]", items.join(", "))
            }
            Json::Object(members) => {
                let members: Vec<String> = members.iter().map(member_text).collect();
                format!("{{ {} }}", members.join(" , "))
            }
        }
    }

    /// The text that is expected, made in another way: objects are maps from the start.
    fn canonical(&self) -> String {
        match self {
            Json::Word(word) => word.clone(),
            Json::List(items) => {
                let items: Vec<String> = items.iter().map(Json::canonical).collect();
                format!("[{}]", items.join(","))
            }
            Json::Object(members) => {
                let sorted: BTreeMap<_, _> = members.iter().cloned().collect();
                let members: Vec<String> = sorted
                    .iter()
                    .map(|(key, value)| format!("{}:{}", quote(key), value.canonical()))
                    .collect();
                format!("{{{}}}", members.join(","))
            }
        }
    }
}

fn member_text((key, value): &(String, Json)) -> String {
    format!("{}\t:\n{}", quote(key), value.text())
}

fn quote(string: &str) -> String {
    Value::from(string).to_string()
}

fn words() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just("null".to_owned()),
        any::<bool>().prop_map(|value| value.to_string()),
        any::<i64>().prop_map(|value| value.to_string()),
        any::<u64>().prop_map(|value| value.to_string()),
        any::<i16>().prop_map(|value| format!("{:?}", f64::from(value) / 8.0)),
        any::<String>().prop_map(|value| quote(&value)),
    ]
    .prop_map(Json::Word)
}

/// Few keys, so that some come twice, with characters that are escaped.
fn keys() -> impl Strategy<Value = String> {
    prop_oneof!["[a-c!\"#\\\\{}:,\u{1}]{0,2}", "f:[a-z]{1,3}", any::<String>()]
}

fn json() -> impl Strategy<Value = Json> {
    words().prop_recursive(5, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Json::List),
            prop::collection::vec((keys(), inner), 0..6).prop_map(Json::Object),
        ]
    })
}

fn without_duplicates(json: Json) -> Json {
    match json {
        Json::Word(word) => Json::Word(word),
        Json::List(items) => Json::List(items.into_iter().map(without_duplicates).collect()),
        Json::Object(members) => {
            let unique: BTreeMap<_, _> = members.into_iter().collect();
            let members = unique.into_iter();
            Json::Object(members.map(|(key, value)| (key, without_duplicates(value))).collect())
        }
    }
}

/// Moves members of every object to places that `places` chooses.
fn shuffle(json: &mut Json, places: &[Index]) {
    match json {
        Json::Word(_) => {}
        Json::List(items) => {
            for item in items {
                shuffle(item, places);
            }
        }
        Json::Object(members) => {
            for (position, place) in places.iter().enumerate().take(members.len()) {
                let other = place.index(members.len());
                members.swap(position, other);
            }
            for (_, value) in members {
                shuffle(value, places);
            }
        }
    }
}

/// Values whose numbers `serde_json` reads exactly: it reads some floats a last bit off.
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
    fn text_is_canonical(json in json()) {
        let fields = FieldsV1::from_json(&json.text()).unwrap();
        prop_assert_eq!(fields.canonical(), json.canonical());
        let again = FieldsV1::from_json(fields.as_json()).unwrap();
        prop_assert_eq!(again.as_json(), fields.as_json());
        prop_assert_eq!(hash(&again), hash(&fields));
    }

    #[test]
    fn the_order_of_keys_makes_no_difference(json in json(), places: [Index; 6]) {
        let json = without_duplicates(json);
        let mut shuffled = json.clone();
        shuffle(&mut shuffled, &places);
        let fields = FieldsV1::from_json(&json.text()).unwrap();
        let other = FieldsV1::from_json(&shuffled.text()).unwrap();
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
    fn no_text_panics(text in "[\\[\\]{}:,\"\\\\ a0.e+-]{0,24}") {
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
fn fields_are_a_part_like_any_other() {
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
fn formats_without_a_limit_of_their_own_are_limited() {
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
fn what_json_cannot_hold_is_an_error() {
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
