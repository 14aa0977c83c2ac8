//! What servers make of definitions, and what the generator makes of them: the warnings agree with the answers of a server, and what
//! has types is generated.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

use k8s_versioned_admission::definition::keywords::{KEYWORDS, Keyword, KeywordEffect};
use k8s_versioned_codegen::{Files, Generated, Problems, generate};
use serde_json::{Value, json};

use crate::support::options;

/// Definitions with a server's answer: the name of the case, the status, the message, the causes, and the definition.
type Table = Vec<(String, u16, Value, Value, Value)>;

/// Definitions without types: names of versions that no server takes, a name that occurs twice, and a scope that decides about no
/// path.
const WITHOUT_TYPES: [&str; 7] = [
    "version V1",
    "version v1.2",
    "version v1_2",
    "version v1-",
    "version twice",
    "scope odd",
    // A name of 64 letters.
    "version aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn generated(definition: &Value) -> Result<Generated, Problems> {
    let files = [
        ("things.yaml", definition.to_string()),
        ("group.toml", "descriptions = \"none\"\n".to_owned()),
    ];
    let files: Files = files.map(|(name, text)| (name.to_owned(), text.into_bytes())).into();
    generate(&files, &options("definitions"))
}

/// Returns `true` if a warning says that servers reject the definition.
fn is_refused(warnings: &Problems) -> bool {
    warnings.iter().any(|warning| warning.message().starts_with("servers reject"))
}

#[test]
fn warnings_agree_with_the_server() {
    let path = root().join("crates/k8s-versioned-admission/fixtures/definitions.json");
    let table: Table = serde_json::from_slice(&std::fs::read(path).unwrap()).unwrap();
    assert!(table.len() >= 96 + 23, "{}", table.len());
    for (name, status, message, _, definition) in table {
        match generated(&definition) {
            Ok(made) => {
                let warnings = &made.warnings;
                assert_eq!(is_refused(warnings), status >= 400, "{name}: {message}\n{warnings}");
                assert!(!WITHOUT_TYPES.contains(&name.as_str()), "{name} has types");
            }
            Err(problems) => {
                assert!(status >= 400, "{name}: {problems}");
                assert!(WITHOUT_TYPES.contains(&name.as_str()), "{name}: {problems}");
            }
        }
    }
}

/// A definition whose spec has one field with this schema.
fn with_field(field: &Value) -> Value {
    let spec = json!({"type": "object", "properties": {"f": field}});
    let schema = json!({"type": "object", "properties": {"spec": spec}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "things.example.org"},
        "spec": {
            "group": "example.org",
            "scope": "Namespaced",
            "names": {"plural": "things", "kind": "Thing"},
            "versions": [
                {"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema}},
            ],
        },
    })
}

/// The example of a row, and the Rust type of a field with this schema; none without an example.
fn example(row: &Keyword) -> Option<(String, String)> {
    let field: Value =
        serde_json::from_str(Some(row.example).filter(|text| !text.is_empty())?).unwrap();
    let made = generated(&with_field(&field))
        .unwrap_or_else(|problems| panic!("{}: {problems}", row.name));
    let texts: BTreeMap<_, _> =
        made.files.iter().filter(|(path, _)| path.ends_with("thing_spec.rs")).collect();
    let text = String::from_utf8_lossy(texts.values().next()?).into_owned();
    let (_, rest) = text.split_once("pub f: ")?;
    let (of_type, _) = rest.split_once(",\n")?;
    Some((row.example.to_owned(), of_type.to_owned()))
}

/// The page has a row for each keyword, with an example and what is generated for it.
#[test]
fn the_page_shows_the_table_of_keywords() {
    let mut page = include_str!("definitions.md").to_owned();
    for effect in [KeywordEffect::Refused, KeywordEffect::Meaningless, KeywordEffect::Fine] {
        let head = "| keyword | when | why | example | in Rust |\n|---|---|---|---|---|";
        writeln!(page, "\n## {effect:?}\n\n{head}").unwrap();
        for row in KEYWORDS.iter().filter(|row| row.effect == effect) {
            let name = match row.name {
                "*" => "any other".to_owned(),
                name => format!("`{name}`"),
            };
            let shown = example(row)
                .map(|(field, of_type)| [field, of_type].map(|text| format!("`{text}`")));
            let [field, of_type] = shown.unwrap_or_default();
            writeln!(page, "| {name} | {} | {} | {field} | {of_type} |", row.when, row.why)
                .unwrap();
        }
    }
    let path = root().join("docs/reference/definitions.md");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&path).unwrap_or_default(),
        page,
        "UPDATE_DOCS=1 writes the page"
    );
}
