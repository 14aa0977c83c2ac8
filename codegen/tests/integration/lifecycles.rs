//! The lifecycles of built-in kinds that documents do not show and the generator knows.

use k8s_versioned_codegen::{Files, generate};
use serde_json::{Value, json};
use testing::specs;
use testing::specs::groups::documents;

/// The rustdoc and the trait of `v1beta3 FlowSchema`, by the documents of these releases, each with the one for which it
/// stands, and a rule file.
fn flow_schema(releases: &[(&str, &str)], rules: &str) -> String {
    let mut files = Files::new();
    for (release, name) in releases {
        let group = documents(|path| {
            path.starts_with(&format!("{release}/")) && path.contains("__flowcontrol")
        });
        files.extend(group.into_iter().map(|(path, text)| (path.replace(release, name), text)));
    }
    files.insert("group.toml".to_owned(), b"descriptions = \"none\"\nverbs = false".to_vec());
    if !rules.is_empty() {
        files.insert("lifecycle.toml".to_owned(), rules.as_bytes().to_vec());
    }
    let generated = generate(&files, &specs::options());
    let files = generated.unwrap_or_else(|problems| panic!("{problems}")).files;
    String::from_utf8(files["v1beta3/flow_schema.rs"].clone()).unwrap()
}

#[test]
fn what_documents_do_not_show() {
    let rule = "[[kind]]\nkind = \"FlowSchema\"\nversion = \"v1beta3\"\ndeprecated = \"v1.32\"\n";
    let of_group = rule.replace("kind = ", "group = \"flowcontrol.apiserver.k8s.io\"\nkind = ");
    let in_31 = [("v1.31", "v1.31")];
    let table: [(&[_], &str, &str); 5] = [
        (&in_31, "", "Since Kubernetes 1.26, deprecated since 1.29, removed in 1.32."),
        (
            &[("v1.31", "v1.31"), ("v1.32", "v1.32")],
            "",
            "Since Kubernetes 1.26, deprecated since 1.29, removed in 1.32.",
        ),
        // An own rule is the whole of what is known.
        (&in_31, rule, "Since Kubernetes 1.31, deprecated since 1.32."),
        (&in_31, &of_group, "Since Kubernetes 1.31, deprecated since 1.32."),
        // Documents that show the contrary.
        (&[("v1.31", "v1.33")], "", "Since Kubernetes 1.33 or earlier."),
    ];
    for (releases, rules, expected) in table {
        let text = flow_schema(releases, rules);
        assert!(text.contains(expected), "{releases:?}: {text}");
    }
}

/// Versions whose names do not have the form `v1beta1` have lifecycles, docs and features as others have.
#[test]
fn versions_of_any_name() {
    let manifest = |versions: &[(&str, bool)]| {
        let schema = json!({"openAPIV3Schema": {"type": "object"}});
        let version = |(index, (name, deprecated)): (usize, &(&str, bool))| json!({"name": name, "served": true, "storage": index == 0, "deprecated": deprecated, "schema": schema});
        let versions: Vec<Value> = versions.iter().enumerate().map(version).collect();
        let names = json!({"kind": "Widget", "plural": "widgets", "listKind": "WidgetList"});
        let spec = json!({"group": "example.com", "scope": "Namespaced", "names": names, "versions": versions});
        json!({"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
            "metadata": {"name": "widgets.example.com"}, "spec": spec})
    };
    let old = manifest(&[("v1api20220801", false), ("a-b", false)]);
    let new = manifest(&[("v1api20220801", true), ("stable", false)]);
    let files = [
        ("v1.0/widgets.yaml", old.to_string()),
        ("v1.1/widgets.yaml", new.to_string()),
        (
            "lifecycle.toml",
            "[[kind]]\nkind = \"Widget\"\nversion = \"stable\"\nremoved = \"v1.3\"\n".to_owned(),
        ),
        ("group.toml", "groups = [\"example.com\"]\n".to_owned()),
    ];
    let files: Files = files.map(|(path, text)| (path.to_owned(), text.into_bytes())).into();
    let made = generate(&files, &specs::options()).unwrap_or_else(|problems| panic!("{problems}"));
    let texts = ["v1api20220801", "a_b", "stable"].map(|module| {
        let path = made.files.keys().find(|path| path.ends_with(&format!("{module}/widget.rs")));
        let text = String::from_utf8(made.files[path.unwrap()].clone()).unwrap();
        let lifecycle =
            text.split_once("const LIFECYCLE").and_then(|(_, rest)| rest.split_once(';'));
        let lifecycle = lifecycle.map_or(": of the first release that is known", |stated| stated.0);
        format!("{module}{}", lifecycle.split_whitespace().collect::<Vec<_>>().join(" "))
    });
    insta::assert_snapshot!(format!("{}\n{:?}", texts.join("\n"), made.features));
}
