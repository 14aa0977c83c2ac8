//! ARCHITECTURE.md names files, folders and functions that exist, and what it says of packages holds; so do the figures of design.md.

use std::fs;
use std::path::Path;

use toml::Table;
use walkdir::WalkDir;

use crate::workspace::repository;

/// The texts in backticks of one cell or line.
pub(crate) fn spans(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns `true` if a span is a path from the root.
fn is_path(span: &str) -> bool {
    const ROOTS: [&str; 8] =
        ["codegen/", "crates/", "docs/", "examples/", "fixtures/", "specs/", "xtask/", ".cargo/"];
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "/._-".contains(letter);
    ROOTS.iter().any(|root| span.starts_with(root)) && span.chars().all(plain)
}

fn is_rust(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rs")
}

#[test]
fn architecture_names_what_exists() {
    let root = repository();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (mut missing, mut functions) = (Vec::new(), 0);
    for line in text.lines() {
        let paths = spans(line).filter(|span| is_path(span));
        missing.extend(paths.filter(|path| !root.join(path).exists()).map(str::to_owned));
        let cells: Vec<_> = line.split(" | ").collect();
        let [_, file, function, ..] = cells[..] else {
            continue;
        };
        let file = spans(file).next().filter(|file| is_rust(Path::new(file)));
        if let (Some(file), Some(function)) = (file, spans(function).next()) {
            functions += 1;
            let source = fs::read_to_string(root.join(file)).unwrap_or_default();
            if !source.contains(&format!("fn {function}("))
                && !source.contains(&format!("fn {function}<"))
            {
                missing.push(format!("{function} in {file}"));
            }
        }
    }
    assert!(missing.is_empty(), "ARCHITECTURE.md names {missing:#?}");
    assert!(functions > 30, "the tables have {functions} functions");
}

/// The packages of this workspace that a package depends on.
fn dependencies(package: &Path) -> Vec<String> {
    let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
    let manifest: Table = toml::from_str(&manifest).unwrap();
    let all = manifest.get("dependencies").and_then(toml::Value::as_table).unwrap().keys();
    all.filter(|name| name.starts_with("k8s-") && *name != "k8s-openapi").cloned().collect()
}

/// Broken code of a group cannot prevent its own regeneration.
#[test]
fn packages_depend_one_way() {
    let root = repository();
    for generated in ["crates/k8s-coordination", "crates/k8s-resource"] {
        assert_eq!(dependencies(&root.join(generated)), ["k8s-versioned"], "{generated}");
    }
    for tool in ["codegen", "crates/k8s-versioned-cli"] {
        let dependencies = dependencies(&root.join(tool));
        let allowed = |name: &String| name.starts_with("k8s-versioned");
        assert!(dependencies.iter().all(allowed), "{tool}: {dependencies:?}");
    }
}

/// The names of groups are in the documents and rule files.
#[test]
fn the_generator_names_no_group() {
    const GROUPS: [&str; 2] = ["coordination.k8s.io", "resource.k8s.io"];
    let source = repository().join("codegen/src");
    let mut seen = 0;
    for file in WalkDir::new(&source).into_iter().map(Result::unwrap) {
        let path = file.path().strip_prefix(&source).unwrap();
        if !is_rust(path) || path == Path::new("builder.rs") || path.starts_with("mutation") {
            continue;
        }
        let text = fs::read_to_string(file.path()).unwrap();
        let (code, _) = text.split_once("\n#[cfg(test)]\nmod").unwrap_or((&text, ""));
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        for line in code {
            let found = GROUPS.iter().find(|word| line.contains(**word));
            assert_eq!(found, None, "{}: {line}", path.display());
        }
        seen += 1;
    }
    assert!(seen > 100, "{seen}");
}

/// The lines of a file, or of all Rust files of a folder, without tests.
fn lines_of(path: &Path) -> usize {
    let files = WalkDir::new(path).into_iter().map(Result::unwrap);
    let counted = files.filter(|file| is_rust(file.path()) && file.file_name() != "tests.rs");
    let lines = counted.map(|file| {
        let text = fs::read_to_string(file.path()).unwrap();
        text.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default().lines().count()
    });
    lines.sum()
}

#[test]
fn design_says_how_long_own_code_is() {
    let root = repository();
    let text = fs::read_to_string(root.join("docs/explanations/design.md")).unwrap();
    let table = text.split("\n| own code | lines |").nth(1).unwrap();
    let table = table.split("\n\n").next().unwrap();
    let (mut wrong, mut rows) = (Vec::new(), 0);
    for line in table.lines().skip(2) {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [own, stated, _, fails] = cells[..] else {
            panic!("{line}");
        };
        assert!(!fails.is_empty(), "{line}");
        let paths = spans(own.split_once(" (").unwrap().1).map(|path| {
            let package = root.join("crates").join(path);
            let path = if package.exists() { package } else { root.join(path) };
            let source = path.join("src");
            if source.is_dir() { source } else { path }
        });
        let lines: usize = paths.map(|path| lines_of(&path)).sum();
        let stated: usize = stated.replace(',', "").parse().unwrap();
        rows += 1;
        // By more than a fifth.
        if lines.abs_diff(stated) * 5 > stated {
            wrong.push(format!("{own}: {stated} lines are stated, and there are {lines}"));
        }
    }
    assert!(rows > 15, "the table has {rows} rows");
    assert!(wrong.is_empty(), "design.md: {wrong:#?}");
}
