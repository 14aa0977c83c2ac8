//! What the command says of itself: `--help`, completions and man pages.

use std::fs;
use std::path::Path;

use clap::Parser as _;
use k8s_versioned_cli::args::Cli;
use tempfile::TempDir;

use crate::command::call;

/// What `--help` of a command says.
fn help(command: &str) -> String {
    let args = ["k8s-versioned"].into_iter().chain(command.split_whitespace());
    Cli::try_parse_from(args.chain(["--help"])).unwrap_err().to_string()
}

#[test]
fn each_help_has_an_example_and_the_exit_codes() {
    let commands =
        ["show", "new", "fetch", "generate", "draft", "diff", "explain", "record", "check-review"];
    for command in commands.into_iter().chain(["validate"]) {
        let help = help(command);
        assert!(help.contains("k8s-versioned ") && help.contains("Example"), "{command}: {help}");
        assert!(help.contains("xit codes: "), "{command}: {help}");
    }
    let all = help("");
    assert!(all.contains("Examples:") && all.contains("Exit codes: 0 "), "{all}");
}

/// A command shows the options that it has, and takes no others.
#[test]
fn options_of_other_commands() {
    for (command, option) in [
        ("explain", "--root"),
        ("check-review", "--root"),
        ("completions", "--format"),
        ("record", "--format"),
        ("new", "--quiet"),
    ] {
        assert!(!help(command).contains(option), "{command} {option}");
    }
    let folder = TempDir::new().unwrap();
    for args in ["generate --format markdown", "explain --format github", "explain --root x"] {
        let refused = call(folder.path(), args).unwrap_err();
        assert!(refused.starts_with("error: ") && refused.contains("--help"), "{refused}");
    }
    assert!(help("diff").contains("markdown"));
}

#[test]
fn the_script_of_each_shell_calls_the_command() {
    let folder = TempDir::new().unwrap();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = call(folder.path(), &format!("completions {shell}")).unwrap();
        assert!(script.contains("k8s-versioned") && script.contains("COMPLETE"), "{shell}");
    }
}

fn completed(folder: &Path, words: &[&str]) -> Vec<String> {
    testing::completions::completed(env!("CARGO_BIN_EXE_k8s-versioned"), folder, words)
}

#[test]
fn completions_know_releases_kinds_and_identifiers() {
    let example = Path::new("../../examples/webhook");
    assert_eq!(completed(example, &["show", "specs/crd.yaml", "--kind", ""]), ["Backup"]);
    let versions = ["v1", "v1alpha1", "v1beta1"];
    assert_eq!(completed(example, &["show", "specs", "--api-version", ""]), versions);
    assert_eq!(completed(example, &["diff", "specs/crd.yaml", "--between", ""]), versions);
    assert_eq!(completed(example, &["show", "--kind", ""]), [""; 0]);
    assert_eq!(completed(example, &["explain", "field-rem"]), ["field-removed"]);
    assert_eq!(completed(example, &["explain", "not-ju"]), ["not-judged"]);
    let known = completed(example, &["validate", "--release", ""]);
    assert_eq!([&known[0], &known[known.len() - 1]], ["v1.37", "v1.31"]);
    let sides = completed(Path::new("../.."), &["diff", "v1.36/"]);
    assert_eq!(sides, ["v1.36/v1alpha2", "v1.36/v1beta1", "v1.36/v1"]);
    let root = "../../crates/k8s-resource";
    // `bash` makes three words of `--root=FOLDER`.
    for option in [&["--root", root][..], &["--root", "=", root], &[&format!("--root={root}")]] {
        let sides = completed(example, &[option, &["diff", "v1.31/"]].concat());
        assert_eq!(sides, ["v1.31/v1alpha3"], "{option:?}");
    }
}

#[test]
fn man_pages_have_examples_and_exit_codes() {
    let folder = TempDir::new().unwrap();
    let man = folder.path().join("man");
    call(folder.path(), &format!("man {}", man.display())).unwrap();
    for page in ["k8s-versioned.1", "k8s-versioned-validate.1", "k8s-versioned-new.1"] {
        let page = fs::read_to_string(man.join(page)).unwrap();
        for part in [".SH SYNOPSIS", "Example", "Exit codes: 0 "] {
            assert!(page.contains(part), "{page}");
        }
    }
}
