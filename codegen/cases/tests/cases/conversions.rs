//! Conversions of the invented kinds: every kind of rule, in both directions.

use k8s_versioned::CustomResource as _;
use k8s_versioned::conversion::{
    Absent, AnyVersion, ConversionFinding, ConversionReport, ConvertObject, ConvertPart, Options,
};
use k8s_versioned_admission::{Definition, WriteRequest};
use k8s_versioned_codegen::Files;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use testing::specs;

use crate::emitted::conversions::conversion::{AnyKite, KiteVersion};
use crate::emitted::conversions::{v1, v1alpha1, v1beta1};
use crate::emitted::conversions_shared as shared;
use crate::emitted::custom_groups::conversion as groups;
use crate::emitted::custom_versions::conversion::{AnyBoat, BoatPolicies, BoatVersion};
use crate::emitted::named_versions::{self, conversion as named};
use crate::emitted::nested::conversion::{AnyFleet, FleetVersion};
use crate::emitted::renamed::conversion::{AnyCrew, CrewVersion};
use crate::support::{good, options};

/// A kite of any version.
#[allow(clippy::needless_pass_by_value, reason = "reads better where it is called")]
fn kite<K: DeserializeOwned>(spec: Value) -> K {
    let kite = json!({"metadata": {"name": "a"}, "spec": spec, "status": {"height": 3}});
    serde_json::from_value(kite).unwrap()
}

fn shown(report: &ConversionReport) -> Vec<String> {
    report.iter().map(|(path, finding)| format!("{path}: {finding}")).collect()
}

#[test]
fn parts_convert_without_the_object() {
    let source =
        kite::<v1alpha1::Kite>(json!({"pilot": "p", "colors": ["red"], "glue": "resin"})).spec;
    let refused = v1::KiteSpec::try_from(source.clone()).unwrap_err();
    assert_eq!(shown(refused.reasons()), [r#"spec.glue: lost: "resin""#]);
    let (_, report): (v1::KiteSpec, _) = source.convert_lossy();
    assert_eq!(shown(&report), [r#"spec.glue: lost: "resin""#]);
    let target = kite::<v1::Kite>(json!({"pilot": "p", "color": "red"})).spec;
    assert_eq!(v1::KiteSpec::from(v1beta1::KiteSpec::from(target.clone())), target);
    let status = v1alpha1::KiteStatus::default().with_height(1);
    let status = v1::KiteStatus::try_from(status).unwrap();
    assert_eq!(status.height, Some(1));
}

#[test]
fn accessors_of_shared_fields() {
    let kite = AnyKite::from(kite::<v1alpha1::Kite>(json!({"pilot": "p"})));
    assert_eq!((kite.pilot(), kite.length(), kite.height()), ("p", None, Some(3)));
    let (kite, _) = kite.convert_to(KiteVersion::V1);
    assert_eq!((kite.pilot(), kite.length(), kite.height()), ("p", Some(0), Some(3)));
    assert_eq!(kite.version(), KiteVersion::V1);
    assert_eq!(AnyKite::VERSIONS, KiteVersion::ALL);
}

/// The versions are in the order of Kubernetes, and have the names that servers know.
#[test]
fn versions_by_any_name() {
    let versions = named::KiteVersion::ALL;
    let names = versions.iter().map(|version| version.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["v1api20220801", "stable", "a-b", "v1"]);
    for from in versions {
        let field = |version: &named::KiteVersion| match version {
            named::KiteVersion::AB => "hue",
            _ => "colour",
        };
        let kite = |version: &named::KiteVersion| {
            json!({"apiVersion": version.api_version(), "kind": "Kite", "metadata": {"name": "a"},
                   "spec": {field(version): "red", "tails": [{"length": 2}]}})
        };
        let object: named::AnyKite = serde_json::from_value(kite(from)).unwrap();
        assert_eq!(object.version(), *from);
        for to in versions {
            let (target, report) = object.clone().convert_to(*to);
            assert_eq!(shown(&report), [""; 0]);
            assert_eq!(serde_json::to_value(target).unwrap(), kite(to));
        }
    }
}

/// Objects of each version decode, encode, convert into each other version, and are judged as servers do.
#[test]
fn versions_that_definitions_in_use_have() {
    let versions = named::SpoolVersion::ALL;
    let names = versions.iter().map(|version| version.as_str()).collect::<Vec<_>>();
    assert_eq!(names, ["v1api20220801storage", "ab-1", "a--b", "v1alpha08", "v1beta0", "v0"]);
    let source = serde_json::from_str(named_versions::v0::Spool::DEFINITION).unwrap();
    let definition = Definition::compile(&source).unwrap();
    for from in versions {
        let spool = |version: &named::SpoolVersion, turns: u8| {
            json!({"apiVersion": version.api_version(), "kind": "Spool", "metadata": {"name": "a"},
                   "spec": {"turns": turns}})
        };
        let object: named::AnySpool = serde_json::from_value(spool(from, 3)).unwrap();
        assert_eq!(object.version(), *from);
        for to in versions {
            let (target, report) = object.clone().convert_to(*to);
            assert_eq!(shown(&report), [""; 0]);
            assert_eq!(serde_json::to_value(target).unwrap(), spool(to, 3));
        }
        for (turns, status) in [(9, 201), (10, 422)] {
            let body = spool(from, turns).to_string();
            let request = WriteRequest::create(from.as_str(), "default", body.as_bytes());
            assert_eq!(definition.admit(&request).status, status, "{from:?}");
        }
    }
}

/// Of two kinds with one name, the first has it without a prefix.
#[test]
fn kinds_of_one_name_in_two_groups() {
    fn walk<A: AnyVersion + DeserializeOwned + serde::Serialize>(
        to: A::Version,
        object: &Value,
    ) -> Value {
        let (object, _) = serde_json::from_value::<A>(object.clone()).unwrap().convert_to(to);
        serde_json::to_value(object).unwrap()
    }
    let object = |version: &str, kind: &str, spec: Value| json!({ "apiVersion": version, "kind": kind, "metadata": {}, "spec": spec });
    let boat = object("lake.dev/v1alpha1", "Boat", json!({ "mast": 2 }));
    let boat = walk::<groups::AnyBoat>(groups::BoatVersion::V1, &boat);
    assert_eq!(boat, object("lake.dev/v1", "Boat", json!({ "masts": 2 })));
    let boat = object("sea.dev/v1beta1", "Boat", json!({ "sails": 2 }));
    let boat = walk::<groups::AnySeaBoat>(groups::SeaBoatVersion::V1, &boat);
    assert_eq!(boat, object("sea.dev/v1", "Boat", json!({ "sails": 2 })));
    // The names of the targets of two moves look alike in Rust.
    let spec = json!({ "keel": "a", "bell": {}, "bellRope": {}, "tether": { "a": 1, "b": 2 } });
    let boat = object("sea.dev/v1beta1", "sea-boat", spec);
    let boat = walk::<groups::AnySeaSeaBoat>(groups::SeaSeaBoatVersion::V1, &boat);
    let spec =
        json!({ "keel": "a", "bell": { "ropeEnd": 1 }, "bellRope": { "end": 2 }, "tether": {} });
    assert_eq!(boat, object("sea.dev/v1", "sea-boat", spec));
}

/// An empty value of a custom resource is a value, unless no version before had the field.
#[test]
fn required_fields_without_a_source_are_reported() {
    let lacks = |version: &str, spec: Value, to: BoatVersion| {
        let mut object = json!({ "apiVersion": version, "kind": "Boat", "metadata": {}, "spec": {"mode": "sail", "oars": 0} });
        object["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (boat, report) = boat.convert_to(to);
        let lacks =
            report.iter().filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
        let lacks = lacks.map(|(path, _)| path.to_string()).collect::<Vec<_>>().join(" ");
        (lacks, boat)
    };
    let anchored = json!({"anchor": "plough"});
    let (found, boat) = lacks("example.dev/v1alpha1", anchored, BoatVersion::V1);
    assert_eq!(found, "spec.anchor.weight spec.pilot spec.bunks spec.hull");
    let (back, _) = boat.clone().convert_to(BoatVersion::V1alpha1);
    assert_eq!(shown(&back.convert_to(BoatVersion::V1).1).len(), 4);
    // An object that is absent in one version, and required in another.
    let (found, _) = lacks("example.dev/v1alpha1", json!({}), BoatVersion::V1beta1);
    // Servers refuse an empty `trim`: it is a word. They take an empty `bow`: all of its fields are optional.
    assert_eq!(found, "spec.rudder.length spec.trim spec.bunks spec.hull");
    let rudder = json!({"rudder": {"length": "1"}});
    let (found, _) = lacks("example.dev/v1alpha1", rudder, BoatVersion::V1beta1);
    assert_eq!(found, "spec.trim spec.bunks spec.hull");
    let rest = json!({"hull": "", "bunks": [], "rudder": {"length": 0, "bow": {}}, "tiller": {}, "pilots": ["a"], "sails": {"fore": {"area": 1.5}}});
    let (found, boat) = lacks("example.dev/v1beta1", rest, BoatVersion::V1);
    assert_eq!(found, r#"spec.sails["fore"].area"#);
    let options = Options::default().strict();
    assert!(boat.convert_to_with(BoatVersion::V1alpha1, &options).is_ok());
}

/// A word is the field of an object in another version, which has a type of its own for it.
#[test]
fn a_word_becomes_a_field_of_an_object() {
    let spec = json!({
        "mode": "", "oars": 0, "hull": "oak", "bunks": [],
        "engine": {"fuel": "diesel", "power": 9}, "lamps": [{"kind": "stern", "height": 2}, {"kind": "bow"}],
    });
    let object =
        json!({ "apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": spec });
    let boat: AnyBoat = serde_json::from_value(object).unwrap();
    let (old, _) = boat.clone().convert_to(BoatVersion::V1alpha1);
    let shown = serde_json::to_value(&old).unwrap();
    assert_eq!(shown["spec"]["engine"], "diesel");
    assert_eq!(shown["spec"]["lamps"], json!(["stern", "bow"]));
    assert_eq!(old.convert_to(BoatVersion::V1).0, boat);

    let mut edited = shown;
    edited["spec"]["engine"] = "steam".into();
    edited["spec"]["lamps"] = json!(["bow", "stern"]);
    let edited: AnyBoat = serde_json::from_value(edited).unwrap();
    let new = serde_json::to_value(edited.convert_to(BoatVersion::V1).0).unwrap();
    // A rule of its own keeps the power.
    assert_eq!(new["spec"]["engine"], json!({"fuel": "steam", "power": 9}));
    assert_eq!(new["spec"]["lamps"], json!([{"kind": "bow"}, {"kind": "stern", "height": 2}]));
}

/// The field of an object can be absent, or the object itself.
#[test]
fn a_value_becomes_a_field_that_can_be_absent() {
    let masts = [
        (json!({"wood": "oak", "height": 9}), json!("oak")),
        (json!({"height": 9}), Value::Null),
        (json!({}), Value::Null),
        (Value::Null, Value::Null),
    ];
    for (mast, wood) in masts {
        let mut spec = json!({ "mode": "", "oars": 0, "hull": "oak", "bunks": [] });
        if !mast.is_null() {
            spec["mast"] = mast.clone();
        }
        let object =
            json!({ "apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let old = boat.clone().convert_to(BoatVersion::V1alpha1).0;
        let mut shown = serde_json::to_value(&old).unwrap();
        assert_eq!(shown["spec"]["mast"], wood, "{mast}");
        assert_eq!(old.convert_to(BoatVersion::V1).0, boat, "{mast}");

        shown["spec"]["mast"] = "pine".into();
        let edited: AnyBoat = serde_json::from_value(shown).unwrap();
        let new = serde_json::to_value(edited.convert_to(BoatVersion::V1).0).unwrap();
        assert_eq!(new["spec"]["mast"], json!({"wood": "pine"}), "{mast}");
    }
}

/// Any JSON in a version without a schema: what the schema of the other version does not hold comes back, unless it was edited.
#[test]
fn any_json_gets_a_schema() {
    let table = [
        (json!({"gears": 3, "maker": "Ahoy"}), json!({"gears": 3, "maker": "Ahoy"}), ""),
        (json!({"gears": 3, "colour": "red"}), json!({"gears": 3}), ""),
        (json!({"maker": "Ahoy"}), json!({"gears": 0, "maker": "Ahoy"}), "spec.winch"),
        (json!({"gears": 1, "drum": {}}), json!({"gears": 1, "drum": {"width": 0}}), "spec.winch"),
        (json!({"gears": "many"}), json!({"gears": 0}), ""),
        (json!({}), json!({"gears": 0}), "spec.winch"),
    ];
    for (winch, shown, lacking) in table {
        let spec = json!({"mode": "", "oars": 0, "winch": winch});
        let object = json!({ "apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (new, report) = boat.clone().convert_to(BoatVersion::V1);
        let invalid = report.iter().filter(|(path, finding)| {
            path.to_string().starts_with("spec.winch")
                && **finding == ConversionFinding::InvalidInTarget
        });
        assert_eq!(
            invalid.map(|(path, _)| path.to_string()).collect::<String>(),
            lacking,
            "{winch}"
        );
        let mut edited = serde_json::to_value(&new).unwrap();
        assert_eq!(edited["spec"]["winch"], shown, "{winch}");
        assert_eq!(new.convert_to(BoatVersion::V1alpha1).0, boat, "{winch}");

        edited["spec"]["winch"] = json!({"gears": 7});
        let edited: AnyBoat = serde_json::from_value(edited).unwrap();
        let old = serde_json::to_value(edited.convert_to(BoatVersion::V1alpha1).0).unwrap();
        assert_eq!(old["spec"]["winch"], json!({"gears": 7}), "{winch}");
    }
}

/// A field whose name has a dot is not the field of an object.
#[test]
fn fields_have_paths_of_their_own() {
    let spec = json!({
        "mode": "", "oars": 0, "hull": "oak", "bunks": [], "size": {"feet": 1, "metres": 2}, "size.metres": "3",
    });
    let object =
        json!({ "apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": spec });
    let boat: AnyBoat = serde_json::from_value(object).unwrap();
    let (old, report) = boat.clone().convert_to(BoatVersion::V1alpha1);
    let kept: Vec<String> = report.iter().map(|(path, _)| path.to_string()).collect();
    let kept: Vec<&str> =
        kept.iter().map(String::as_str).filter(|kept| kept.contains("metres")).collect();
    assert_eq!(kept, ["spec.size.metres", r#"spec["size.metres"]"#]);
    let (between, _) = old.convert_to(BoatVersion::V1beta1);
    assert_eq!(between.convert_to(BoatVersion::V1).0, boat);
}

/// A typed object has an invented value for a required field that its document lacks. Conversions of JSON report it.
#[test]
fn absent_required_fields_of_json_are_reported() {
    let missing = |spec: Value| {
        let object = json!({ "apiVersion": "example.dev/v1beta1", "kind": "Boat", "metadata": {}, "spec": spec });
        let (_, report) =
            AnyBoat::convert_value(&object, BoatVersion::V1, &Options::default()).unwrap();
        let missing = report.iter().filter(|(_, finding)| **finding == ConversionFinding::Missing);
        missing.map(|(path, _)| path.to_string()).collect::<Vec<_>>().join(" ")
    };
    let whole = json!({
        "mode": "", "oars": 0, "rudder": {"length": 0, "bow": {}}, "tiller": {}, "hull": "", "bunks": [], "trim": "",
        "spars": [], "lines": {},
    });
    assert_eq!(missing(whole.clone()), "");
    let with = |more: Value| {
        let mut spec = whole.clone();
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        missing(spec)
    };
    assert_eq!(with(json!({"mode": null, "rudder": {"bow": {}}})), "spec.mode spec.rudder.length");
    assert_eq!(
        with(json!({"ropes": [{"name": "a"}, {}], "sails": {"fore": {}}})),
        "spec.ropes[1].name spec.sails.fore.area"
    );
    assert_eq!(
        missing(json!({})),
        "spec.bunks spec.hull spec.lines spec.mode spec.oars spec.rudder spec.spars spec.tiller spec.trim"
    );
    assert_eq!(missing(Value::Null), "spec");
}

/// A list that can be absent, and its first item that can be absent.
#[test]
fn the_first_item_of_an_optional_list() {
    let table = [
        (json!({}), Value::Null, 0),
        (json!({"colours": []}), Value::Null, 1),
        (json!({"colours": [""]}), json!(""), 0),
        (json!({"colours": ["red"]}), json!("red"), 0),
        (json!({"colours": ["red", "blue"]}), json!("red"), 1),
    ];
    for (mut spec, first, kept) in table {
        spec.as_object_mut()
            .unwrap()
            .extend([("mode".to_owned(), json!("")), ("oars".to_owned(), json!(0))]);
        let object = json!({ "apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (new, report) = boat.clone().convert_to(BoatVersion::V1);
        let is_kept =
            |finding: &ConversionFinding| matches!(finding, ConversionFinding::Preserved { .. });
        assert_eq!(report.iter().filter(|(_, finding)| is_kept(finding)).count(), kept, "{report}");
        assert_eq!(serde_json::to_value(&new).unwrap()["spec"]["colour"], first);
        assert_eq!(new.convert_to(BoatVersion::V1alpha1).0, boat);
    }
}

/// Numbers, their texts, and values that are either.
#[test]
fn texts_of_numbers() {
    let convert = |from: &str, spec: Value, to: BoatVersion| {
        let object = json!({ "apiVersion": format!("example.dev/{from}"), "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (converted, _) = boat.clone().convert_to(to);
        let (back, _) = converted.clone().convert_to(boat.version());
        assert_eq!(back, boat);
        let boat = serde_json::to_value(converted).unwrap();
        ["draft", "crane", "buoys"].map(|field| boat["spec"][field].clone())
    };
    let words = [
        (json!("1.5"), json!("40%"), json!([1])),
        (json!("1.50"), json!("7"), json!([])),
        (json!("deep"), json!("07"), json!([2, 3])),
        (json!("inf"), json!(""), json!([0])),
    ];
    let found = words.map(|(draft, crane, buoys)| {
        let spec = json!({"mode": "", "oars": 0, "draft": draft, "crane": crane, "buoys": buoys});
        convert("v1alpha1", spec, BoatVersion::V1)
    });
    let expected = [
        [json!(1.5), json!("40%"), json!([1])],
        [json!(1.5), json!(7), json!([])],
        [Value::Null, json!("07"), json!([2, 3])],
        [Value::Null, json!(""), json!([0])],
    ];
    assert_eq!(found, expected);
    let spec = json!({"mode": "", "oars": 0, "hull": "oak", "bunks": [], "draft": 0.1, "crane": "7", "buoys": [1, "1", "b"]});
    let found = convert("v1", spec, BoatVersion::V1alpha1);
    assert_eq!(found, [json!("0.1"), json!("7"), json!([1, 1, 0])]);
}

/// A boat of v1alpha1 with these fields, in another version, the report, and after the way back.
fn old_boat(
    more: &Value,
    to: BoatVersion,
    options: &Options<BoatPolicies>,
) -> (Value, Vec<String>) {
    let mut spec = json!({"mode": "sail", "oars": 0});
    spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let object = json!({ "apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {}, "spec": spec });
    let boat: AnyBoat = serde_json::from_value(object).unwrap();
    let (there, report) = boat.clone().convert_to_with(to, options).unwrap();
    let (back, _) = there.clone().convert_to(BoatVersion::V1alpha1);
    assert_eq!(back, boat);
    (serde_json::to_value(there).unwrap()["spec"].take(), shown(&report))
}

/// Each version has a type of its own for the words. Words that it does not know stay.
#[test]
fn words_that_only_one_version_requires() {
    let table = [
        (json!({}), json!(""), json!(null)),
        (json!({"trim": ""}), json!(""), json!("")),
        (json!({"trim": "loose"}), json!("loose"), json!("loose")),
        (json!({"trim": "odd"}), json!("odd"), json!("odd")),
    ];
    for (spec, required, optional) in table {
        let convert = |to| old_boat(&spec, to, &Options::default()).0["trim"].take();
        assert_eq!(convert(BoatVersion::V1beta1), required);
        assert_eq!(convert(BoatVersion::V1), optional);
    }
    let policies = BoatPolicies::default().with_trim(Absent::Use("tight".to_owned()));
    let (spec, report) = old_boat(&json!({}), BoatVersion::V1beta1, &Options::new(policies));
    assert_eq!(spec["trim"], "tight");
    assert!(report.iter().any(|line| line.starts_with("spec.trim: ")), "{report:?}");
}

/// A version with fewer words shows its fallback. The word comes back, also over another version with a fallback, unless a
/// client has changed what is shown. Words that no version knows stay.
#[test]
fn words_with_a_fallback() {
    use BoatVersion::{V1, V1alpha1, V1beta1};
    // The version, its word (`*` before one that a client writes).
    let table: [&[(BoatVersion, &str)]; 10] = [
        &[(V1, "ketch"), (V1beta1, "gaff"), (V1alpha1, "lug"), (V1, "ketch")],
        &[(V1, "ketch"), (V1alpha1, "lug"), (V1beta1, "gaff"), (V1, "ketch")],
        &[(V1, "sloop"), (V1alpha1, "lug"), (V1beta1, "sloop"), (V1alpha1, "lug"), (V1, "sloop")],
        &[(V1beta1, "sloop"), (V1alpha1, "lug"), (V1beta1, "sloop")],
        &[(V1, "Gaff"), (V1beta1, "gaff"), (V1alpha1, "gaff"), (V1, "Gaff")],
        &[(V1, "lug"), (V1alpha1, "lug"), (V1beta1, "lug"), (V1, "lug")],
        &[(V1alpha1, "later"), (V1, "later"), (V1beta1, "later"), (V1alpha1, "later")],
        &[(V1, "gaff"), (V1alpha1, "gaff"), (V1beta1, "gaff"), (V1, "gaff")],
        &[(V1, "ketch"), (V1alpha1, "lug"), (V1alpha1, "*gaff"), (V1beta1, "gaff"), (V1, "Gaff")],
        &[(V1, "ketch"), (V1beta1, "gaff"), (V1beta1, "*sloop"), (V1alpha1, "lug"), (V1, "sloop")],
    ];
    for words in table {
        assert_words(["rig", "rigs"], words);
    }
}

/// Versions that each lack words of the others have a fallback each: the word comes back to each version that knows it.
#[test]
fn words_that_each_version_lacks() {
    use BoatVersion::{V1, V1alpha1, V1beta1};
    let table: [&[(BoatVersion, &str)]; 8] = [
        &[(V1alpha1, "gale"), (V1beta1, "square"), (V1alpha1, "gale")],
        &[(V1beta1, "storm"), (V1alpha1, "square"), (V1beta1, "storm")],
        &[(V1, "calm"), (V1alpha1, "square"), (V1beta1, "square"), (V1, "calm")],
        &[
            (V1alpha1, "gale"),
            (V1, "Square"),
            (V1beta1, "square"),
            (V1, "Square"),
            (V1alpha1, "gale"),
        ],
        &[(V1beta1, "square"), (V1, "Square"), (V1alpha1, "square"), (V1beta1, "square")],
        &[
            (V1alpha1, "gale"),
            (V1beta1, "square"),
            (V1beta1, "*storm"),
            (V1, "Square"),
            (V1beta1, "storm"),
            (V1alpha1, "square"),
            (V1beta1, "storm"),
        ],
        &[
            (V1, "calm"),
            (V1beta1, "square"),
            (V1beta1, "*storm"),
            (V1alpha1, "square"),
            (V1beta1, "storm"),
            (V1, "Square"),
            (V1beta1, "storm"),
        ],
        &[(V1alpha1, "later"), (V1, "later"), (V1beta1, "later"), (V1alpha1, "later")],
    ];
    for words in table {
        assert_words(["signal", "signals"], words);
    }
}

/// Converts a boat with a word in two fields, of which the second is a list, through versions with these words. The first word of the
/// list is known to no version.
fn assert_words([one, list]: [&str; 2], words: &[(BoatVersion, &str)]) {
    let boat = |word: &str| json!({"mode": "sail", "oars": 0, "hull": "oak", "bunks": [], one: word, list: ["later", word]});
    let (first, word) = words[0];
    let version = first.to_string();
    let object = json!({"apiVersion": format!("example.dev/{version}"), "kind": "Boat", "metadata": {}, "spec": boat(word)});
    let mut object: AnyBoat = serde_json::from_value(object).unwrap();
    for (version, word) in &words[1..] {
        let mut value = serde_json::to_value(object.convert_to(*version).0).unwrap();
        if let Some(written) = word.strip_prefix('*') {
            value["spec"][one] = json!(written);
            value["spec"][list][1] = json!(written);
        }
        let word = word.trim_start_matches('*');
        let spec = &value["spec"];
        assert_eq!((&spec[one], &spec[list]), (&json!(word), &json!(["later", word])), "{words:?}");
        object = serde_json::from_value(value).unwrap();
    }
    let mut kept = object.metadata().annotations.keys();
    let is_of_words = |key: &&String| key.contains(&format!(".spec.{one}"));
    assert_eq!(kept.find(is_of_words), None, "{words:?}");
}

/// A required value of another type does not count as absent, although the object is read without it. The same holds where the target
/// lacks the field.
#[test]
fn values_of_another_type_are_there() {
    let spec = json!({"mode": "sail", "oars": 0, "hull": 7, "bunks": "none"});
    let boat =
        json!({"apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": spec});
    for to in [BoatVersion::V1alpha1, BoatVersion::V1beta1] {
        let (_, report) = AnyBoat::convert_value(&boat, to, &Options::default()).unwrap();
        let mut absent = shown(&report);
        absent.retain(|line| line.ends_with("absent, counts as empty"));
        assert_eq!(absent, ["spec.pilot: absent, counts as empty"]);
    }
}

/// A text that is a time is this time, and any other comes back.
#[test]
fn texts_of_times() {
    for (text, time, kept) in [
        ("2026-01-02T03:04:05+01:00", json!("2026-01-02T03:04:05+01:00"), false),
        ("yesterday", Value::Null, true),
    ] {
        let spec =
            json!({"launched": text, "visits": [{"port": "a", "at": "2026-01-02T03:04:05.5Z"}]});
        let (spec, report) = old_boat(&spec, BoatVersion::V1beta1, &Options::default());
        assert_eq!(spec["launched"], time);
        assert_eq!(spec["visits"][0]["at"], "2026-01-02T03:04:05.5Z");
        assert_eq!(
            report.iter().any(|line| line.starts_with("spec.launched: ")),
            kept,
            "{report:?}"
        );
    }
}

/// No time is empty: an empty text is as good as none.
#[test]
fn texts_of_required_times() {
    let convert = |from: &str, log: &Value, to: BoatVersion| {
        let spec = json!({"mode": "sail", "oars": 0, "hull": "oak", "bunks": [], "log": log});
        let object = json!({ "apiVersion": format!("example.dev/{from}"), "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (there, report) = boat.clone().convert_to(to);
        let (back, _) = there.clone().convert_to(boat.version());
        let log = serde_json::to_value(there).unwrap()["spec"]["log"].take();
        let line = shown(&report).into_iter().find(|line| line.starts_with("spec.log.opened: "));
        (log, line.unwrap_or_default(), back == boat)
    };
    let (time, none) = ("2026-01-02T03:04:05.5Z", "0001-01-01T00:00:00Z");
    let log = json!({"opened": time, "tides": [time, time]});
    assert_eq!(convert("v1alpha1", &log, BoatVersion::V1beta1), (log.clone(), String::new(), true));
    assert_eq!(convert("v1beta1", &log, BoatVersion::V1alpha1), (log, String::new(), true));
    let log = json!({"opened": "soon", "tides": ["high", time, ""]});
    let kept = "spec.log.opened: kept in an annotation: \"soon\"".to_owned();
    let times = json!({"opened": none, "tides": [none, time, null]});
    assert_eq!(convert("v1beta1", &log, BoatVersion::V1alpha1), (times, kept, true));
    let empty = "spec.log.opened: empty, but servers of the target version require it".to_owned();
    let (text, absent) = (json!({"opened": ""}), json!({"opened": null}));
    assert_eq!(convert("v1beta1", &text, BoatVersion::V1alpha1), (absent.clone(), empty, true));
    assert_eq!(convert("v1alpha1", &absent, BoatVersion::V1beta1), (text, String::new(), true));
}

/// A version requires times that the other has as an optional text and an optional time.
#[test]
fn absent_times_of_items() {
    let spec =
        json!({"mode": "sail", "oars": 0, "hull": "oak", "bunks": [], "visits": [{"port": "a"}]});
    let object =
        json!({"apiVersion": "example.dev/v1beta1", "kind": "Boat", "metadata": {}, "spec": spec});
    let boat: AnyBoat = serde_json::from_value(object).unwrap();
    let (there, report) = boat.clone().convert_to(BoatVersion::V1alpha1);
    let report = shown(&report);
    let lines: Vec<_> = report.iter().filter(|line| line.starts_with("spec.visits[0].")).collect();
    let required = ["at", "left"].map(|name| {
        format!("spec.visits[0].{name}: empty, but servers of the target version require it")
    });
    assert_eq!(lines, required.iter().collect::<Vec<_>>());
    let (back, _) = there.convert_to(BoatVersion::V1beta1);
    assert_eq!(back, boat);
}

/// A list, a map and an object have other names, and so do the fields in them.
#[test]
fn names_inside_names() {
    let crew = json!({
        "apiVersion": "example.dev/v1alpha1", "kind": "Crew", "metadata": {},
        "spec": {
            "teams": [{"tags": {"a": {"name": "b"}}}, {"since": "2026-01-02T03:04:05Z"}],
            "home": {"street": "Quay"}
        }
    });
    let crew: AnyCrew = serde_json::from_value(crew).unwrap();
    let (there, report) = crew.clone().convert_to(CrewVersion::V1);
    let spec = json!({
        "groups": [{"since": null, "labels": {"a": {"text": "b"}}}, {"since": "2026-01-02T03:04:05Z"}],
        "address": {"road": "Quay"}
    });
    assert_eq!(serde_json::to_value(&there).unwrap()["spec"], spec);
    let empty = "spec.groups[0].since: empty, but servers of the target version require it";
    assert_eq!(shown(&report), [empty]);
    assert_eq!(there.convert_to(CrewVersion::V1alpha1).0, crew);
}

/// A required field of one version alone has the value of its rule if none is kept.
#[test]
fn values_of_rules() {
    let old = |log: &Value| old_boat(&json!({"log": log}), BoatVersion::V1, &Options::default());
    let log = json!({"opened": "2026-01-02T03:04:05Z"});
    let (spec, report) = old(&log);
    assert_eq!((&spec["log"]["pages"], &spec["log"]["ink"]), (&json!(1), &json!("blue")));
    assert!(
        report.contains(&"spec.log.pages: had no value, filled with 1".to_owned()),
        "{report:?}"
    );
    let kept = |pages: i32, ink: &str| {
        let log = json!({"opened": "", "pages": pages, "ink": ink});
        let spec =
            json!({"mode": "sail", "oars": 0, "hull": "oak", "bunks": [], "pilot": "", "log": log});
        let object =
            json!({ "apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": spec });
        let boat: AnyBoat = serde_json::from_value(object).unwrap();
        let (there, report) = boat.clone().convert_to(BoatVersion::V1beta1);
        assert_eq!(there.convert_to(BoatVersion::V1).0, boat);
        shown(&report).into_iter().filter(|line| line.starts_with("spec.log.")).collect::<Vec<_>>()
    };
    let implied = "spec.log.pages: not kept, as the conversion back fills it with 1";
    assert_eq!(kept(1, "black"), [implied, "spec.log.ink: kept in an annotation: \"black\""]);
    // An empty value is another one, too.
    let empty =
        ["spec.log.ink: kept in an annotation: \"\"", "spec.log.pages: kept in an annotation: 0"];
    assert_eq!(kept(0, ""), empty);
}

#[test]
fn each_field_of_a_type_has_a_policy() {
    let policies = shared::conversion::KitePolicies::default().with_spare_length(Absent::Use(1.5));
    let kite = json!({"spec": {"type": "box"}, "spare": {"type": "delta"}});
    let source: shared::v1alpha1::Kite = serde_json::from_value(kite).unwrap();
    let options = Options::new(policies);
    let (target, report): (shared::v1::Kite, _) = (&source).convert_with(&options).unwrap();
    assert_eq!((target.spec.length, target.spare.length), (0.0, 1.5));
    assert_eq!(shown(&report)[0], "spare.length: had no value, filled with 1.5");
    let (back, _): (shared::v1alpha1::Kite, _) = (&target).convert();
    assert_eq!(back, source);
    let kite = shared::conversion::AnyKite::from(target);
    assert_eq!((kite.r#type(), kite.spec_type()), (Some("delta"), Some("box")));
}

#[test]
fn recursive_types_convert_to_any_depth() {
    let swarm = json!({"members": [{"members": [{}, {}]}, {}]});
    let source: shared::v1alpha1::Swarm = serde_json::from_value(swarm.clone()).unwrap();
    let (target, report): (shared::v1::Swarm, _) = source.convert();
    assert!(report.is_empty(), "{report}");
    assert_eq!(target, serde_json::from_value(swarm).unwrap());
}

/// The files of the case `nested` with a version v2 that is equal to v1.
fn with_an_equal_version() -> Files {
    let mut files = good("nested");
    let rules = String::from_utf8(files["conversions.toml"].clone()).unwrap();
    let rules =
        rules.replace("\"v1\"]", "\"v1\", \"v2\"]").lines().fold(String::new(), |text, line| {
            // Lists of words and paths: the last entry of a line is for v1.
            let last = line.rsplit_once(" v1 = ").and_then(|(_, rest)| rest.strip_suffix(" }"));
            let line = last
                .map_or(line.to_owned(), |last| line.replace(" }", &format!(", v2 = {last} }}")));
            text + &line + "\n"
        });
    let copies: Vec<(String, Vec<u8>)> = files
        .iter()
        .filter(|(path, _)| path.ends_with("__v1_openapi.json") || path.ends_with("/v1.toml"))
        .map(|(path, text)| {
            let path = path.replace("__v1_", "__v2_").replace("/v1.toml", "/v2.toml");
            let text = String::from_utf8_lossy(text).replace("fleet.v1.", "fleet.v2.");
            let text = text.replace("\"version\": \"v1\"", "\"version\": \"v2\"");
            let text = text
                .replace("/v1/", "/v2/")
                .replace("V1Fleet", "V2Fleet")
                .replace("s, v1.", "s, v2.");
            (path, text.into_bytes())
        })
        .collect();
    files.extend(copies);
    files.insert("conversions.toml".to_owned(), rules.into_bytes());
    files
}

/// The pairs of versions of a generated kind, and the lines of code in their files.
fn lines_of_pairs(mut specs: Files) -> (usize, usize) {
    specs::add_manifest(&mut specs);
    let generated = k8s_versioned_codegen::generate(&specs, &options("nested")).unwrap();
    let pairs =
        generated.files.iter().filter(|(path, _)| path.contains("fleet/") && path.contains("_to_"));
    let texts: Vec<_> = pairs.map(|(_, text)| String::from_utf8_lossy(text)).collect();
    let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| !line.starts_with("///"));
    (texts.len(), lines.count())
}

/// Versions of equal shape share a body: the six pairs of a fourth version have heads and calls, not steps.
#[test]
fn an_equal_version_costs_few_lines() {
    let (pairs, lines) = lines_of_pairs(good("nested"));
    let (more_pairs, more_lines) = lines_of_pairs(with_an_equal_version());
    assert_eq!((pairs, more_pairs), (6, 12));
    let (each, new) = (lines / pairs, (more_lines - lines) / (more_pairs - pairs));
    assert!(new < 90 && new < each / 2, "{new} lines for a new pair, {each} for the others");
}

/// A zero instead of a text that is not a number, or of a number that is too large, could be refused by servers on the next write.
#[test]
fn optional_values_that_do_not_fit_are_absent() {
    let fleet = |number: &str| {
        let ports = json!([{"name": "p", "number": number, "fee": "free"}]);
        json!({ "apiVersion": "fleet.example.net/v1alpha1", "kind": "Fleet", "metadata": {}, "spec": {"paint": {}, "ports": ports} })
    };
    let old: AnyFleet = serde_json::from_value(fleet("https")).unwrap();
    let (new, report) = old.clone().convert_to(FleetVersion::V1);
    assert_eq!(
        shown(&report),
        [
            r#"spec.ports[0].fee: kept in an annotation: "free""#,
            r#"spec.ports[0].number: kept in an annotation: "https""#
        ]
    );
    let mut edited = serde_json::to_value(&new).unwrap();
    assert_eq!(edited["spec"]["ports"], json!([{"name": "p"}]));
    assert_eq!(new.convert_to(FleetVersion::V1alpha1).0, old);

    for number in [0, 5] {
        edited["spec"]["ports"][0]["number"] = number.into();
        let edited: AnyFleet = serde_json::from_value(edited.clone()).unwrap();
        let old = serde_json::to_value(edited.convert_to(FleetVersion::V1alpha1).0).unwrap();
        assert_eq!(old, fleet(&number.to_string()), "a live value wins");
    }

    let boat =
        |tons: Value| json!({"mode": "sail", "oars": 0, "hull": "oak", "bunks": [], "tons": tons});
    let boat = json!({ "apiVersion": "example.dev/v1", "kind": "Boat", "metadata": {}, "spec": boat(json!(5_000_000_000_u64)) });
    let new: AnyBoat = serde_json::from_value(boat).unwrap();
    let (old, _) = new.clone().convert_to(BoatVersion::V1alpha1);
    assert_eq!(serde_json::to_value(&old).unwrap()["spec"].get("tons"), None);
    assert_eq!(old.convert_to(BoatVersion::V1).0, new);
}
