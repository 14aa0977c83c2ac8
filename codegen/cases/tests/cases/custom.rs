//! Custom resources: what a server stores of them is the same after decoding and encoding.

use k8s_versioned::conversion::{AnyVersion as _, Options};
use k8s_versioned::schema::{JsonSchema, SchemaGenerator};
use k8s_versioned_admission::Admit;
use k8s_versioned_codegen::{Files, Published};
use serde_json::{Value, json};

use crate::emitted::custom::v1::{Widget, WidgetSpec};
use crate::emitted::custom_versions::conversion::{AnyBoat, BoatVersion};
use crate::support::good;

/// An object with this `spec` beside the required fields.
fn with(spec: &Value) -> Value {
    let mut object = json!({
        "apiVersion": "example.dev/v1", "kind": "Widget", "metadata": {"name": "a"},
        "spec": {"name": "", "parts": [], "since": "2026-01-02T03:04:05.1+01:00"},
    });
    let own = object["spec"].as_object_mut().unwrap();
    own.extend(spec.as_object().unwrap().clone());
    object
}

#[test]
fn stored_objects_survive() {
    let table = [
        json!({}),
        json!({"parts": [{"name": "a"}, {"name": "", "count": null}, {"name": "b", "count": 1, "ratio": 2}]}),
        json!({"spares": [], "labels": {}, "ratios": [], "free": {}, "open": {}, "hostile": {}}),
        json!({"labels": {"a": null, "b": ""}, "ratios": [1, 1.5], "grid": [[], [1, 2]]}),
        json!({"phase": "On"}),
        json!({"phase": ""}),
        json!({"phase": "a word of a later release"}),
        json!({"port": 80}),
        json!({"port": "http"}),
        json!({"any": {"a": null}}),
        json!({"any": null}),
        json!({"any": [1, {"a": null}]}),
        json!({"free": {"a": 1}, "defaults": {"a": [1, null]}, "odd": "x"}),
        json!({"open": {"known": "a", "rest": 1, "more": {"b": [null]}, "other": null}}),
        json!({"embedded": {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"}, "spec": {"x": 1}}}),
        json!({"hostile": {
            "": "1", "*": "2", "1st": "3", "a b": "4", "a-b": "5", "a.b": "6", "a/b": "7", "aB": "8", "AB": "9",
            "a_b": "10", "\u{e9}": "11", "e\u{301}": "12", "line\nfn evil() {}": {"x": "13"}, "quote\"s": "14",
            "self": "15", "type": "16", "gen": "17", "kind": "18", "r#fn": "19",
        }}),
    ];
    for spec in table {
        let object = with(&spec);
        let decoded: Widget = serde_json::from_value(object.clone()).unwrap();
        assert_eq!(serde_json::to_value(&decoded).unwrap(), object, "{spec}");
    }
}

/// A body is read as servers store it: whole numbers in any notation, and no `null` in a map unless the schema allows it.
#[test]
fn bodies_are_read_as_they_are_stored() {
    let spec = json!({
        "mode": "sail", "oars": 1e2, "keel": 1.0, "buoys": [1.0, 2], "modes": {"a": null, "b": "motor"},
        "lines": {"a": null, "b": {"strands": 2.0}},
    });
    let boat = json!({"apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {"name": "a"}, "spec": spec});
    let read: crate::emitted::custom_versions::v1alpha1::Boat =
        serde_json::from_value(boat).unwrap();
    let stored = json!({
        "mode": "sail", "oars": 100, "keel": 1, "buoys": [1, 2], "modes": {"b": "motor"}, "lines": {"b": {"strands": 2}},
    });
    assert_eq!(serde_json::to_value(&read).unwrap()["spec"], stored);
    for spec in [
        json!({"oars": 1.5}),
        json!({"buoys": [null]}),
        json!({"lines": {"b": {"strands": 1e300}}}),
    ] {
        let boat = json!({"metadata": {"name": "a"}, "spec": spec});
        let read = serde_json::from_value::<crate::emitted::custom_versions::v1alpha1::Boat>(boat);
        assert!(read.is_err(), "{spec}");
    }
}

/// A required field that an object lacks, or that is `null`, has its default, as after a server's answer. Conversions see it.
#[test]
fn absent_required_fields_have_their_defaults() {
    let filled = json!({"wharf": "north", "side": "luff", "cranes": 2, "tags": ["dry"], "gate": {"width": 3}});
    let empty = json!({"wharf": "", "side": "", "cranes": 0, "tags": [], "gate": {"width": 0}});
    for (yard, expected) in [
        (json!({}), &filled),
        (json!({"wharf": null, "cranes": null, "tags": null, "gate": null}), &filled),
        (json!({"cranes": 2, "gate": {}}), &filled),
        (empty.clone(), &empty),
    ] {
        let spec = json!({"mode": "sail", "oars": 1, "yard": yard});
        let boat = json!({"apiVersion": "example.dev/v1alpha1", "kind": "Boat", "metadata": {"name": "a"}, "spec": spec});
        let options = Options::default();
        let (converted, _) = AnyBoat::convert_value(&boat, BoatVersion::V1, &options).unwrap();
        assert_eq!(converted["spec"]["yard"], *expected, "{yard}");
    }
}

/// An object of a program asks the definition of its package for a server's answer.
#[test]
fn the_answer_to_an_object_is_known() {
    let widget = |name: &str| {
        let mut object = with(&json!({}));
        object["metadata"]["name"] = name.into();
        serde_json::from_value::<Widget>(object).unwrap()
    };
    let answer = Widget::admit(&widget("a")).unwrap();
    assert_eq!((answer.status, answer.is_complete()), (201, true), "{answer:?}");
    assert_eq!(answer.object.unwrap().pointer("/spec/description"), Some(&json!("none")));
    let answer = Widget::admit(&widget("A")).unwrap();
    assert_eq!((answer.status, answer.causes[0].field.as_str()), (422, "metadata.name"));

    let stored = widget("a");
    let mut changed = stored.clone();
    changed.metadata.generation = Some(7);
    let answer = changed.admit_update(&stored).unwrap();
    assert_eq!(answer.status, 200, "{answer:?}");
    assert_eq!(answer.object.unwrap().pointer("/metadata/resourceVersion"), None);
    let other = widget("b").admit_update(&stored).unwrap();
    assert_eq!(other.status, 400, "{}", other.message);
    // The kind has no subresource.
    assert_eq!(stored.admit_status(&stored).unwrap().status, 404);
}

/// The names of types have at most 40 letters, and no two types have one name.
#[test]
fn long_and_taken_names() {
    use crate::emitted::custom::v1::{
        InterpreterWebhookConfigurationList, Spec, Widget, WidgetApply,
        WidgetInterpreterWebhookConfiguration, WidgetSpec, apply,
    };
    use crate::emitted::custom::v1alpha1::{self, Gear, GearApply};
    use k8s_versioned::Resource;

    fn same<A: 'static, B: 'static>() -> bool {
        std::any::TypeId::of::<A>() == std::any::TypeId::of::<B>()
    }
    // The definitions have a kind `WidgetApply`.
    assert!(!same::<<Widget as Resource>::Apply, WidgetApply>());
    assert!(same::<<Widget as Resource>::Apply, apply::Widget>());
    assert!(same::<
        <WidgetInterpreterWebhookConfiguration as Resource>::Apply,
        apply::WidgetInterpreterWebhookConfiguration,
    >());
    assert!(same::<
        InterpreterWebhookConfigurationList,
        k8s_versioned::List<WidgetInterpreterWebhookConfiguration>,
    >());
    assert!(!same::<Spec, WidgetSpec>());
    assert!(same::<<Gear as Resource>::Apply, v1alpha1::apply::Gear>());
    assert_eq!(GearApply::First.as_str(), "first");
}

#[test]
fn equal_structures_are_one_type_and_spec_and_status_are_their_own() {
    let spec: WidgetSpec = serde_json::from_value(with(&json!({}))["spec"].clone()).unwrap();
    let mut parts = spec.parts;
    parts.extend(spec.spares.into_iter().flatten());
    assert!(parts.is_empty());
}

/// The schema that is made of a type is the one that a server publishes for the definition.
#[test]
fn schemas_of_types_are_those_of_the_definitions() {
    use crate::emitted::custom::v1::{WidgetApply, WidgetStatus};

    fn schema_for<T: JsonSchema>() -> Value {
        let schema = SchemaGenerator::default().into_root_schema_for::<T>();
        let mut schema = Value::from(schema);
        let members = schema.as_object_mut().unwrap();
        members.retain(|name, _| !["$schema", "$defs", "title"].contains(&name.as_str()));
        schema
    }
    let file = "v1.1/widgets.yaml";
    let manifests = Files::from([(file.to_owned(), good("custom")[file].clone())]);
    let documents = Published::of_definitions(&manifests).unwrap().documents;
    let document: Value = serde_json::from_slice(documents.values().next().unwrap()).unwrap();
    let published = |kind: &str, at: &str| {
        let schema = &document["components"]["schemas"][format!("dev.example.v1.{kind}")];
        schema.pointer(at).unwrap().clone()
    };
    let table = [
        (schema_for::<Widget>(), published("Widget", "")),
        (schema_for::<WidgetSpec>(), published("Widget", "/properties/spec")),
        (schema_for::<WidgetStatus>(), published("Widget", "/properties/status")),
        (schema_for::<WidgetApply>(), published("WidgetApply", "")),
    ];
    for (made, published) in table {
        assert_eq!(with_names(&made), with_names(&published));
    }
}

/// A schema in which each reference is the name of a type alone.
fn with_names(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| {
                let name = value.as_str().filter(|_| key == "$ref");
                let name = name.and_then(|name| name.rsplit('.').next()).map(Value::from);
                (key.clone(), name.unwrap_or_else(|| with_names(value)))
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(with_names).collect(),
        other => other.clone(),
    }
}
