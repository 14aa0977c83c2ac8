//! Versions that differ as the versions of public kinds do. Each case is what a person expects.

use k8s_versioned::conversion::review::Webhook;
use k8s_versioned::conversion::{AnyVersion, ConversionFinding, ConversionReport, Options};
use serde_json::{Value, json};
use testing::vectors::fields;

use crate::emitted::shapes::Kinds;
use crate::emitted::shapes::conversion::{
    AnyBeacon, AnyDock, AnyFlag, AnyLock, AnyMeter, AnyRelay, AnySiren, AnyWinch, AnyZone,
    BeaconVersion, DockVersion, FlagVersion, LockVersion, MeterVersion, RelayVersion, SirenVersion,
    WinchVersion, ZoneVersion,
};
use crate::support::{good, options};

/// A dock with this spec, and what else it requires.
fn dock(version: &str, spec: &Value) -> Value {
    let required = match version {
        "v1" => json!({"crane": {}, "ramp": {"slope": 5}}),
        _ => json!({"crane": [], "gates": []}),
    };
    let mut dock = json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": "Dock", "metadata": {"name": "a"}, "spec": required,
    });
    dock["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    dock
}

fn convert(dock: &Value, to: DockVersion) -> (Value, ConversionReport) {
    AnyDock::convert_value(dock, to, &Options::default()).unwrap()
}

/// The values that the annotation keeps.
fn kept(object: &Value) -> Value {
    let key =
        format!("conversion.example.internal/{}", object["kind"].as_str().unwrap().to_lowercase());
    let kept = fields(object, &key);
    // Only the note that something is made up.
    if kept == json!({}) { Value::Null } else { kept }
}

/// A conversion there and back: the members of the two specs, and what is kept between.
#[track_caller]
fn there_and_back(
    (from, before): (&str, Value),
    (to, after): (DockVersion, Value),
    expected: &Value,
) {
    let before = dock(from, &before);
    let (converted, _) = convert(&before, to);
    for (name, value) in after.as_object().unwrap() {
        assert_eq!(converted["spec"].get(name).unwrap_or(&Value::Null), value, "{name}");
    }
    assert_eq!(kept(&converted), *expected);
    assert_eq!(convert(&converted, from.parse().unwrap()).0, before);
}

#[test]
fn a_list_of_one_object_is_the_object() {
    let logging = json!([{"level": "debug", "sinks": [{"url": "a", "tags": [{"name": "t"}]}]}]);
    let object = json!({"level": "debug", "sink": {"url": "a", "tags": [{"name": "t"}]}});
    for version in ["v1alpha1", "v1beta1"] {
        let old = (version, json!({"logging": logging}));
        there_and_back(old, (DockVersion::V1, json!({"logging": object})), &Value::Null);
    }
    let new = ("v1", json!({"logging": object, "crane": {"reach": 4}, "gate": {"height": 2}}));
    // The ramp has only the slope that its rule states, as if there were none.
    let old = json!({"logging": logging, "crane": [{"reach": 4}], "gates": [{"height": 2}]});
    there_and_back(new, (DockVersion::V1beta1, old), &Value::Null);
}

/// Its fields have rules of their own, at any depth.
#[test]
fn fields_of_the_first_item() {
    let old = json!({
        "logging": [{"level": "a", "glue": "g", "sinks": [{"retries": 3, "tags": [{"name": "t", "old": "o"}]}]}],
        "crane": [{"reach": "long", "rust": "red"}],
    });
    let new = json!({"logging": {"level": "a", "sink": {"tags": [{"name": "t"}]}}, "crane": {}});
    let kept = json!({"v1alpha1": {
        "spec.crane[0].reach": "long", "spec.crane[0].rust": "red", "spec.logging[0].glue": "g",
        "spec.logging[0].sinks[0].retries": 3, "spec.logging[0].sinks[0].tags[#0:4bc200f3].old": "o",
    }});
    there_and_back(("v1alpha1", old.clone()), (DockVersion::V1, new.clone()), &kept);
    // An edit elsewhere in the object takes nothing away.
    let (mut edited, _) = convert(&dock("v1alpha1", &old), DockVersion::V1);
    edited["spec"]["logging"]["level"] = json!("b");
    let (back, _) = convert(&edited, DockVersion::V1alpha1);
    let mut expected = old;
    expected["logging"][0]["level"] = json!("b");
    assert_eq!(back, dock("v1alpha1", &expected));
    let new = json!({"logging": {"sink": {"rate": 7, "tags": [{"name": "t", "new": "n"}]}}});
    let old = json!({"logging": [{"sinks": [{"tags": [{"name": "t"}]}]}]});
    let kept = json!({"v1": {"spec.logging.sink.rate": 7, "spec.logging.sink.tags[#0:4bc200f3].new": "n"}});
    there_and_back(("v1", new), (DockVersion::V1alpha1, old), &kept);
}

/// More than one item, none, and an empty one.
#[test]
fn what_the_first_item_does_not_say() {
    let many = json!({"logging": [{"level": "a", "glue": "x"}, {"level": "b", "glue": "y"}]});
    let kept = json!({"v1alpha1": {"spec.logging": [{}, {"level": "b", "glue": "y"}], "spec.logging[0].glue": "x"}});
    there_and_back(
        ("v1alpha1", many),
        (DockVersion::V1, json!({"logging": {"level": "a"}})),
        &kept,
    );
    let empty = |list: Value| json!({"v1alpha1": {"spec.logging": list}});
    let logging = |list: Value| ("v1alpha1", json!({"logging": list}));
    let object = |object: Value| (DockVersion::V1, json!({"logging": object}));
    there_and_back(logging(json!([])), object(Value::Null), &empty(json!([])));
    there_and_back(logging(json!([{}])), object(json!({})), &Value::Null);
    // An object that is required can be empty, which is not the same as none.
    let crane = |list: Value| ("v1alpha1", json!({"crane": list}));
    let object = || (DockVersion::V1, json!({"crane": {}}));
    there_and_back(crane(json!([])), object(), &Value::Null);
    there_and_back(crane(json!([{}])), object(), &json!({"v1alpha1": {"spec.crane": [{}]}}));
    let two = json!({"v1alpha1": {"spec.crane": [{}, {"rust": "r"}]}});
    there_and_back(crane(json!([{}, {"rust": "r"}])), object(), &two);
}

/// The other items are kept in the form of the lowest version, so the annotation does not depend on the walk.
#[test]
fn other_items_over_several_versions() {
    let many = json!({"logging": [{"level": "a", "seal": "x"}, {"level": "b", "seal": "y"}]});
    let kept = json!({
        "v1alpha1": {"spec.logging": [{}, {"level": "b"}]},
        "v1beta1": {"spec.logging[#1:d3a93f25].seal": "y", "spec.logging[0].seal": "x"},
    });
    there_and_back(
        ("v1beta1", many.clone()),
        (DockVersion::V1, json!({"logging": {"level": "a"}})),
        &kept,
    );
    let dock = dock("v1beta1", &many);
    let walk = [DockVersion::V1, DockVersion::V1alpha1, DockVersion::V1, DockVersion::V1beta1];
    let over = walk.iter().fold(dock.clone(), |dock, version| convert(&dock, *version).0);
    assert_eq!(over, dock);
}

/// The live object wins, and a kept value of a deleted object is reported.
#[test]
fn a_deleted_object_takes_the_other_items_along() {
    let many = json!({"logging": [{"level": "a"}, {"level": "b"}]});
    let (mut new, _) = convert(&dock("v1alpha1", &many), DockVersion::V1);
    new["spec"].as_object_mut().unwrap().remove("logging");
    let (old, report) = convert(&new, DockVersion::V1alpha1);
    assert_eq!(old, dock("v1alpha1", &json!({})));
    let stale = r#"spec.logging: edited: the kept value [{},{"level":"b"}] is discarded"#;
    assert!(report.to_string().starts_with(stale), "{report}");
}

/// A lock with these parts.
fn lock(version: &str, spec: &Value, status: &Value) -> Value {
    json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": "Lock", "metadata": {"name": "a"},
        "spec": spec, "status": status,
    })
}

/// Fields move into an object that is made, and leave no empty one behind.
#[test]
fn fields_move_between_objects() {
    let explicit = json!({"v1alpha1": {"spec.privateKey": {}}});
    let table = [
        (json!({"keySize": 2048}), json!({"privateKey": {"size": 2048}}), Value::Null),
        (json!({"keySize": 0}), json!({"privateKey": {"size": 0}}), Value::Null),
        (json!({}), json!({}), Value::Null),
        (json!({"privateKey": {}}), json!({"privateKey": {}}), Value::Null),
        (json!({"keySize": 1, "privateKey": {}}), json!({"privateKey": {"size": 1}}), explicit),
        (
            json!({"keySize": 1, "algorithm": "rsa", "privateKey": {"rotation": "r"}}),
            json!({"privateKey": {"size": 1, "algorithm": "rsa", "rotation": "r"}}),
            Value::Null,
        ),
        (
            json!({"tls": {"cert": "c"}}),
            json!({"server": {"host": "", "tls": {"cert": "c"}}}),
            Value::Null,
        ),
    ];
    for (old, new, expected) in table {
        let nothing = Value::Null;
        let before = lock("v1alpha1", &old, &nothing);
        let (after, _) =
            AnyLock::convert_value(&before, LockVersion::V1, &Options::default()).unwrap();
        assert_eq!((&after["spec"], kept(&after)), (&new, expected), "{old}");
        let walk = [LockVersion::V1beta1, LockVersion::V1, LockVersion::V1alpha1];
        let back = walk.iter().fold(after, |lock, to| {
            AnyLock::convert_value(&lock, *to, &Options::default()).unwrap().0
        });
        assert_eq!(back["spec"], before["spec"], "{old}");
    }
    // A kept value inside a moved object does not keep the object that it has left.
    let new = json!({"server": {"host": "", "tls": {"cert": "c", "new": "n"}}});
    let walk = [LockVersion::V1alpha1, LockVersion::V1];
    let back = walk.iter().fold(lock("v1", &new, &Value::Null), |lock, to| {
        AnyLock::convert_value(&lock, *to, &Options::default()).unwrap().0
    });
    assert_eq!((&back["spec"], kept(&back)), (&new, Value::Null));
}

const TIME: &str = "2026-01-02T03:04:05Z";

/// A meter, and what else it requires.
fn meter(version: &str, spec: &Value) -> Value {
    let required = match version {
        "v1" | "v2" => {
            json!({"port": 1, "gate": 1, "count": 1, "mode": "day", "limit": 10, "since": TIME})
        }
        _ => json!({"port": "1", "gate": "1", "count": 1, "mode": "day", "since": TIME}),
    };
    let mut meter = json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": "Meter", "metadata": {"name": "a"}, "spec": required,
    });
    meter["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
    meter
}

/// A value that does not fit becomes the fallback of its rule, and comes back unless that was edited.
#[test]
fn values_that_do_not_fit() {
    let old = meter(
        "v1beta1",
        &json!({"port": "https", "count": 5_000_000_000_i64, "ports": ["443", "https"]}),
    );
    let convert =
        |meter: &Value, to| AnyMeter::convert_value(meter, to, &Options::default()).unwrap().0;
    let new = convert(&old, MeterVersion::V1);
    let spec = &new["spec"];
    assert_eq!(
        (&spec["port"], &spec["count"], &spec["ports"]),
        (&json!(65535), &json!(2_147_483_647), &json!([443, 65535]))
    );
    assert_eq!(convert(&new, MeterVersion::V1beta1), old);
    let mut edited = new;
    edited["spec"]["port"] = json!(8080);
    assert_eq!(convert(&edited, MeterVersion::V1beta1)["spec"]["port"], "8080");
    // The fallback itself is a value, too.
    let same = meter("v1beta1", &json!({"port": "65535"}));
    assert_eq!(convert(&convert(&same, MeterVersion::V1), MeterVersion::V1beta1), same);
}

/// A value that a client has set takes the place of the kept one, also where neither version can hold that.
#[test]
fn stale_values_go() {
    let convert = |meter: &Value, to: MeterVersion| {
        AnyMeter::convert_value(meter, to, &Options::default()).unwrap()
    };
    let old = meter("v1beta1", &json!({"count": -(1_i64 << 40), "port": "https"}));
    let (new, _) = convert(&old, MeterVersion::V1);
    for (to, walk) in [(MeterVersion::V1beta1, "back"), (MeterVersion::V2, "on")] {
        let mut edited = new.clone();
        edited["spec"]["count"] = json!(2);
        let (after, report) = convert(&edited, to);
        let stale = "spec.count: edited: the kept value -1099511627776 is discarded, the live value 2 stays";
        assert!(report.to_string().contains(stale), "{walk}: {report}");
        assert_eq!(after["spec"]["count"], 2, "{walk}");
        // The other kept value is still true.
        let kept_values = match to {
            MeterVersion::V2 => json!({"v1beta1": {"spec.port": "https"}}),
            _ => Value::Null,
        };
        assert_eq!(kept(&after)["v1beta1"], kept_values["v1beta1"], "{walk}");
        // A write of the same object writes the same bytes.
        let again = convert(&convert(&after, MeterVersion::V1).0, to).0;
        assert_eq!(again, after, "{walk}");
    }
    // Without an edit, nothing goes.
    let walk = [MeterVersion::V2, MeterVersion::V1, MeterVersion::V1beta1];
    assert_eq!(walk.iter().fold(new, |meter, to| convert(&meter, *to).0), old);
}

/// A text that is not a time becomes the zero time, so a time that is `null` was edited.
#[test]
fn a_required_time_that_is_null() {
    let convert = |meter: &Value, to: MeterVersion| {
        AnyMeter::convert_value(meter, to, &Options::default()).unwrap()
    };
    let old = meter("v1beta1", &json!({"since": "yesterday"}));
    let (new, _) = convert(&old, MeterVersion::V1);
    assert_eq!(new["spec"]["since"], "0001-01-01T00:00:00Z");
    assert_eq!(convert(&new, MeterVersion::V1beta1).0, old);
    let mut edited = new;
    edited["spec"]["since"] = Value::Null;
    let (back, report) = convert(&edited, MeterVersion::V1beta1);
    assert_eq!(back["spec"].get("since"), None);
    assert!(report.to_string().contains(r#"the kept value "yesterday" is discarded"#), "{report}");
}

/// A zero that servers reject is never silent.
#[test]
fn made_up_values_that_servers_refuse() {
    let mut old = meter("v1beta1", &json!({"gate": "south"}));
    old["spec"].as_object_mut().unwrap().remove("mode");
    let (_, report) = AnyMeter::convert_value(&old, MeterVersion::V1, &Options::default()).unwrap();
    let refused =
        report.iter().filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
    assert_eq!(
        refused.map(|(path, _)| path.as_str()).collect::<Vec<_>>(),
        ["spec.gate", "spec.mode"]
    );
    let warnings =
        k8s_versioned_codegen::generate(&good("shapes"), &options("shapes")).unwrap().warnings;
    let warnings = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    for expected in [
        "`spec.gate` of v1 Meter becomes 0 if no value fits, and servers reject that: `minimum: 1`",
        r#"`spec.mode` of v1 Meter becomes "" if no value fits, and servers reject that: `enum: ["day","night"]`"#,
        "`spec.server.host` of v1 Lock is required, and objects of v1alpha1 and v1beta1 have no value for it",
    ] {
        assert!(warnings.contains(expected), "{warnings}");
    }
    for filled in ["`spec.port` of v1 Meter", "`spec.ramp.slope` of v1 Dock"] {
        assert!(!warnings.contains(filled), "{warnings}");
    }
}

/// A default is not kept; an absent value is, so that it comes back.
#[test]
fn defaults_are_not_kept() {
    let convert =
        |meter: &Value, to| AnyMeter::convert_value(meter, to, &Options::default()).unwrap().0;
    let mut absent = meter("v1", &json!({}));
    absent["spec"].as_object_mut().unwrap().remove("limit");
    for (new, kept) in [
        (meter("v1", &json!({})), Value::Null),
        (meter("v1", &json!({"limit": 3})), json!({"v1": {"spec.limit": 3}})),
        (absent, json!({"v1": {"spec.limit": null}})),
    ] {
        let old = convert(&new, MeterVersion::V1beta1);
        assert_eq!(self::kept(&old), kept);
        assert_eq!(convert(&old, MeterVersion::V1), new);
    }
}

/// A key names its item also where a rule fills the key in: an edit that moves the items mixes no values up.
#[test]
fn a_key_with_a_rule_names_the_item() {
    let convert =
        |zone: &Value, to| AnyZone::convert_value(zone, to, &Options::default()).unwrap().0;
    let berths = json!([{"size": 1, "deep": true}, {"name": "a", "size": 1, "deep": false}, {"name": "b", "size": 1, "deep": true}]);
    let old = json!({
        "apiVersion": "port.example.dev/v1alpha1", "kind": "Zone", "metadata": {"name": "a"}, "spec": {"pools": {}, "berths": berths},
    });
    let new = convert(&old, ZoneVersion::V1);
    assert_eq!(new["spec"]["berths"][0], json!({"name": "main", "size": 1}));
    assert_eq!(convert(&new, ZoneVersion::V1alpha1), old);
    for removed in 0..3 {
        let (mut new, mut expected) = (new.clone(), berths.clone());
        for berths in [&mut new["spec"]["berths"], &mut expected] {
            berths.as_array_mut().unwrap().remove(removed);
        }
        assert_eq!(convert(&new, ZoneVersion::V1alpha1)["spec"]["berths"], expected);
    }
}

/// A map is a list with a key, whose items have rules of their own.
#[test]
fn a_map_is_a_list_with_a_key() {
    let zone = |version: &str, domains: Value| {
        json!({
            "apiVersion": format!("port.example.dev/{version}"), "kind": "Zone", "metadata": {"name": "a"},
            "spec": {"domains": domains, "pools": if version == "v1alpha1" { json!({}) } else { json!([]) }},
        })
    };
    let convert =
        |zone: &Value, to| AnyZone::convert_value(zone, to, &Options::default()).unwrap().0;
    let old = zone("v1alpha1", json!({"b": {"controlPlane": true, "old": "o"}, "a": {}}));
    let new = convert(&old, ZoneVersion::V1);
    assert_eq!(new["spec"]["domains"], json!([{"name": "a"}, {"name": "b", "controlPlane": true}]));
    assert_eq!(kept(&new), json!({"v1alpha1": {r#"spec.domains["b"].old"#: "o"}}));
    assert_eq!(convert(&new, ZoneVersion::V1alpha1), old);
    // The order of a list comes back, also around an item that is new.
    let new = zone("v1", json!([{"name": "b", "new": "n"}, {"name": "a"}]));
    let mut old = convert(&new, ZoneVersion::V1alpha1);
    assert_eq!(old["spec"]["domains"], json!({"a": {}, "b": {}}));
    assert_eq!(
        kept(&old),
        json!({"v1": {
            "spec.domains": [],
            "spec.domains/.": [r#"k:{"name":"b"}"#, r#"k:{"name":"a"}"#],
            r#"spec.domains/k:{"name":"a"}"#: {},
            r#"spec.domains/k:{"name":"b"}"#: {},
            r#"spec.domains["b"].new"#: "n",
        }})
    );
    assert_eq!(convert(&old, ZoneVersion::V1), new);
    old["spec"]["domains"]["c"] = json!({"controlPlane": true});
    old["spec"]["domains"].as_object_mut().unwrap().remove("a");
    let new = convert(&old, ZoneVersion::V1);
    assert_eq!(
        new["spec"]["domains"],
        json!([{"name": "b", "new": "n"}, {"name": "c", "controlPlane": true}])
    );
    // Of two items with one key, the map has the last.
    let new = zone("v1", json!([{"name": "a", "controlPlane": true}, {"name": "a", "new": "n"}]));
    let old = convert(&new, ZoneVersion::V1alpha1);
    assert_eq!(old["spec"]["domains"], json!({"a": {}}));
    assert_eq!(convert(&old, ZoneVersion::V1), new);
}

/// A number names an item of a list, or a member of a map: a value of another type comes back to where it was.
#[test]
fn values_of_another_type_under_numbers() {
    use ZoneVersion::{V1, V1alpha1, V1beta1};
    let convert =
        |zone: &Value, to| AnyZone::convert_value(zone, to, &Options::default()).unwrap().0;
    let map = |key: &str, value: Value| (V1alpha1, json!({key: value, "b": {"old": "o"}}));
    let list = |value: Value| (V1, json!([value, {"name": "b", "new": "n"}]));
    for (version, domains) in [
        map("0", json!("text")),
        map("0", json!({"old": 7})),
        map("80", json!(["text"])),
        map("+5", json!(1)),
        map("\"0\"", json!(1)),
        map("\"", json!({"controlPlane": 1, "old": "p"})),
        map("1/~0", json!({"controlPlane": 1})),
        list(json!("text")),
        list(json!({"name": "a", "new": 7})),
        list(json!({"name": "0", "controlPlane": 1})),
    ] {
        let pools = if version == V1alpha1 { json!({}) } else { json!([]) };
        let before = json!({
            "apiVersion": version.api_version(), "kind": "Zone", "metadata": {"name": "a"},
            "spec": {"domains": domains, "pools": pools},
        });
        for walk in [&[V1][..], &[V1beta1], &[V1alpha1], &[V1beta1, V1], &[V1, V1beta1]] {
            let walk = walk.iter().chain([&version]);
            let after = walk.fold(before.clone(), |zone, to| convert(&zone, *to));
            assert_eq!(after, before);
        }
        if version == V1alpha1 {
            assert_eq!(convert(&before, V1beta1)["spec"]["domains"]["b"], json!({}));
        }
    }
}

/// More values than are set aside one by one: the part that they are in comes back whole.
#[test]
fn a_part_with_many_values_of_another_type() {
    let convert = |meter: &Value, to: MeterVersion| {
        AnyMeter::convert_value(meter, to, &Options::default()).unwrap().0
    };
    let mut before = meter("v1beta1", &json!({}));
    before["spec"] = json!({"ports": (0..40).collect::<Vec<_>>()});
    for walk in [&[MeterVersion::V1][..], &[MeterVersion::V2, MeterVersion::V1]] {
        let walk = walk.iter().chain([&MeterVersion::V1beta1]);
        let after = walk.fold(before.clone(), |meter, to| convert(&meter, *to));
        assert_eq!(after, before);
    }
}

/// One rule for a field that is absent in one version, optional in another and required in a third.
#[test]
fn absent_optional_and_required() {
    let siren = |version: &str, spec: Value| json!({"apiVersion": format!("port.example.dev/{version}"), "kind": "Siren", "metadata": {"name": "a"}, "spec": spec});
    let convert =
        |siren: &Value, to| AnySiren::convert_value(siren, to, &Options::default()).unwrap();
    let all = json!({"volume": 3, "tone": "low", "tones": ["low"], "moods": []});
    let zero = json!({"volume": 0, "tone": "", "tones": [], "moods": []});
    for (optional, required) in
        [(all.clone(), all), (json!({}), zero.clone()), (zero.clone(), zero)]
    {
        let walk =
            [SirenVersion::V1, SirenVersion::V1alpha1, SirenVersion::V1, SirenVersion::V1beta1];
        let beta = siren("v1beta1", optional);
        let mut current = beta.clone();
        for to in walk {
            current = convert(&current, to).0;
            if to == SirenVersion::V1 {
                assert_eq!(current["spec"], required);
            }
        }
        assert_eq!(current, beta);
        let v1 = siren("v1", required);
        let (old, _) = convert(&v1, SirenVersion::V1alpha1);
        assert_eq!(convert(&old, SirenVersion::V1).0, v1);
    }
    let (_, report) = convert(&siren("v1alpha1", json!({})), SirenVersion::V1);
    let missing =
        report.iter().filter(|(_, finding)| **finding == ConversionFinding::InvalidInTarget);
    // The rule says that an absent value is an empty one. Servers refuse an empty word.
    let missing: Vec<String> = missing.map(|(path, _)| path.to_string()).collect();
    assert_eq!(missing, ["spec.tone"], "{report}");
}

/// Converts an object as strictly as possible, by the library and by the webhook, which agree.
#[track_caller]
fn strictly<A: AnyVersion>(object: &Value, to: A::Version) -> Value {
    let options = Options::default().strict();
    let (converted, _) = A::convert_value(object, to, &options).unwrap();
    let review = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {"uid": "a", "desiredAPIVersion": A::api_version(to), "objects": [object]},
    });
    let reviewed = Webhook::of::<Kinds>().answer(review.to_string().as_bytes()).unwrap();
    assert_eq!(reviewed.failure, None);
    let answer: Value = serde_json::from_slice(&reviewed.answer).unwrap();
    assert_eq!(answer["response"]["convertedObjects"][0], converted);
    converted
}

/// `false`, 0 and empty texts, lists and maps are values where a version requires them: they come back, and nothing is missing.
#[test]
fn empty_values_of_required_fields_are_values() {
    use BeaconVersion::{V1, V1alpha1, V2};

    let status = json!({"ready": false, "count": 0, "label": "", "tags": [], "notes": {}});
    let spec = json!({"blink": "", "lens": {"clear": false}, "mast": {"rigged": false}});
    let with = |more: Value| {
        let mut spec = spec.clone();
        spec.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        spec
    };
    for spec in [
        spec.clone(),
        with(json!({"light": {"kind": "", "lit": false}})),
        with(json!({"light": {"kind": "red", "lit": false}})),
        with(json!({"house": {"manned": false}})),
        with(json!({"house": {"manned": false, "range": 0}})),
        with(json!({"house": {"manned": false, "range": 5}})),
        with(json!({"anchor": {"held": false}})),
        with(json!({"anchor": {"held": false, "rope": "r"}})),
        with(json!({"anchor": {"held": true, "rope": ""}})),
    ] {
        let beacon = json!({
            "apiVersion": "port.example.dev/v1", "kind": "Beacon", "metadata": {"name": "a"},
            "spec": spec, "status": status,
        });
        for others in
            [&[V1alpha1][..], &[V2], &[V1alpha1, V2], &[V2, V1alpha1], &[V1alpha1, V1, V2]]
        {
            let there = others
                .iter()
                .fold(beacon.clone(), |object, to| strictly::<AnyBeacon>(&object, *to));
            assert_eq!(strictly::<AnyBeacon>(&there, V1), beacon, "{others:?}");
        }
    }
}

/// No object is invented when a field moves out of one that becomes a field of a new object.
#[test]
fn an_object_is_not_made_of_a_field_that_moves_out() {
    let winch = |version: WinchVersion, spec: &Value| {
        json!({
            "apiVersion": version.api_version(), "kind": "Winch", "metadata": {"name": "a"},
            "spec": spec,
        })
    };
    for spec in [
        json!({"size": 1, "brake": {"force": 3}}),
        json!({"brake": {}}),
        json!({"brake": {"force": 3}, "drive": {}}),
        json!({"brake": {"force": 3}, "drive": {"gear": {"type": ""}}}),
        json!({"brake": {"force": 3}, "drive": {"gear": {"type": "spur"}}}),
        json!({"drive": {"gear": {"type": "spur"}}}),
        json!({"drive": {"gear": {"type": ""}}}),
        json!({"drive": {}}),
        json!({}),
    ] {
        let before = winch(WinchVersion::V1, &spec);
        let there = strictly::<AnyWinch>(&before, WinchVersion::V1beta1);
        assert_eq!(strictly::<AnyWinch>(&there, WinchVersion::V1), before);
    }
    for gear in [
        json!({}),
        json!({"brake": {"force": 3}}),
        json!({"type": ""}),
        json!({"type": "spur", "brake": {}}),
    ] {
        let before = winch(WinchVersion::V1beta1, &json!({ "gear": gear }));
        let options = Options::default();
        let (there, _) = AnyWinch::convert_value(&before, WinchVersion::V1, &options).unwrap();
        let (back, _) = AnyWinch::convert_value(&there, WinchVersion::V1beta1, &options).unwrap();
        assert_eq!(back, before);
    }
}

/// One word is a list of one, although each version has a type of its own for its words.
#[test]
fn a_word_is_a_list_of_one() {
    let flag = |version: &str, spec: Value| json!({"apiVersion": format!("port.example.dev/{version}"), "kind": "Flag", "metadata": {"name": "a"}, "spec": spec});
    let convert =
        |flag: &Value, to| AnyFlag::convert_value(flag, to, &Options::default()).unwrap().0;
    let spec = |knots: Value| json!({"tier": "gold", "zone": "", "code": 0, "knots": knots});
    for (knots, knot) in [
        (json!(["reef"]), json!({"knot": "reef"})),
        (json!(["bowline", "hitch"]), json!({"knot": "bowline"})),
        (json!(["knot"]), json!({"knot": "knot"})),
        (json!([]), json!({})),
    ] {
        let above = flag("v1", spec(knots));
        let below = convert(&above, FlagVersion::V1beta1);
        assert_eq!(below["spec"], knot);
        assert_eq!(convert(&below, FlagVersion::V1)["spec"], above["spec"]);
        let below = flag("v1alpha1", knot);
        assert_eq!(convert(&convert(&below, FlagVersion::V1), FlagVersion::V1alpha1), below);
    }
}

fn relay(version: &str, spec: &Value, status: &Value) -> Value {
    json!({
        "apiVersion": format!("port.example.dev/{version}"), "kind": "Relay", "metadata": {"name": "a"}, "spec": spec, "status": status,
    })
}

/// Routes in routes are any JSON, and so is the spec of a flag.
#[test]
fn objects_in_json_convert() {
    let convert =
        |relay: &Value, to| AnyRelay::convert_value(relay, to, &Options::default()).unwrap();
    let below = relay(
        "v1beta1",
        &json!({"route": {"receiver": "a", "routes": [
            {"wait": "1m0s", "routes": [{"receiver": "c", "wait": "2s", "mute": ["x"]}, "none", 7]}, {"receiver": "b"},
        ]}}),
        &json!({"flagSpec": {"size": 1, "speed": "fast", "knot": "reef"}, "lock": {"receiver": "l", "wait": "3s"}}),
    );
    let (above, report) = convert(&below, RelayVersion::V1);
    assert_eq!(
        above["spec"],
        json!({"route": {"receiver": "a", "routes": [
            {"waitSeconds": 60, "routes": [{"receiver": "c", "waitSeconds": 2, "mute": ["x"]}, "none", 7]}, {"receiver": "b"},
        ]}})
    );
    assert_eq!(above["status"]["lock"], json!({"receiver": "l", "waitSeconds": 3}));
    assert_eq!(above["status"]["flagSpec"]["hoist"], json!({"speed": "fast"}));
    assert_eq!(above["status"]["flagSpec"]["knots"], json!(["reef"]));
    assert_eq!(kept(&above), Value::Null, "{report}");
    assert_eq!(convert(&above, RelayVersion::V1beta1).0, below);
    // What another version cannot have is kept, and what is no object stays.
    for routes in [
        json!([{"old": "o", "wait": "90s"}]),
        json!([{"wait": 5}]),
        json!([1, null, "x", [{"wait": "soon"}]]),
    ] {
        let below = relay("v1beta1", &json!({"route": {"routes": routes}}), &json!({"lock": "x"}));
        let (above, report) = convert(&below, RelayVersion::V1);
        assert!(!report.is_empty());
        assert_eq!(convert(&above, RelayVersion::V1beta1).0, below, "{above}\n{report}");
        // An edit wins.
        let mut edited = above;
        edited["spec"]["route"]["routes"] = json!([{"waitSeconds": 1}]);
        let back = convert(&edited, RelayVersion::V1beta1).0;
        assert_eq!(back["spec"], json!({"route": {"routes": [{"wait": "1s"}]}}));
    }
}

/// Each level is converted once for each level around it, and not twice.
#[test]
fn objects_deep_in_json() {
    let deep =
        (0..40).fold(json!({"old": "o"}), |inner, _| json!({"wait": "1s", "routes": [inner]}));
    let below = relay("v1beta1", &json!({"route": deep}), &Value::Null);
    let (above, _) =
        AnyRelay::convert_value(&below, RelayVersion::V1, &Options::default()).unwrap();
    let back =
        AnyRelay::convert_value(&above, RelayVersion::V1beta1, &Options::default()).unwrap().0;
    assert_eq!(back["spec"], below["spec"]);
}

/// A quantity can be a plain text.
#[test]
fn a_text_is_a_quantity() {
    let flag = |spec: Value| json!({"apiVersion": "port.example.dev/v1beta1", "kind": "Flag", "metadata": {"name": "a"}, "spec": spec});
    for (cloth, mebibytes) in [("1.5Gi", json!(1536)), ("10M", json!(10)), ("much", Value::Null)] {
        let below = flag(json!({"cloth": cloth}));
        let above = AnyFlag::convert_value(&below, FlagVersion::V1, &Options::default()).unwrap().0;
        assert_eq!(above["spec"]["clothMebibytes"], mebibytes);
        let back =
            AnyFlag::convert_value(&above, FlagVersion::V1beta1, &Options::default()).unwrap();
        assert_eq!(back.0, below);
    }
}

/// Functions between three versions: what one has exactly survives the others, and an edit in any of them counts.
#[test]
fn functions_between_three_versions() {
    use FlagVersion::{V1, V1alpha1, V1beta1};
    let flag = |version: &str, pace: &Value| {
        let mut spec = json!({"pace": pace});
        if version == "v1" {
            spec.as_object_mut().unwrap().extend(
                json!({"tier": "gold", "zone": "", "code": 0}).as_object().unwrap().clone(),
            );
        }
        json!({"apiVersion": format!("port.example.dev/{version}"), "kind": "Flag", "metadata": {"name": "a"}, "spec": spec})
    };
    let over = |flag: &Value, walk: &[FlagVersion]| {
        walk.iter().fold(flag.clone(), |flag, to| {
            AnyFlag::convert_value(&flag, *to, &Options::default()).unwrap().0
        })
    };
    for pace in ["1.5 s", "1.5004 s", "fast", "2 s"] {
        let oldest = flag("v1alpha1", &json!(pace));
        for walk in [
            &[V1, V1beta1, V1alpha1][..],
            &[V1beta1, V1, V1alpha1],
            &[V1, V1beta1, V1, V1beta1, V1alpha1],
        ] {
            assert_eq!(over(&oldest, walk), oldest, "{walk:?}");
        }
    }
    let between = flag("v1beta1", &json!(1500));
    for walk in [[V1, V1alpha1, V1beta1], [V1alpha1, V1, V1beta1]] {
        assert_eq!(over(&between, &walk), between, "{walk:?}");
    }
    // A version in between has what the oldest one says, and not only what v1 shows of it.
    let oldest = flag("v1alpha1", &json!("1.5004 s"));
    let mut between = over(&oldest, &[V1, V1beta1]);
    assert_eq!(between["spec"]["pace"], 1500);
    // An edit there is one of the value, also if v1 does not show it.
    between["spec"]["pace"] = json!(1700);
    for walk in [&[V1alpha1][..], &[V1, V1alpha1]] {
        assert_eq!(over(&between, walk)["spec"]["pace"], "1.700 s", "{walk:?}");
    }
}
