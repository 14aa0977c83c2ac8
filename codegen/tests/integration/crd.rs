//! The documents made of definitions equal what a live server published for the same definitions.
//!
//! `codegen/cases/crds` has 185 definitions of public projects and what a server 1.36 published for them, without
//! descriptions and without the schemas that all documents share.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use k8s_versioned_codegen::diff::diff;
use k8s_versioned_codegen::import::import;
use k8s_versioned_codegen::input::manifest::SourceKind;
use k8s_versioned_codegen::input::{crd, read_document};
use k8s_versioned_codegen::spec::{Document, Operation, TypeBody};
use k8s_versioned_codegen::{Files, Generated, Place, Problems, generate};
use k8s_versioned_source::{Limits, json as parse};
use serde_json::{Map, Value, json};
use testing::specs;
use testing::specs::groups::{custom_documents, documents, lines, published_as};

use super::formatting;
use super::groups::text;

#[test]
fn documents_are_those_of_a_live_server() {
    let name = |index| format!("{index:03}.json");
    let manifests: Files = lines("../crds/manifests.jsonl.gz")
        .enumerate()
        .map(|(index, manifest)| (name(index), manifest.into_bytes()))
        .collect();
    assert_eq!(manifests.len(), 185);

    let ours = crd::documents(&manifests, false, &[]).unwrap();
    let mut published: Files = custom_documents().into_values().flatten().collect();
    for ours in ours {
        let file = ours.name.to_string();
        let text = published.remove(&file).unwrap();
        let tree = parse(&file.as_str().into(), &text, &Limits::DOCUMENT).unwrap();
        let mut problems = Problems::new();
        let theirs = read_document(&tree, ours.release, &ours.name, false, &mut problems);
        assert_eq!((problems.len(), facts(&ours)), (0, facts(&theirs)), "{file}");
    }
    assert_eq!(published.keys().collect::<Vec<_>>(), Vec::<&String>::new());
}

/// What a document states, without the places: the types with the whole schemas, and the operations.
fn facts(document: &Document) -> (BTreeMap<String, String>, BTreeMap<String, String>) {
    let types = document.types.iter().map(|(name, found)| {
        let mut found = found.clone();
        found.place = Place::default();
        if let TypeBody::Struct(properties) = &mut found.body {
            for property in properties.values_mut() {
                property.place = Place::default();
            }
        }
        // A server publishes the schemas of lists, too, and none is used.
        if found.properties().any(|(name, _)| name == "items") && found.property("spec").is_none() {
            found.published = None;
        }
        (name.clone(), format!("{found:?}"))
    });
    let operations = document.operations.iter().map(|(id, operation)| {
        let mut operation =
            Operation { place: Place::default(), of_verb: true, ..operation.clone() };
        for parameter in operation.parameters.values_mut() {
            parameter.place = Place::default();
        }
        (id.clone(), format!("{operation:?}"))
    });
    (types.collect(), operations.collect())
}

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
        let Err(problems) = crd::documents(&manifests, false, &[]) else {
            panic!("{manifest}");
        };
        assert!(problems.iter().all(|problem| problem.place.pointer == pointer), "{problems}");
    }
    // A definition that occurs twice is one.
    let same = format!("{right}\n---\n{right}").into_bytes();
    assert!(crd::documents(&Files::from([("a.yaml".to_owned(), same)]), false, &[]).is_ok());
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
        (right.replace("{type: object}", &deep), "recursion limit"),
        (right.replace("{type: object}", &schema), "more than 64 deep"),
        (format!("{right}{{"), "YAML"),
        ("\u{0}".to_owned(), "YAML"),
    ];
    for (text, message) in table {
        let manifests = Files::from([("a.yaml".to_owned(), text.clone().into_bytes())]);
        let problems = crd::documents(&manifests, false, &[]).unwrap_err().to_string();
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
    assert_eq!(crd::documents(&manifests, false, &[]).unwrap().len(), 1);

    let mut spec = json!({ "type": "string" });
    for _ in 0..26 {
        spec = json!({ "type": "object", "properties": { "a": spec } });
    }
    assert!(package(yaml(&widget(&spec))).files.len() > 20);
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
    let new = widget(&json!({ "type": "string" }));
    let mut old = new.clone();
    old["apiVersion"] = "apiextensions.k8s.io/v1beta1".into();
    let schema = old.pointer("/spec/versions/0/schema").cloned().unwrap();
    let spec = old["spec"].as_object_mut().unwrap();
    spec.remove("versions");
    spec.extend([("version".to_owned(), "v1".into()), ("validation".to_owned(), schema)]);
    let (old, new) = (package(yaml(&old)), package(yaml(&new)));
    assert_eq!(old.files, new.files);
    assert!(old.warnings.is_empty(), "{}", old.warnings);
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
    let read = |files: Files| crd::manifests(&files, false, &[]);
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
    assert!(warnings.starts_with("servers refuse the definition"), "{warnings}");
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
        files.values().map(|it| String::from_utf8_lossy(it).into_owned()).collect::<String>()
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
        import(&specs, release, SourceKind::Cluster, files).unwrap_or_else(|it| panic!("{it}"))
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

/// A later release has one more field in a structure, and an object whose path ends like the path of an older one.
#[test]
fn names_stay_over_two_generations() {
    let object = |fields: &[&str]| {
        let fields = fields.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        json!({ "type": "object", "properties": fields.collect::<Map<_, _>>() })
    };
    let spec = |tls: &[&str], more: &[(&str, Value)]| {
        let mut fields = Map::from_iter([
            ("tls".to_owned(), object(tls)),
            (
                "client".to_owned(),
                json!({ "type": "object", "properties": { "tls": object(&["cert"]) } }),
            ),
        ]);
        fields.extend(more.iter().map(|(name, value)| ((*name).to_owned(), value.clone())));
        widget(&json!({ "type": "object", "properties": fields }))
    };
    let first = package(yaml(&spec(&["cert"], &[])));
    let names = first.names.unwrap();
    assert!(
        names.contains("\"Tls\" = [\n  \"Widget#spec.client.tls\",\n  \"Widget#spec.tls\",\n]"),
        "{names}"
    );

    let server = json!({ "type": "object", "properties": { "tls": object(&["port"]) } });
    let second = yaml(&spec(&["cert", "key"], &[("server", server)]));
    let without = package(second.clone());
    assert!(!without.files.contains_key("v1/tls.rs"), "the name is not unique any more");

    let with = package(with_names(second, &names));
    let text = text(&with, "v1/tls.rs");
    assert!(
        text.contains("pub cert: Option<String>") && text.contains("pub key: Option<String>"),
        "{text}"
    );
    assert!(with.files.contains_key("v1/server_tls.rs"), "{:?}", with.names);
}

/// Servers refuse a schema without a type, and a list without items.
#[test]
fn schemas_without_a_type_or_items() {
    let warnings = |field: Value| {
        let spec = json!({ "type": "object", "properties": { "field": field } });
        package(yaml(&widget(&spec))).warnings.to_string()
    };
    for field in [json!({}), json!({ "oneOf": [{ "type": "string" }] })] {
        let found = warnings(field);
        assert!(found.contains("servers refuse a schema without `type`"), "{found}");
    }
    let found = warnings(json!({ "type": "array" }));
    assert!(found.contains("servers refuse a schema without `items`"), "{found}");
    for field in [
        json!({ "x-kubernetes-preserve-unknown-fields": true }),
        json!({ "x-kubernetes-int-or-string": true, "anyOf": [{ "type": "integer" }, { "type": "string" }] }),
        json!({ "type": "object", "properties": { "a": { "type": "string" } }, "not": { "required": ["a"] } }),
    ] {
        assert_eq!(warnings(field), "");
    }
}

/// The docs of an enum list the words without a variant. One that cannot have a name of its own has the name in `names.toml`.
#[test]
fn words_without_a_name_of_their_own() {
    let mode = json!({ "type": "string", "enum": ["a-b", "a_b", "5.7", "other", ""] });
    let specs = yaml(&widget(&json!({ "type": "object", "properties": { "mode": mode } })));
    let words = |made: &Generated| text(made, "v1/widget_spec_mode.rs").to_owned();
    let without = words(&package(specs.clone()));
    assert!(without.contains("/// Words without a variant: `a_b`, `5.7`, `other`.\n"), "{without}");

    let names = "['com.example.v1 words']\nOtherMode = ['Widget#spec mode other']\nV57 = ['Widget#spec mode 5.7']\n";
    let with = package(with_names(specs.clone(), names));
    let text = words(&with);
    assert!(text.contains("    V57 = \"5.7\";\n    OtherMode = \"other\";\n"), "{text}");
    assert!(text.contains("/// Words without a variant: `a_b`.\n"), "{text}");
    let again = package(with_names(specs, with.names.as_deref().unwrap()));
    assert_eq!(again.names, with.names);
}

/// Words that differ in case alone have names that say so. A later release, in which another word comes first, keeps them.
#[test]
fn words_that_differ_in_case() {
    let specs = |words: &[&str]| {
        let protocol = json!({ "type": "string", "enum": words });
        yaml(&widget(&json!({ "type": "object", "properties": { "protocol": protocol } })))
    };
    let words = |made: &Generated| {
        let text = text(made, "v1/widget_spec_protocol.rs");
        let (_, macros) = text.split_once(".protocol`.\";\n").unwrap();
        macros.replace("    ", "").replace("\n}\n", "").replace('\n', " ")
    };
    let first = package(specs(&["TCP", "tcp", "Http", "HTTP", "http"]));
    let expected = "Tcp = \"TCP\"; TcpLowercase = \"tcp\"; Http = \"Http\"; HttpUppercase = \"HTTP\"; \
                    HttpLowercase = \"http\";";
    assert_eq!(words(&first), expected);
    let second = specs(&["tcp", "Udp", "TCP", "http", "HTTP", "Http", "Sctp"]);
    let second = package(with_names(second, first.names.as_deref().unwrap()));
    let expected = "TcpLowercase = \"tcp\"; Udp = \"Udp\"; Tcp = \"TCP\"; HttpLowercase = \"http\"; HttpUppercase = \"HTTP\"; \
                    Http = \"Http\"; Sctp = \"Sctp\";";
    assert_eq!(words(&second), expected);
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

/// A later kind that has the name of another one's type takes another name.
#[test]
fn names_of_kinds_stay_over_two_generations() {
    let long = "WidgetInterpreterWebhookConfigurationPolicy";
    let object = json!({ "type": "object" });
    let first = with_kind(Files::new(), "a.yaml", long, &object);
    let names = package(first.clone()).names.unwrap();
    let short = "InterpreterWebhookConfigurationPolicy";
    assert!(names.contains(&format!("{short:?} = [\n  {long:?},\n]")), "{names}");

    let second = with_kind(first, "b.yaml", short, &object);
    let generated = package(with_names(second, &names));
    let text = |file: &str| text(&generated, file);
    let file = "v1/interpreter_webhook_configuration_policy";
    assert!(text(&format!("{file}.rs")).contains(&format!("KIND: &'static str = {long:?}")));
    assert!(text(&format!("{file}2.rs")).contains(&format!("KIND: &'static str = {short:?}")));
}

/// Kinds in lower case, with the names of keywords, of the prelude and of generated code, and groups whose operations have the
/// same ids. The test of the groups compiles the package.
#[test]
fn odd_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/crds/odd.yaml");
    let generated = package(Files::from([("odd.yaml".to_owned(), std::fs::read(path).unwrap())]));
    for (file, item, kind) in [
        ("a_b/v1/wire", "Wire", "wire"),
        ("a_b/v1/foo_bar", "FooBar", "foo-bar"),
        ("a_b/v1/option", "Option", "Option"),
        ("a_b/v1/option2", "Option2", "option"),
        ("a_b/v1/mod_", "Mod", "Mod"),
        ("a/v1/widget", "Widget", "Widget"),
        ("x/v1/widget", "Widget", "Widget"),
    ] {
        let text = text(&generated, &format!("{file}.rs"));
        assert!(text.contains(&format!("pub struct {item} {{")), "{text}");
        assert!(text.contains(&format!("KIND: &'static str = {kind:?};")), "{text}");
    }
}

/// Objects whose paths give few names, or none, get names nevertheless; so does a resource that no server would have.
#[test]
fn names_of_what_gives_none() {
    let object =
        |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } } });
    let names = ["1", "-1", "_1", "1-", "--1"];
    let fields: Map<String, Value> = names
        .iter()
        .zip(["a", "b", "c", "d", "e"])
        .map(|(name, field)| ((*name).to_owned(), object(field)))
        .collect();
    let definition = yaml(&widget(&json!({ "type": "object", "properties": fields })));
    let generated = package(definition.clone());
    let types = |of: &Generated, folder: &str| {
        let names =
            of.files.keys().filter_map(|path| path.strip_prefix(folder)?.strip_suffix(".rs"));
        names
            .filter(|name| name.contains('1') && !name.starts_with("apply/"))
            .collect::<Vec<_>>()
            .join(" ")
    };
    let expected = "spec1 spec12 spec13 spec14 widget_spec1";
    assert_eq!(types(&generated, "v1/widgets/"), expected);
}

/// A later kind that has the name of an object, or of words, of another one takes another name.
#[test]
fn names_of_objects_stay_over_two_generations() {
    let mode = json!({ "type": "string", "enum": ["on", "off"] });
    let part = json!({ "type": "object", "properties": { "mode": mode } });
    let spec = json!({ "type": "object", "properties": { "part": part } });
    let first = Files::from([("a.yaml".to_owned(), widget(&spec).to_string().into_bytes())]);
    let generated = package(first.clone());
    let names = generated.names.clone().unwrap();
    for name in ["Part", "PartMode"] {
        assert!(
            names.contains(&format!("\n\"{name}\" = ")) || names.contains(&format!("\n{name} = ")),
            "{names}"
        );
        let second = with_kind(first.clone(), "b.yaml", name, &json!({ "type": "object" }));
        let later = package(with_names(second, &names));
        let file = if name == "Part" { "v1/part" } else { "v1/part_mode" };
        let own = format!("{file}.rs");
        assert_eq!(text(&later, &own), text(&generated, &own), "{name}");
        let kind = text(&later, &format!("{file}2.rs"));
        assert!(kind.contains(&format!("KIND: &'static str = {name:?}")), "{kind}");
    }
}

/// A field or a word that comes later, in the same file, takes no name of another one.
#[test]
fn names_of_fields_and_words_stay_over_two_generations() {
    let spec = |fields: &[&str], words: &[&str]| {
        let text = |name: &&str| ((*name).to_owned(), json!({ "type": "string" }));
        let mut properties: Map<_, _> = fields.iter().map(text).collect();
        properties.insert("mode".to_owned(), json!({ "type": "string", "enum": words }));
        yaml(&widget(&json!({ "type": "object", "properties": properties })))
    };
    let has = |generated: &Generated, file: &str, lines: &[&str]| {
        let text = text(generated, &format!("v1/{file}.rs"));
        for line in lines {
            assert!(text.contains(line), "{line}: {text}");
        }
    };
    let fields = ["foo_bar: Option<String>", "foo_bar_2: Option<String>"];
    let (two, words) = (["foo-bar", "fooBar"], ["a-b", "a_b"]);
    let names = package(spec(&["fooBar"], &["a_b"])).names.unwrap();

    // Nobody knows what an earlier generation had; a line of the file says it.
    let problems =
        generate(&with_names(spec(&two, &words), &names), &specs::options()).unwrap_err();
    assert_eq!(problems.iter().count(), 2, "{problems}");
    let lines = "\n[\"com.example.v1 fields\"]\nfoo_bar = [\"Widget#spec fooBar\"]\n\
                 [\"com.example.v1 words\"]\nAB = [\"Widget#spec mode a_b\"]\n";
    let generated = package(with_names(spec(&two, &words), &(names + lines)));
    has(&generated, "widget_spec", &fields);
    has(&generated, "widget_spec", &["1 \"fooBar\" => foo_bar:"]);
    has(&generated, "widget_spec_mode", &["AB = \"a_b\""]);

    // The first generation has both: they stay, also without the other one.
    let first = package(spec(&two, &words));
    has(&first, "widget_spec", &["0 \"foo-bar\" => foo_bar:"]);
    let names = first.names.unwrap();
    let third =
        package(with_names(spec(&["a", "foo.bar", "foo-bar", "fooBar"], &["A_B", "a-b"]), &names));
    has(&third, "widget_spec", &["1 \"foo-bar\" => foo_bar:"]);
    has(&third, "widget_spec", &["3 \"fooBar\" => foo_bar_2:"]);
    has(&third, "widget_spec_mode", &["AB = \"a-b\""]);
    let alone = package(with_names(spec(&["fooBar"], &["a_b"]), &names));
    has(&alone, "widget_spec", &["0 \"fooBar\" => foo_bar_2:"]);

    // A name can be changed, and two releases need no line.
    let names = names.replace("foo_bar_2", "type").replace("\"AB\"", "\"Both\"");
    let renamed = package(with_names(spec(&two, &words), &names));
    has(&renamed, "widget_spec", &["1 \"fooBar\" => r#type:"]);
    has(&renamed, "widget_spec_mode", &["Both = \"a-b\"", "AB = \"a_b\""]);
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

/// The members that a schema does not name have the name `rest`, and so can a field: the first to come keeps it.
#[test]
fn rest_stays_over_two_releases() {
    let spec = |properties: &[&str], keeps: bool| {
        let named = properties.iter().map(|name| ((*name).to_owned(), json!({ "type": "string" })));
        let properties = named.collect::<Map<_, _>>();
        let spec = json!({
            "type": "object", "properties": properties, "x-kubernetes-preserve-unknown-fields": keeps,
        });
        widget(&spec).to_string().into_bytes()
    };
    let (map, string) = ("BTreeMap<String, Json>,", "Option<String>,");
    for (first, second, named) in [
        (spec(&["a"], true), spec(&["a", "rest"], true), [("rest", map), ("rest_2", string)]),
        (spec(&["rest"], false), spec(&["rest"], true), [("rest", string), ("rest_2", map)]),
    ] {
        let generated = package(Files::from([
            ("v1.0/widgets.yaml".to_owned(), first),
            ("v1.1/widgets.yaml".to_owned(), second),
        ]));
        let text = text(&generated, "v1/widget_spec.rs");
        for (name, of) in named {
            assert!(text.contains(&format!("pub {name}: {of}")), "{text}");
        }
    }
}

/// A later kind whose file would have the name of a folder takes another name.
#[test]
fn a_kind_beside_the_folder_of_another_one() {
    let part =
        |name: &str| json!({ "type": "object", "properties": { name: { "type": "string" } } });
    // Two types whose names differ only in case.
    let spec = json!({ "type": "object", "properties": { "aB": part("x"), "ab": part("y") } });
    let first = with_kind(Files::new(), "a.yaml", "Widget", &spec);
    let generated = package(first.clone());
    assert!(generated.files.keys().any(|path| path.starts_with("v1/widgets/")));
    let second = with_kind(first, "b.yaml", "Widgets", &json!({ "type": "object" }));
    let files = package(with_names(second, &generated.names.unwrap())).files;
    let files: Vec<_> = files.keys().filter(|path| path.starts_with("v1/w")).collect();
    assert!(files.iter().any(|path| *path == "v1/widgets2.rs"), "{files:?}");
    assert!(files.iter().all(|path| *path != "v1/widgets.rs"), "{files:?}");
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
    assert!(without.contains("state `introduced`, too"), "{without}");
    let release = "v1.1".parse::<k8s_versioned_names::Release>().unwrap();
    let diff = diff(&definition, release.into(), release.into()).unwrap_err().to_string();
    assert_eq!(diff, "specs has no release v1.1; it has definitions in no folder of a release");
}

/// A name that is changed in the file renames the type.
#[test]
fn a_rule_renames() {
    let definition = yaml(&widget(&json!({ "type": "object", "properties": {} })));
    let names = package(definition.clone()).names.unwrap();
    let renamed = package(with_names(definition, &names.replace("WidgetSpec", "Wanted")));
    assert!(
        renamed.files.contains_key("v1/wanted.rs")
            && !renamed.files.contains_key("v1/widget_spec.rs")
    );
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

/// The 185 definitions by their groups, each in a file of its own: a document can have the kinds of several definitions.
fn groups() -> BTreeMap<String, Files> {
    let mut groups: BTreeMap<String, Files> = BTreeMap::new();
    for (index, manifest) in lines("../crds/manifests.jsonl.gz").enumerate() {
        let value: Value = serde_json::from_str(&manifest).unwrap();
        let group = value["spec"]["group"].as_str().unwrap().to_owned();
        groups
            .entry(group)
            .or_default()
            .insert(format!("v1.0/{index:03}.yaml"), manifest.into_bytes());
    }
    assert_eq!(groups.values().map(Files::len).sum::<usize>(), 185);
    groups
}

/// Some groups; the test below has all.
#[test]
fn both_ways_give_the_same_package() {
    both_ways(8);
}

#[test]
#[ignore = "generates 370 packages: `.ci/run` has a step for it"]
fn both_ways_give_the_same_packages_of_all() {
    both_ways(1);
}

/// Manifests and what a server publishes for them give the same packages, of every so many groups.
fn both_ways(every: usize) {
    let mut published = published();
    let pairs = groups().into_iter().step_by(every).map(|(group, manifests)| {
        let documents = published.remove(&group).unwrap();
        (group, manifests, documents)
    });
    let pairs: Vec<_> = pairs.collect();
    assert!(every > 1 || published.is_empty(), "{:?}", published.keys());
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for part in pairs.chunks(pairs.len().div_ceil(threads)) {
            scope.spawn(|| part.iter().for_each(same_by_both_ways));
        }
    });
}

fn same_by_both_ways((group, manifests, documents): &(String, Files, Files)) {
    let files = package(manifests.clone()).files;
    check_schemas(documents, &files);
    assert!(formatting::check(&files) > 0, "{group}");
    // The package of a server's documents has the definitions by itself.
    let mut documents = documents.clone();
    documents.extend(
        manifests.iter().map(|(path, text)| (path.replace("v1.0/", crd::FOLDER), text.clone())),
    );
    let other = package(documents).files;
    let differ = |path: &&String| files.get(*path) != other.get(*path);
    let paths: Vec<&String> = files.keys().chain(other.keys()).filter(differ).collect();
    assert!(paths.is_empty(), "{group}: {paths:?}");
}

/// The documents of each group as a server publishes them.
fn published() -> BTreeMap<String, Files> {
    let of_release = |(file, text)| (format!("v1.0/{file}"), text);
    let groups = custom_documents().into_iter();
    groups.map(|(group, files)| (group, files.into_iter().map(of_release).collect())).collect()
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

/// The JSON Schema of each kind is the one that a server publishes.
fn check_schemas(documents: &Files, files: &Files) {
    for (path, document) in documents {
        let document: Value = serde_json::from_slice(document).unwrap();
        let version = path.split("__").nth(2).unwrap().trim_end_matches("_openapi.json");
        let emitted: Map<String, Value> =
            serde_json::from_slice(&files[&format!("{version}/json_schemas.json")]).unwrap();
        assert!(!emitted.is_empty(), "{path}");
        for (name, schema) in emitted {
            // The others are of types whose objects have several schemas.
            if let Some(published) = document["components"]["schemas"].get(&name) {
                assert_eq!(schema, with_names_of_rust(published), "{path} {name}");
            }
        }
    }
}

fn with_names_of_rust(schema: &Value) -> Value {
    match schema {
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| match value {
                Value::String(_) if key == "$ref" => {
                    (key.clone(), json!("k8s_versioned::meta::v1::ObjectMeta"))
                }
                _ => (key.clone(), with_names_of_rust(value)),
            };
            members.iter().map(member).collect()
        }
        Value::Array(items) => items.iter().map(with_names_of_rust).collect(),
        other => other.clone(),
    }
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

/// The schema of a type states what the schemas of all its objects state; those of the kinds are exact.
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
        let documents = crd::documents(&yaml(&widget(&spec)), false, &[]).unwrap();
        let kind = documents[0].types["com.example.v1.Widget"].published.as_ref().unwrap();
        assert_eq!(kind["properties"]["spec"]["properties"]["port"], published);
    }
}
