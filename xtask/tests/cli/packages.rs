//! Each published package has the metadata and files that a registry and docs.rs show.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;
use walkdir::{DirEntry, WalkDir};

use crate::architecture::spans;
use crate::workspace::repository;

const KEYS: [&str; 5] = ["description", "readme", "documentation", "keywords", "categories"];
const FILES: [&str; 5] = ["README.md", "LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "src/lib.rs"];

/// Runs `cargo package`, which must not warn, and returns the files that it lists.
fn package(args: &[&str]) -> String {
    let mut command = Command::new(env!("CARGO"));
    command.args(["package", "--allow-dirty", "--offline"]).args(args);
    let output = command.current_dir(repository()).output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    // Tests whose data are not packed are left out with these.
    let is_warning = |line: &str| line.starts_with("warning") && !line.contains("ignoring test");
    assert!(output.status.success() && !errors.lines().any(is_warning), "{args:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// The name of a package, if it is published.
fn published(folder: &Path) -> Option<String> {
    let text = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let stated = |key: &str| text.lines().find_map(|line| line.strip_prefix(&format!("{key} = ")));
    if stated("publish").is_some() {
        return None;
    }
    for key in KEYS {
        assert!(stated(key).is_some(), "{} has no {key}", folder.display());
    }
    Some(stated("name").unwrap().trim_matches('"').to_owned())
}

/// The folders of the packages.
fn folders() -> impl Iterator<Item = PathBuf> {
    let folders = fs::read_dir(repository().join("crates")).unwrap();
    folders.map(|folder| folder.unwrap().path()).chain([repository().join("codegen")])
}

/// `test = false` saves the time to compile a library without tests. Tests in it would never run.
#[test]
fn unit_tests_run() {
    for folder in folders() {
        let manifest = fs::read_to_string(folder.join("Cargo.toml")).unwrap();
        let mut files = WalkDir::new(folder.join("src")).into_iter().map(|new| new.unwrap());
        let is_test = |file: DirEntry| {
            let text = fs::read_to_string(file.path()).unwrap_or_default();
            text.contains("#[test]") || text.contains("#[tokio::test")
        };
        let is_off = manifest.contains("[lib]\ntest = false");
        assert!(!is_off || !files.any(is_test), "{}", folder.display());
    }
}

/// The metadata and licences exist, and all packages can be packaged together.
#[test]
fn packages_are_ready() {
    let names = folders().filter_map(|folder| published(&folder));
    let names: Vec<String> = names.collect();
    assert!(!names.is_empty());
    let target = TempDir::new().unwrap();
    let selected: Vec<&str> = names.iter().flat_map(|name| ["--package", name]).collect();
    // One list after another, without the names of the packages.
    let listed = package(&[&["--list"], &selected[..]].concat());
    for file in FILES {
        let count = listed.lines().filter(|line| *line == file).count();
        assert_eq!(count, names.len(), "packages with {file}, of {names:?}");
    }
    let target = target.path().to_str().unwrap();
    package(&[&["--no-verify", "--target-dir", target], &selected[..]].concat());
}

/// ARCHITECTURE.md says of each published package who depends on it, and names no package that does not.
#[test]
fn each_package_is_there_for_somebody() {
    let root = repository();
    let text = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    for folder in folders().filter(|folder| published(folder).is_some()) {
        let path = folder.strip_prefix(&root).unwrap().to_str().unwrap();
        let mut rows = text.lines().filter_map(|line| line.strip_prefix(&format!("| `{path}` | ")));
        let row = rows.next().unwrap_or_else(|| panic!("ARCHITECTURE.md has no row for {path}"));
        let name = published(&folder).unwrap();
        let (_, dependents) = row.trim_end_matches(" |").rsplit_once(" | ").unwrap();
        assert!(!dependents.is_empty(), "{path}");
        for dependent in spans(dependents).filter(|name| name.starts_with("k8s-")) {
            let manifest = folders().find(|folder| published(folder).as_deref() == Some(dependent));
            let manifest =
                fs::read_to_string(manifest.expect(dependent).join("Cargo.toml")).unwrap();
            let (own, _) = manifest.split_once("[dev-dependencies]").unwrap_or((&manifest, ""));
            let depends = |line: &str| {
                line.strip_prefix(&name).is_some_and(|rest| rest.starts_with([' ', '.']))
            };
            assert!(own.lines().any(depends), "{dependent} does not depend on {name}");
        }
    }
}
