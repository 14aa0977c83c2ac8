//! Names that definitions and build scripts may have, and that could break generated code or the generator.

use std::collections::BTreeSet;

use k8s_versioned_codegen::tools::diff::comparison::{Comparison, DiffFormat};
use k8s_versioned_codegen::tools::diff::diff_definitions;
use k8s_versioned_codegen::tools::draft::Drafter;
use k8s_versioned_codegen::tools::reference;
use k8s_versioned_codegen::{BuildError, Builder, Files, Plans, Problem, generate};
use syn::{Item, UseTree};

use crate::drafts::{DEFINITION, kind_of, project};

/// Names of versions that are also names in generated code: of crates, modules and functions that files import, and of modules
/// that the generator makes. With the versions of the last rows, the names of two pairs of versions could be equal.
const VERSIONS: &[&[&str]] = &[
    &["text", "v1"],
    &["units", "v1"],
    &["words", "v1"],
    &["nest", "v1"],
    &["items", "v1"],
    &["wrap", "v1"],
    &["schema", "v1"],
    &["pattern", "v1"],
    &["custom", "v1"],
    &["moved", "v1"],
    &["keep-aside", "v1"],
    &["first-of-list", "v1"],
    &["wire", "v1"],
    &["verb", "v1"],
    &["serde", "v1"],
    &["std", "v1"],
    &["equal", "v1"],
    &["conversion", "v1"],
    &["registry", "v1"],
    &["apply", "v1"],
    &["k8s-versioned", "v1"],
    &["v1", "v11", "v1-1"],
    &["a", "a-to-b", "b-to-c", "c"],
    &["a", "a--to-b", "b", "b-to-a"],
];

/// A document of a kind with its list. The names in capitals are to be replaced.
const DOCUMENT: &str = r##"{
  "openapi": "3.0.0",
  "info": {"title": "Kubernetes", "version": "v1.36"},
  "paths": {"/apis/example.com/VERSION/widgets/{name}": {"get": {
    "operationId": "getVERSION",
    "x-kubernetes-action": "get",
    "x-kubernetes-group-version-kind": {"group": "example.com", "version": "VERSION", "kind": "Widget"},
    "parameters": [{"name": "name", "in": "path", "required": true, "schema": {"type": "string"}}],
    "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/com.example.VERSION.Widget"}}}}}
  }}, "/apis/example.com/VERSION/widgets": {"get": {
    "operationId": "listVERSION",
    "x-kubernetes-action": "list",
    "x-kubernetes-group-version-kind": {"group": "example.com", "version": "VERSION", "kind": "Widget"},
    "responses": {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/com.example.VERSION.WidgetList"}}}}}
  }}},
  "components": {"schemas": {
    "com.example.VERSION.Widget": {
      "type": "object",
      "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "VERSION", "kind": "Widget"}],
      "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"default": {}, "allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta"}]},
        "FIELD": {"type": "string"}
      }
    },
    "com.example.VERSION.WidgetList": {
      "type": "object",
      "required": ["items"],
      "x-kubernetes-group-version-kind": [{"group": "example.com", "version": "VERSION", "kind": "WidgetList"}],
      "properties": {
        "apiVersion": {"type": "string"},
        "kind": {"type": "string"},
        "metadata": {"default": {}, "allOf": [{"$ref": "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta"}]},
        "items": {"type": "array", "items": {"default": {}, "allOf": [{"$ref": "#/components/schemas/com.example.VERSION.Widget"}]}}
      }
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta": {
      "type": "object",
      "properties": {"name": {"type": "string"}, "annotations": {"type": "object", "additionalProperties": {"type": "string", "default": ""}}}
    },
    "io.k8s.apimachinery.pkg.apis.meta.v1.ListMeta": {"type": "object", "properties": {"continue": {"type": "string"}}}
  }}
}"##;

/// The documents of two versions of a kind, which have a field each.
fn documents(kind: &str, fields: [&str; 2]) -> Files {
    let group = "groups = [\"example.com\"]\ndescriptions = \"none\"\nverbs = false";
    let mut specs = Files::from([("group.toml".to_owned(), group.into())]);
    for (version, field) in ["v1", "v1beta1"].into_iter().zip(fields) {
        let document = DOCUMENT.replace("VERSION", version).replace("FIELD", field);
        let path = format!("v1.36/apis__example.com__{version}_openapi.json");
        specs.insert(path, document.replace("Widget", kind).into_bytes());
    }
    specs
}

/// A part that is equal in all versions, beside a field of which each version has another name.
fn fields_of(version: usize) -> String {
    format!(
        "part: {{type: object, properties: {{x: {{type: string}}}}}}\nown{version}: {{type: string}}"
    )
}

#[test]
fn names_of_versions_in_generated_code() {
    for versions in VERSIONS {
        let fields: Vec<String> = (0..versions.len()).map(fields_of).collect();
        let kinds: Vec<(&str, &str)> =
            versions.iter().zip(&fields).map(|(version, fields)| (*version, &**fields)).collect();
        check(versions, &kind_of(&kinds));
        if let [version, "v1"] = versions {
            // The draft for this definition has rules of most kinds.
            check(versions, &DEFINITION.replace("v1beta1", version));
        }
    }
}

/// Generates from a definition with the rules of a draft, and reads all files.
fn check(versions: &[&str], definition: &str) {
    let plans = Plans::read(&project(definition, "")).unwrap();
    let rules = Drafter::new(&plans).drafts(false).unwrap().concat();
    let generated = generate(&project(definition, &rules), &testing::specs::options());
    let files = generated.unwrap_or_else(|problems| panic!("{versions:?}: {problems}")).files;
    for (path, text) in files.iter().filter(|(path, _)| path.ends_with(".rs")) {
        let file = syn::parse_file(str::from_utf8(text).unwrap()).unwrap();
        let twice = names_twice(&file.items);
        assert!(twice.is_empty(), "{versions:?}: {path} has {twice:?} twice");
    }
}

/// The names that items of a module have twice, imports among them. A path that begins with an imported name means that name.
fn names_twice(items: &[Item]) -> Vec<String> {
    let (mut seen, mut imported, mut crates) = (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
    let mut twice = Vec::new();
    for item in items {
        let names = match item {
            Item::Use(item) => {
                let mut names = Vec::new();
                collect(&item.tree, &mut names);
                if let UseTree::Path(path) = &item.tree {
                    crates.insert(path.ident.to_string());
                }
                imported.extend(names.iter().cloned());
                names
            }
            Item::Fn(item) => vec![item.sig.ident.to_string()],
            Item::Mod(item) => vec![item.ident.to_string()],
            Item::Struct(item) => vec![item.ident.to_string()],
            Item::Enum(item) => vec![item.ident.to_string()],
            Item::Const(item) => vec![item.ident.to_string()],
            _ => Vec::new(),
        };
        twice.extend(names.into_iter().filter(|name| !seen.insert(name.clone())));
    }
    twice.extend(crates.intersection(&imported).cloned());
    twice
}

/// The names that a `use` brings into a module.
fn collect(tree: &UseTree, names: &mut Vec<String>) {
    match tree {
        UseTree::Path(path) => collect(&path.tree, names),
        UseTree::Name(name) => names.push(name.ident.to_string()),
        UseTree::Rename(name) => names.push(name.rename.to_string()),
        UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, names)),
        UseTree::Glob(_) => {}
    }
}

/// A field `a.metadata` beside `spec` does not belong to the metadata of the object.
#[test]
fn a_field_that_ends_with_metadata() {
    let definition = kind_of(&[("v1", "size: {type: string}")]).replace(
        "        properties:\n          spec:",
        "        properties:\n          a.metadata: {type: string}\n          spec:",
    );
    let files = generate(&project(&definition, ""), &testing::specs::options()).unwrap().files;
    let text = str::from_utf8(&files["v1/widget.rs"]).unwrap();
    assert!(text.contains("pub a_metadata: Option<String>"), "{text}");
}

/// The name of a kind in a document can be any text, and becomes part of an annotation's key, which has ASCII only.
#[test]
fn a_kind_in_other_letters() {
    let kind = format!("A{}", "\u{e9}".repeat(30));
    let mut specs = documents(&kind, ["a", "b"]);
    // Of different types, so that the fields are kept in annotations.
    let document = specs.get_mut("v1.36/apis__example.com__v1_openapi.json").unwrap();
    let text = str::from_utf8(document).unwrap();
    *document =
        text.replace(r#""a": {"type": "string"}"#, r#""a": {"type": "boolean"}"#).into_bytes();
    let plans = Plans::read(&specs).unwrap_or_else(|problems| panic!("{problems}"));
    let rules = Drafter::new(&plans).drafts(false).unwrap().concat();
    assert!(rules.contains("annotation = \"conversion.example.com/a\""), "{rules}");
    specs.insert("conversions.toml".to_owned(), rules.into_bytes());
    Plans::read(&specs).unwrap_or_else(|problems| panic!("{problems}"));
}

/// A module or a root that is not a valid Rust path is an error, not a panic.
#[test]
fn modules_of_build_scripts() {
    let definition = kind_of(&[("v1", "size: {type: string}")]);
    let specs: Files = project(&definition, "");
    for module in ["my-api", "", "..", "/tmp/api", "self", "a::b", "type"] {
        let error = Builder::new(specs.clone()).build_script(module).unwrap_err();
        assert!(matches!(error, BuildError::NotAModule { .. }), "{module}: {error}");
    }
    for root in ["crate::my-api", "", "crate::", "::a", "crate::a b"] {
        let problems = Builder::new(specs.clone()).root(root).generate().unwrap_err();
        assert!(
            problems.to_string().contains("is not a valid path of a Rust module"),
            "{root}: {problems}"
        );
    }
}

/// The name of a field in a document can have dots, and a rule is about its full name.
#[test]
fn a_rule_about_a_field_with_dots() {
    let mut specs = documents("Widget", ["a.b", "b"]);
    let rule = |field: &str| {
        format!("[[field]]\nfield = \"{field}\"\nempty = \"kept\"\nreason = \"Seen.\"\n")
    };
    let said = |specs: &Files| {
        let problems = generate(specs, &testing::specs::options()).unwrap_err();
        problems.iter().map(Problem::id).collect::<Vec<_>>()
    };
    specs.insert("fields.toml".to_owned(), rule("com.example.v1.Widget.a.b").into_bytes());
    assert_eq!(said(&specs), ["without-effect"]);
    specs.insert("fields.toml".to_owned(), rule("com.example.v1.Widget.a.c").into_bytes());
    assert_eq!(said(&specs), ["matches-nothing"]);
}

/// Statuses of responses and names of documents are read exactly.
#[test]
fn statuses_and_names_of_documents() {
    for status in ["+200", "0200", "600", "2e2"] {
        let mut specs = documents("Widget", ["a", "b"]);
        let document =
            DOCUMENT.replace("VERSION", "v1").replace("\"200\":", &format!("{status:?}:"));
        specs.insert("v1.36/apis__example.com__v1_openapi.json".to_owned(), document.into_bytes());
        let problems = generate(&specs, &testing::specs::options()).unwrap_err();
        assert!(problems.to_string().contains("status code"), "{status}: {problems}");
    }
    let mut specs = documents("Widget", ["a", "b"]);
    specs.insert("v1.36/apis____v1_openapi.json".to_owned(), b"not json".to_vec());
    let problems = generate(&specs, &testing::specs::options()).unwrap_err();
    let ids: Vec<_> = problems.iter().map(Problem::id).collect();
    assert_eq!(ids, ["not-a-document"], "{problems}");
}

/// A function of the enum of all versions hides none of a trait.
#[test]
fn fields_with_names_of_methods() {
    let fields =
        "clone: {type: string}\neq: {type: string}\nto_owned: {type: string}\nsize: {type: string}";
    let definition = kind_of(&[("v1", fields), ("v2", fields)]);
    let required = "        required: [spec]\n        properties:\n          spec:";
    let definition = definition.replace("        properties:\n          spec:", required);
    let rules = "[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\n";
    let specs = project(&definition, rules);
    let files = generate(&specs, &testing::specs::options()).unwrap().files;
    let text = str::from_utf8(&files["conversion/widget/any.rs"]).unwrap();
    assert!(text.contains("fn size("), "{text}");
    for name in ["clone", "eq", "to_owned"] {
        assert!(!text.contains(&format!("fn {name}(")), "{text}");
    }
}

/// The limit of versions is one of a definition, however many objects state it.
#[test]
fn versions_in_many_objects() {
    let object = |object: usize| {
        let names: Vec<String> = (0..60).map(|at| format!("v{}", 1 + 60 * object + at)).collect();
        let versions: Vec<(&str, &str)> =
            names.iter().map(|name| (name.as_str(), "a: {type: string}")).collect();
        (format!("{object}.yaml"), kind_of(&versions).into_bytes())
    };
    let problems = Plans::read(&(0..4).map(object).collect()).unwrap_err();
    let ids: Vec<_> = problems.iter().map(Problem::id).collect();
    assert_eq!(ids, ["many-versions"; 3], "{problems}");
}

/// A value of TOML that JSON does not have is not a value of a field.
#[test]
fn values_that_json_lacks() {
    let definition = kind_of(&[
        ("v1", "a: {type: object, additionalProperties: {type: string}}\nb: {type: boolean}"),
        ("v2", "b: {type: boolean}"),
    ]);
    for value in ["1979-05-27", "{ a = 1979-05-27 }", "nan", "[inf]"] {
        let rules = format!(
            "[[kind]]\nkind = \"Widget\"\nversions = [\"v1\", \"v2\"]\nannotation = \"conversion.example.dev/widget\"\n\
             [[kind.field]]\nrule = \"keep-aside\"\nnames = {{ v1 = \"spec.a\" }}\nfill = {value}\nreason = \"Seen.\"\n"
        );
        let problems = Plans::read(&project(&definition, &rules)).unwrap_err();
        let ids: Vec<_> = problems.iter().map(Problem::id).collect();
        assert_eq!(ids, ["key-form"], "{value}: {problems}");
    }
}

/// A page lists a limited number of fields, and says how many there are more.
#[test]
fn a_page_of_many_fields() {
    let fields: Vec<String> = (0..10_100).map(|at| format!("f{at}: {{type: string}}")).collect();
    let definition = kind_of(&[("v1", &fields.join("\n"))]);
    let pages = reference::pages(&project(&definition, ""), &[], "a test").unwrap();
    let page = str::from_utf8(&pages["v1/Widget.md"]).unwrap();
    // The kind has its spec and metadata beside these.
    let rows = page.lines().filter(|line| line.starts_with("| `")).count();
    assert!(
        page.contains("more fields are not listed: the page is too long") && rows < 10_050,
        "{rows}"
    );
}

/// A bar in the name of a list ends no cell of the page about conversions.
#[test]
fn a_list_with_a_bar() {
    let list = |more: &str| {
        format!(
            "\"a|b\": {{type: array, maxItems: 3, items: {{type: object, properties: {{x: {{type: string}}{more}}}}}}}"
        )
    };
    let definition = kind_of(&[("v1", &list(", y: {type: string}")), ("v2", &list(""))]);
    let plans = Plans::read(&project(&definition, "")).unwrap();
    let rules = Drafter::new(&plans).drafts(false).unwrap().concat();
    let generated = generate(&project(&definition, &rules), &testing::specs::options()).unwrap();
    let page = generated.pages.values().next().unwrap();
    let page = str::from_utf8(page).unwrap();
    assert!(page.contains("stays at its position"), "{page}");
    let bars = |line: &str| line.replace("\\|", "").matches('|').count();
    let lines: Vec<&str> = page.lines().collect();
    for pair in lines.windows(2).filter(|pair| pair.iter().all(|line| line.starts_with('|'))) {
        assert_eq!(bars(pair[0]), bars(pair[1]), "{pair:?}");
    }
}

/// The core group has an empty name.
#[test]
fn a_page_of_the_core_group() {
    let mut specs = documents("Widget", ["a", "b"]);
    for version in ["v1", "v1beta1"] {
        let path = format!("v1.36/apis__example.com__{version}_openapi.json");
        let text = String::from_utf8(specs.remove(&path).unwrap()).unwrap();
        let text = text.replace("/apis/example.com/", "/api/");
        let text = text.replace("\"group\": \"example.com\"", "\"group\": \"\"");
        specs.insert(format!("v1.36/api__{version}_openapi.json"), text.into_bytes());
    }
    let group = "groups = [\"\"]\ndescriptions = \"none\"\nverbs = false";
    specs.insert("group.toml".to_owned(), group.into());
    let pages = reference::pages(&specs, &[], "a test").unwrap();
    let page = str::from_utf8(&pages["v1/Widget.md"]).unwrap();
    assert!(page.contains("# Widget, v1\n"), "{page}");
}

/// Texts of definitions are no Markdown in a comment on a pull request.
#[test]
fn a_report_in_markdown() {
    let side = |words: &str| {
        let definition =
            kind_of(&[("v1", &format!("mode: {{type: string, enum: [\"a\"{words}]}}"))]);
        Files::from([("widgets.yaml".to_owned(), definition.into_bytes())])
    };
    let hostile = ", \"![x](https://evil.example/p.png)\", \"@kubernetes/sig-api\"";
    let findings = diff_definitions(&side(hostile), &side(""), None).unwrap();
    let (old, new) = ("old".to_owned(), "new".to_owned());
    let report = Comparison { old, new, findings, objects: None };
    let text = report.write(DiffFormat::Markdown);
    let outside: String = text.split('`').step_by(2).collect();
    assert!(text.contains("@kubernetes") && !outside.contains(['@', '!', '[']), "{text}");
}

/// A finding about a version is in the object that has the version.
#[test]
fn a_finding_in_the_second_object() {
    let side = |deprecated: bool| {
        let [first, mut second] =
            ["v1", "v2"].map(|version| kind_of(&[(version, "a: {type: string}")]));
        if deprecated {
            second = second.replace("    served: true", "    served: true\n    deprecated: true");
        }
        let second = second.replace("storage: true", "storage: false");
        [("a.yaml", first), ("b.yaml", second)]
            .into_iter()
            .map(|(file, text)| (file.to_owned(), text.into_bytes()))
            .collect::<Files>()
    };
    let findings = diff_definitions(&side(false), &side(true), None).unwrap();
    let places: Vec<_> = findings.iter().filter_map(|finding| finding.place.as_ref()).collect();
    let [place] = places.as_slice() else { panic!("{findings:?}") };
    assert_eq!((&*place.file, &*place.pointer), ("b.yaml", "/spec/versions/0/deprecated"));
}
