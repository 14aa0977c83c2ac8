//! The traits and the wire rules, with types like generated ones.

use k8s_versioned::meta::v1::ObjectMeta;
use k8s_versioned::wire::{self, ZeroValue};
use k8s_versioned::{
    Kind, KindEntry, Lifecycle, List, Namespaced, Registry, Release, Resource, TypeMeta,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Has no `Default`, as generated types with required fields have none.
#[derive(Clone, Debug, PartialEq)]
struct WidgetSpec {
    size: i32,
    colors: Vec<String>,
    note: Option<String>,
}

// Proves that a type of another crate can have a zero value without a `Default`.
impl ZeroValue for WidgetSpec {
    fn zero_value() -> Self {
        Self { size: 0, colors: Vec::new(), note: None }
    }
}

k8s_versioned::fields!(WidgetSpec {
    0 "size" => size: value, value;
    1 "colors" => colors: list, unless_zero;
    2 "note" => note: option, option;
});

#[derive(Clone, Debug, PartialEq)]
struct Widget {
    api_version: wire::ApiVersion<Self>,
    kind: wire::KindName<Self>,
    metadata: ObjectMeta,
    spec: WidgetSpec,
}

k8s_versioned::fields!(Widget: ZeroValue {
    0 "apiVersion" => api_version: value, value;
    1 "kind" => kind: value, value;
    2 "metadata" => metadata: value, value;
    3 "spec" => spec: value, value;
});

impl Kind for Widget {
    const GROUP: &'static str = "example.com";
    const VERSION: &'static str = "v1beta1";
    const KIND: &'static str = "Widget";
    const API_VERSION: &'static str = "example.com/v1beta1";
    const LIFECYCLE: Option<Lifecycle> =
        Some(Lifecycle::introduced(Release::new(1, 31)).removed(Release::new(1, 33)));
}

impl Resource for Widget {
    type Scope = Namespaced;
    const PLURAL: &'static str = "widgets";
    const LIST_KIND: &'static str = "WidgetList";
    type Apply = Self;

    fn metadata(&self) -> &ObjectMeta {
        &self.metadata
    }

    fn metadata_mut(&mut self) -> &mut ObjectMeta {
        &mut self.metadata
    }
}

type WidgetList = List<Widget>;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Options {
    #[serde(default)]
    dry_run: bool,
}

impl Kind for Options {
    const GROUP: &'static str = "";
    const VERSION: &'static str = "v1";
    const KIND: &'static str = "Options";
    const API_VERSION: &'static str = "v1";
    const ACCEPTED_API_VERSIONS: &'static str = "v1 example.com/v1beta1";
}

/// A type without the traits of this crate.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Foreign {
    value: u8,
}

const KINDS: &[KindEntry] = &[
    KindEntry::resource::<Widget>(),
    KindEntry::list::<Widget>(),
    KindEntry::object::<Options>(),
    KindEntry::of::<Foreign>("apps", "v1", "Foreign"),
];

fn widget(name: &str, size: i32) -> Widget {
    let mut widget = Widget::zero_value();
    widget.metadata.name = Some(name.to_owned());
    widget.spec.size = size;
    widget
}

#[test]
fn objects_name_their_kind_and_items_do_not() {
    let list = WidgetList::new([widget("a", 1), widget("b", 2)]);
    let text = serde_json::to_string(&list.items[0]).unwrap();
    assert_eq!(
        text,
        r#"{"apiVersion":"example.com/v1beta1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":1}}"#
    );
    let text = serde_json::to_string(&list).unwrap();
    assert_eq!(
        text,
        concat!(
            r#"{"apiVersion":"example.com/v1beta1","kind":"WidgetList","metadata":{},"items":["#,
            r#"{"metadata":{"name":"a"},"spec":{"size":1}},{"metadata":{"name":"b"},"spec":{"size":2}}]}"#
        )
    );
    assert_eq!(serde_json::from_str::<WidgetList>(&text).unwrap(), list);
}

#[test]
fn absent_and_null_fields_are_zero() {
    let zero = Widget::zero_value();
    let table = [
        json!({}),
        json!({"apiVersion": null, "kind": null, "metadata": null, "spec": null}),
        json!({"apiVersion": "", "kind": ""}),
        json!({"metadata": {"labels": null}, "spec": {"size": null, "colors": null, "note": null}}),
        json!({"unknown": {"field": 1}, "spec": {"unknown": []}}),
    ];
    for value in table {
        let found: Widget = serde_json::from_value(value.clone()).unwrap();
        assert_eq!(found, zero, "{value}");
        let found: Widget = serde_json::from_str(&value.to_string()).unwrap();
        assert_eq!(found, zero, "{value}");
    }
}

#[test]
fn null_inside_lists_and_maps_is_zero() {
    let value = json!({
        "metadata": {"labels": {"a": null, "b": "x"}},
        "spec": {"colors": [null, "red", null]},
    });
    let found: Widget = serde_json::from_value(value).unwrap();
    assert_eq!(found.spec.colors, ["", "red", ""]);
    assert_eq!(found.metadata.labels["a"], "");
    assert_eq!(found.metadata.labels["b"], "x");

    let list: WidgetList = serde_json::from_str(r#"{"items": [null, {"spec": null}]}"#).unwrap();
    assert_eq!(list.items, [Widget::zero_value(), Widget::zero_value()]);
}

#[test]
fn wrong_constants_and_shapes_are_errors() {
    let table = [
        (
            json!({"apiVersion": "example.com/v1"}),
            "invalid value: string \"example.com/v1\", expected apiVersion `example.com/v1beta1`",
        ),
        (json!({"kind": "widget"}), "invalid value: string \"widget\", expected kind `Widget`"),
        (json!({"kind": true}), "invalid type: boolean `true`, expected kind `Widget`"),
        (json!({"spec": {"colors": {}}}), "invalid type: map, expected a list"),
        (json!({"metadata": {"labels": []}}), "invalid type: sequence, expected a map"),
    ];
    for (value, message) in table {
        let error = serde_json::from_value::<Widget>(value.clone()).unwrap_err();
        assert_eq!(error.to_string(), message, "{value}");
    }
    let item = json!({"items": [{"kind": "Gadget"}]});
    assert!(serde_json::from_value::<WidgetList>(item).is_err());
}

#[test]
fn several_api_versions_are_named_in_the_error() {
    let value = json!("v2");
    let error = wire::ApiVersion::<Options>::deserialize(&value).unwrap_err();
    assert_eq!(
        error.to_string(),
        "invalid value: string \"v2\", expected apiVersion `v1` or `example.com/v1beta1`"
    );
}

#[test]
fn entries_are_found_by_the_exact_name() {
    let table = [
        ("example.com/v1beta1", "Widget", Some("Widget")),
        ("example.com/v1beta1", "WidgetList", Some("WidgetList")),
        ("example.com/v1", "Widget", None),
        ("example.com/v1beta1", "widget", None),
        ("v1beta1", "Widget", None),
        ("", "Widget", None),
        ("v1", "Options", Some("Options")),
        ("example.com/v1beta1", "Options", Some("Options")),
        ("apps/v1", "Foreign", Some("Foreign")),
        ("apps/v1/", "Foreign", None),
    ];
    for (api_version, kind, expected) in table {
        let found = KINDS.find(api_version, kind).map(KindEntry::kind);
        assert_eq!(found, expected, "{api_version} {kind}");
    }
}

#[test]
fn entries_describe_their_kind() {
    let [widget, list, options, foreign] = KINDS else {
        panic!("four kinds");
    };
    assert_eq!(widget.plural(), Some("widgets"));
    assert_eq!(list.plural(), None);
    assert_eq!(widget.api_version(), "example.com/v1beta1");
    assert_eq!(options.api_version(), "v1");
    assert_eq!((widget.lifecycle(), list.lifecycle()), (Widget::LIFECYCLE, Widget::LIFECYCLE));
    for (minor, [limited, unlimited]) in
        [(30, [false, true]), (31, [true, true]), (32, [true, true]), (33, [false, true])]
    {
        let release = Release::new(1, minor);
        assert_eq!(widget.is_served_in(release), limited, "{release}");
        assert_eq!(options.is_served_in(release), unlimited, "{release}");
    }
    assert_eq!(foreign.type_meta(), TypeMeta::new("apps/v1", "Foreign"));
    assert!(format!("{foreign:?}").contains("Foreign"));
}

#[test]
fn entries_decode_and_objects_compare() {
    let entry = KINDS.find("example.com/v1beta1", "Widget").unwrap();
    let value = serde_json::to_value(widget("a", 1)).unwrap();
    let object = entry.decode(value.to_string().as_bytes()).unwrap();
    let same = entry.decode_value(&value).unwrap();

    let received = entry.receive(json!({"spec": {"wheel": 1}})).unwrap();
    assert_eq!(received.unknown, ["spec.wheel"]);

    assert_eq!(object.as_any().downcast_ref(), Some(&widget("a", 1)));
    assert!(object.equals(same.as_ref()));
    assert!(!object.equals(&widget("b", 1)));
    assert!(!object.equals(&Foreign { value: 1 }));
    assert_eq!(object.encode().unwrap(), value);
    let text = object.encode_json().unwrap();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&text).unwrap(), value);
}

#[test]
fn decode_errors_name_the_kind() {
    let entry = KINDS.find("apps/v1", "Foreign").unwrap();
    let error = entry.decode(br#"{"value": "x"}"#).unwrap_err();
    assert_eq!(error.type_meta().kind, "Foreign");
    assert_eq!(
        error.to_string(),
        "cannot decode `Foreign` of `apps/v1`: \
         value: invalid type: string \"x\", expected u8"
    );
    assert!(entry.decode_value(&json!({"value": -1})).is_err());
}

/// A text that is not JSON has a line instead.
#[test]
fn decode_errors_name_the_field() {
    let entry = KINDS.find("example.com/v1beta1", "WidgetList").unwrap();
    for (json, path, expected) in [
        (
            r#"{"items": [{}, {"spec": {"size": "3"}}]}"#,
            "items[1].spec.size",
            "items[1].spec.size: invalid type: string \"3\", expected i32",
        ),
        (r#"{"items": [}"#, "", "expected value at line 1 column 12"),
        ("7", "", "at line 1 column 1"),
    ] {
        let error = entry.decode(json.as_bytes()).unwrap_err();
        assert_eq!(error.path(), path, "{json}");
        assert!(error.to_string().contains(expected), "{error}");
    }
}

#[test]
fn formats_that_count_fields_hold_the_same() {
    let list = WidgetList::new([widget("a", 1), widget("b", 2)]);
    let bytes = cbor4ii::serde::to_vec(Vec::new(), &list).unwrap();
    let read: WidgetList = cbor4ii::serde::from_slice(&bytes).unwrap();
    assert_eq!(read, list);
}
