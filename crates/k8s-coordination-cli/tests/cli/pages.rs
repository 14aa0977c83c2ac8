//! `coordination completions` and `coordination man`.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::command::coordination;

#[test]
fn the_script_of_each_shell_calls_the_command() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = coordination(folder.path(), &["completions", shell]);
        assert_eq!(output.code, 0, "{shell}");
        assert!(output.stdout.contains("COMPLETE"), "{shell}: {}", output.stdout);
    }
}

fn completed(words: &[&str]) -> Vec<String> {
    testing::completions::completed(env!("CARGO_BIN_EXE_coordination"), Path::new("../.."), words)
}

#[test]
fn completions_know_checks_releases_and_versions() {
    assert_eq!(completed(&["conform", "--only", "r"]), ["round-trip", "response", "request"]);
    assert!(completed(&["conform", "--release", ""]).contains(&"v1.36".to_owned()));
    let other = ["conform", "--fixtures", "crates/k8s-resource/fixtures", "--release", ""];
    assert_eq!(completed(&other), ["v1.36"]);
    assert_eq!(completed(&["convert", "--to", "v1alpha"]), ["v1alpha1", "v1alpha2"]);
}

#[test]
fn a_man_page_for_every_command() {
    let folder = TempDir::new().unwrap();
    let output = coordination(folder.path(), &["man", "."]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    for command in ["", "-convert", "-validate", "-elect", "-conform"] {
        let page = folder.path().join(format!("coordination{command}.1"));
        let page = fs::read_to_string(page).unwrap();
        for part in [".SH SYNOPSIS", "Example", "Exit codes: 0 "] {
            assert!(page.contains(part), "{command} lacks {part}");
        }
    }
}

#[test]
fn a_missing_folder_is_created() {
    let folder = TempDir::new().unwrap();
    let output = coordination(folder.path(), &["man", "new/man"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(folder.path().join("new/man/coordination.1").is_file());
}

#[test]
fn a_file_in_the_place_of_the_folder_exits_1() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("file"), "").unwrap();
    let output = coordination(folder.path(), &["man", "file"]);
    assert_eq!(output.code, 1);
    assert!(output.stderr.starts_with("error: cannot write file: "));
}
