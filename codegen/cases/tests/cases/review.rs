//! The conversion webhook and the check of its answers, for an invented kind.

use k8s_versioned::conversion::review::{PairCounts, ReviewError, Reviewed, Webhook, check};
use k8s_versioned::conversion::{AnyVersion, Options};
use serde_json::{Value, json};
use testing::vectors::{annotations, fields};

use crate::emitted::custom_versions::{self, conversion::AnyBoat};
use crate::emitted::nested::conversion::{AnyFleet, FleetVersion};
use crate::emitted::nested::{Kinds, v1, v1alpha1};

fn webhook() -> Webhook {
    Webhook::of::<Kinds>()
}

fn review(api_version: &str, objects: &Value) -> Value {
    json!({
        "kind": "ConversionReview", "apiVersion": api_version,
        "request": {"uid": "u-7", "desiredAPIVersion": "fleet.example.net/v1", "objects": objects},
        "response": {"uid": "", "convertedObjects": null, "result": {"metadata": {}}},
    })
}

fn answer(webhook: &Webhook, request: &Value) -> (Value, Reviewed) {
    let reviewed = webhook.answer(request.to_string().as_bytes()).unwrap();
    (serde_json::from_slice(&reviewed.answer).unwrap(), reviewed)
}

/// Objects as servers send them: of several versions, pruned, with metadata that the types do not know.
fn objects() -> Value {
    json!([
        {
            "apiVersion": "fleet.example.net/v1alpha1", "kind": "Fleet",
            "metadata": {
                "name": "a", "uid": "1", "generation": 4, "odd": {"x": 1},
                "labels": {"not a label": "kept as it is"},
                "managedFields": [{"fieldsV1": {"f:spec": {}}}],
            },
            "spec": {
                "mode": "Slow", "colour": "red", "paint": {},
                "ships": [{"name": "s", "banner": "f", "holds": [{"id": "h", "cargo": ["tea", "salt"]}]}],
            },
        },
        {"apiVersion": "fleet.example.net/v1beta1", "kind": "Fleet"},
        {"apiVersion": "fleet.example.net/v1beta1", "kind": "Fleet", "metadata": null, "spec": null},
    ])
}

#[test]
fn servers_accept_the_answer() {
    for version in ["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"] {
        let request = review(version, &objects());
        let (answer, reviewed) = answer(&webhook(), &request);
        assert_eq!(check(&request, &answer), []);
        assert_eq!(reviewed.reports.len(), 3);
        let converted = &answer["response"]["convertedObjects"];
        assert_eq!(converted[0]["spec"]["ships"][0]["rig"], json!({"flag": "f"}));
        assert_eq!(converted[0]["spec"]["paint"], json!({"colour": "red"}));
        assert_eq!(converted[0]["metadata"]["odd"], json!({"x": 1}), "servers restore it, too");
        assert_eq!(converted[1]["metadata"], json!({}));
        assert_eq!(converted[2]["metadata"], json!({}));
        // And back, by the annotation.
        let mut back = review(version, converted);
        back["request"]["desiredAPIVersion"] = json!("fleet.example.net/v1alpha1");
        let (back, _) = self::answer(&webhook(), &back);
        assert_eq!(back["response"]["convertedObjects"][0], objects()[0]);
    }
}

#[test]
fn one_failure_fails_all() {
    let mut wrong = objects();
    wrong[1]["kind"] = json!("Kite");
    wrong[2]["metadata"] = json!({"labels": 7});
    let request = review("apiextensions.k8s.io/v1", &wrong);
    let (answer, reviewed) = answer(&webhook(), &request);
    let failure = reviewed.failure.unwrap();
    assert_eq!(answer["response"]["result"]["status"], "Failure");
    assert_eq!(answer["response"]["result"]["message"], json!(failure));
    assert_eq!(answer["response"]["convertedObjects"], json!([]));
    assert_eq!(
        failure,
        "objects[1]: this webhook does not convert `Kite` of `fleet.example.net/v1beta1`\n\
         objects[2]: metadata.labels: invalid type: integer `7`, expected a map"
    );
    assert_eq!(check(&request, &answer).len(), 1);
    let converted: Vec<bool> = reviewed.reports.iter().map(Option::is_some).collect();
    assert_eq!(converted, [true, false, false]);
}

/// `reports[i]`, one line for each finding.
fn report(reviewed: &Reviewed, index: usize) -> String {
    reviewed.reports[index].as_ref().unwrap().to_string()
}

/// Values that a former schema allowed: a number for a text, a map for a list, a text for an item.
#[test]
fn stored_values_of_other_types_are_passed_on() {
    let spec = json!({
        "owner": 7, "colour": "red", "ports": {"name": "p"},
        "ships": ["raft", {"name": "s", "banner": "f", "holds": [{"id": "h", "cargo": ["tea", "salt"]}]}],
    });
    let mut stored = objects();
    stored[0]["spec"] = spec.clone();
    let request = review("apiextensions.k8s.io/v1", &stored);
    let (answer, reviewed) = answer(&webhook(), &request);
    assert_eq!(reviewed.failure, None);
    assert_eq!(check(&request, &answer), []);
    let converted = &answer["response"]["convertedObjects"][0]["spec"];
    for member in ["owner", "ports"] {
        assert_eq!(converted[member], spec[member]);
    }
    assert_eq!(converted["ships"][0], "raft");
    assert_eq!(converted["ships"][1]["rig"], json!({"flag": "f"}), "the rest converts");
    let text = "not of the declared type, passed on unchanged:";
    for finding in [
        format!("spec.owner: {text} 7"),
        format!("spec.ships[0]: {text} \"raft\""),
        format!("spec.ports: {text} {}", spec["ports"]),
        r#"spec.ships[1].holds[0].cargo: kept in an annotation: ["tea","salt"]"#.to_owned(),
    ] {
        assert!(report(&reviewed, 0).contains(&finding), "{}", report(&reviewed, 0));
    }
    // And back, with the kept value at its item.
    let mut back = review("apiextensions.k8s.io/v1", &answer["response"]["convertedObjects"]);
    back["request"]["desiredAPIVersion"] = json!("fleet.example.net/v1alpha1");
    let (back, _) = self::answer(&webhook(), &back);
    let back = &back["response"]["convertedObjects"][0]["spec"];
    for member in ["owner", "ports", "ships", "colour"] {
        assert_eq!(back[member], spec[member]);
    }

    let (_, refused) = self::answer(&webhook().refuse_other_types(), &request);
    let failure = refused.failure.unwrap();
    assert!(failure.starts_with("objects[0] (`a`): "), "{failure}");
    assert!(failure.contains(&format!("spec.owner: {text} 7")), "{failure}");
}

/// A field of another name cannot have the value: it is kept for the conversion back, also over other versions.
#[test]
fn stored_values_of_other_types_without_a_place_are_kept() {
    let mut stored = objects();
    stored[0]["spec"]["colour"] = json!(7);
    let request = review("apiextensions.k8s.io/v1", &stored);
    let (converted, reviewed) = answer(&webhook(), &request);
    assert_eq!(reviewed.failure, None);
    assert!(report(&reviewed, 0).contains("spec.colour: kept in an annotation: 7"));
    let mut objects = converted["response"]["convertedObjects"].clone();
    let kept = fields(&objects[0], AnyFleet::ANNOTATION_KEY.unwrap());
    assert_eq!(kept["v1alpha1"]["/spec/colour"], 7);
    for version in ["v1beta1", "v1alpha1"] {
        let mut request = review("apiextensions.k8s.io/v1", &objects);
        request["request"]["desiredAPIVersion"] = json!(format!("fleet.example.net/{version}"));
        objects = answer(&webhook(), &request).0["response"]["convertedObjects"].clone();
    }
    assert_eq!(objects[0], stored[0]);
    // A live value wins.
    let mut edited = converted["response"]["convertedObjects"][0].clone();
    edited["spec"]["paint"] = json!({"colour": "red"});
    let mut request = review("apiextensions.k8s.io/v1", &json!([edited]));
    request["request"]["desiredAPIVersion"] = json!("fleet.example.net/v1alpha1");
    let (back, reviewed) = answer(&webhook(), &request);
    assert_eq!(back["response"]["convertedObjects"][0]["spec"]["colour"], "red");
    assert!(report(&reviewed, 0).contains("spec.colour: edited: the kept value 7 is discarded"));
}

/// Conversions of JSON pass such values on, too, and the strict form refuses them with their paths.
#[test]
fn values_of_other_types_in_json() {
    let mut fleet = objects()[0].clone();
    fleet["spec"]["owner"] = json!(7);
    let convert = |options: &Options<_>| AnyFleet::convert_value(&fleet, FleetVersion::V1, options);
    let (converted, report) = convert(&Options::default()).unwrap();
    assert_eq!(converted["spec"]["owner"], 7);
    assert!(report.to_string().contains("spec.owner: not of the declared type"), "{report}");
    let refused = convert(&Options::default().strict()).unwrap_err().to_string();
    assert!(refused.contains("spec.owner: not of the declared type"), "{refused}");
}

/// A step with typed objects sees the pair of versions that it is for.
#[test]
fn a_typed_step_after_the_conversion() {
    let webhook = webhook().after_conversion(|old: &v1alpha1::Fleet, new: &mut v1::Fleet| {
        new.metadata
            .annotations
            .insert("example.com/was".to_owned(), old.metadata.name.clone().unwrap_or_default());
    });
    let mut objects = objects();
    objects[1]["spec"] = json!({});
    let (answer, _) = answer(&webhook, &review("apiextensions.k8s.io/v1", &objects));
    let was = |index: usize| {
        let converted = &answer["response"]["convertedObjects"][index];
        converted["metadata"]["annotations"]["example.com/was"].clone()
    };
    assert_eq!([was(0), was(1)], [json!("a"), Value::Null]);
    // A program converts with the same step, without a review.
    let (converted, _) = webhook.convert_object(&objects[0], "fleet.example.net/v1").unwrap();
    assert_eq!(converted["metadata"]["annotations"]["example.com/was"], "a");
    let refused = webhook.convert_object(&objects[0], "fleet.example.net/v9").unwrap_err();
    assert!(refused.to_string().starts_with("no version `v9` of Fleet"), "{refused}");
}

/// More wrong values than are worth a reading each: the part that they are in is passed on.
#[test]
fn many_stored_values_of_other_types() {
    let mut stored = objects();
    stored[0]["spec"]["ships"] = json!(vec![json!({"name": 1, "tonnage": 2}); 2_000]);
    let request = review("apiextensions.k8s.io/v1", &stored);
    let (answer, reviewed) = answer(&webhook(), &request);
    assert_eq!(reviewed.failure, None);
    let converted = &answer["response"]["convertedObjects"][0]["spec"]["ships"];
    assert_eq!(*converted, stored[0]["spec"]["ships"]);
    // No field of a part that is passed on is missing.
    let mut request = incomplete_boat();
    let spec = json!({"mode": "sail", "oars": 0, "pilots": (0..20).collect::<Vec<_>>()});
    request["request"]["objects"][0]["spec"] = spec.clone();
    request["request"]["desiredAPIVersion"] = json!("example.dev/v1beta1");
    let (answer, reviewed) = self::answer(&boats(), &request);
    assert_eq!(reviewed.failure, None);
    assert_eq!(answer["response"]["convertedObjects"][0]["spec"], spec);
    assert!(
        report(&reviewed, 0).contains("spec: not of the declared type, passed on unchanged: {")
    );
}

/// An annotation with more such values than any conversion writes is broken: nothing is tried with them.
#[test]
fn many_kept_values_of_other_types() {
    let key = AnyFleet::ANNOTATION_KEY.unwrap();
    let convert = |count: usize| {
        let places: Value = (0..count).map(|index| (format!("/s/x{index}"), json!(1))).collect();
        let mut fleet = objects()[0].clone();
        fleet["metadata"]["annotations"] =
            annotations(key, &json!({"fields": {"v1alpha1": places}}));
        let options = Options::default();
        AnyFleet::convert_value(&fleet, FleetVersion::V1, &options).unwrap()
    };
    let (converted, report) = convert(32);
    assert!(converted.to_string().contains("/s/x31") && !report.to_string().contains("/s/x"));
    // These are 2 MB. It took more than five minutes.
    for count in [33, 15_000] {
        let (converted, report) = convert(count);
        assert!(!converted.to_string().contains("/s/x"), "{converted}");
        let broken = format!(
            "metadata.annotations[{key}]: discarded because it cannot be read (no conversion keeps more than 32): \
             {count} values of another type"
        );
        assert!(report.to_string().contains(&broken), "{report}");
    }
}

/// A value beyond those that annotations keep fails no list: it is marked, and the object is refused where it is written.
#[test]
fn a_value_of_another_type_beyond_the_kept_ones_is_marked() {
    let key = AnyFleet::ANNOTATION_KEY.unwrap();
    let places: Value = (0..32).map(|index| (format!("/s/x{index}"), json!(1))).collect();
    let mut fleet = objects()[0].clone();
    fleet["metadata"]["annotations"] = annotations(key, &json!({"fields": {"v1alpha1": places}}));
    fleet["spec"]["colour"] = json!(7);
    let (answer, reviewed) =
        answer(&webhook(), &review("apiextensions.k8s.io/v1", &json!([fleet])));
    assert_eq!(reviewed.failure, None);
    let converted = &answer["response"]["convertedObjects"][0];
    let mark = &converted["metadata"]["annotations"][format!("{key}.NotShown")];
    let mark = mark.as_str().unwrap();
    assert!(mark.starts_with(r#"{"fields":{},"format":3,"notShown":{"v1alpha1":{"/s/x"#), "{mark}");
    let request = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
        "uid": "7", "operation": "UPDATE", "object": converted, "oldObject": converted,
    }});
    let admitted = webhook().admit(request.to_string().as_bytes()).unwrap();
    let refusal = admitted.refusal.unwrap();
    assert!(refusal.contains(": v1 could not show the value that v1alpha1 has"), "{refusal}");
}

/// An object of 300 kB whose largest value has no room in annotations is listed, and it is refused where it is written.
#[test]
fn an_object_of_300_kb_fails_no_list() {
    let mut stored = objects();
    stored[0]["spec"]["ships"][0]["holds"][0]["cargo"] = json!(["tea", "x".repeat(300_000)]);
    let request = review("apiextensions.k8s.io/v1", &stored);
    let (answer, reviewed) = answer(&webhook(), &request);
    assert_eq!(reviewed.failure, None);
    assert_eq!(check(&request, &answer), []);
    let converted = &answer["response"]["convertedObjects"][0];
    assert!(!converted.to_string().contains("xxx"));
    let admit = |operation: &str, object: &Value, old: &Value| {
        let request = json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
            "uid": "7", "operation": operation, "object": object, "oldObject": old,
        }});
        webhook().admit(request.to_string().as_bytes()).unwrap().refusal
    };
    let refusal = admit("CREATE", &stored[0], &Value::Null).unwrap();
    assert!(
        refusal.contains("300010 bytes, for which the annotations of v1 have no room"),
        "{refusal}"
    );
    // Stored already, it can be written in its own version; a client of the other version would remove the value.
    assert_eq!(admit("UPDATE", &stored[0], &stored[0]), None);
    let refusal = admit("UPDATE", converted, converted).unwrap();
    assert!(refusal.contains("write the object in v1alpha1"), "{refusal}");
    let mut going = converted.clone();
    going["metadata"]["deletionTimestamp"] = json!("2026-11-29T00:00:00Z");
    assert_eq!(admit("UPDATE", &going, converted), None);
}

/// A review of a boat without the fields that the target version requires.
fn incomplete_boat() -> Value {
    let spec = json!({"mode": "sail", "oars": 0});
    let boat = json!({"apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {"name": "a"}, "spec": spec});
    let mut request = review("apiextensions.k8s.io/v1", &json!([boat]));
    request["request"]["desiredAPIVersion"] = json!("example.dev/v1");
    request
}

fn boats() -> Webhook {
    Webhook::new().with_kind::<AnyBoat>(Options::default())
}

const EMPTY_HULL: &str = "spec.hull: empty, but servers of the target version require it";

/// A server would store the empty text, and refuse it on the next write.
#[test]
fn required_fields_without_a_value_fail() {
    let request = incomplete_boat();
    let failure = answer(&boats(), &request).1.failure.unwrap();
    assert!(failure.starts_with("objects[0] (`a`): ") && failure.contains(EMPTY_HULL), "{failure}");
    let (_, lossy) = answer(&boats().lossy(), &request);
    assert_eq!(lossy.failure, None);
    assert!(report(&lossy, 0).contains(EMPTY_HULL));
}

/// Such a field is not reported if a step changes it.
#[test]
fn steps_fill_required_fields() {
    let request = incomplete_boat();
    let hull = |_: &Value, target: &mut Value| target["spec"]["hull"] = "oak".into();
    let (_, reviewed) = answer(&boats().after(hull), &request);
    let failure = reviewed.failure.unwrap();
    assert!(failure.contains("spec.bunks: ") && !failure.contains("spec.hull: "), "{failure}");

    let rest = |_: &custom_versions::v1alpha1::Boat, boat: &mut custom_versions::v1::Boat| {
        let spec = boat.spec.as_mut().unwrap();
        (spec.bunks, spec.pilot) = (vec!["port".to_owned()], "p".to_owned());
    };
    let (answer, reviewed) = answer(&boats().after(hull).after_conversion(rest), &request);
    assert!(reviewed.failure.is_none() && !report(&reviewed, 0).contains(EMPTY_HULL));
    let spec = &answer["response"]["convertedObjects"][0]["spec"];
    assert_eq!((&spec["hull"], &spec["bunks"]), (&json!("oak"), &json!(["port"])));
}

/// The options of a kind replace the default ones.
#[test]
fn a_kind_has_its_options_once() {
    let options = Options::default().with_annotation_key("conversion.example.com/other").unwrap();
    let webhook = webhook().with_kind::<AnyFleet>(options);
    assert_eq!(
        format!("{webhook:?}"),
        "Webhook { kinds: [\"fleet.example.net/Fleet\"], lossy: false, refuses_other_types: false, after: 0 }"
    );
    let (answer, _) = answer(&webhook, &review("apiextensions.k8s.io/v1", &objects()));
    let annotations = &answer["response"]["convertedObjects"][0]["metadata"]["annotations"];
    let keys: Vec<&String> = annotations.as_object().unwrap().keys().collect();
    let is_own = |key: &&String| key.starts_with("conversion.example.com/other.");
    assert!(keys.iter().any(is_own), "{annotations}");
}

/// A step of the program sees each object before and after its conversion, and changes all but the metadata outside of labels and annotations.
#[test]
fn a_step_after_the_conversion() {
    let webhook = webhook().after(|source, target| {
        let mode = source["spec"]["mode"].clone();
        target["metadata"]["labels"] = json!({"mode": mode.clone()});
        target["metadata"]["name"] = mode.clone();
        target["spec"]["owner"] = mode;
    });
    let objects = json!([objects()[0], objects()[0]]);
    let (answer, _) = answer(&webhook, &review("apiextensions.k8s.io/v1", &objects));
    for converted in answer["response"]["convertedObjects"].as_array().unwrap() {
        assert_eq!(converted["spec"]["owner"], "Slow");
        assert_eq!(converted["metadata"]["labels"], json!({"mode": "Slow"}));
        assert_eq!(converted["metadata"]["name"], objects[0]["metadata"]["name"]);
    }
}

/// What would be lost in the server fails, unless the program asks for it.
#[test]
fn losses_fail_unless_they_are_asked_for() {
    let mut unknown = objects();
    unknown[0]["spec"]["typo"] = json!(1);
    let mut beside = objects();
    beside[0]["metadataOfMine"] = json!(1);
    let older = "this webhook does not know the field: is it older than the definition?";
    for (objects, path, refused, lost) in [
        (unknown, "spec.typo", older, "not a field of this version, dropped: 1"),
        (beside, "metadataOfMine", older, "not a field of this version, dropped: 1"),
    ] {
        let request = review("apiextensions.k8s.io/v1", &objects);
        let (_, strict) = answer(&webhook(), &request);
        let failure = strict.failure.unwrap();
        assert!(failure.contains(&format!("{path}: {refused}")), "{failure}");
        let (lossy, reviewed) = answer(&webhook().lossy(), &request);
        assert_eq!((check(&request, &lossy), reviewed.failure), (Vec::new(), None));
        let report = reviewed.reports[0].as_ref().unwrap();
        assert!(report.to_string().contains(&format!("{path}: {lost}")));
    }
}

/// What a request says of unknown kinds and versions is counted nowhere, so that a hostile one makes no new labels.
#[test]
fn objects_are_counted_by_their_versions() {
    let objects = json!([
        {"apiVersion": "fleet.example.net/v1alpha1", "kind": "Fleet", "spec": {"ships": []}},
        {"apiVersion": "fleet.example.net/v1alpha1", "kind": "Fleet", "spec": {"typo": 1, "ships": []}},
        {"apiVersion": "fleet.example.net/v1beta1", "kind": "Fleet", "spec": {"ships": []}},
        {"apiVersion": "fleet.example.net/v7", "kind": "Fleet"},
        {"apiVersion": "example.net/v1beta1", "kind": "Fleet"},
        {"apiVersion": "fleet.example.net/v1beta1", "kind": "Whale"},
    ]);
    let request = review("apiextensions.k8s.io/v1", &objects);
    let counted = |webhook: &Webhook| {
        let (_, reviewed) = answer(webhook, &request);
        let row = |it: &PairCounts| {
            (it.kind, it.from.clone(), it.to.clone(), [it.converted, it.lossy, it.refused])
        };
        reviewed.pairs.iter().map(row).collect::<Vec<_>>()
    };
    let pair = |from: &str, counts| ("Fleet", from.to_owned(), "v1".to_owned(), counts);
    assert_eq!(counted(&webhook()), [pair("v1alpha1", [1, 0, 1]), pair("v1beta1", [1, 0, 0])]);
    let lossy = counted(&webhook().lossy());
    assert_eq!(lossy, [pair("v1alpha1", [1, 1, 0]), pair("v1beta1", [1, 0, 0])]);
}

#[test]
fn other_bodies_are_refused() {
    let request = review("apiextensions.k8s.io/v1", &objects());
    for (pointer, value) in [
        ("/kind", json!("Review")),
        ("/apiVersion", json!("apiextensions.k8s.io/v2")),
        ("/request", json!(null)),
        ("/request/uid", json!(7)),
        ("/request/desiredAPIVersion", json!([])),
        ("/request/objects", json!({})),
    ] {
        let mut request = request.clone();
        *request.pointer_mut(pointer).unwrap() = value;
        let refused = webhook().answer(request.to_string().as_bytes());
        let is_refused = matches!(refused, Err(ReviewError::Malformed(_) | ReviewError::Type(_)));
        assert!(is_refused, "{pointer}");
    }
    for body in ["", "{", "[]", "null", "\u{0}"] {
        assert!(webhook().answer(body.as_bytes()).is_err());
    }
}

/// Each rule of servers, broken once in a good answer.
#[test]
fn the_check_finds_each_broken_rule() {
    let request = review("apiextensions.k8s.io/v1", &objects());
    let (good, _) = answer(&webhook(), &request);
    let first = "/response/convertedObjects/0";
    let long = json!({"a": "x".repeat(262_144)});
    let table = [
        ("/apiVersion", json!("apiextensions.k8s.io/v1beta1"), "apiVersion"),
        ("/kind", json!("Review"), "kind"),
        ("/response", json!(null), "response"),
        ("/response/uid", json!("u-8"), "response.uid"),
        ("/response/result/status", json!("success"), "response.result.status"),
        ("/response/convertedObjects", json!([]), "response.convertedObjects"),
        (first, json!([]), "response.convertedObjects[0]"),
        (
            "/0/apiVersion",
            json!("fleet.example.net/v1beta1"),
            "response.convertedObjects[0].apiVersion",
        ),
        ("/0/kind", json!("Kite"), "response.convertedObjects[0].kind"),
        ("/0/metadata", json!(null), "response.convertedObjects[0].metadata"),
        ("/0/metadata/name", json!("b"), "response.convertedObjects[0].metadata.name"),
        ("/0/metadata/namespace", json!("n"), "response.convertedObjects[0].metadata.namespace"),
        ("/0/metadata/uid", json!("2"), "response.convertedObjects[0].metadata.uid"),
        ("/0/metadata/labels", json!({"a": 1}), "response.convertedObjects[0].metadata.labels"),
        ("/0/metadata/labels", json!({"a b": ""}), "response.convertedObjects[0].metadata.labels"),
        ("/0/metadata/labels", json!({"a": "b c"}), "response.convertedObjects[0].metadata.labels"),
        ("/0/metadata/annotations", json!([]), "response.convertedObjects[0].metadata.annotations"),
        (
            "/0/metadata/annotations",
            json!({"/": ""}),
            "response.convertedObjects[0].metadata.annotations",
        ),
        ("/0/metadata/annotations", long, "response.convertedObjects[0].metadata.annotations"),
    ];
    for (pointer, value, path) in table {
        let pointer = match pointer.strip_prefix("/0") {
            Some(rest) => format!("{first}{rest}"),
            None => pointer.to_owned(),
        };
        let mut answer = good.clone();
        let (parent, name) = pointer.rsplit_once('/').unwrap();
        match answer.pointer_mut(parent).unwrap() {
            Value::Array(objects) => objects[0] = value,
            parent => parent[name] = value,
        }
        let errors = check(&request, &answer);
        assert!(errors.iter().any(|error| error.path == path), "{pointer}: {errors:?}");
    }
    // Reviews of v1beta1 have neither checked.
    let request = review("apiextensions.k8s.io/v1beta1", &objects());
    let (mut unchecked, _) = self::answer(&webhook(), &request);
    unchecked["kind"] = json!("Review");
    unchecked["response"]["uid"] = json!("u-8");
    assert_eq!(check(&request, &unchecked), []);
    let request = review("apiextensions.k8s.io/v1", &objects());
    // Servers restore these, and do not check labels that did not change.
    for (name, value) in [("generation", json!(5)), ("odd", json!(null))] {
        let mut answer = good.clone();
        answer["response"]["convertedObjects"][0]["metadata"][name] = value;
        assert_eq!(check(&request, &answer), []);
    }
}
