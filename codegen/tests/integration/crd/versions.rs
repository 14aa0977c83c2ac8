//! Versions that are not served, left out, of any name, and in several files.

use std::collections::BTreeSet;

use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::tools::diff::diff;
use k8s_versioned_codegen::tools::import::import;
use k8s_versioned_codegen::{Files, crd, generate};
use serde_json::{Value, json};
use testing::specs;
use testing::specs::groups::{custom_documents, documents, published_as};

use super::{package, widget, yaml};
use crate::groups::text;

/// A version that is not served is left out with a warning, unless `group.toml` decides about such versions.
#[test]
fn a_version_that_is_not_served() {
    let version = |name: &str, served: bool| {
        let schema = json!({ "openAPIV3Schema": { "type": "object" } });
        json!({ "name": name, "served": served, "storage": served, "schema": schema })
    };
    let mut definition = widget(&json!({}));
    definition["spec"]["versions"] = json!([version("v1alpha1", false), version("v1", true)]);
    let of = |definition: &Value, choice: &str| {
        let mut specs = yaml(definition);
        specs.insert("group.toml".to_owned(), choice.into());
        let made = generate(&specs, &specs::options()).unwrap();
        (made.files.contains_key("v1alpha1/widget.rs"), made.warnings.to_string())
    };
    let (there, warning) = of(&definition, "");
    assert!(!there);
    let expected = "`v1alpha1` of `Widget` is not served and left out; objects can still be stored in it\n  \
                    at widgets.yaml#/spec/versions/0\n";
    assert!(warning.starts_with(expected), "{warning}");
    assert_eq!(of(&definition, "unserved = true"), (true, String::new()));
    assert_eq!(of(&definition, "unserved = false"), (false, String::new()));
    // No server has any of them.
    definition["spec"]["versions"][1]["served"] = false.into();
    assert_eq!(of(&definition, ""), (true, String::new()));
}

/// Old charts have definitions of `v1beta1`.
#[test]
fn a_definition_of_v1beta1() {
    let mut new = widget(&json!({ "type": "string" }));
    let mut old = new.clone();
    old["apiVersion"] = "apiextensions.k8s.io/v1beta1".into();
    let schema = old.pointer("/spec/versions/0/schema").cloned().unwrap();
    let spec = old["spec"].as_object_mut().unwrap();
    spec.remove("versions");
    spec.extend([("version".to_owned(), "v1".into()), ("validation".to_owned(), schema)]);
    let keeping = package(yaml(&old));
    old["spec"]["preserveUnknownFields"] = false.into();
    let pruning = package(yaml(&old));
    new["spec"]["preserveUnknownFields"] = false.into();
    assert_eq!(pruning.files, package(yaml(&new)).files);
    assert!(pruning.warnings.is_empty(), "{}", pruning.warnings);
    // Absent, it is `true` in `v1beta1` only.
    new["spec"]["preserveUnknownFields"] = true.into();
    assert_eq!(keeping.files, package(yaml(&new)).files);
    assert_ne!(keeping.files, pruning.files);
    let warning = keeping.warnings.to_string();
    assert!(warning.contains("cannot set to true") && keeping.warnings.len() == 1, "{warning}");
}

/// Some collections have a file for each version.
#[test]
fn a_definition_in_two_files() {
    let version = |name: &str, fields: usize| {
        let mut definition = widget(&json!({ "type": "object", "maxProperties": fields }));
        definition["spec"]["versions"][0]["name"] = name.into();
        definition["spec"]["versions"][0]["storage"] = (name == "v1").into();
        definition
    };
    let files = |definitions: &[&Value]| -> Files {
        let named = definitions.iter().enumerate();
        let named = named.map(|(at, it)| (format!("{at}.yaml"), it.to_string().into_bytes()));
        named.collect()
    };
    let (old, new) = (version("v1beta1", 1), version("v1", 2));
    let mut whole = new.clone();
    let versions = whole["spec"]["versions"].as_array_mut().unwrap();
    versions.insert(0, old["spec"]["versions"][0].clone());
    let united = package(files(&[&old, &new]));
    assert_eq!(united.files, package(files(&[&whole])).files);
    let warning = united.warnings.to_string();
    let expected = "the definition of `Widget` has further versions in `1.yaml`";
    assert!(warning.starts_with(expected) && united.warnings.len() == 1, "{warning}");
    // A bundle has the same versions.
    assert_eq!(package(files(&[&old, &new, &whole])).files, united.files);
    let read = |files: Files| crd::manifests(&files);
    let manifests = read(files(&[&old, &new])).unwrap();
    let versions = manifests[0].value["spec"]["versions"].as_array().unwrap();
    assert_eq!((manifests.len(), versions.len()), (1, 2));
    let mut namespaced = old.clone();
    namespaced["spec"]["scope"] = "Namespaced".into();
    for other in [version("v1", 3), namespaced] {
        let problems = read(files(&[&new, &other])).unwrap_err().to_string();
        let expected = "there is another definition of \"Widget\" in 0.yaml:1";
        assert!(problems.starts_with(expected), "{problems}");
    }
}

#[test]
fn a_version_that_is_left_out() {
    let right = widget(&json!({ "type": "string" }));
    let mut wrong = right.clone();
    let versions = wrong["spec"]["versions"].as_array_mut().unwrap();
    let schema = json!({ "openAPIV3Schema": 1 });
    versions.push(json!({ "name": "V2", "served": true, "storage": false, "schema": schema }));
    let generated = |rules: &str| {
        let mut specs = yaml(&wrong);
        let rules = format!("descriptions = \"none\"\n{rules}");
        specs.insert("group.toml".to_owned(), rules.into_bytes());
        generate(&specs, &specs::options())
    };
    let problems = generated("").unwrap_err().to_string();
    assert!(problems.contains("[[leave-out]]"), "{problems}");
    let made = generated("[[leave-out]]\nkind = \"Widget\"\nversion = \"V2\"\n").unwrap();
    let (ours, theirs) = (made.files, package(yaml(&right)).files);
    // The definition itself has all versions.
    let code = |files: &Files| {
        files
            .iter()
            .filter(|(path, _)| path.ends_with(".rs"))
            .map(|(path, text)| (path.clone(), text.clone()))
            .collect::<Files>()
    };
    assert_eq!(code(&ours), code(&theirs));
}

/// With a kind go its list, its requests and its parts; what other kinds have, too, stays.
#[test]
fn a_kind_of_a_document_that_is_left_out() {
    const RULE: &str = "[[leave-out]]\nkind = \"CronJob\"\nversion = \"v1\"\n";
    let documents = documents(|path| path == "v1.36/apis__batch__v1_openapi.json");
    let generated = |documents: &Files, rules: &str| {
        let mut specs = documents.clone();
        specs.insert("group.toml".to_owned(), rules.as_bytes().to_vec());
        generate(&specs, &specs::options())
    };
    let all = generated(&documents, "").unwrap().files;
    let some = generated(&documents, RULE).unwrap().files;
    let file = |name: &str| format!("v1/{name}.rs");
    for lacks in ["cron_job", "cron_job_spec", "job_template_spec"].map(file) {
        assert!(all.contains_key(&lacks) && !some.contains_key(&lacks), "{lacks}");
    }
    assert!(some.contains_key(&file("job")) && some.contains_key("core/v1/pod_template_spec.rs"));
    let text = |files: &Files| {
        files.values().map(|file| String::from_utf8_lossy(file).into_owned()).collect::<String>()
    };
    assert!(text(&all).contains("CronJobList") && !text(&some).contains("CronJob"));
    for (from, to, message) in [
        ("v1", "v2", "the rule for `CronJob of v2` matches nothing; did you mean `v1`?"),
        (
            "CronJob",
            "Cronjobb",
            "the rule for `Cronjobb of v1` matches nothing; did you mean `CronJob`?",
        ),
    ] {
        let problems = generated(&documents, &RULE.replace(from, to)).unwrap_err().to_string();
        assert!(problems.contains(message), "{problems}");
    }

    // A problem inside of the schema names the rule, and the rule solves it.
    let (path, document) = documents.first_key_value().unwrap();
    let mut wrong: Value = serde_json::from_slice(document).unwrap();
    wrong["components"]["schemas"]["io.k8s.api.batch.v1.CronJob"]["properties"]["spec"]["x"] =
        1.into();
    let wrong = Files::from([(path.clone(), wrong.to_string().into_bytes())]);
    let problems = generated(&wrong, "").unwrap_err().to_string();
    let hint = "or leave the version out: `[[leave-out]]` with `kind = \"CronJob\"` and `version = \"v1\"`";
    assert!(problems.contains(hint), "{problems}");
    assert!(generated(&wrong, RULE).unwrap().files == some);
}

/// A cluster, and the folder of its documents, with versions of any name: alone, and among other groups. What is left out is named.
#[test]
fn versions_of_any_name_from_a_cluster() {
    let versions =
        ["v0", "v1alpha08", "v1api20220801", "v1api20220801storage", "stable", "a-b", "v1beta0"];
    let mut files: Files = versions.into_iter().map(published_as).collect();
    let imported = |files: &Files, groups: &str| {
        let rules = format!("descriptions = \"none\"\n{groups}");
        let specs = Files::from([("group.toml".to_owned(), rules.into_bytes())]);
        let release = "v1.36".parse().unwrap();
        import(&specs, release, SourceKind::Cluster, files)
            .unwrap_or_else(|problems| panic!("{problems}"))
    };
    let has_all = |specs: &Files, folder: &str| {
        let made =
            generate(specs, &specs::options()).unwrap_or_else(|problems| panic!("{problems}"));
        for module in
            ["v0", "v1alpha08", "v1api20220801", "v1api20220801storage", "stable", "a_b", "v1beta0"]
        {
            let file = format!("{folder}{module}/subnamespace_anchor.rs");
            assert!(made.files.contains_key(&file), "{file} {:?}", made.files.keys());
        }
    };
    let alone = imported(&files, "");
    has_all(&alone.specs, "");
    assert_eq!(alone.left_out, BTreeSet::new());
    files.extend(custom_documents()["rbacmanager.reactiveops.io"].clone());
    let refused = ["V1", "v1.2", "2026-01"].map(published_as);
    files.extend(refused.clone());
    let among = imported(&files, "");
    has_all(&among.specs, "hnc/");
    assert_eq!(among.left_out, refused.into_iter().map(|(file, _)| file).collect());
    let named = imported(&files, "groups = [\"hnc.x-k8s.io\", \"example.com\"]");
    assert!(named.left_out.contains("example.com"), "{:?}", named.left_out);
}

/// Definitions of no release: rules state releases, and no message shows one that nobody wrote.
#[test]
fn definitions_of_no_release() {
    let mut definition = widget(&json!({ "type": "object" }));
    definition["spec"]["versions"][0]["subresources"] = json!({ "scale": {} });
    let definition = yaml(&definition);
    let scale = &package(definition.clone()).files["autoscaling/v1/scale.rs"];
    assert!(!str::from_utf8(scale).unwrap().contains("Since"), "{scale:?}");
    let with = |stated: &str| {
        let mut specs = definition.clone();
        let rule = format!("[[kind]]\nkind = \"Widget\"\nversion = \"v1\"\n{stated}\n");
        specs.insert("lifecycle.toml".to_owned(), rule.into_bytes());
        generate(&specs, &specs::options())
    };
    let generated = with("introduced = \"1.2.0\"\ndeprecated = \"1.4.0\"").unwrap();
    let kind = text(&generated, "v1/widget.rs");
    assert!(
        kind.contains("Lifecycle::introduced(k8s_versioned::Release::version(1, 2, 0))"),
        "{kind}"
    );
    let without = with("deprecated = \"1.4.0\"").unwrap_err().to_string();
    assert!(without.contains("state `introduced` also"), "{without}");
    let release = "v1.1".parse::<k8s_versioned_core::Release>().unwrap();
    let diff = diff(&definition, release.into(), release.into()).unwrap_err().to_string();
    assert_eq!(
        diff,
        "specs has no release v1.1; its definitions are in no folder of a release: `diff specs --between v1beta1 v1` \
         compares two of their versions"
    );
}
