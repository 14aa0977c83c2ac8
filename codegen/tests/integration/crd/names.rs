//! Names of kinds, types, fields and words, also of what gives none, and over two generations.

use std::path::Path;

use k8s_versioned_codegen::{Files, Generated, generate};
use serde_json::{Map, Value, json};
use testing::specs;

use super::{package, widget, with_kind, with_names, yaml};
use crate::groups::text;

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

/// A property that is named like the field of the members that have no name: a generation with the names of the first one is the same.
#[test]
fn a_property_beside_the_other_members() {
    let spec = json!({
        "type": "object",
        "x-kubernetes-preserve-unknown-fields": true,
        "properties": { "rest": { "type": "string" }, "rest_2": { "type": "string" } },
    });
    let specs = yaml(&widget(&spec));
    let first = package(specs.clone());
    let second = package(with_names(specs, first.names.as_deref().unwrap()));
    assert_eq!(second.names, first.names);
    assert_eq!(second.files, first.files);
}
