//! Definitions: what is refused, the bounds, and packages of them.
//!
//! `codegen/cases/crds` has 185 definitions of public projects and what a server 1.36 published for them, without
//! descriptions and without the schemas that all documents share.

mod names;
mod published;
mod schemas;
mod versions;

use k8s_versioned_codegen::{Files, Generated, Published, generate};
use serde_json::{Value, json};
use testing::specs;

use crate::groups::text;

#[test]
fn refused_definitions() {
    let right = definition("example.com", "v1", "Widget");
    let twice = right.replace(
        "versions: [",
        r#"versions: [{"name": "v1", "served": true, "schema": {"openAPIV3Schema": {}}},"#,
    );
    let table = [
        ("kind: Service", ""),
        ("{kind: CustomResourceDefinition, apiVersion: apiextensions.k8s.io/v2}", "/apiVersion"),
        (&definition("../../x", "v1", "Widget"), "/spec/group"),
        (&definition("example.com", "../../x", "Widget"), "/spec/versions/0/name"),
        (&definition("example.com", "2026-01", "Widget"), "/spec/versions/0/name"),
        (&definition("example.com", "v1", "Wid get"), "/spec/names/kind"),
        (&definition("example.com", "v1", "../x"), "/spec/names/kind"),
        (&right.replace("plural: widgets", "plural: 3widgets"), "/spec/names/plural"),
        (&definition(&["a"; 125].join("."), "v1", "Widget"), "/spec/names/plural"),
        ("kind: [", ""),
        (&twice, "/spec/versions/1/name"),
        (
            &format!("{right}\n---\n{}", right.replace("object", "object, maxProperties: 1")),
            "/spec/names/kind",
        ),
    ];
    for (manifest, pointer) in table {
        let manifests = Files::from([("a.yaml".to_owned(), manifest.as_bytes().to_vec())]);
        let Err(problems) = Published::of_definitions(&manifests) else {
            panic!("{manifest}");
        };
        assert!(problems.iter().all(|problem| problem.place.pointer == pointer), "{problems}");
    }
    // A definition that occurs twice is one.
    let same = format!("{right}\n---\n{right}").into_bytes();
    assert!(Published::of_definitions(&Files::from([("a.yaml".to_owned(), same)])).is_ok());
}

/// Whoever can create definitions chooses their size. What is too large has an error, soon.
#[test]
fn definitions_without_bounds() {
    let right = definition("example.com", "v1", "Widget");
    let mut bomb = "a0: &a0 [x]\n".to_owned();
    for level in 1..30 {
        let nine = vec![format!("*a{}", level - 1); 9].join(", ");
        bomb.extend([format!("a{level}: &a{level} [{nine}]\n")]);
    }
    let versions =
        r#"{"name": "v1", "served": true, "schema": {"openAPIV3Schema": {}}},"#.repeat(10_000);
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let schema = format!("{}{{}}{}", r#"{"properties": {"a": "#.repeat(200), "}}".repeat(200));
    let table = [
        (bomb, "repeat more than 100000 values"),
        (right.clone() + &" ".repeat(64 << 20), "more than 67108864 bytes"),
        (right.clone() + &"\n---\n[]".repeat(20_000), "documents"),
        (
            right.replace("versions: [", &format!("versions: [{versions}")),
            "there are 10001 versions, more than 100",
        ),
        (right.replace("{type: object}", &deep), "more than 64 deep"),
        (right.replace("{type: object}", &schema), "more than 64 deep"),
        (format!("{right}{{"), "YAML"),
        ("\u{0}".to_owned(), "YAML"),
    ];
    for (text, message) in table {
        let manifests = Files::from([("a.yaml".to_owned(), text.clone().into_bytes())]);
        let problems = Published::of_definitions(&manifests).unwrap_err().to_string();
        let start: String = text.chars().take(100).collect();
        assert!(problems.contains(message), "{start}: {problems}");
    }
}

/// What is large, but no larger than definitions can be.
#[test]
fn many_definitions() {
    let text: String = (0..2_000)
        .map(|number| {
            let text = definition("example.com", "v1", &format!("Widget{number}")) + "\n---\n";
            text.replace("widgets", &format!("widgets{number}"))
        })
        .collect();
    let manifests = Files::from([("a.yaml".to_owned(), text.into_bytes())]);
    assert_eq!(Published::of_definitions(&manifests).unwrap().documents.len(), 1);

    let mut spec = json!({ "type": "string" });
    for _ in 0..26 {
        spec = json!({ "type": "object", "properties": { "a": spec } });
    }
    assert!(package(yaml(&widget(&spec))).files.len() > 20);
}

/// The definitions of two releases: no name of the first one changes its meaning, and the docs say what the second one states.
#[test]
fn two_releases() {
    let spec = |words: &[&str], count: &Value, required: &[&str]| {
        let mode = json!({ "type": "string", "enum": words });
        let properties = json!({ "mode": mode, "count": count, "replicas": { "type": "integer" } });
        widget(&json!({ "type": "object", "properties": properties, "required": required }))
    };
    let first = json!({ "type": "integer", "minimum": 1, "default": 1 });
    let second = json!({ "type": "integer", "default": 2 });
    let release = |release: &str, definition: &Value| {
        (format!("{release}/widgets.yaml"), definition.to_string().into_bytes())
    };
    let specs = Files::from([
        release("v1.0", &spec(&["a-b", "HTTP"], &first, &["replicas"])),
        release("v1.1", &spec(&["a_b", "http", "a-b", "HTTP", "new"], &second, &[])),
    ]);
    let generated = package(specs);
    let text = |file: &str| text(&generated, file);
    let words = text("v1/widget_spec_mode.rs");
    for word in ["AB = \"a-b\"", "Http = \"HTTP\"", "New = \"new\""] {
        assert!(words.contains(word), "{word}: {words}");
    }
    let spec = text("v1/widget_spec.rs");
    assert!(spec.contains("pub replicas: Option<i64>") && spec.contains("Required in "), "{spec}");
    assert!(spec.contains("Default: `2` (in 1.1)") && !spec.contains("At least 1"), "{spec}");
}

/// The definitions of a package: from their own folder, also beside documents, and without descriptions if the package has
/// none.
#[test]
fn a_package_has_its_definitions() {
    let spec = json!({ "type": "object", "description": "prose", "properties": {
        "description": { "type": "string", "description": "prose", "default": "text" },
        "x": { "type": "object", "default": { "description": "value" }, "x-kubernetes-preserve-unknown-fields": true },
    } });
    let mut definition = widget(&spec);
    definition["spec"]["versions"][0]["additionalPrinterColumns"] =
        json!([{ "name": "X", "type": "string", "jsonPath": ".x", "description": "prose" }]);
    let text = definition.to_string().into_bytes();
    let path = "definitions/widgets.yaml".to_owned();
    let alone = Files::from([(path.clone(), text.clone())]);
    let mut beside = yaml(&definition);
    beside.insert(path, text);
    let [alone, beside] = [alone, beside].map(|specs| package(specs).files);
    assert_eq!(alone, beside);
    let widget = str::from_utf8(&alone["v1/widget.rs"]).unwrap();
    assert!(widget.contains("\"../definitions/widgets.example.com.json\""), "{widget}");
    let text = str::from_utf8(&alone["definitions/widgets.example.com.json"]).unwrap();
    assert!(!text.contains("prose"), "{text}");
    let mut carried: Value = serde_json::from_str(text).unwrap();
    assert_eq!(carried["metadata"].take(), json!({ "name": "widgets.example.com" }));
    let schema = &carried["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"];
    assert_eq!(schema["properties"]["description"]["default"], "text");
    assert_eq!(schema["properties"]["x"], spec["properties"]["x"]);
    // A definition of no release is the package's own, too.
    assert_eq!(package(yaml(&definition)).files, alone);
}

/// A definition that is right but for the names.
fn definition(group: &str, version: &str, kind: &str) -> String {
    format!(
        "{{apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition, spec: {{group: {group:?}, \
         scope: Cluster, names: {{kind: {kind:?}, plural: widgets}}, \
         versions: [{{name: {version:?}, served: true, schema: {{openAPIV3Schema: {{type: object}}}}}}]}}}}"
    )
}

/// A definition of widgets with this schema of the spec.
fn widget(spec: &Value) -> Value {
    let schema = json!({ "type": "object", "properties": { "spec": spec } });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "widgets.example.com" },
        "spec": {
            "group": "example.com", "scope": "Cluster", "names": { "kind": "Widget", "plural": "widgets" },
            "versions": [
                { "name": "v1", "served": true, "storage": true, "schema": { "openAPIV3Schema": schema } },
            ],
        },
    })
}

fn package(mut specs: Files) -> Generated {
    specs.insert("group.toml".to_owned(), b"descriptions = \"none\"".to_vec());
    generate(&specs, &specs::options()).unwrap_or_else(|problems| panic!("{problems}"))
}

fn yaml(definition: &Value) -> Files {
    Files::from([("widgets.yaml".to_owned(), definition.to_string().into_bytes())])
}

/// The specs with a definition of another kind than `Widget`.
fn with_kind(mut specs: Files, file: &str, kind: &str, spec: &Value) -> Files {
    let text = widget(spec).to_string().replace("Widget", kind);
    let text = text.replace("widgets", &format!("{}s", kind.to_lowercase()));
    specs.insert(file.to_owned(), text.into_bytes());
    specs
}

/// The specs with the names of an earlier generation.
fn with_names(mut specs: Files, names: &str) -> Files {
    specs.insert("names.toml".to_owned(), names.as_bytes().to_vec());
    specs
}
