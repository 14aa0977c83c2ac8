//! What projects change between two versions: units, parts of texts, maps and lists, and objects around fields.

use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use k8s_versioned_conformance::check::Convertible;
use k8s_versioned_conformance::walks::{Schemas, walk};
use serde_json::{Value, json};
use testing::walk::seeds;

use crate::emitted::projects::conversion::{AnyGauge, GaugeVersion};
use crate::support::folder;

/// A gauge of a version with these members.
fn gauge(version: &str, members: &Value) -> Value {
    let mut gauge = json!({
        "apiVersion": format!("meter.example.dev/{version}"), "kind": "Gauge", "metadata": {"name": "a"},
    });
    gauge.as_object_mut().unwrap().extend(members.as_object().unwrap().clone());
    gauge
}

fn convert(gauge: &Value, to: GaugeVersion) -> Value {
    let gauge: AnyGauge = serde_json::from_value(gauge.clone()).unwrap();
    let mut report = ConversionReport::new();
    let converted = gauge.convert_to_reporting(to, &Options::default(), &mut report);
    serde_json::to_value(converted).unwrap()
}

/// Converts the members of v1beta1 and back: the result is the object again.
fn up_and_back(members: &Value) -> Value {
    let below = gauge("v1beta1", members);
    let above = convert(&below, GaugeVersion::V1beta2);
    assert_eq!(convert(&above, GaugeVersion::V1beta1), below, "{above}");
    above
}

/// The same from v1beta2.
fn down_and_back(members: &Value) -> Value {
    let above = gauge("v1beta2", members);
    let below = convert(&above, GaugeVersion::V1beta1);
    assert_eq!(convert(&below, GaugeVersion::V1beta2), above, "{below}");
    below
}

#[test]
fn amounts_have_units() {
    for (below, above) in [
        (json!({"period": "1m30s"}), json!({"periodSeconds": 90})),
        (json!({"period": "90s"}), json!({"periodSeconds": 90})),
        (json!({"period": "1.5s"}), json!({"periodSeconds": 1})),
        (json!({"period": "soon"}), json!({"periodSeconds": 0})),
        (
            json!({"period": "0s", "timeout": "2h"}),
            json!({"periodSeconds": 0, "timeoutSeconds": 7200}),
        ),
        (json!({"period": "0s", "timeout": "soon"}), json!({"periodSeconds": 0})),
        (json!({"period": "0s", "pause": 2}), json!({"periodSeconds": 0, "pauseSeconds": 120})),
        (json!({"period": "0s", "retention": 49}), json!({"periodSeconds": 0, "retentionDays": 2})),
        (
            json!({"period": "0s", "space": "1.5Gi"}),
            json!({"periodSeconds": 0, "spaceMebibytes": 1536}),
        ),
    ] {
        assert_eq!(up_and_back(&json!({"spec": below}))["spec"], above, "{below}");
    }
    for (above, below) in [
        (json!({"periodSeconds": 3601}), json!({"period": "1h0m1s"})),
        (json!({"periodSeconds": 1, "pauseSeconds": 90}), json!({"period": "1s", "pause": 1})),
        (
            json!({"periodSeconds": 1, "spaceMebibytes": 2}),
            json!({"period": "1s", "space": "2097152"}),
        ),
    ] {
        assert_eq!(down_and_back(&json!({"spec": above}))["spec"], below, "{above}");
    }
    // An edit wins.
    let mut above = up_and_back(&json!({"spec": {"period": "90s"}}));
    above["spec"]["periodSeconds"] = json!(60);
    assert_eq!(convert(&above, GaugeVersion::V1beta1)["spec"]["period"], "1m0s");
}

#[test]
fn a_part_of_a_text() {
    let spec = |reference: Value| json!({"spec": {"period": "0s", "sensorRef": reference}});
    let of = |version: &str| json!({"apiVersion": version, "kind": "Sensor", "name": "s"});
    for (version, group) in
        [("sensors.example.dev/v1", "sensors.example.dev"), ("a/v2", "a"), ("v1", ""), ("", "")]
    {
        let above = up_and_back(&spec(of(version)));
        assert_eq!(above["spec"]["sensorRef"]["apiGroup"], group, "{version}");
    }
    up_and_back(&spec(json!({})));
    up_and_back(&spec(json!({"namespace": "n"})));
    let spec = json!({"spec": {"periodSeconds": 0, "tag": "1.27", "sensorRef": {
        "apiGroup": "sensors.example.dev", "kind": "Sensor", "name": "s",
    }}});
    let below = down_and_back(&spec);
    assert_eq!(below["spec"]["sensorRef"]["apiVersion"], "sensors.example.dev/v1");
    assert_eq!(below["spec"]["image"], "gauge:1.27");
    // A part with a separator is not the part of the text that has it.
    for (group, tag) in [("a/b", "1:27"), ("/", ":"), ("", "")] {
        let mut spec = spec.clone();
        spec["spec"]["sensorRef"]["apiGroup"] = json!(group);
        spec["spec"]["tag"] = json!(tag);
        down_and_back(&spec);
    }
    let above = up_and_back(&json!({"spec": {"period": "0s", "image": "host:5000/gauge:1.27"}}));
    assert_eq!(above["spec"]["tag"], "1.27");
    // A part that is not the part of the text made of it is kept, and an edit of the text wins.
    let mut with_separator = spec.clone();
    with_separator["spec"]["sensorRef"]["apiGroup"] = json!("a/b");
    let mut below = down_and_back(&with_separator);
    assert_eq!(below["spec"]["sensorRef"]["apiVersion"], "a/b/v1beta1");
    below["spec"]["sensorRef"]["apiVersion"] = json!("c/v1");
    assert_eq!(convert(&below, GaugeVersion::V1beta2)["spec"]["sensorRef"]["apiGroup"], "c");
}

/// An absent text has the part of the one that the rule states, and is absent again unless a client edits the part.
#[test]
fn an_absent_text_has_a_part() {
    let mut above = up_and_back(&json!({"spec": {"period": "0s", "sensorRef": {"name": "s"}}}));
    assert_eq!(above["spec"]["sensorRef"]["apiGroup"], "sensors.example.dev");
    above["spec"]["sensorRef"]["apiGroup"] = json!("a");
    let below = convert(&above, GaugeVersion::V1beta1);
    assert_eq!(below["spec"]["sensorRef"]["apiVersion"], "a/v1beta1");
    let back = convert(&below, GaugeVersion::V1beta2);
    assert_eq!(back["spec"]["sensorRef"]["apiGroup"], "a");
    assert!(!back["metadata"].to_string().contains("apiVersion"), "{back}");
    // A group that an object has itself is there below, too.
    let own = json!({"spec": {"periodSeconds": 0, "sensorRef": {
        "apiGroup": "sensors.example.dev", "kind": "Sensor", "name": "s",
    }}});
    let below = down_and_back(&own);
    assert_eq!(below["spec"]["sensorRef"]["apiVersion"], "sensors.example.dev/v1");
}

/// v1beta2 has no empty text, list, map or object: these are absent there, and empty again below.
#[test]
fn empty_values_are_absent() {
    for (scale, expected) in [
        (json!({}), Value::Null),
        (json!({"unit": ""}), Value::Null),
        (json!({"unit": "bar", "marks": [], "colours": {}, "zero": {}}), json!({"unit": "bar"})),
        (json!({"zero": {"old": "x"}}), Value::Null),
        (
            json!({"zero": {"at": "0"}, "marks": ["a"]}),
            json!({"zero": {"at": "0"}, "marks": ["a"]}),
        ),
    ] {
        let above = up_and_back(&json!({"spec": {"period": "0s", "scale": scale}}));
        assert_eq!(above["spec"]["scale"], expected, "{above}");
    }
    // A stored object can have an empty value all the same.
    down_and_back(&json!({"spec": {"periodSeconds": 0, "scale": {"unit": "", "zero": {}}}}));
    down_and_back(&json!({"spec": {"periodSeconds": 0, "scale": {}}}));
    // A live value counts.
    let mut above = up_and_back(&json!({"spec": {"period": "0s", "scale": {"marks": []}}}));
    above["spec"]["scale"] = json!({"marks": ["a"], "unit": "bar"});
    let below = convert(&above, GaugeVersion::V1beta1);
    assert_eq!(below["spec"]["scale"], above["spec"]["scale"]);
    assert!(!convert(&below, GaugeVersion::V1beta2)["metadata"].to_string().contains("scale"));
}

/// So are those that a rule renames, and objects around fields that move.
#[test]
fn empty_values_that_move_are_absent() {
    for (spec, expected) in [
        (json!({"label": ""}), json!({})),
        (json!({"panel": {}}), json!({})),
        (json!({"panel": {"light": {}}}), json!({})),
        (json!({"panel": {"title": "t", "light": {}}}), json!({"display": {"title": "t"}})),
        (json!({"panel": {"light": {"dim": "1s"}}}), json!({"display": {"waits": {"dim": "1s"}}})),
        (
            json!({"panel": {"light": {"hue": "red"}}}),
            json!({"display": {"light": {"hue": "red"}}}),
        ),
    ] {
        let mut below = json!({"spec": {"period": "0s"}});
        below["spec"].as_object_mut().unwrap().extend(spec.as_object().unwrap().clone());
        let mut above = up_and_back(&below);
        above["spec"].as_object_mut().unwrap().remove("periodSeconds");
        assert_eq!(above["spec"], expected, "{spec}");
    }
    for display in [json!({}), json!({"light": {}}), json!({"light": {}, "waits": {}})] {
        down_and_back(&json!({"spec": {"periodSeconds": 0, "title": "", "display": display}}));
    }
}

/// A number or boolean that is there stays, also zero: an absent one can have another meaning, such as its default.
#[test]
fn zero_is_a_value() {
    let above =
        up_and_back(&json!({"spec": {"period": "0s", "tick": {"count": 0, "loud": false}}}));
    assert_eq!(above["spec"]["tick"], json!({"count": 0, "loud": false}));
    for (tick, expected) in [
        (json!({}), json!({"count": 1, "loud": false})),
        (json!({"count": 0}), json!({"count": 0, "loud": false})),
        (json!({"count": 2, "loud": true}), json!({"count": 2, "loud": true})),
    ] {
        let below = down_and_back(&json!({"spec": {"periodSeconds": 0, "tick": tick}}));
        assert_eq!(below["spec"]["tick"], expected, "{tick}");
    }
}

#[test]
fn an_object_with_only_the_namespace_is_absent_again() {
    for mount in [
        json!({}),
        json!({"ref": {}}),
        json!({"ref": {"namespace": "n"}}),
        json!({"ref": {"namespace": "other"}}),
        json!({"ref": {"name": "m"}}),
        json!({"wall": "w"}),
    ] {
        let in_namespace = |version: &str, spec: Value| {
            let mut gauge = gauge(version, &json!({"spec": spec}));
            gauge["metadata"]["namespace"] = json!("n");
            gauge
        };
        let below = in_namespace("v1beta1", json!({"period": "0s", "mount": mount}));
        let above = convert(&below, GaugeVersion::V1beta2);
        assert_eq!(convert(&above, GaugeVersion::V1beta1), below, "{above}");
        if mount["ref"].is_object() {
            let mut mount = mount;
            mount["ref"].as_object_mut().unwrap().remove("namespace");
            let above = in_namespace("v1beta2", json!({"periodSeconds": 0, "mount": mount}));
            let below = convert(&above, GaugeVersion::V1beta1);
            assert_eq!(convert(&below, GaugeVersion::V1beta2), above, "{below}");
        }
    }
}

#[test]
fn absent_fields_have_a_value_of_the_rule() {
    let above = up_and_back(&json!({"spec": {"period": "0s", "sensorRef": {"name": "s"}}}));
    assert_eq!(above["spec"]["sensorRef"]["kind"], "Sensor");
    for namespace in ["a", "b"] {
        let spec = json!({"spec": {"periodSeconds": 0, "sensorRef": {"apiGroup": "a", "kind": "Sensor", "name": "s"}}});
        let mut above = gauge("v1beta2", &spec);
        above["metadata"]["namespace"] = json!(namespace);
        let below = convert(&above, GaugeVersion::V1beta1);
        assert_eq!(below["spec"]["sensorRef"]["namespace"], namespace);
        assert_eq!(convert(&below, GaugeVersion::V1beta2), above);
        let mut other = below.clone();
        other["spec"]["sensorRef"]["namespace"] = json!("c");
        let above = convert(&other, GaugeVersion::V1beta2);
        assert_eq!(convert(&above, GaugeVersion::V1beta1), other);
    }
}

#[test]
fn maps_are_lists_of_names_and_values() {
    let above = up_and_back(&json!({"spec": {
        "period": "0s", "args": {"b": "2", "a": ""}, "settings": {"x": "y"}, "pens": {"p": {"name": "p", "colour": "red"}},
    }}));
    assert_eq!(
        above["spec"]["args"],
        json!([{"name": "a", "value": ""}, {"name": "b", "value": "2"}])
    );
    assert_eq!(above["spec"]["settings"], json!([{"name": "x", "value": "y"}]));
    assert_eq!(above["spec"]["pens"], json!([{"name": "p", "colour": "red"}]));
    let mut below = down_and_back(&json!({"spec": {
        "periodSeconds": 0,
        "args": [{"name": "b", "value": "1"}, {"name": "a"}, {"name": "b", "value": "2"}],
        "settings": [{"name": "x", "value": {"deep": [1]}}, {"name": "y", "value": "z"}],
    }}));
    assert_eq!(below["spec"]["args"], json!({"a": "", "b": "2"}));
    assert_eq!(below["spec"]["settings"], json!({"y": "z"}));
    below["spec"]["args"]["b"] = json!("3");
    let edited = convert(&below, GaugeVersion::V1beta2);
    assert_eq!(
        edited["spec"]["args"],
        json!([{"name": "b", "value": "1"}, {"name": "a"}, {"name": "b", "value": "3"}])
    );
}

#[test]
fn fields_move_below_several_new_objects() {
    let below = json!({
        "phase": "Up",
        "conditions": [{"type": "Old", "severity": "Info"}],
        "v1beta2": {"conditions": [{"type": "New", "observedGeneration": 1}]},
        "nodeRef": {"apiVersion": "v1", "kind": "Node", "name": "n"},
    });
    let above = json!({
        "conditions": [{"type": "New", "observedGeneration": 1}],
        "deprecated": {"v1beta1": {"phase": "Up", "conditions": [{"type": "Old", "severity": "Info"}]}},
        "nodeRef": {"name": "n"},
    });
    let spec = json!({"period": "0s", "maxErrors": 3, "errorTemplate": "t"});
    let converted = up_and_back(&json!({"spec": spec, "status": below}));
    assert_eq!(converted["status"], above);
    let remediation =
        json!({"triggerIf": {"errorsGreaterThan": 3, "kind": "Count"}, "template": "t"});
    assert_eq!(converted["spec"]["remediation"], remediation);
    let spec = json!({"periodSeconds": 0, "remediation": remediation});
    assert_eq!(down_and_back(&json!({"spec": spec, "status": above}))["status"], below);
    for remediation in [
        json!({}),
        json!({"triggerIf": {}}),
        json!({"triggerIf": {"kind": "Count"}}),
        json!({"limit": 0}),
    ] {
        down_and_back(&json!({"spec": {"periodSeconds": 0, "remediation": remediation}}));
    }
    for status in [json!({}), json!({"deprecated": {}}), json!({"deprecated": {"v1beta1": {}}})] {
        down_and_back(&json!({"spec": {"periodSeconds": 0}, "status": status}));
    }
    // Without fields, no object is made around a value that a rule states.
    let converted = up_and_back(&json!({"spec": {"period": "0s"}, "status": {"nodeRef": {}}}));
    assert_eq!(converted["spec"].get("remediation"), None);
}

#[test]
fn a_field_leaves_an_object_that_moves() {
    let above = up_and_back(&json!({"spec": {
        "period": "0s", "plan": {"order": "a", "repair": {"most": 1}}, "check": {"range": "b"},
    }}));
    assert_eq!(above["spec"]["rollout"], json!({"plan": {"order": "a"}}));
    assert_eq!(above["spec"]["care"], json!({"repair": {"range": "b", "most": 1}}));
    let most = json!({"most": 1});
    for (plan, check) in [
        (json!({"repair": most}), json!({})),
        (json!({"repair": {}}), json!({"range": "b"})),
        (json!({"order": "a", "repair": most}), Value::Null),
        (Value::Null, json!({"range": "b"})),
        (json!({}), Value::Null),
    ] {
        let mut spec = json!({"period": "0s", "plan": plan, "check": check});
        spec.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        up_and_back(&json!({ "spec": spec }));
    }
    for (rollout, repair) in [
        (json!({"plan": {"order": "a"}}), json!({"most": 1})),
        (json!({"plan": {}}), json!({"most": 1, "range": "b"})),
        (json!({"after": "c"}), json!({"most": 1})),
        (json!({}), json!({})),
    ] {
        let spec = json!({"periodSeconds": 0, "rollout": rollout, "care": {"repair": repair}});
        down_and_back(&json!({ "spec": spec }));
    }
}

#[test]
fn an_object_without_its_moved_field_is_not_made_for_a_stated_value() {
    for (route, path, stops) in [
        (json!({"stops": 1}), Value::Null, json!(1)),
        (json!({"stops": 1, "style": "Steady"}), json!({"style": "Steady"}), json!(1)),
        (json!({"stops": 1, "style": "Rapid"}), json!({"style": "Rapid"}), json!(1)),
        (json!({}), json!({"style": "Steady"}), Value::Null),
    ] {
        let above = up_and_back(&json!({"spec": {"period": "0s", "route": route}}));
        assert_eq!(above["spec"]["path"], path, "{route}");
        assert_eq!(above["spec"]["care"]["stops"], stops, "{route}");
    }
    for (path, care) in [
        (Value::Null, json!({"stops": 1})),
        (json!({"style": "Steady"}), json!({"stops": 1})),
        (json!({"style": "Steady"}), Value::Null),
        (json!({"style": "Rapid"}), json!({"stops": 1})),
    ] {
        let mut spec = json!({"periodSeconds": 0, "path": path, "care": care});
        spec.as_object_mut().unwrap().retain(|_, value| !value.is_null());
        down_and_back(&json!({ "spec": spec }));
    }
}

#[test]
fn an_object_that_is_made_has_its_stated_value() {
    let above = up_and_back(&json!({"spec": {"period": "0s", "check": {"laps": 2}}}));
    assert_eq!(above["spec"]["path"], json!({"style": "Steady", "laps": 2}));
    let mut edited = above.clone();
    edited["spec"]["path"]["style"] = json!("Rapid");
    let below = convert(&edited, GaugeVersion::V1beta1);
    assert_eq!(below["spec"]["route"], json!({"style": "Rapid"}));
    for below in [
        json!({"check": {"laps": 2}, "route": {}}),
        json!({"check": {"laps": 2}, "route": {"style": "Steady"}}),
        json!({"check": {"laps": 2}, "route": {"stops": 1}}),
    ] {
        let mut spec = json!({"period": "0s"});
        spec.as_object_mut().unwrap().extend(below.as_object().unwrap().clone());
        up_and_back(&json!({ "spec": spec }));
    }
    for path in [json!({"style": "Steady", "laps": 2}), json!({"style": "Rapid", "laps": 2})] {
        down_and_back(&json!({"spec": {"periodSeconds": 0, "path": path}}));
    }
}

#[test]
fn functions_convert_a_value() {
    for (below, above) in [("3 m/s", json!(3000)), ("0.25 m/s", json!(250)), ("fast", Value::Null)]
    {
        let spec = json!({"spec": {"period": "0s", "speed": below}});
        let converted = up_and_back(&spec);
        assert_eq!(converted["spec"].get("speed").cloned().unwrap_or_default(), above, "{below}");
    }
    let below = down_and_back(&json!({"spec": {"periodSeconds": 0, "speed": 1500}}));
    assert_eq!(below["spec"]["speed"], "1.500 m/s");
    let mut above = up_and_back(&json!({"spec": {"period": "0s", "speed": "fast"}}));
    above["spec"]["speed"] = json!(1000);
    assert_eq!(convert(&above, GaugeVersion::V1beta1)["spec"]["speed"], "1 m/s");
}

/// Where a field of another version is, a value of another type takes the place of no value that comes from elsewhere, also of an empty one.
#[test]
fn values_of_another_type_are_beside_fields_that_move() {
    let convert =
        |gauge: &Value, to| AnyGauge::convert_value(gauge, to, &Options::default()).unwrap().0;
    for (below, name, moved) in [
        (
            json!({"spec": {"period": "0s", "rollout": "x", "plan": {}}}),
            "spec",
            json!({"plan": {}}),
        ),
        (
            json!({"spec": {"period": "0s", "rollout": "x", "plan": {"repair": {}}}}),
            "spec",
            json!({"plan": {}}),
        ),
        (
            json!({"status": {"conditions": {"x": "y"}, "v1beta2": {"conditions": [{"type": 7}]}}}),
            "status",
            json!([{"type": ""}]),
        ),
    ] {
        let below = gauge("v1beta1", &below);
        let above = convert(&below, GaugeVersion::V1beta2);
        let place = if name == "spec" { "rollout" } else { "conditions" };
        assert_eq!(above[name][place], moved);
        assert_eq!(convert(&above, GaugeVersion::V1beta1)[name], below[name], "{above}");
    }
}

#[test]
fn nothing_is_lost() {
    let schemas = Schemas::load(folder("good/projects")).unwrap();
    for seed in seeds() {
        walk(&Convertible::new::<AnyGauge>(), &schemas, seed)
            .unwrap_or_else(|error| panic!("{error}"));
    }
}
