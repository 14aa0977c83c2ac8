//! `coordination completions` and `coordination man`.

use std::fs;

use tempfile::TempDir;

use crate::command::coordination;

#[test]
fn completions_for_every_shell() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = coordination(folder.path(), &["completions", shell]);
        assert_eq!(output.code, 0, "{shell}");
        let script = output.stdout;
        assert!(
            script.contains("skip-unknown") && script.contains("in-place"),
            "{shell}: {script}"
        );
    }
}

#[test]
fn a_man_page_for_every_command() {
    let folder = TempDir::new().unwrap();
    let output = coordination(folder.path(), &["man", "."]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    for command in ["", "-convert", "-validate", "-elect", "-conform"] {
        let page = folder.path().join(format!("coordination{command}.1"));
        assert!(fs::read_to_string(page).unwrap().contains(".SH SYNOPSIS"), "{command}");
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
