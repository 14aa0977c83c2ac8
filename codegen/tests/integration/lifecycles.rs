//! The lifecycles of built-in kinds that documents do not show and the generator knows.

use k8s_versioned_codegen::{Files, generate};
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
