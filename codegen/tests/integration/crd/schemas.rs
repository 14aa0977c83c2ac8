//! What schemas state, in unusual forms, and the JSON Schemas of a package.

use std::collections::BTreeSet;
use std::path::Path;

use k8s_versioned_codegen::{Files, Published};
use serde_json::{Value, json};

use super::{package, widget, yaml};
use crate::groups::text;

/// Where nothing is known of the members of an object, they are kept.
#[test]
fn members_that_no_schema_names() {
    let mut without_schema = widget(&json!({}));
    without_schema["spec"]["versions"][0].as_object_mut().unwrap().remove("schema");
    let made = package(yaml(&without_schema));
    assert!(text(&made, "v1/widget.rs").contains("pub rest: "));
    let warnings = made.warnings.to_string();
    assert!(warnings.contains("in Rust, objects are any JSON"), "{warnings}");

    let name = json!({ "type": "string" });
    let part = json!({ "type": "object", "properties": { "name": name } });
    let mut preserving = widget(&json!({ "type": "object", "properties": { "part": part } }));
    preserving["spec"]["preserveUnknownFields"] = true.into();
    let made = package(yaml(&preserving));
    for file in ["v1/widget.rs", "v1/widget_spec.rs", "v1/part.rs"] {
        assert!(text(&made, file).contains("pub rest: "), "{file}");
    }
    let warnings = made.warnings.to_string();
    assert!(warnings.starts_with("servers reject the definition"), "{warnings}");
}

/// Forms that generators often do not know: versions by date, templates of whole objects, composites, old charts, and faults.
#[test]
fn definitions_in_unusual_forms() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/crds/unusual.yaml");
    let made = package(Files::from([("unusual.yaml".to_owned(), std::fs::read(path).unwrap())]));
    let field = |file: &str, field: &str| {
        let text = text(&made, file);
        assert!(text.contains(field), "{file}: {text}");
    };
    for version in ["v1api20220801", "v1api20220801storage", "v1api20240101preview"] {
        field(&format!("water/{version}/lake_spec.rs"), "pub depth_m: Option<f64>,");
    }
    field(
        "water/v1api20220801/lake_spec.rs",
        "pub properties_tags: Option<BTreeMap<String, Json>>,",
    );
    field("virt/v1alpha3/devices.rs", "pub matrix: Option<Vec<Vec<Vec<i64>>>>,");
    field("virt/v1/memory.rs", "pub guest: Option<IntOrString>,");
    field("s3/v1beta1/bucket_spec.rs", "pub deletion_policy: Option<BucketSpecDeletionPolicy>,");
    for of_lamp in [
        "pub dimmed: Option<Json>,",
        "pub checked: Option<bool>,",
        "pub level: Option<f64>,",
        "pub step: Option<i64>,",
        "pub empty: Option<Json>,",
        "pub host_aliases: Option<Vec<String>>,",
    ] {
        field("light/v1/lamp.rs", of_lamp);
    }
    for version in ["v1alpha2", "v1alpha3"] {
        field(&format!("certs/{version}/issuance_spec.rs"), "pub secret_name: String,");
        field(&format!("certs/{version}/issuance_spec.rs"), "pub rest: ");
    }
    insta::assert_snapshot!(made.warnings.to_string());
}

/// What a server refuses is named at its line: also what it cannot decode, and what it calls by the names of `v1beta1`.
#[test]
fn refusals_have_their_places() {
    let url = json!({
        "strategy": "Webhook",
        "webhook": { "conversionReviewVersions": ["v1"], "clientConfig": { "url": "http://a" } },
    });
    let columns = json!([{ "name": "a", "type": "date" }, { "name": "b", "type": "date" }]);
    for (place, value, message) in [
        ("/spec/conversion", url, "/clientConfig/url: servers reject the definition"),
        (
            "/spec/versions/0/additionalPrinterColumns",
            columns,
            "/0/jsonPath: servers reject the definition: Required value (and in another place)",
        ),
        (
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/maxLength",
            json!("5"),
            "/maxLength: servers reject the definition: CustomResourceDefinition",
        ),
        (
            "/spec/versions/0/schema/openAPIV3Schema/properties/spec/not",
            json!({ "required": [true] }),
            "/required/0: servers reject the definition: CustomResourceDefinition",
        ),
    ] {
        let mut definition = widget(&json!({ "type": "object" }));
        let (around, name) = place.rsplit_once('/').unwrap();
        definition.pointer_mut(around).unwrap()[name] = value;
        let warnings = package(yaml(&definition)).warnings;
        let found = warnings
            .iter()
            .map(|warning| format!("{}: {}", warning.place.pointer, warning.message()));
        let found: Vec<String> = found.collect();
        let is_found = |found: &String| found.starts_with(place) && found.contains(message);
        assert!(found.iter().any(is_found), "{found:#?}");
    }
}

/// Servers refuse a schema without a type, and a list without items.
#[test]
fn schemas_without_a_type_or_items() {
    let warnings_of = |name: &str, field: Value| {
        let spec = json!({ "type": "object", "properties": { name: field } });
        package(yaml(&widget(&spec))).warnings.to_string()
    };
    let warnings = |field| warnings_of("field", field);
    // A field can have the same name as the keyword that it lacks.
    let found = [
        warnings(json!({})),
        warnings(json!({ "oneOf": [{ "type": "string" }] })),
        warnings_of("type", json!({})),
    ];
    for found in found {
        assert!(found.contains("servers reject a schema without `type`"), "{found}");
    }
    let found = warnings(json!({ "type": "array" }));
    assert!(found.contains("servers reject a schema without `items`"), "{found}");
    for field in [
        json!({ "x-kubernetes-preserve-unknown-fields": true }),
        json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "not": { "required": ["a"] } }),
    ] {
        assert_eq!(warnings(field), "");
    }
}

/// Objects of one type have the checks that all of them state, and its rustdoc says that there are others.
#[test]
fn checks_that_differ() {
    let part = |least: i32| {
        let count = json!({ "type": "integer", "minimum": least, "maximum": 9 });
        json!({ "type": "object", "properties": { "count": count } })
    };
    let parts = |second: i32| {
        let parts = json!({ "part": part(0), "second": { "type": "object", "properties": { "part": part(second) } } });
        let files = package(yaml(&widget(&json!({ "type": "object", "properties": parts })))).files;
        String::from_utf8(files["v1/part.rs"].clone()).unwrap()
    };
    let note = "differ in what else servers check";
    let (same, other) = (parts(0), parts(5));
    assert!(same.contains("/// 0 to 9.") && !same.contains(note), "{same}");
    assert!(
        other.contains("/// At most 9. Objects of this type ") && other.contains(note),
        "{other}"
    );
}

/// Fields outside of spec and status can have one structure, too.
#[test]
fn a_kind_has_all_its_fields() {
    let part = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let mut definition = widget(&part);
    let schema = &mut definition["spec"]["versions"][0]["schema"]["openAPIV3Schema"];
    schema["properties"]["left"] = part.clone();
    schema["properties"]["right"] = part.clone();
    schema["properties"]["rights"] = json!({ "type": "array", "items": part });
    let generated = package(yaml(&definition));
    let kind = text(&generated, "v1/widget.rs");
    for field in ["left: Option<Right>", "right: Option<Right>", "rights: Option<Vec<Right>>"] {
        assert!(kind.contains(&format!("pub {field}")), "{field}: {kind}");
    }
}

/// A property can have the name of a keyword, and the value of a keyword the form of a reference.
#[test]
fn references_in_schemas() {
    let resource = json!({ "type": "object", "x-kubernetes-embedded-resource": true });
    let value = json!({ "type": "object", "default": { "$ref": "abc" }, "properties": {} });
    let spec = json!({ "type": "object", "properties": { "default": resource, "value": value } });
    let generated = package(yaml(&widget(&spec)));
    let schemas: Value = serde_json::from_slice(&generated.files["v1/json_schemas.json"]).unwrap();
    let spec = &schemas["com.example.v1.Widget"]["properties"]["spec"]["properties"];
    let metadata = &schemas["com.example.v1.Widget"]["properties"]["metadata"]["allOf"];
    assert_eq!(&spec["default"]["properties"]["metadata"]["allOf"], metadata, "{schemas}");
    assert_eq!(spec["value"]["default"], json!({ "$ref": "abc" }));
}

/// The types that only one of two kinds has can be in a module of the kind: their schemas are in the file that they name.
#[test]
fn each_type_has_its_schema() {
    let definition = |kind: &str, field: &str| {
        let part = json!({ "type": "object", "properties": { field: { "type": "string" } } });
        let spec = json!({ "type": "object", "properties": { "template": { "type": "object", "properties": { "part": part } } } });
        widget(&spec)
            .to_string()
            .replace("Widget", kind)
            .replace("widgets", &format!("{}s", kind.to_lowercase()))
    };
    let text = format!("{}\n---\n{}", definition("Widget", "a"), definition("Gadget", "b"));
    let files = package(Files::from([("all.yaml".to_owned(), text.into_bytes())])).files;
    let mut checked = BTreeSet::new();
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with("json_schemas.rs")) {
        let folder = path.strip_suffix("/json_schemas.rs").unwrap();
        let text = str::from_utf8(text).unwrap();
        let mut literals = text.lines().filter_map(|line| line.split('"').nth(1));
        let file = literals.next().unwrap();
        let file = match file.strip_prefix("../") {
            Some(file) => format!("{}/{file}", folder.rsplit_once('/').unwrap().0),
            None => format!("{folder}/{file}"),
        };
        let schemas: Value = serde_json::from_slice(&files[&file]).unwrap();
        for key in literals {
            let (name, pointer) = key.split_once('#').unwrap_or((key, ""));
            assert!(schemas[name].pointer(pointer).is_some(), "{path}: {key} is not in {file}");
            checked.insert(folder.to_owned());
        }
        assert!(text.contains("[k8s_versioned::meta::v1::ObjectMeta]"), "{text}");
        assert!(
            !files.contains_key(&format!("{folder}/json_schemas.json")) || file.starts_with(folder)
        );
    }
    let folders: Vec<&str> = checked.iter().map(String::as_str).collect();
    assert_eq!(folders, ["v1", "v1/gadgets", "v1/widgets"]);
}

/// The schema of a type states what the schemas of all its objects state. The schemas of the kinds are exact.
#[test]
fn the_schema_of_a_shared_type() {
    let part = |count: Value, more: Value| {
        let name = json!({ "type": "string", "description": "A name.", "enum": ["a"] });
        let mut part = json!({
            "type": "object", "required": ["name"], "maxProperties": 3,
            "properties": { "name": name, "counts": { "type": "array", "items": count } },
        });
        part.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        part
    };
    let one =
        part(json!({ "type": "integer", "minimum": 1, "maximum": 9 }), json!({ "nullable": true }));
    let two = part(
        json!({ "type": "integer", "minimum": 2, "maximum": 9 }),
        json!({ "maxProperties": 4 }),
    );
    let inner = |left: &Value, right: &Value| {
        let parts =
            json!({ "part": left, "more": { "type": "object", "properties": { "part": right } } });
        widget(&json!({ "type": "object", "properties": parts }))
    };
    let schema = |definition: &Value| {
        let files = package(yaml(definition)).files;
        let text = str::from_utf8(&files["v1/json_schemas.rs"]).unwrap();
        let key = text.lines().find(|line| line.trim().starts_with("Part = ")).unwrap();
        let key = key.split('"').nth(1).unwrap().to_owned();
        let schemas: Value = serde_json::from_slice(&files["v1/json_schemas.json"]).unwrap();
        (key, schemas)
    };
    let (key, schemas) = schema(&inner(&one, &two));
    let mut common = part(json!({ "type": "integer", "maximum": 9 }), json!({ "nullable": true }));
    common.as_object_mut().unwrap().remove("maxProperties");
    common["properties"]["name"].as_object_mut().unwrap().remove("description");
    assert_eq!(schemas[&key], common, "{key}");
    let exact = &schemas["com.example.v1.Widget"]["properties"]["spec"]["properties"];
    assert_eq!(exact["part"]["properties"]["counts"], one["properties"]["counts"]);

    let mut described = one.clone();
    described["properties"]["name"]["description"] = "Another text.".into();
    let (key, schemas) = schema(&inner(&one, &described));
    assert!(key.contains('#') && schemas.as_object().unwrap().len() == 1, "{key}");
}

/// A server adds the two types of an int-or-string beside alternatives of the definition.
#[test]
fn an_int_or_string_with_alternatives() {
    let types = || json!([{ "type": "integer" }, { "type": "string" }]);
    let own = || json!([{ "pattern": "^a" }]);
    let table = [
        (json!({}), json!({ "anyOf": types() })),
        (json!({ "anyOf": types() }), json!({ "anyOf": types() })),
        (json!({ "anyOf": own() }), json!({ "anyOf": own(), "allOf": [{ "anyOf": types() }] })),
        (
            json!({ "anyOf": own(), "allOf": [{ "maxLength": 1 }] }),
            json!({ "anyOf": own(), "allOf": [{ "anyOf": types() }, { "maxLength": 1 }] }),
        ),
        (
            json!({ "allOf": [{ "anyOf": types() }, { "maxLength": 1 }] }),
            json!({ "allOf": [{ "anyOf": types() }, { "maxLength": 1 }] }),
        ),
    ];
    for (mut stated, mut published) in table {
        for schema in [&mut stated, &mut published] {
            schema["x-kubernetes-int-or-string"] = true.into();
        }
        let spec = json!({ "type": "object", "properties": { "port": stated } });
        let documents = Published::of_definitions(&yaml(&widget(&spec))).unwrap().documents;
        let document: Value = serde_json::from_slice(documents.values().next().unwrap()).unwrap();
        let kind = &document["components"]["schemas"]["com.example.v1.Widget"];
        assert_eq!(kind["properties"]["spec"]["properties"]["port"], published);
    }
}
