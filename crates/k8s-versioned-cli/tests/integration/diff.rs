//! `diff --objects`: what the new definition makes of stored objects.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::call;

/// A project with a definition in two releases.
fn project(old: &Value, new: &Value) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (release, spec) in [("v1.0", old), ("v1.1", new)] {
        let properties = json!({"spec": {"type": "object", "properties": spec}});
        let schema = json!({"openAPIV3Schema": {"type": "object", "properties": properties}});
        let definition = json!({
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"kind": "Widget", "plural": "widgets"},
                "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}],
            },
        });
        let path = folder.path().join("specs").join(release);
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join("widgets.yaml"), definition.to_string()).unwrap();
    }
    folder
}

fn write_objects(folder: &Path) {
    let object = |name: &str, version: &str, spec: &str| {
        format!(
            "apiVersion: example.com/{version}\nkind: Widget\nmetadata:\n  name: {name}\n  namespace: default\n  \
             resourceVersion: \"7\"\n  uid: 00000000-0000-0000-0000-000000000001\nspec: {spec}\n---\n"
        )
    };
    let objects = [
        object("fine", "v1", "{size: 3}"),
        object("large", "v1", "{size: 30}"),
        object("twice", "v1", "{names: [a, a]}"),
        object("stuck", "v1", "{step: 1}"),
        object("more", "v1", "{size: 3, color: red}"),
        object("old", "v1beta1", "{size: 3}"),
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: other}\n".to_owned(),
    ];
    let path = folder.join("objects");
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("all.yaml"), objects.concat()).unwrap();
}

#[test]
fn stored_objects_that_the_new_definition_refuses() {
    let names = json!({"type": "array", "items": {"type": "string"}});
    let mut set = names.clone();
    set["x-kubernetes-list-type"] = "set".into();
    let size = json!({"type": "integer"});
    let old = json!({"size": size, "names": names, "step": size, "color": {"type": "string"}});
    let rule = json!([{"rule": "self > oldSelf"}]);
    let step = json!({"type": "integer", "x-kubernetes-validations": rule});
    let new = json!({"size": {"type": "integer", "maximum": 9}, "names": set, "step": step});
    let folder = project(&old, &new);
    write_objects(folder.path());
    let objects = folder.path().join("objects");
    let diff = |format: &str| {
        let command = format!("diff v1.0 v1.1 --format {format} --objects {}", objects.display());
        call(folder.path(), &command).unwrap()
    };
    let text = diff("text").replace(&format!("{}/", objects.display()), "");
    insta::assert_snapshot!(text);
    let json: Value = serde_json::from_str(&diff("json")).unwrap();
    assert_eq!(json["objects"]["judged"], 6);
    let effects = json["objects"]["affected"].as_array().unwrap();
    let effects: Vec<&str> = effects.iter().map(|it| it["effect"].as_str().unwrap()).collect();
    assert_eq!(
        effects,
        ["refused-if-changed", "refused-if-changed", "refused", "dropped", "not-served"]
    );
    assert!(diff("markdown").contains("\n### Stored objects\n"));
    let short = call(folder.path(), "diff v1.0 v1.1 --format markdown --limit 300").unwrap();
    assert!(short.chars().count() <= 300, "{short}");
}
