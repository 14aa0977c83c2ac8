//! The behaviour of the generated types: they read leniently, and write as servers do.

use std::str::FromStr;

use k8s_versioned::Kind;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::emitted::{defaults, lists, maps, merge, names, open_enum, required};

/// Decodes `from` and encodes the value again.
fn round<T: DeserializeOwned + Serialize>(from: Value) -> Value {
    serde_json::to_value(serde_json::from_value::<T>(from).unwrap()).unwrap()
}

/// Decodes the first value of every row, encodes it, and compares the result with the second.
fn table<T: DeserializeOwned + Serialize>(rows: impl IntoIterator<Item = (Value, Value)>) {
    for (from, expected) in rows {
        assert_eq!(round::<T>(from.clone()), expected, "{from}");
    }
}

#[test]
fn required_fields() {
    let zero = json!({"flag": false, "count": 0, "strict": {}});
    table::<required::v1::Mixed>([
        // Absent and null are zero; a required text is left out when it is empty.
        (json!({}), zero.clone()),
        (
            json!({"zebra": null, "text": null, "flag": null, "count": null, "strict": null}),
            zero.clone(),
        ),
        (json!({"text": "", "zebra": ""}), zero),
        // Optional fields are written if they are present, zero or not.
        (
            json!({"maybeCount": 0, "maybeFlag": false, "maybeText": "", "loose": {}}),
            json!({
                "flag": false, "count": 0, "strict": {},
                "maybeCount": 0, "maybeFlag": false, "maybeText": "", "loose": {},
            }),
        ),
        // Unknown fields are dropped.
        (
            json!({"text": "a", "texts": ["b"], "strict": {"name": "c", "nmae": 1}}),
            json!({"text": "a", "flag": false, "count": 0, "strict": {"name": "c"}}),
        ),
    ]);
}

/// The second release of the case requires more, in another order.
#[test]
fn constructors_take_what_the_first_release_requires_in_its_order() {
    let mixed = required::v1::Mixed::new("z", "t", true, 3, required::v1::Strict::new("s"))
        .with_maybe_text("m")
        .with_loose(required::v1::Loose::default().with_note("n"));
    let expected = json!({
        "zebra": "z", "text": "t", "flag": true, "count": 3, "strict": {"name": "s"},
        "maybeText": "m", "loose": {"note": "n"},
    });
    assert_eq!(serde_json::to_value(&mixed).unwrap(), expected);
    let mut copy = mixed.clone();
    copy.count = 4;
    assert_ne!(copy, mixed);
}

#[test]
fn fields_with_a_default_are_always_written() {
    let zero = json!({
        "both": "", "count": 0, "flag": false, "loose": {}, "strict": {}, "text": "",
    });
    table::<defaults::v1::Defaults>([
        (json!({}), zero.clone()),
        (json!({"both": null, "loose": null, "strict": null}), zero),
    ]);
    table::<defaults::v1::Empty>([(json!({"a": 1}), json!({}))]);
}

#[test]
fn empty_lists() {
    table::<lists::v1::Lists>([
        // A required list is written; an optional one, and one that `fields.toml` says servers omit, is not.
        (json!({}), json!({"needed": []})),
        (
            json!({"needed": null, "neededYetOmitted": [], "atomic": [], "tags": null, "kept": null}),
            json!({"needed": []}),
        ),
        // Servers distinguish an empty list of this field from an absent one.
        (json!({"kept": []}), json!({"needed": [], "kept": []})),
        // A null item is a zero value.
        (
            json!({"needed": [null, "a"], "byKey": [null, {"port": 1}], "grid": [null, [1]]}),
            json!({
                "needed": ["", "a"],
                "byKey": [{"port": 0, "protocol": ""}, {"port": 1, "protocol": ""}],
                "grid": [[], [1]],
            }),
        ),
    ]);
}

#[test]
fn empty_maps() {
    table::<maps::v1::Maps>([
        (json!({}), json!({"needed": {}})),
        (json!({"needed": null, "labels": {}, "extra": null}), json!({"needed": {}})),
        (json!({"kept": {}}), json!({"needed": {}, "kept": {}})),
        (
            json!({"labels": {"a": null}, "extra": {"b": null, "c": ["d"]}}),
            json!({"needed": {}, "labels": {"a": ""}, "extra": {"b": [], "c": ["d"]}}),
        ),
    ]);
}

#[test]
fn merged_releases_are_one_type() {
    table::<merge::v1::Thing>([(
        json!({"name": "a", "oldName": "b", "mode": "c", "spec": true}),
        json!({
            "name": "a", "oldName": "b", "mode": "c", "spec": true,
            "part": {}, "laterByValue": {},
        }),
    )]);
    let accepted = merge::v1::Options::ACCEPTED_API_VERSIONS;
    assert_eq!(accepted, "v1 example.dev/v1");
    for api_version in accepted.split(' ') {
        let from = json!({"apiVersion": api_version, "kind": "Options", "dryRun": true});
        let expected = json!({"apiVersion": "v1", "kind": "Options", "dryRun": true});
        assert_eq!(round::<merge::v1::Options>(from), expected);
    }
}

#[test]
fn odd_names_keep_their_spelling() {
    let all = json!({
        "$ref": "a", "async": "b", "clientCIDRs": "c", "continue": "d", "final": "true",
        "gen": "e", "type": "f", "x-odd": "g",
    });
    table::<names::v1::Odd>([(all.clone(), all)]);
    let odd = names::v1::Odd::new("f", "g").with_final(names::Final::True);
    assert_eq!(odd.r#final.unwrap().as_str(), "true");
}

#[test]
fn open_enums_are_open_and_normal() {
    use open_enum::RolloutStrategy as Strategy;

    for (text, known) in [
        ("OldestFirst", Some(Strategy::OldestFirst)),
        ("all-at-once", Some(Strategy::AllAtOnce)),
        ("example.dev/canary", Some(Strategy::ExampleDevCanary)),
        ("oldestfirst", None),
        ("", None),
        ("anything else", None),
    ] {
        let strategy = Strategy::from(text);
        // Every constructor makes the variant of a known word, never `Other`.
        assert_eq!(Strategy::from(text.to_owned()), strategy);
        assert_eq!(Strategy::from_str(text), Ok(strategy.clone()));
        assert_eq!(serde_json::from_value::<Strategy>(json!(text)).unwrap(), strategy);
        assert_eq!(serde_json::to_value(&strategy).unwrap(), json!(text));
        assert_eq!(strategy.as_str(), text);
        assert_eq!(strategy.is_empty(), text.is_empty());
        match known {
            Some(known) => assert_eq!(strategy, known),
            None => assert!(matches!(strategy, Strategy::Other(other) if other.as_str() == text)),
        }
    }
}

#[test]
fn open_enums_in_fields() {
    table::<open_enum::v1::Rollout>([
        // Required without a default, required with one, and the rest.
        (json!({}), json!({"last": ""})),
        (
            json!({"strategy": null, "last": null, "fallback": null, "fallbacks": [null]}),
            json!({"last": "", "fallbacks": [""]}),
        ),
        (
            json!({"strategy": "new", "byZone": {"a": "OldestFirst"}, "fallback": ""}),
            json!({
                "strategy": "new", "byZone": {"a": "OldestFirst"}, "fallback": "", "last": "",
            }),
        ),
    ]);
}

/// A text that nests nearly as deep as is allowed does not overflow the stack of a thread.
#[test]
fn deep_objects() {
    use crate::emitted::recursion::v1::{Nest, Twig};

    fn survives<T: DeserializeOwned + Serialize>(open: &str) -> bool {
        let levels = 398;
        let text = format!("{}{{}}{}", open.repeat(levels), "}".repeat(levels));
        let decoded: T = k8s_versioned::from_json(text.as_bytes()).unwrap();
        serde_json::to_string(&decoded).unwrap() == text
    }
    let nest = r#"{"apiVersion":"example.dev/v1","kind":"Nest","inner":"#;
    let thread = std::thread::Builder::new().stack_size(2 << 20);
    let both = thread.spawn(move || [survives::<Twig>(r#"{"next":"#), survives::<Nest>(nest)]);
    assert_eq!(both.unwrap().join().unwrap(), [true, true]);
}
