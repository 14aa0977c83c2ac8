//! ARCHITECTURE.md names files, folders and functions that exist.

use std::fs;

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

#[test]
fn architecture_names_what_exists() {
    let root = repository();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let (mut missing, mut functions) = (Vec::new(), 0);
    for line in text.lines() {
        let paths = spans(line).filter(|span| is_path(span));
        missing.extend(paths.filter(|path| !root.join(path).exists()).map(str::to_owned));
        let cells: Vec<_> = line.split(" | ").collect();
        let [_, file, function, _] = cells[..] else {
            continue;
        };
        if let (Some(file), Some(function)) = (spans(file).next(), spans(function).next()) {
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
    assert!(functions > 20, "the tables of steps have {functions} functions");
}
