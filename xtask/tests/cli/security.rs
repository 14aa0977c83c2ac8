//! `SECURITY.md` promises what tests hold: each test that it names exists.

use std::fs;
use std::path::Path;

use crate::architecture::spans;
use crate::workspace::repository;

/// The tests of a line: each function belongs to the file before it.
fn tests(line: &str) -> Vec<(String, String)> {
    let mut file = None;
    let mut tests = Vec::new();
    for span in spans(line) {
        if Path::new(span).extension().is_some_and(|extension| extension == "rs") {
            file = Some(span.to_owned());
        } else if let Some(file) = &file {
            tests.push((file.clone(), span.to_owned()));
        }
    }
    tests
}

#[test]
fn each_promise_names_its_test() {
    let text = fs::read_to_string(repository().join("SECURITY.md")).unwrap();
    let (defended, _) = text.split_once("## What is not defended").unwrap();
    let mut count = 0;
    for line in defended.lines() {
        let is_row = line.starts_with("| ") && !line.starts_with("| promise");
        let named = tests(line);
        assert!(!is_row || !named.is_empty(), "no test holds: {line}");
        for (file, function) in named {
            let path = repository().join(&file);
            let source =
                fs::read_to_string(&path).unwrap_or_else(|error| panic!("{file}: {error}"));
            let (before, _) = source
                .split_once(&format!("fn {function}("))
                .unwrap_or_else(|| panic!("{file} has no {function}"));
            let attribute = before.rsplit("\n\n").next().unwrap();
            assert!(
                attribute.contains("test]") || attribute.contains("test("),
                "{file}: {function} is not a test"
            );
            count += 1;
        }
    }
    assert!(count > 25, "{count}");
}

#[test]
fn no_package_allows_unsafe_code() {
    let root = fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let root: toml::Table = root.parse().unwrap();
    assert_eq!(root["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for member in root["workspace"]["members"].as_array().unwrap() {
        let folder = repository().join(member.as_str().unwrap());
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        let lints = &manifest["lints"];
        let of_workspace = lints.get("workspace").and_then(toml::Value::as_bool) == Some(true);
        let own = lints.get("rust").and_then(|rust| rust.get("unsafe_code"));
        let forbids = own.and_then(toml::Value::as_str) == Some("forbid");
        assert!(of_workspace || forbids, "{}", folder.display());
    }
}
