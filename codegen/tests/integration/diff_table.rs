//! A table of all changes of definitions that servers enforce or show, each in both directions.

use std::collections::BTreeSet;

use k8s_versioned_codegen::Files;
use k8s_versioned_codegen::tools::diff::{ChangeKind, Class, DiffFinding, diff};
use k8s_versioned_core::Release;
use serde_json::{Value, json};

const OLD: Release = Release::new(1, 0);
const NEW: Release = Release::new(1, 1);

/// A definition with a field of each kind.
pub(crate) fn definition() -> Value {
    let spec = json!({
        "type": "object",
        "properties": {
            "text": {"type": "string"},
            "number": {"type": "integer"},
            "bounded": {"type": "integer", "minimum": 1, "maximum": 9},
            "fraction": {"type": "number"},
            "list": {"type": "array", "items": {"type": "string"}},
            "items": {
                "type": "array",
                "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["a", "b"],
                "items": {
                    "type": "object",
                    "properties": {"a": {"type": "string"}, "b": {"type": "string"}},
                    "required": ["a", "b"],
                },
            },
            "object": {"type": "object", "properties": {"a": {"type": "string"}}},
            "map": {"type": "object", "additionalProperties": {"type": "string"}},
            "open": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        },
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
            "conversion": {"strategy": "None"},
            "versions": [
                {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
                    "type": "object",
                    "properties": {"metadata": {"type": "object"}, "spec": spec, "status": {"type": "object"}},
                }}},
                {"name": "v1beta1", "served": true, "storage": false, "schema": {"openAPIV3Schema": {"type": "object"}}},
            ],
        },
    })
}

pub(crate) fn specs(old: &Value, new: &Value) -> Files {
    let file = |release, definition: &Value| {
        (format!("{release}/widgets.yaml"), definition.to_string().into_bytes())
    };
    let group = ("group.toml".to_owned(), b"descriptions = \"none\"".to_vec());
    [file(OLD, old), file(NEW, new), group].into_iter().collect()
}

/// Each row has the object, its member, the old value and the new one; without a value there is no member.
const CHANGES: &str = r#"
    text | format | | "date-time"
    text | format | "ipv4" | "uuid"
    text | format | "color" | "shade"
    text | pattern | | "^a"
    text | pattern | "^a" | "^b"
    text | maxLength | | 9
    text | maxLength | 9 | 8
    text | minLength | | 1
    text | minLength | | 0
    text | enum | | ["a"]
    text | enum | ["a", "b"] | ["b", "c"]
    text | enum | ["a"] | ["a", "b"]
    text | nullable | | true
    text | default | | "a"
    text | default | "a" | "b"
    text | type | "string" | "boolean"
    number | type | "integer" | "number"
    number | format | "int32" | "int64"
    number | maximum | | 9
    number | maximum | 9 | 10
    number | minimum | 1 | 2
    number | multipleOf | | 2
    number | multipleOf | 2 | 4
    number | multipleOf | 2 | 3
    bounded | exclusiveMaximum | | true
    bounded | exclusiveMinimum | | true
    fraction | format | | "float"
    list | maxItems | | 9
    list | minItems | 1 | 2
    list | x-kubernetes-list-type | | "set"
    list | x-kubernetes-list-type | | "atomic"
    list/items | maxLength | 9 | 8
    items | x-kubernetes-list-map-keys | ["a", "b"] | ["a"]
    object | maxProperties | | 1
    map | ALL | | {"maxProperties": 3, "minProperties": 1}
    object | minProperties | | 1
    object | required | | ["a"]
    object | x-kubernetes-preserve-unknown-fields | | true
    object | x-kubernetes-embedded-resource | | true
    object | x-kubernetes-map-type | | "atomic"
    object | x-kubernetes-validations | | [{"rule": "has(self.a)"}]
    object | x-kubernetes-validations | [{"rule": "has(self.a)"}] | [{"rule": "has(self.a)", "message": "a", "reason": "FieldValueRequired", "fieldPath": ".a"}]
    object | x-kubernetes-validations | [{"rule": "self.a == oldSelf.a"}] | [{"rule": "self.a == oldSelf.a", "optionalOldSelf": true}]
    object | anyOf | | [{"required": ["a"]}]
    object | anyOf | [{"required": ["a"]}] | [{"required": ["a"]}, {"minProperties": 1}]
    object | allOf | [{"required": ["a"]}] | [{"required": ["a"]}, {"minProperties": 1}]
    object | oneOf | [{"required": ["a"]}] | [{"required": ["b"]}]
    object | not | | {"required": ["a"]}
    object/properties | a | {"type": "string"} | {"x-kubernetes-int-or-string": true}
    object/properties | b | | {"type": "string"}
    object/properties | b | | {"type": "string", "default": "b"}
    map/additionalProperties | maxLength | | 9
    map | additionalProperties | {"type": "string"} | true
    open/properties | b | | {"type": "string"}
    METADATA | properties | | {"name": {"type": "string", "maxLength": 9}}
    METADATA | properties | {"name": {"type": "string", "pattern": "^a"}} | {"name": {"type": "string", "pattern": "^b"}}
    METADATA | properties | | {"generateName": {"type": "string", "maxLength": 9}}
    VERSION | subresources | | {"status": {}}
    VERSION | subresources | | {"scale": {"specReplicasPath": ".spec.number", "statusReplicasPath": ".status.n"}}
    VERSION | subresources | {"scale": {"specReplicasPath": ".spec.number", "statusReplicasPath": ".status.n"}} | {"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n"}}
    VERSION | subresources | {"scale": {"specReplicasPath": ".spec.number", "statusReplicasPath": ".status.n"}} | {"scale": {"specReplicasPath": ".spec.number", "statusReplicasPath": ".status.n", "labelSelectorPath": ".status.selector"}}
    VERSION | additionalPrinterColumns | | [{"name": "Text", "type": "string", "jsonPath": ".spec.text"}]
    VERSION | additionalPrinterColumns | [{"name": "Text", "type": "string", "jsonPath": ".spec.text"}] | [{"name": "Text", "type": "string", "jsonPath": ".spec.number"}]
    VERSION | additionalPrinterColumns | [{"name": "Text", "type": "string", "jsonPath": ".spec.text"}, {"name": "N", "type": "integer", "jsonPath": ".spec.number"}] | [{"name": "Text", "type": "string", "jsonPath": ".spec.text", "description": "A text.", "priority": 0}, {"name": "N", "type": "string", "format": "date", "jsonPath": ".spec.number", "priority": 1}]
    VERSION | selectableFields | | [{"jsonPath": ".spec.text"}]
    VERSION | deprecated | | true
    DEPRECATED | deprecationWarning | "a" | "b"
    OTHER | served | true | false
    BOTH | storage | |
    NAMES | shortNames | | ["w"]
    NAMES | categories | | ["all"]
    NAMES | singular | "widget" | "wid"
    NAMES | listKind | "WidgetList" | "Widgets"
    NAMES | kind | "Widget" | "Gadget"
    NAMES | plural | "widgets" | "widgetries"
    SPEC | scope | "Namespaced" | "Cluster"
    CONVERSION | strategy | "None" | "Webhook"
    WEBHOOK | conversionReviewVersions | ["v1"] | ["v1", "v1beta1"]
"#;

/// Sets the member of a row.
fn set(definition: &mut Value, row: &[&str; 4], value: &str) {
    let [object, member, ..] = row;
    let value: Option<Value> = (!value.is_empty()).then(|| serde_json::from_str(value).unwrap());
    let version = "/spec/versions/0";
    let schema = format!("{version}/schema/openAPIV3Schema/properties");
    let at = match *object {
        "METADATA" => format!("{schema}/metadata"),
        "VERSION" => version.to_owned(),
        "DEPRECATED" => {
            definition.pointer_mut(version).unwrap()["deprecated"] = true.into();
            version.to_owned()
        }
        "OTHER" => "/spec/versions/1".to_owned(),
        "NAMES" => "/spec/names".to_owned(),
        "SPEC" => "/spec".to_owned(),
        "CONVERSION" => "/spec/conversion".to_owned(),
        "WEBHOOK" => {
            definition["spec"]["conversion"] = json!({"strategy": "Webhook", "webhook": {}});
            "/spec/conversion/webhook".to_owned()
        }
        field => {
            let (field, inside) = field.split_once('/').unwrap_or((field, ""));
            let spec = format!("{schema}/spec/properties/{field}");
            if inside.is_empty() { spec } else { format!("{spec}/{inside}") }
        }
    };
    if *object == "open/properties" {
        let parent = at.strip_suffix("/properties").unwrap();
        definition.pointer_mut(parent).unwrap()["properties"] = json!({});
    }
    let object = definition.pointer_mut(&at).unwrap().as_object_mut().unwrap();
    match value {
        // Two keywords of one field.
        Some(Value::Object(members)) if *member == "ALL" => object.extend(members),
        Some(value) => drop(object.insert((*member).to_owned(), value)),
        None => drop(object.remove(*member)),
    }
    if *member == "plural" {
        let plural = definition["spec"]["names"]["plural"].as_str().unwrap().to_owned();
        definition["metadata"]["name"] = format!("{plural}.example.com").into();
    }
}

/// The definitions of a row.
fn sides(row: &[&str; 4]) -> (Value, Value) {
    let [object, _, old, new] = row;
    let (mut one, mut other) = (definition(), definition());
    if *object == "BOTH" {
        for (index, stored) in [(0, false), (1, true)] {
            other["spec"]["versions"][index]["storage"] = stored.into();
        }
        return (one, other);
    }
    set(&mut one, row, old);
    set(&mut other, row, new);
    (one, other)
}

/// A line for each change, with what it is in each direction.
#[test]
fn changes_of_definitions() {
    let mut lines = Vec::new();
    for row in CHANGES.trim().lines() {
        let columns: Vec<&str> = row.split(" |").map(str::trim).collect();
        let columns: [&str; 4] = columns.try_into().unwrap();
        let (one, other) = sides(&columns);
        lines.push(row.trim().to_owned());
        for (arrow, old, new) in [("->", &one, &other), ("<-", &other, &one)] {
            let findings = diff(&specs(old, new), OLD.into(), NEW.into()).unwrap();
            let shown = findings.iter().filter(|finding| !finding.rule.id.starts_with("type-"));
            let found: Vec<String> = shown
                .map(|finding| {
                    let classes: Vec<String> =
                        finding.classes.iter().map(Class::to_string).collect();
                    let (id, headline) = (finding.rule.id, finding.headline());
                    format!("    {arrow} {id} | {headline} | {}", classes.join(", "))
                })
                .collect();
            let is_nothing = row.contains("minLength | | 0");
            assert_eq!(found.is_empty(), is_nothing, "{row} {arrow}");
            let keys: BTreeSet<String> = findings.iter().map(DiffFinding::key).collect();
            assert_eq!(keys.len(), findings.len(), "{keys:?}");
            // A reader has to see what changed.
            let seen = findings.iter().filter(|finding| finding.old.is_some());
            seen.for_each(|finding| assert_ne!(finding.old, finding.new, "{row} {arrow}"));
            lines.extend(found);
        }
    }
    insta::assert_snapshot!(lines.join("\n"));
}

/// The page has all rules.
#[test]
fn the_page_is_up_to_date() {
    // Whom a change breaks in requests or in responses; else the weaker effects.
    const SHORT: [(&str, &str); 8] = [
        ("breaking for readers", "readers"),
        ("breaking for writers", "writers"),
        ("breaking for server-side apply", "apply"),
        ("breaking for programs with the package", "programs"),
        ("of unknown effect", "unknown"),
        ("wider for readers", "wider"),
        ("compatible", "compatible"),
        ("without effect", "none"),
    ];
    let whom = |classes: &BTreeSet<String>| {
        let found = SHORT.iter().filter(|(class, _)| classes.contains(*class));
        let found: Vec<&str> = found.map(|(_, short)| *short).collect();
        let breaking =
            found.iter().copied().filter(|found| !matches!(*found, "compatible" | "none"));
        let breaking = breaking.collect::<Vec<_>>().join(", ");
        if breaking.is_empty() { (*found.first().unwrap()).to_owned() } else { breaking }
    };
    let rows = ChangeKind::all().iter().map(|rule| {
        let ChangeKind { id, in_requests, in_responses, reason } = rule;
        let classes = in_requests.iter().chain(*in_responses).map(Class::to_string).collect();
        format!("| `{id}` | {} | {reason} |\n", whom(&classes))
    });
    let page: String = [include_str!("diff_page.md").to_owned()].into_iter().chain(rows).collect();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    testing::page::check(&root.join("docs/reference/changes.md"), &page);
}
