//! The order of the stages, as `codegen/src` imports them: data flows one way.

use std::collections::BTreeSet;
use std::path::Path;

/// The parts of the generator from the lowest: a part imports those above it in this table, and none below it. Parts in one row
/// do not import each other.
const ORDER: [&[&str]; 13] = [
    &["gather", "text", "threads", "ident"],
    &["problem"],
    &["spec"],
    &["input"],
    &["rules"],
    &["model"],
    &["plan"],
    &["conversion"],
    &["emit"],
    &["generate"],
    &["builder"],
    // Tools, which use the stages. No stage uses a tool.
    &["tools/diff", "tools/draft", "tools/import", "tools/overview"],
    &["tools/reference"],
];

/// What the root re-exports, and the part that has it.
const ROOT: [(&str, &str); 8] = [
    ("Cause", "problem"),
    ("KindVersion", "problem"),
    ("Place", "problem"),
    ("Problem", "problem"),
    ("Problems", "problem"),
    ("Generated", "generate"),
    ("Options", "emit"),
    ("Plans", "generate"),
];

/// The part that a path is in: its first name, and the second of a tool.
fn part_of(path: &str) -> &str {
    let names = if path.starts_with("tools/") { 2 } else { 1 };
    path.match_indices('/').nth(names - 1).and_then(|(end, _)| path.get(..end)).unwrap_or(path)
}

fn level(part: &str) -> Option<usize> {
    ORDER.iter().position(|row| row.contains(&part))
}

/// The parts that a text imports from the root of the crate. Docs do not count.
fn imports(text: &str) -> BTreeSet<String> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let mut found = BTreeSet::new();
    for line in code {
        for after in line.split("crate::").skip(1) {
            if let Some(list) = after.strip_prefix('{') {
                found.extend(list.trim_end_matches(['}', ';']).split(", ").map(str::to_owned));
            } else {
                let end = |it: char| !it.is_alphanumeric() && it != '_' && it != ':';
                let path = after.split(end).next().unwrap_or_default().replace("::", "/");
                found.insert(part_of(&path).to_owned());
            }
        }
    }
    let part = |name: &str| ROOT.into_iter().find(|(own, _)| *own == name).map(|(_, part)| part);
    found.into_iter().map(|name| part(&name).map_or(name, str::to_owned)).collect()
}

/// The imports of a part that its place in the order does not allow.
fn upwards(part: &str, text: &str) -> Vec<String> {
    let own = level(part).unwrap_or_else(|| panic!("`{part}` has no place in the order"));
    let is_upwards =
        |other: &String| *other != part && level(other).is_some_and(|other| other >= own);
    imports(text).into_iter().filter(is_upwards).collect()
}

#[test]
fn no_stage_imports_a_later_one() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for file in walkdir::WalkDir::new(&source).into_iter().map(Result::unwrap) {
        let path = file.path().strip_prefix(&source).unwrap().to_str().unwrap();
        let Some(path) = path.strip_suffix(".rs") else { continue };
        if ["lib", "tools/mod"].contains(&path) {
            continue;
        }
        let part = part_of(path);
        let text = std::fs::read_to_string(file.path()).unwrap();
        wrong.extend(
            upwards(part, &text).into_iter().map(|other| format!("{path} imports {other}")),
        );
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn an_import_upwards_is_found() {
    for text in [
        "use crate::emit::Imports;",
        "use crate::{Files, Problems, emit, rules};",
        "fn a() { crate::conversion::plan() }",
        "use crate::Generated;",
        "use crate::tools::diff::Class;",
        "use crate::{Files, Options};",
    ] {
        assert_eq!(upwards("plan", text).len(), 1, "{text}");
    }
    assert!(upwards("plan", "/// crate::emit\nuse crate::{Place, spec};").is_empty());
}
