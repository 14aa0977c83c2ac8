//! `diff` of files without a package, `--fail-on`, and `--objects`: what the new definition makes of stored objects.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::command::call;

/// A definition with these properties of `spec`.
fn definition(spec: &Value) -> Value {
    let properties = json!({"spec": {"type": "object", "properties": spec}});
    let schema = json!({"openAPIV3Schema": {"type": "object", "properties": properties}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com",
            "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets"},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}],
        },
    })
}

/// A project with a definition in two releases.
fn project(old: &Value, new: &Value) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (release, spec) in [("v1.0", old), ("v1.1", new)] {
        let definition = definition(spec);
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
    let effects: Vec<&str> =
        effects.iter().map(|effect| effect["effect"].as_str().unwrap()).collect();
    assert_eq!(effects, ["refused-if-changed", "refused-if-changed", "refused", "dropped"]);
    assert!(diff("markdown").contains("\n### Stored objects\n"));
    // What both sides refuse is no matter of the change.
    let same = format!("diff v1.1 v1.1 --fail-on breaking --objects {}", objects.display());
    assert!(
        call(folder.path(), &same).unwrap().contains("0 of 6 are affected; 5 more by both sides")
    );
    let short = call(folder.path(), "diff v1.0 v1.1 --format markdown --limit 300").unwrap();
    assert!(short.chars().count() <= 300, "{short}");
}

/// What stops `generate` is a finding: a type, the scope, a version that servers have stored objects in.
#[test]
fn definitions_without_a_package() {
    let folder = TempDir::new().unwrap();
    let described = |of_type: &str| json!({"type": of_type, "description": "One | two\n`three`."});
    let mut old = definition(&json!({"size": described("string"), "more": {"type": "object"}}));
    let mut unserved = old["spec"]["versions"][0].clone();
    unserved["name"] = "v1alpha1".into();
    unserved["storage"] = false.into();
    old["spec"]["versions"].as_array_mut().unwrap().push(unserved);
    old["status"] = json!({"storedVersions": ["v1alpha1", "v1"]});
    let more = json!({"type": "object", "properties": {"depth": {"type": "integer"}}});
    let mut new = definition(&json!({"size": described("integer"), "more": more}));
    new["spec"]["scope"] = "Cluster".into();
    // A dump of a cluster, and a chart in a folder.
    let other = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other"}});
    let dump = json!({"apiVersion": "v1", "kind": "List", "items": [old, other]});
    fs::write(folder.path().join("before.json"), dump.to_string()).unwrap();
    fs::create_dir_all(folder.path().join("chart/crds")).unwrap();
    fs::write(folder.path().join("chart/crds/widgets.yaml"), new.to_string()).unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let diff = format!("diff {} {}", at("before.json"), at("chart"));
    let text = call(folder.path(), &diff).unwrap();
    insta::assert_snapshot!(text.replace(&at(""), ""));
    write_objects(folder.path());
    let text = call(folder.path(), &format!("{diff} --objects {}", at("objects"))).unwrap();
    assert!(text.contains("stored objects: 5 of 6 are affected; 1 more by both sides"), "{text}");
    for (old, new) in [("v1.0", at("chart")), ("v1", at("chart")), (&at("none.yaml"), at("chart"))]
    {
        assert!(call(folder.path(), &format!("diff {old} {new}")).is_err(), "{old} {new}");
    }
}

/// Two versions of one definition: in one file, or each as one of two files has it.
#[test]
fn versions_of_a_definition() {
    let folder = TempDir::new().unwrap();
    let write = |name: &str, versions: &[(&str, Value)]| {
        let mut of_file = definition(&json!({}));
        let all = versions.iter().enumerate().map(|(index, (name, spec))| {
            let mut version = definition(spec)["spec"]["versions"][0].clone();
            (version["name"], version["storage"]) = (json!(name), (index == 0).into());
            version
        });
        of_file["spec"]["versions"] = all.collect();
        let path = folder.path().join(name);
        // A line for each value.
        fs::write(&path, format!("{of_file:#}")).unwrap();
        path.display().to_string()
    };
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let (old, new) = (json!({"size": text, "gone": text}), json!({"size": number, "more": text}));
    let file = write("crd.yaml", &[("v1beta1", old.clone()), ("v1", new)]);
    let diff = |arguments: &str| call(folder.path(), &format!("diff {arguments}"));
    let plain = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    let between = format!("{file} --between v1beta1 v1");
    insta::assert_snapshot!(plain(diff(&between).unwrap()));
    let failing = format!("{between} --fail-on readers");
    insta::assert_snapshot!(plain(diff(&format!("{failing} --format github")).unwrap_err()));
    let gitlab = diff(&format!("{between} --format gitlab")).unwrap();
    let gitlab: Value = serde_json::from_str(&gitlab).unwrap();
    assert_eq!(gitlab[0]["severity"], "minor", "{gitlab}");
    // The next file still has the same v1beta1.
    let next = write("next.yaml", &[("v1beta1", old.clone()), ("v1", old)]);
    let same = diff(&format!("{file} {next} --between v1beta1 v1")).unwrap();
    assert!(same.ends_with("next.yaml: no differences\n"), "{same}");

    let objects = folder.path().join("objects.yaml");
    let object =
        "apiVersion: example.com/v1beta1\nkind: Widget\nmetadata: {name: a}\nspec: {size: large}\n";
    fs::write(&objects, object).unwrap();
    let judged = diff(&format!("{between} --format github --objects {}", objects.display()));
    let judged = judged.unwrap();
    assert!(
        judged.contains("objects.yaml,line=1,col=1,title=stored-object::Widget a: "),
        "{judged}"
    );

    for (arguments, expected) in [
        (
            format!("{file} --between v1beta1 v2"),
            "no definition serves version v2; the served versions are v1beta1, v1",
        ),
        (
            file.clone(),
            "only one side: name the newer file or folder, or two versions in this one, such as",
        ),
        (format!("{between} --between v1 v1beta1"), "cannot be used multiple times"),
        ("v1.36".to_owned(), "`v1.36` is only one side: name the newer release"),
        (
            "v1.36 --between v1beta1 v1".to_owned(),
            "versions in releases of the package are `v1.36/v1beta1 v1.36/v1`",
        ),
        (format!("{file} v1.36 --between v1beta1 v1"), "versions in releases"),
        ("v1beta1 v1".to_owned(), "two versions in one file are `crd.yaml --between v1beta1 v2`"),
    ] {
        let error = diff(&arguments).unwrap_err();
        assert!(error.contains(expected), "{arguments}: {error}");
    }
}

/// The lines of changes between releases are in the files of the package, from the folder of the command.
#[test]
fn annotations_of_a_package() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let folder = project(&json!({"a": text}), &json!({"a": number}));
    let diff = call(folder.path(), "diff v1.0 v1.1 --fail-on narrower,programs --format github");
    let path = format!("file={}/specs/v1.1/widgets.yaml,line=1,", folder.path().display());
    let diff = diff.unwrap_err();
    let errors: Vec<&str> = diff.lines().filter(|line| line.starts_with("::error ")).collect();
    assert!(errors.len() == 2 && errors.iter().all(|error| error.contains(&path)), "{diff}");
}

/// Each effect fails for the changes that have it, and for no others.
#[test]
fn effects_that_fail() {
    let (text, number) = (json!({"type": "string"}), json!({"type": "integer"}));
    let short = json!({"type": "string", "maxLength": 3});
    for (old, new, effects) in [
        (json!({"a": text}), json!({"a": short}), "breaking narrower any"),
        (json!({"a": short}), json!({"a": text}), "wider any"),
        (json!({"a": text}), json!({"a": text, "b": text}), "any"),
        (json!({"a": text}), json!({"a": number}), "breaking narrower readers programs wider any"),
        (json!({"a": text}), json!({"a": text}), ""),
    ] {
        let folder = project(&old, &new);
        for effect in ["breaking", "narrower", "readers", "programs", "unknown", "wider", "any"] {
            let fails = call(folder.path(), &format!("diff v1.0 v1.1 --fail-on {effect}")).is_err();
            assert_eq!(
                fails,
                effects.split(' ').any(|known| known == effect),
                "{old} {new} {effect}"
            );
        }
        let several = call(folder.path(), "diff v1.0 v1.1 --fail-on unknown,any");
        assert_eq!(several.is_err(), !effects.is_empty());
    }
    let small = json!({"type": "integer", "maximum": 9});
    let folder = project(&json!({"size": number}), &json!({"size": small}));
    write_objects(folder.path());
    let objects = folder.path().join("objects");
    let objects = format!("diff v1.0 v1.1 --objects {} --fail-on", objects.display());
    assert!(call(folder.path(), &format!("{objects} breaking")).unwrap_err().contains("affected"));
    assert!(call(folder.path(), &format!("{objects} programs")).is_ok());
}
