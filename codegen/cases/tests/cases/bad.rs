//! The bad cases and their messages.

use std::collections::BTreeSet;
use std::fmt::Write;

use k8s_versioned_codegen::manifest::SourceKind;
use k8s_versioned_codegen::tools::import;
use k8s_versioned_codegen::{Explanation, Files, Problem, Problems, crd};

use crate::support::{Snapshots, folder, good, options, patched};
use testing::specs;
use testing::specs::patch::Patched;

/// Causes without a case here: `tests/garbage.rs` has `More`, the tests of the generator have `TooLarge`, `TooManyValues`, `TooManyVersions`,
/// `TooManyFields` and `NotAModule`. `NotRust` would be a fault of the generator: the tests of the generator read what it makes of
/// hostile names.
const ELSEWHERE: [&str; 7] = [
    "Conversion::TooManyFields",
    "Conversion::TooManyVersions",
    "File::TooLarge",
    "File::TooManyValues",
    "File::More",
    "Plan::NotAModule",
    "Plan::NotRust",
];

#[test]
fn messages() {
    let mut snapshots = Snapshots::of("bad");
    let mut seen = BTreeSet::new();
    for name in names() {
        let Patched { files, comment, .. } = patched("bad", &name);
        let problems = problems(&name, &files);
        assert_severity(false, &problems);
        seen.extend(causes(&problems));
        snapshots.check(&name, &comment, &show(&problems, &files));
    }
    for (name, comment, problems) in imports() {
        seen.extend(causes(&problems));
        snapshots.check(name, comment, &show(&problems, &Files::new()));
    }
    let warnings = warnings();
    seen.extend(causes(&warnings));
    let conversions = warnings_of_conversions();
    assert_severity(true, &warnings);
    assert_severity(true, &conversions);
    seen.extend(causes(&conversions));
    seen.extend(causes(&warnings_of("shapes")));
    let without_rest = warnings_without_rest();
    seen.extend(causes(&without_rest));
    snapshots.check(
        "conversions-without-rest",
        "A text whose part after the separator no rule says.",
        &show(&without_rest, &Files::new()),
    );
    let with_empty = warnings_about_empty_values();
    seen.extend(causes(&with_empty));
    snapshots.check(
        "conversions-empty-values",
        "Empty values that servers of another version reject.",
        &show(&with_empty, &Files::new()),
    );
    snapshots.check(
        "conversions-warnings",
        "A word that not all versions know, a field that a release removed from one version, required fields without a value, and a number that cannot be 0.",
        &show(&conversions, &Files::new()),
    );
    snapshots.check(
        "crd-warnings",
        "What servers ignore or refuse, a version that they do not serve, and a definition in two files.",
        &show(&warnings, &Files::new()),
    );
    snapshots.finish();
    seen.extend(ELSEWHERE.iter().map(ToString::to_string));
    let missing: Vec<_> = all_causes().difference(&seen).cloned().collect();
    assert!(missing.is_empty(), "no bad case has these causes: {missing:?}");
}

/// A cause states what it does to a generation, and the generator does that.
fn assert_severity(is_warning: bool, problems: &Problems) {
    for problem in problems.iter() {
        assert_eq!(problem.is_warning(), is_warning, "{problem}");
    }
}

fn names() -> Vec<String> {
    let names = specs::cases(&folder("bad")).unwrap().into_iter();
    names.map(|name| name.strip_suffix(".toml").unwrap().to_owned()).collect()
}

fn problems(name: &str, files: &Files) -> Problems {
    match k8s_versioned_codegen::generate(files, &options(name)) {
        Ok(_) => panic!("{name}: nothing is wrong"),
        Err(problems) => problems,
    }
}

/// A file of protobuf, mostly as upstream writes it.
const PROTO: &str = r#"
syntax = "proto2";
package example.dev.v1;

// A thing, and nothing else.
message Thing {
  // Its name.
  optional string name = 2; // again
  repeated string tags = one;
  oneof
}
"#;

/// A file of protobuf with a struct that Go embeds, and with what no type has; and the Go types.
const MESSAGES: [(&str, &str); 2] = [
    (
        "api/v1/generated.proto",
        "package example.dev.v1;
        message Nest { optional Nest inner = 2; optional Inlined inlined = 4; }
        message Inlined { optional Twig twig = 3; }
        message Tree { optional string NAME = 7; map<string, string> more = 8; }
        message Other { optional int32 size = 1; }",
    ),
    (
        "api/v1/types.go",
        "type Nest struct {
            Inner *Nest `json:\"inner,omitempty\"`
            Inlined `json:\",inline\"`
        }
        type Inlined struct {\n\tTwig Twig `json:\"twig\"`\n}
        type Tree struct {\n\tName string `json:\"name\"`\n}",
    ),
];

/// The numbers of a message become the numbers of the schema that has them, and the Go types say what is a pointer.
#[test]
fn an_import_adds_numbers_and_presences() {
    let mut specs = good("recursion");
    let mut from = documents(&specs);
    specs::add_manifest(&mut specs);
    from.extend(MESSAGES.map(|(file, text)| (file.to_owned(), text.into())));
    specs.insert("protobuf.toml".to_owned(), b"# Mine.\n".to_vec());
    let release = "v1.1".parse().unwrap();
    let imported = import::import(&specs, release, SourceKind::SourceTree, &from).unwrap();
    let text = |name: &str| str::from_utf8(&imported.specs[name]).unwrap();
    let (_, numbers) = text("field-numbers.toml").split_once("\n\n").unwrap();
    let nest = "[\"dev.example.v1.Nest\"]\ninner = 2\ntwig = [4, 3]\n";
    assert_eq!(numbers, format!("{nest}\n[\"dev.example.v1.Tree\"]\nname = 7\n"));
    let nest = "[\"dev.example.v1.Nest\"]\nvalues = [\"twig\"]\npointers = [\"inner\"]\n";
    let tree = "[\"dev.example.v1.Tree\"]\nvalues = [\"name\"]\n";
    assert_eq!(text("protobuf.toml"), format!("# Mine.\n\n{nest}\n{tree}"));
    let left_out = ["Inlined", "Other", "Tree.more"].map(|name| format!("dev.example.v1.{name}"));
    assert!(imported.without_type.iter().eq(&left_out), "{:?}", imported.without_type);
}

/// The documents of a case as an import finds them: without the folder.
fn documents(specs: &Files) -> Files {
    let documents =
        specs.iter().filter_map(|(path, text)| Some((path.strip_prefix("v1.1/")?, text)));
    documents.map(|(name, text)| (name.to_owned(), text.clone())).collect()
}

/// Problems that only an import has.
fn imports() -> Vec<(&'static str, &'static str, Problems)> {
    let mut specs = good("one-field");
    specs::add_manifest(&mut specs);
    let release = "v1.1".parse().unwrap();
    let import = |source, from: &Files| import::import(&specs, release, source, from).unwrap_err();
    let numbers = "[\"dev.example.v1.Thing\"]\nname = 1\n";
    let mut numbered = specs.clone();
    numbered.insert("field-numbers.toml".to_owned(), numbers.into());
    let mut proto = documents(&specs);
    proto.insert("generated.proto".to_owned(), PROTO.into());
    let mut without_manifest = good("one-field");
    without_manifest.insert("v1.1/notes.json".to_owned(), b"{}".to_vec());
    let definitions =
        Files::from([("a.yaml".to_owned(), good("custom")["v1.1/widgets.yaml"].clone())]);
    let json = Files::from([("a.json".to_owned(), b"{\n  \"kind\": \"List\",,\n}".to_vec())]);
    vec![
        ("crd-json", "A file `*.json` that is not JSON.", crd::manifests(&json).unwrap_err()),
        (
            "import-proto",
            "A number that changed, and lines that are not understood.",
            import::import(&numbered, release, SourceKind::SourceTree, &proto).unwrap_err(),
        ),
        (
            "folder-without-manifest",
            "A folder without a manifest, with a file that is not a document.",
            problems("folder-without-manifest", &without_manifest),
        ),
        (
            "import-nothing",
            "A folder without documents of the group.",
            import(SourceKind::SourceTree, &good("second-group")),
        ),
        (
            "import-definitions",
            "Definitions of another group.",
            import::import_definitions(
                &good("second-group"),
                Some(release),
                &definitions,
                ToString::to_string,
            )
            .unwrap_err(),
        ),
        (
            "import-cluster",
            "A cluster's documents instead of a source tree's.",
            import(SourceKind::Cluster, &Files::new()),
        ),
    ]
}

/// What servers ignore or refuse in a definition stops nothing, and neither does a version that is not served. Each keyword has one
/// warning, vendor extensions have one together.
fn warnings() -> Problems {
    let mut specs = good("custom-versions");
    let path = "v1.1/boats.yaml";
    let mut text = String::from_utf8(specs[path].clone()).unwrap();
    for (right, wrong) in [
        (
            "second: &second {type: string, enum: [sail, motor], nullable",
            "second: &second {type: string, enum: [sail, motor], nulable",
        ),
        (
            "modes: &modes {type: object, additionalProperties",
            "modes: &modes {type: object, aditionalProperties",
        ),
        (
            "tons: {type: integer, format: int32}",
            "tons: {type: integer, format: int32, x-unit: t, x-axis: y}",
        ),
        ("crane: {type: string}", "crane: {type: string, x-unit: m, comment: old}"),
        ("crane: {x-kubernetes-int-or-string: true}", "crane: {x-kubernetes-int-or-strnig: true}"),
        (
            "type: array, items: {type: object, required: [name], properties: {name",
            "type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [nome], items: {type: object, required: [name], properties: {name",
        ),
        (
            "draft: {type: number}",
            "y: {type: string, default: on}\n              draft: {type: strng}",
        ),
        ("storage: true", "storage: false"),
        ("colour: {type: string}", "colour: {type: string, default: 1}"),
        ("enum: [loose, tight, slack]", "enum: [loose, tight, slack], default: lose"),
        (
            "required: [mode, oars, hull, bunks, pilot]",
            "required: [mode, oars, hull, bunks, pilto]",
        ),
    ] {
        assert!(text.contains(right), "{right}");
        text = text.replace(right, wrong);
    }
    text += "  - {name: v2alpha1, served: false, schema: {openAPIV3Schema: {type: object}}}\n";
    // A collection can have a file for each version.
    let more = text.split_once("versions:").unwrap().0.to_owned()
        + "versions:\n  - {name: v9alpha1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {spec: \
           {type: object, id: x, properties: {y: {patternProperties: {a: {}}}}}}}}}\n";
    specs.insert("v1.1/more-boats.yaml".to_owned(), more.into_bytes());
    specs.insert(path.to_owned(), text.into_bytes());
    specs.remove("conversions.toml");
    let names = "['dev.example.v1']\nHelm = ['Boat#spec.rader']\nOld = ['Ship#spec']\n";
    specs.insert("names.toml".to_owned(), names.into());
    let generated = k8s_versioned_codegen::generate(&specs, &options("warnings")).unwrap();
    // A default that would end a comment is not a word of its field.
    assert_eq!(causes(&warnings_of("custom")), ["Crd::Meaningless", "Crd::Refused"]);
    generated.warnings
}

/// The warnings about the conversions of a good case, with a second release.
fn warnings_of_conversions() -> Problems {
    let mut specs = good("custom-versions");
    let text = String::from_utf8(specs["v1.1/boats.yaml"].clone()).unwrap();
    let keel = "              keel: {type: integer, format: int32, nullable: true}\n";
    assert!(text.contains(keel));
    let oars = "oars: {type: integer, format: int32}";
    assert!(text.contains(oars));
    let from_1 = text.replacen(oars, "oars: {type: integer, format: int32, minimum: 1}", 1);
    specs.insert("v1.2/boats.yaml".to_owned(), from_1.replacen(keel, "", 1).into_bytes());
    k8s_versioned_codegen::generate(&specs, &options("warnings")).unwrap().warnings
}

/// The warnings about empty values that another version does not take, of a kind that passes them on.
fn warnings_about_empty_values() -> Vec<Problem> {
    let mut specs = good("projects");
    let text = String::from_utf8(specs["conversions.toml"].clone()).unwrap();
    let key = "leave-out-empty = true\n";
    assert!(text.contains(key));
    specs.insert("conversions.toml".to_owned(), text.replacen(key, "", 1).into_bytes());
    let warnings = k8s_versioned_codegen::generate(&specs, &options("warnings")).unwrap().warnings;
    warnings.iter().filter(|problem| problem.id() == "empty-rejected").cloned().collect()
}

/// The warnings about texts of which the rules say a part alone.
fn warnings_without_rest() -> Vec<Problem> {
    let mut specs = good("projects");
    let text = String::from_utf8(specs["conversions.toml"].clone()).unwrap();
    let rest = "rest = { \"sensors.example.dev\" = \"v1\", default = \"v1beta1\" }\n";
    assert!(text.contains(rest));
    specs.insert("conversions.toml".to_owned(), text.replacen(rest, "", 1).into_bytes());
    let warnings = k8s_versioned_codegen::generate(&specs, &options("warnings")).unwrap().warnings;
    warnings.iter().filter(|problem| problem.id() == "without-rest").cloned().collect()
}

/// The warnings about a good case.
fn warnings_of(case: &str) -> Problems {
    k8s_versioned_codegen::generate(&good(case), &options(case)).unwrap().warnings
}

/// The messages, each with its line of the file.
fn show(problems: &[Problem], files: &Files) -> String {
    let mut text = String::new();
    for problem in problems {
        writeln!(text, "{problem}").unwrap();
        if let Some(line) = line(problem, files) {
            writeln!(text, "  text: {line}").unwrap();
        }
        text.push('\n');
    }
    text
}

/// The rest of the line at which the place of the problem begins.
fn line(problem: &Problem, files: &Files) -> Option<String> {
    let bytes = files.get(&*problem.place.file)?;
    let span = problem.place.span.clone()?;
    let rest = String::from_utf8_lossy(&bytes[span.start..]).into_owned();
    let line: String = rest.lines().next().unwrap_or_default().chars().take(60).collect();
    let number = bytes[..span.start].split(|byte| *byte == b'\n').count();
    Some(format!("{number}: {line}"))
}

/// The names of the causes in `problems`, with their stages. `explain` knows each of them: the compiler does not say that one is
/// missing in its list.
fn causes(problems: &[Problem]) -> Vec<String> {
    let explained = Explanation::all();
    let name = |problem: &Problem| {
        let id = problem.id();
        assert!(
            explained.iter().any(|explained| explained.id == id),
            "`explain` does not list {id}"
        );
        let debug = format!("{problem:?}");
        let (_, cause) = debug.split_once("cause: ").unwrap();
        let words = cause.split(|letter: char| !letter.is_alphanumeric());
        words.take(2).collect::<Vec<_>>().join("::")
    };
    problems.iter().map(name).collect()
}

/// The names of all causes, from the source: a new one needs a case.
fn all_causes() -> BTreeSet<String> {
    let causes = |source: Vec<u8>| {
        let source = syn::parse_file(&String::from_utf8(source).unwrap()).unwrap();
        // `Cause` itself has one variant for each stage.
        let enums = source.items.into_iter().filter_map(|item| match item {
            syn::Item::Enum(item) => {
                let stage = item.ident.to_string().strip_suffix("Cause")?.to_owned();
                (!stage.is_empty()).then_some((stage, item.variants))
            }
            _ => None,
        });
        enums.flat_map(|(stage, variants)| {
            variants.into_iter().map(move |variant| format!("{stage}::{}", variant.ident))
        })
    };
    let sources = specs::files(&folder("../src/problem/cause")).unwrap();
    sources.into_values().flat_map(causes).collect()
}
