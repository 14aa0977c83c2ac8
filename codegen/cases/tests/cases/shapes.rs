//! Versions that differ as those of public kinds do. Each case is what a person expects.

use codegen_cases::shapes::conversion::{AnyDock, DockVersion};
use k8s_versioned::conversion::{AnyVersion, ConversionReport, Options};
use serde_json::{Value, json};

const KEY: &str = "conversion.example.internal/dock";

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
fn kept(dock: &Value) -> Value {
    let text = dock["metadata"]["annotations"][KEY].as_str().unwrap_or("{}");
    serde_json::from_str::<Value>(text).unwrap()["fields"].take()
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
    let old = json!({"logging": logging, "crane": [{"reach": 4}], "ramp": [{}], "gates": [{"height": 2}]});
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
