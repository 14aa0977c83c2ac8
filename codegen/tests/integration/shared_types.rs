//! Types that several fields have: each doubles the paths of the fields inside it.

use std::fmt::Write as _;

use k8s_versioned_codegen::{Builder, Files, Generated, Problem, Problems};
use serde_json::{Map, Value, json};

const GROUP: &str = r#"
group = "example.dev"
descriptions = "rules"
features = []
verbs = false

[[module]]
schemas = "dev.example.{version}"
module = "{version}"
"#;

/// A kind of two versions, whose types each hold the next one twice, so many levels deep. The last one has these fields.
fn project(levels: usize, leaves: [&[&str]; 2]) -> Files {
    let mut files = Files::new();
    for (version, leaves) in ["v1beta1", "v1"].into_iter().zip(leaves) {
        let (document, descriptions) = documents(version, levels, leaves);
        let path = format!("v1.1/apis__example.dev__{version}_openapi.json");
        files.insert(path, document.to_string().into_bytes());
        files.insert(format!("descriptions/{version}.toml"), descriptions.into_bytes());
    }
    let group = json!({"openapi": "3.0.0", "components": {"schemas": {}}, "paths": {}});
    files.insert("v1.1/apis__example.dev_openapi.json".to_owned(), group.to_string().into_bytes());
    files.insert("group.toml".to_owned(), GROUP.as_bytes().to_owned());
    let rules = "[[kind]]\nkind = \"Widget\"\nversions = [\"v1beta1\", \"v1\"]\n";
    files.insert("conversions.toml".to_owned(), rules.as_bytes().to_owned());
    files
}

fn reference(name: &str) -> Value {
    json!({"allOf": [{"$ref": format!("#/components/schemas/{name}")}], "default": {}})
}

fn documents(version: &str, levels: usize, leaves: &[&str]) -> (Value, String) {
    let name = |of: &str| format!("dev.example.{version}.{of}");
    let meta = |of: &str| reference(&format!("io.k8s.apimachinery.pkg.apis.meta.v1.{of}"));
    let level = |at: usize| format!("Level{at}");
    let mut types: Vec<(String, Value)> = (0..levels)
        .map(|at| {
            let next = reference(&name(&level(at + 1)));
            (level(at), json!({"a": next, "b": next}))
        })
        .collect();
    let texts = leaves.iter().map(|leaf| ((*leaf).to_owned(), json!({"type": "string"})));
    types.push((level(levels), texts.collect::<Map<_, _>>().into()));
    let spec = reference(&name(&level(0)));
    types.push(("Widget".to_owned(), json!({"metadata": meta("ObjectMeta"), "spec": spec})));
    let mut descriptions =
        "[module]\ndescription = \"A.\"\n[WidgetList]\ndescription = \"A.\"\n".to_owned();
    for (name, fields) in &types {
        let _ = writeln!(descriptions, "[{name}]\ndescription = \"A.\"\n[{name}.fields]");
        for field in fields.as_object().unwrap().keys() {
            let _ = writeln!(descriptions, "{field} = \"A.\"");
        }
    }
    let items = json!({"type": "array", "items": reference(&name("Widget"))});
    types.push(("WidgetList".to_owned(), json!({"metadata": meta("ListMeta"), "items": items})));
    let schemas = types.into_iter().map(|(of, fields)| (name(&of), schema(version, &of, fields)));
    let metas = json!({
        "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {"type": "object", "properties": {
            "annotations": {"type": "object", "additionalProperties": {"type": "string", "default": ""}},
            "name": {"type": "string"},
        }},
        "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta": {"type": "object", "properties": {"continue": {"type": "string"}}},
    });
    let schemas: Map<String, Value> = schemas.chain(metas.as_object().unwrap().clone()).collect();
    let paths = paths(version);
    let document = json!({"openapi": "3.0.0", "components": {"schemas": schemas}, "paths": paths});
    (document, descriptions)
}

fn schema(version: &str, of: &str, mut fields: Value) -> Value {
    let mut schema = json!({"type": "object"});
    if of.starts_with("Widget") {
        for name in ["apiVersion", "kind"] {
            fields[name] = json!({"type": "string"});
        }
        schema["x-kubernetes-group-version-kind"] =
            json!([{"group": "example.dev", "version": version, "kind": of}]);
    }
    if of == "WidgetList" {
        schema["required"] = json!(["items"]);
    }
    schema["properties"] = fields;
    schema
}

fn paths(version: &str) -> Value {
    let operation = |verb: &str, action: &str, of: &str| {
        let schema = json!({"$ref": format!("#/components/schemas/dev.example.{version}.{of}")});
        json!({
            "operationId": format!("{verb}{}Widget", version.replace('v', "V")),
            "x-kubernetes-action": action,
            "x-kubernetes-group-version-kind": {"group": "example.dev", "version": version, "kind": "Widget"},
            "responses": {"200": {"content": {"application/json": {"schema": schema}}}},
        })
    };
    let all = format!("/apis/example.dev/{version}/widgets");
    let name =
        json!({"name": "name", "in": "path", "required": true, "schema": {"type": "string"}});
    json!({
        &all: {"get": operation("list", "list", "WidgetList")},
        format!("{all}/{{name}}"): {"parameters": [name], "get": operation("read", "get", "Widget")},
    })
}

fn generated(levels: usize, leaves: [&[&str]; 2]) -> Result<Generated, Problems> {
    Builder::new(project(levels, leaves)).generate()
}

fn messages(problems: &Problems) -> Vec<String> {
    problems.iter().map(Problem::message).collect()
}

/// A line that 256 fields lead to is one problem.
#[test]
fn a_place_is_reported_once() {
    let problems = generated(8, [&["x"], &["x", "y"]]).unwrap_err();
    insta::assert_snapshot!(messages(&problems).join("\n"));
}

/// The fields of a kind are bounded, and not only the text of its schemas.
#[test]
fn a_kind_with_too_many_fields() {
    assert!(generated(10, [&["x"]; 2]).is_ok());
    for levels in [17, 40] {
        let problems = generated(levels, [&["x"]; 2]).unwrap_err();
        insta::allow_duplicates! {
            insta::assert_snapshot!(messages(&problems).join("\n"));
        }
    }
}
