//! Fields that are annotations or labels of the object in other versions: `in-metadata`.

use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use serde_json::{Value, json};
use testing::walk::seeds;

use crate::emitted::shapes::Kinds;
use crate::emitted::shapes::conversion::{AnyFlag, FlagVersion};

const KEY: &str = "conversion.example.internal/flag";

fn flag(version: &str, labels: &Value, annotations: &Value, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": "Flag",
        "metadata": {"name": "a", "labels": labels, "annotations": annotations}, "spec": spec,
    })
}

fn convert(flag: &Value, to: FlagVersion) -> (Value, ConversionReport) {
    AnyFlag::convert_value(flag, to, &Options::default()).unwrap()
}

/// The annotations or labels of an object, without those of conversions.
fn own(object: &Value, of: &str) -> Value {
    let all = object["metadata"][of].as_object().cloned().unwrap_or_default();
    all.into_iter().filter(|(key, _)| !key.starts_with(KEY)).collect()
}

/// What a version has of an object of another one, which comes back equal.
#[track_caller]
fn there_and_back(before: &Value, to: FlagVersion) -> (Value, ConversionReport) {
    let (after, report) = convert(before, to);
    let from = before["apiVersion"].as_str().unwrap().rsplit_once('/').unwrap().1;
    let back = convert(&after, from.parse().unwrap()).0;
    for of in ["labels", "annotations"] {
        assert_eq!(own(&back, of), own(before, of), "{after}");
    }
    assert_eq!(back["spec"], before["spec"], "{after}");
    (after, report)
}

#[test]
fn annotations_and_labels_are_fields() {
    let labels = json!({"port.example.dev/waves": "true", "tier": "silver", "port.example.dev/zone": "a", "app": "x"});
    let annotations = json!({
        "port.example.dev/motto": "ad astra", "port.example.dev/stripes": "7", "port.example.dev/colors": r#"["red","white"]"#,
        "port.example.dev/code": "12345678901", "port.example.dev/height": "3", "note": "x",
    });
    let spec = json!({
        "size": 2, "motto": "ad astra", "stripes": 7, "waves": true, "colors": ["red", "white"], "tier": "silver", "zone": "a",
        "code": 12_345_678_901_i64, "hoist": {"speed": "fast", "height": 3},
    });
    let below = flag("v1beta1", &labels, &annotations, &json!({"size": 2, "speed": "fast"}));
    let (above, report) = there_and_back(&below, FlagVersion::V1);
    assert_eq!(above, flag("v1", &json!({"app": "x"}), &json!({"note": "x"}), &spec));
    assert!(report.is_empty(), "{report}");
    let (again, report) = there_and_back(&above, FlagVersion::V1beta1);
    assert_eq!(again, below);
    assert!(report.is_empty(), "{report}");
}

/// A text that is no value, an empty one, one in another form, none, and one with the value for none.
#[test]
fn texts_that_values_do_not_restore() {
    let spec = |rest: Value| {
        let mut spec = json!({"tier": "gold", "zone": "", "code": 0});
        spec.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        spec
    };
    for (labels, annotations, above) in [
        (json!({}), json!({"port.example.dev/stripes": "many"}), json!({})),
        (json!({}), json!({"port.example.dev/stripes": ""}), json!({})),
        (json!({}), json!({"port.example.dev/stripes": " 7"}), json!({"stripes": 7})),
        (json!({}), json!({"port.example.dev/stripes": "99999999999"}), json!({})),
        (json!({}), json!({"port.example.dev/motto": ""}), json!({"motto": ""})),
        (json!({}), json!({"port.example.dev/colors": r#"[ "red" ]"#}), json!({"colors": ["red"]})),
        (json!({}), json!({"port.example.dev/code": "many"}), json!({})),
        (json!({}), json!({"port.example.dev/code": "0"}), json!({})),
        (json!({"port.example.dev/waves": "yes"}), json!({}), json!({})),
        (json!({"tier": "gold"}), json!({}), json!({})),
        (json!({"tier": ""}), json!({}), json!({"tier": ""})),
        (json!({"port.example.dev/zone": ""}), json!({}), json!({})),
    ] {
        let below = flag("v1beta1", &labels, &annotations, &json!({}));
        let (after, _) = there_and_back(&below, FlagVersion::V1);
        assert_eq!(after["spec"], spec(above), "{below}");
        assert_eq!((own(&after, "labels"), own(&after, "annotations")), (json!({}), json!({})));
    }
}

/// A version with the field can have the annotation besides: it is a text of its own.
#[test]
fn both_are_there() {
    let spec = json!({"tier": "gold", "zone": "z", "code": 1, "motto": "new"});
    let both = flag("v1", &json!({}), &json!({"port.example.dev/motto": "old"}), &spec);
    let (below, _) = there_and_back(&both, FlagVersion::V1beta1);
    assert_eq!(own(&below, "annotations")["port.example.dev/motto"], "new");
    // An edit is one of the field.
    let mut edited = below;
    edited["metadata"]["annotations"]["port.example.dev/motto"] = json!("newer");
    let (above, _) = convert(&edited, FlagVersion::V1);
    assert_eq!(above["spec"]["motto"], "newer");
    assert_eq!(own(&above, "annotations"), json!({"port.example.dev/motto": "old"}));
    // v1alpha1 has the field, too.
    let (oldest, _) = there_and_back(&both, FlagVersion::V1alpha1);
    assert_eq!(oldest["spec"]["motto"], "new");
    assert_eq!(own(&oldest, "annotations")["port.example.dev/motto"], "old");
}

/// A label that stays in all versions: the field is made of it, and a field with another value is kept.
#[test]
fn copies() {
    let with = |rest: Value| {
        let mut spec = json!({"tier": "gold", "zone": "", "code": 0});
        spec.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        spec
    };
    let labels = json!({"port.example.dev/crew": "a", "sail": "gaff"});
    let annotations = json!({"port.example.dev/masts": "3", "port.example.dev/rope": "hemp"});
    let below = flag("v1beta1", &labels, &annotations, &json!({}));
    let (above, report) = there_and_back(&below, FlagVersion::V1);
    let spec = with(json!({"crew": "a", "masts": 3, "sail": "gaff", "hoist": {"rope": "hemp"}}));
    assert_eq!(above["spec"], spec);
    assert_eq!((own(&above, "labels"), own(&above, "annotations")), (labels, annotations));
    assert!(!report.to_string().contains("kept in"), "{report}");
    let (again, report) = there_and_back(&above, FlagVersion::V1beta1);
    assert_eq!(again, below);
    assert!(!report.to_string().contains("kept in"), "{report}");
    // A text that is not a number stays as well.
    let annotations = json!({"port.example.dev/masts": "many"});
    let below = flag("v1beta1", &json!({}), &annotations, &json!({}));
    let (above, _) = there_and_back(&below, FlagVersion::V1);
    assert_eq!(above["spec"], with(json!({})));
    assert_eq!(own(&above, "annotations"), annotations);
}

/// Fields with another value than the label, or without one, and edits of the label by a client of a version without the field.
#[test]
fn copies_with_another_value() {
    for (labels, annotations, rest) in [
        (
            json!({}),
            json!({}),
            json!({"crew": "b", "masts": 4, "sail": "gaff", "hoist": {"rope": "x"}}),
        ),
        (
            json!({"port.example.dev/crew": "a"}),
            json!({"port.example.dev/masts": "3"}),
            json!({"crew": "b", "masts": 4}),
        ),
        (
            json!({"port.example.dev/crew": "a", "sail": "gaff"}),
            json!({"port.example.dev/rope": "x"}),
            json!({}),
        ),
        (
            json!({"port.example.dev/crew": "a"}),
            json!({"port.example.dev/masts": "03"}),
            json!({"crew": "", "masts": 3}),
        ),
    ] {
        let mut spec = json!({"tier": "gold", "zone": "", "code": 0});
        spec.as_object_mut().unwrap().extend(rest.as_object().unwrap().clone());
        let above = flag("v1", &labels, &annotations, &spec);
        let (below, _) = there_and_back(&above, FlagVersion::V1beta1);
        for (of, texts) in [("labels", &labels), ("annotations", &annotations)] {
            for key in ["port.example.dev/crew", "port.example.dev/masts", "sail"] {
                assert_eq!(own(&below, of).get(key), texts.get(key), "{below}");
            }
        }
        // v1alpha1 has one of the fields, and all labels.
        let (oldest, _) = there_and_back(&above, FlagVersion::V1alpha1);
        assert_eq!(oldest["spec"].get("crew"), rest.get("crew"));
        let over = convert(&convert(&oldest, FlagVersion::V1beta1).0, FlagVersion::V1).0;
        assert_eq!(over["spec"], above["spec"]);
    }
    let labels = json!({"port.example.dev/crew": "a"});
    let spec = json!({"tier": "gold", "zone": "", "code": 0, "crew": "b"});
    let (mut below, _) = convert(&flag("v1", &labels, &json!({}), &spec), FlagVersion::V1beta1);
    for (text, crew) in [(Some("a"), Some("b")), (Some("c"), Some("c")), (None, None)] {
        let labels = text.map(|text| ("port.example.dev/crew".to_owned(), json!(text)));
        below["metadata"]["labels"] = labels.into_iter().collect();
        let (edited, report) = convert(&below, FlagVersion::V1);
        assert_eq!(edited["spec"]["crew"].as_str(), crew, "{report}");
        let label = |flag: &Value| own(flag, "labels").get("port.example.dev/crew").cloned();
        assert_eq!(label(&edited), label(&below));
        let is_edited = text != Some("a");
        assert_eq!(
            report.to_string().contains("the kept value \"b\" is discarded"),
            is_edited,
            "{report}"
        );
    }
}

/// A text that servers reject as a label, and one without room.
#[test]
fn values_that_metadata_cannot_have() {
    for (zone, motto) in [("über", "a".to_owned()), ("a b", "a".repeat(270_000))] {
        let spec = json!({"tier": "gold", "zone": zone, "code": 1, "motto": motto});
        let above = flag("v1", &json!({}), &json!({}), &spec);
        let (below, report) = convert(&above, FlagVersion::V1beta1);
        assert_eq!(own(&below, "labels"), json!({}), "{report}");
        let (back, _) = convert(&below, FlagVersion::V1);
        assert_eq!(back["spec"]["zone"], zone);
        let has_room = motto.len() < 1000;
        assert_eq!(own(&below, "annotations").get("port.example.dev/motto").is_some(), has_room);
        assert_eq!(back["spec"].get("motto").is_some(), has_room);
    }
    // A label that was set since counts.
    let spec = json!({"tier": "gold", "zone": "a b", "code": 1});
    let (mut below, _) = convert(&flag("v1", &json!({}), &json!({}), &spec), FlagVersion::V1beta1);
    below["metadata"]["labels"] = json!({"port.example.dev/zone": "c"});
    assert_eq!(convert(&below, FlagVersion::V1).0["spec"]["zone"], "c");
}

/// The answer of a webhook has the labels of the result, and nothing else of the metadata changes.
#[test]
fn a_webhook_changes_labels() {
    let webhook = Webhook::of::<Kinds>();
    let mut below = flag(
        "v1beta1",
        &json!({"tier": "silver", "port.example.dev/zone": "z"}),
        &json!({"port.example.dev/code": "4"}),
        &json!({}),
    );
    below["metadata"]["uid"] = json!("u");
    let (converted, report) = webhook.convert_object(&below, "port.example.dev/v1").unwrap();
    assert_eq!(converted["metadata"], json!({"name": "a", "uid": "u"}), "{report}");
    assert_eq!(converted["spec"], json!({"tier": "silver", "zone": "z", "code": 4}));
}

/// Walks over all versions, with edits of fields, annotations and labels: an object that nobody edits comes back equal.
#[test]
fn nothing_is_lost_of_metadata() {
    for seed in seeds() {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut object =
            flag("v1", &json!({}), &json!({}), &json!({"tier": "gold", "zone": "", "code": 0}));
        let mut left: [Option<Value>; 3] = [None, None, None];
        for _ in 0..8 {
            if rng.u8(..3) == 0 {
                edit(&mut object, &mut rng);
                left = [None, None, None];
            }
            let own_version = AnyFlag::VERSIONS
                .iter()
                .position(|version| object["apiVersion"] == format!("port.example.dev/{version}"));
            let seen = &mut left[own_version.unwrap()];
            let now = [own(&object, "labels"), own(&object, "annotations"), object["spec"].clone()];
            let now = json!(now);
            assert_eq!(*seen.get_or_insert_with(|| now.clone()), now, "seed {seed}: {object}");
            object = convert(&object, AnyFlag::VERSIONS[rng.usize(..3)]).0;
        }
    }
}

/// Sets or removes an annotation, a label or a field.
fn edit(object: &mut Value, rng: &mut fastrand::Rng) {
    const ANNOTATIONS: [&str; 7] =
        ["motto", "stripes", "colors", "code", "height", "masts", "rope"];
    const LABELS: [&str; 5] = [
        "port.example.dev/waves",
        "port.example.dev/zone",
        "tier",
        "port.example.dev/crew",
        "sail",
    ];
    for _ in 0..rng.usize(1..5) {
        let text = ["", "7", "07", "many", "true", "gold", "silver", "null", "[\"a\"]", "[]", "a"];
        let text = text[rng.usize(..text.len())];
        let (of, key) = if rng.bool() {
            ("annotations", format!("port.example.dev/{}", ANNOTATIONS[rng.usize(..7)]))
        } else {
            ("labels", LABELS[rng.usize(..5)].to_owned())
        };
        let is_label_value = !text.contains('[');
        if !object["metadata"][of].is_object() {
            object["metadata"][of] = json!({});
        }
        if rng.u8(..4) == 0 {
            object["metadata"][of].as_object_mut().unwrap().remove(&key);
        } else if of == "annotations" || is_label_value {
            object["metadata"][of][key] = json!(text);
        }
        if object["apiVersion"] != "port.example.dev/v1beta1" && rng.bool() {
            object["spec"][["motto", "crew"][rng.usize(..2)]] = json!(text);
        }
        if object["apiVersion"] == "port.example.dev/v1" {
            match rng.u8(..10) {
                0 => object["spec"]["stripes"] = json!(rng.i32(0..9)),
                1 => object["spec"]["waves"] = json!(rng.bool()),
                2 => object["spec"]["colors"] = json!(["b c", "d"][..rng.usize(..3)]),
                3 => object["spec"]["tier"] = json!(["gold", "silver", "a b"][rng.usize(..3)]),
                4 => object["spec"]["zone"] = json!(["", "a", "a b", "ü"][rng.usize(..4)]),
                5 => object["spec"]["code"] = json!(rng.i64(0..3)),
                6 => object["spec"]["masts"] = json!(rng.i32(6..9)),
                7 => object["spec"]["sail"] = json!(["lug", "gaff", "x"][rng.usize(..3)]),
                8 => object["spec"]["hoist"] = json!({"rope": text}),
                _ => object["spec"]["hoist"] = json!({"height": rng.i32(0..3)}),
            }
        }
    }
}
