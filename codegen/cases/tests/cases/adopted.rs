//! The annotations of an earlier webhook, which conversions read once: `[[kind.adopt]]`.

use k8s_versioned::conversion::{
    ANNOTATIONS_LIMIT, AnyVersion, ConversionFinding, ConversionReport, Options,
};
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};
use testing::walk::seeds;

use crate::emitted::adopted::conversion::{AnyKiln, AnyLoom, KilnVersion, LoomVersion};
use crate::support::folder;

const DATA: &str = "craft.example.dev/conversion-data";
const YARNS: &str = "craft.example.dev/v1beta1-yarns";
const PROBES: &str = "craft.example.dev/v1beta1-probes";

/// An object with this spec, and annotations of the earlier webhook.
fn object(kind: &str, version: &str, spec: &Value, annotations: &[(&str, String)]) -> Value {
    let mut metadata = json!({"name": "a", "namespace": "n"});
    for (key, text) in annotations {
        metadata["annotations"][key] = text.as_str().into();
    }
    json!({"apiVersion": format!("craft.example.dev/{version}"), "kind": kind, "metadata": metadata, "spec": spec})
}

fn kiln(version: &str, spec: &Value, annotations: &[(&str, String)]) -> Value {
    object("Kiln", version, spec, annotations)
}

/// The text of an object as an annotation has it.
fn text(version: &str, spec: &Value) -> String {
    let object =
        json!({"apiVersion": format!("craft.example.dev/{version}"), "kind": "Kiln", "spec": spec});
    object.to_string()
}

fn convert<A: AnyVersion>(object: &Value, to: A::Version) -> (Value, ConversionReport) {
    A::convert_value(object, to, &Options::default()).unwrap()
}

fn to_kiln(object: &Value, to: KilnVersion) -> (Value, ConversionReport) {
    convert::<AnyKiln>(object, to)
}

fn annotations(object: &Value) -> Vec<&String> {
    object["metadata"]["annotations"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(key, _)| key)
        .collect()
}

#[test]
fn a_whole_object_is_read_once() {
    let spec = json!({"holdSeconds": 90, "fan": false, "shelf": {"width": 3}, "batch": [{"name": "a", "glaze": "blue"}]});
    // Code in Go leaves the empty shelf out.
    let below = json!({"hold": "1m30s", "batch": [{"name": "a"}]});
    let stored = kiln("v1beta1", &below, &[(DATA, text("v1", &spec))]);
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    assert_eq!(above, kiln("v1", &spec, &[]));
    insta::assert_snapshot!(report, @r#"
    metadata.annotations[craft.example.dev/conversion-data]: read once, and kept in annotations of ours from now on: {"fields":{"v1":{"spec.batch[#0:61a1cfea].glaze":"blue","spec.fan":false,"spec.shelf.width":3}}}
    spec.batch[0].glaze: restored from the annotation: "blue"
    spec.shelf.width: restored from the annotation: 3
    spec.fan: restored from the annotation: false
    "#);
    // Through a third version, whose object has our annotations.
    let (between, _) = to_kiln(&stored, KilnVersion::V1beta2);
    let (above, report) = to_kiln(&between, KilnVersion::V1);
    assert_eq!(above, kiln("v1", &spec, &[]), "{report}");
}

#[test]
fn an_edit_counts() {
    let spec = json!({"holdSeconds": 90, "fan": true, "batch": [{"name": "a", "glaze": "blue"}, {"name": "b", "glaze": "red"}]});
    let below = json!({"hold": "2m", "batch": [{"name": "a"}]});
    let stored = kiln("v1beta1", &below, &[(DATA, text("v1", &spec))]);
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    let expected =
        json!({"holdSeconds": 120, "fan": true, "batch": [{"name": "a", "glaze": "blue"}]});
    assert_eq!(above["spec"], expected, "{report}");
}

#[test]
fn what_cannot_be_read_is_reported() {
    let deep = "[".repeat(4000);
    for (annotation, reason) in [
        ("{", "EOF while parsing an object"),
        ("[]", "it is not an object"),
        (&*deep, "recursion limit exceeded"),
        (r#"{"apiVersion":"craft.example.dev/v2"}"#, "v2"),
        (r#"{"kind":"Loom","spec":{}}"#, "Loom"),
        (r#"{"spec":{"fan":"on"}}"#, "invalid type"),
    ] {
        let stored = kiln("v1beta1", &json!({"hold": "1m0s"}), &[(DATA, annotation.to_owned())]);
        let (above, report) = to_kiln(&stored, KilnVersion::V1);
        assert_eq!(above, kiln("v1", &json!({"holdSeconds": 60}), &[]), "{annotation}");
        let found: Vec<_> = report.iter().collect();
        let [(path, ConversionFinding::Malformed { reason: found, .. })] = &found[..] else {
            panic!("{report}");
        };
        assert_eq!(path.as_str(), format!("metadata.annotations[{DATA}]"));
        assert!(found.contains(reason), "{found}");
    }
}

#[test]
fn fields_that_the_version_does_not_know() {
    let data = r#"{"spec":{"fan":true,"door":"open"}}"#;
    let stored = kiln("v1beta1", &json!({}), &[(DATA, data.to_owned())]);
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    assert_eq!(above["spec"], json!({"fan": true}));
    assert!(report.to_string().contains("its version does not know these fields"), "{report}");
}

/// The earlier webhook has written an object of ours since.
#[test]
fn the_newer_values_count() {
    let ours = kiln("v1", &json!({"fan": false, "batch": [{"name": "a", "glaze": "blue"}]}), &[]);
    let (mut stored, _) = to_kiln(&ours, KilnVersion::V1beta1);
    let (with_note, _) = to_kiln(&kiln("v1beta2", &json!({"note": "x"}), &[]), KilnVersion::V1);
    for (key, text) in with_note["metadata"]["annotations"].as_object().unwrap() {
        stored["metadata"]["annotations"][key] = text.clone();
    }
    let theirs = json!({"batch": [{"name": "a", "glaze": "red"}]});
    stored["metadata"]["annotations"][DATA] = text("v1", &theirs).into();
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    assert_eq!(above["spec"], theirs, "{report}");
    // What no version of theirs has stays.
    assert_eq!(annotations(&above), ["conversion.example.internal/kiln.v1beta2.spec.note"]);
}

#[test]
fn the_annotation_is_written_where_a_value_is_kept() {
    let spec = json!({"fan": true, "holdSeconds": 60});
    let above = kiln("v1", &spec, &[]);
    let (stored, report) = to_kiln(&above, KilnVersion::V1beta1);
    assert_eq!(stored["metadata"]["annotations"][DATA], text("v1", &spec), "{report}");
    let (between, _) = to_kiln(&stored, KilnVersion::V1beta2);
    assert_eq!(between["metadata"]["annotations"][DATA], text("v1", &spec));
    for object in [stored, between] {
        let (back, report) = to_kiln(&object, KilnVersion::V1);
        assert_eq!(back, above, "{report}");
    }
    let (stored, _) = to_kiln(&kiln("v1", &json!({"holdSeconds": 60}), &[]), KilnVersion::V1beta1);
    assert_eq!(stored["metadata"].get("annotations"), None);
}

/// Ours is beside it with the same values, so the earlier webhook has not written it since.
#[test]
fn what_was_removed_stays_away() {
    let spec = json!({"holdSeconds": 60, "shelf": {"width": 3}, "batch": [{"name": "a", "glaze": "blue"}]});
    let (mut stored, _) = to_kiln(&kiln("v1", &spec, &[]), KilnVersion::V1beta1);
    assert_eq!(stored["spec"]["shelf"], json!({}));
    stored["spec"] = json!({"hold": "1m0s", "batch": [{"name": "a"}]});
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    let left = json!({"holdSeconds": 60, "batch": [{"name": "a", "glaze": "blue"}]});
    assert_eq!(above["spec"], left, "{report}");
    // The earlier webhook has written it.
    stored["metadata"]["annotations"][DATA] = text("v1", &json!({"shelf": {"width": 4}})).into();
    let (above, report) = to_kiln(&stored, KilnVersion::V1);
    assert_eq!(above["spec"]["shelf"], json!({"width": 4}), "{report}");
}

#[test]
fn our_annotations_go_first() {
    let mut above = kiln("v1", &json!({"fan": true}), &[]);
    above["metadata"]["annotations"]["x/y"] = "x".repeat(ANNOTATIONS_LIMIT - 150).into();
    let (stored, report) = to_kiln(&above, KilnVersion::V1beta1);
    assert_eq!(annotations(&stored), ["conversion.example.internal/kiln.v1.spec.fan", "x/y"]);
    assert!(report.to_string().contains("not written for the earlier webhook"), "{report}");
}

#[test]
fn an_object_of_the_version_itself_drops_it() {
    let (below, report) = to_kiln(
        &kiln("v1", &json!({}), &[(DATA, text("v1", &json!({"fan": true})))]),
        KilnVersion::V1beta1,
    );
    assert_eq!(below, kiln("v1beta1", &json!({}), &[]), "{report}");
}

#[test]
fn fields_are_read_once() {
    let loom = |version: &str, spec: &Value, annotations: &[(&str, String)]| {
        object("Loom", version, spec, annotations)
    };
    let probes = json!({"a": {"steps": [{"name": ""}, {"name": "", "probe": "p"}], "template": {"probe": "q"}}});
    let live = json!({"steps": [{"name": "x"}, {"name": "y"}], "template": {"speed": 3}});
    let spec = json!({"steps": [{"name": "x"}, {"name": "y", "probe": "p"}], "template": {"speed": 3, "probe": "q"}, "yarns": ["w"]});
    let kept = [(YARNS, r#"["w"]"#.to_owned()), (PROBES, probes.to_string())];
    let (below, report) = convert::<AnyLoom>(&loom("v1", &live, &kept), LoomVersion::V1beta1);
    assert_eq!(below, loom("v1beta1", &spec, &[]), "{report}");
    // The annotation of the value is written, the one of several fields is not.
    let (stored, _) = convert::<AnyLoom>(&below, LoomVersion::V1);
    assert_eq!(stored["metadata"]["annotations"][YARNS], r#"["w"]"#);
    assert_eq!(stored["metadata"]["annotations"].get(PROBES), None);
    // The steps were edited.
    let edited = json!({"steps": [{"name": "x"}]});
    let (below, report) = convert::<AnyLoom>(&loom("v1", &edited, &kept), LoomVersion::V1beta1);
    assert_eq!(below["spec"], json!({"steps": [{"name": "x"}], "yarns": ["w"]}));
    assert!(report.to_string().contains("2 items of a list with 1"), "{report}");
}

/// Three units: the finest is kept, also between versions that do not have it, and an amount that does not fit.
#[test]
fn amounts_survive_other_units() {
    use KilnVersion::{V1, V1beta1, V1beta2};

    let through = |spec: Value, from: &str, versions: &[KilnVersion]| {
        let object = kiln(from, &spec, &[]);
        let convert = |object, to: &KilnVersion| to_kiln(&object, *to).0;
        let specs = versions.iter().scan(object, |object, to| {
            *object = convert(object.take(), to);
            Some(object["spec"].clone())
        });
        specs.collect::<Vec<_>>()
    };
    let hold = json!({"hold": "1m30.5s"});
    assert_eq!(
        through(hold.clone(), "v1beta1", &[V1beta2, V1, V1beta2, V1, V1beta1]),
        [
            json!({"holdMinutes": 1}),
            json!({"holdSeconds": 90}),
            json!({"holdMinutes": 1}),
            json!({"holdSeconds": 90}),
            hold
        ]
    );
    // No duration is as long, nor has an `int32` as many minutes.
    let hold = json!({"holdSeconds": 1_i64 << 60});
    assert_eq!(
        through(hold.clone(), "v1", &[V1beta1, V1, V1beta2, V1beta1, V1]),
        [json!({}), hold.clone(), json!({}), json!({}), hold]
    );
}

/// Between two versions of ours, the annotation is written anew: the earlier one does not know what was edited.
#[test]
fn an_edit_counts_in_two_steps() {
    let written = text("v1", &json!({"fan": false, "holdSeconds": 11}));
    let edited = kiln("v1beta1", &json!({"hold": "soon"}), &[(DATA, written)]);
    let (between, report) = to_kiln(&edited, KilnVersion::V1beta2);
    assert_eq!(
        between["metadata"]["annotations"][DATA],
        text("v1", &json!({"fan": false})),
        "{report}"
    );
    let (back, report) = to_kiln(&between, KilnVersion::V1beta1);
    assert_eq!(back["spec"], edited["spec"], "{report}");
}

#[test]
fn nothing_is_lost() {
    let schemas = Schemas::load(folder("good/adopted")).unwrap();
    for seed in seeds() {
        for kind in [Convertible::new::<AnyKiln>(), Convertible::new::<AnyLoom>()] {
            walk(&kind, &schemas, seed).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
