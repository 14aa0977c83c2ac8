//! The files for CI: their command lines exist, their paths are there, and no input becomes a script.

use std::collections::BTreeSet;
use std::fs;

use clap::Parser as _;
use k8s_versioned_cli::args::{Cli, Command};
use serde_json::Value;

use crate::workspace::repository;

fn read(path: &str) -> String {
    let path = repository().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn yaml(path: &str) -> Value {
    serde_saphyr::from_str(&read(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// All texts with this key, at any depth.
fn all<'v>(value: &'v Value, key: &str, found: &mut Vec<&'v str>) {
    match value {
        Value::Object(members) => {
            found.extend(members.get(key).and_then(Value::as_str));
            members.values().for_each(|member| all(member, key, found));
        }
        Value::Array(items) => items.iter().for_each(|item| all(item, key, found)),
        _ => {}
    }
}

fn texts<'v>(value: &'v Value, key: &str) -> Vec<&'v str> {
    let mut found = Vec::new();
    all(value, key, &mut found);
    found
}

fn parse(line: &str, more: &[&str]) -> Command {
    let words = line.split_whitespace().chain(more.iter().copied());
    Cli::try_parse_from(words).unwrap_or_else(|error| panic!("{line} {more:?}: {error}")).command
}

/// The hooks run with the files that pre-commit appends, and with the arguments that their descriptions name.
#[test]
fn the_hooks_of_pre_commit() {
    let hooks = yaml(".pre-commit-hooks.yaml");
    let hook = |id: &str| {
        let hooks = hooks.as_array().unwrap();
        let found = hooks.iter().find(|hook| hook["id"] == id).unwrap_or_else(|| panic!("{id}"));
        found["entry"].as_str().unwrap()
    };
    assert_eq!(hooks.as_array().unwrap().len(), 3);
    let validate = parse(hook("k8s-versioned-validate"), &["--crds=crds", "a.yaml", "b.yaml"]);
    let Command::Validate { args, .. } = validate else { panic!("{validate:?}") };
    assert!(format!("{args:?}").contains(r#"["a.yaml", "b.yaml"]"#), "{args:?}");
    let of_package: &[&str] = &["--root=types", "1.0.0", "1.1.0"];
    for arguments in [of_package, &["crd.yaml", "--between", "v1beta1", "v1"]] {
        let diff = parse(hook("k8s-versioned-diff"), arguments);
        assert!(matches!(diff, Command::Diff { .. }));
    }
    let generate = parse(hook("k8s-versioned-generate"), &["--root=types"]);
    assert!(matches!(generate, Command::Generate { check: true, .. }));
}

/// The examples of the page, and of the action itself, are command lines.
#[test]
fn the_action() {
    let action = yaml("action.yml");
    assert_eq!(action["runs"]["using"], "composite");
    let page = read("docs/guides/ci.md");
    let mut examples: Vec<&str> =
        page.lines().filter_map(|line| line.trim().strip_prefix("arguments: ")).collect();
    assert!(examples.len() >= 3, "{examples:?}");
    let description = action["inputs"]["arguments"]["description"].as_str().unwrap();
    examples.push(description.split('`').nth(1).unwrap());
    for example in examples {
        parse(&format!("k8s-versioned {example}"), &[]);
    }
}

/// A script of the action gets its arguments as the page says.
#[cfg(unix)]
#[test]
fn the_script_of_the_action() {
    let action = yaml("action.yml");
    let scripts = texts(&action, "run");
    let script = scripts.iter().find(|script| script.contains("ARGUMENTS")).unwrap();
    for (arguments, expected) in [
        ("validate --crds crds -- $(touch x) 'a b'", "validate|--crds|crds|--|$(touch|x)|'a|b'|"),
        ("validate\n--crds\nmy crds\n--\n*\n", "validate|--crds|my crds|--|*|"),
        ("generate --check\n", "generate|--check|"),
    ] {
        let mut bash = std::process::Command::new("bash");
        let print = "print() { printf '%s|' \"$@\"; }\n";
        let bash = bash.args(["-e", "-c", &format!("{print}{script}")]);
        let output = bash.env("ARGUMENTS", arguments).env("COMMAND", "print").output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{arguments:?}");
    }
}

/// A tag can move to other code. The comment is for people, and for tools that bring the next version.
#[test]
fn actions_of_others_are_pinned_by_their_commit() {
    let files = [
        "action.yml",
        ".github/workflows/ci.yml",
        ".github/workflows/release.yml",
        "docs/guides/ci.md",
    ];
    for file in files {
        for line in read(file).lines() {
            let Some((_, used)) = line.split_once("uses: ") else { continue };
            // This one, whose revision readers choose.
            if used.starts_with("OWNER/") {
                continue;
            }
            let is_pinned = used.split_once('@').is_some_and(|(_, revision)| {
                let (commit, version) = revision.split_once(" # v").unwrap_or_default();
                let is_hex = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
                commit.len() == 40 && commit.bytes().all(is_hex) && version.split('.').count() == 3
            });
            assert!(is_pinned || used == "./", "{file}: {line}");
        }
    }
}

/// The notes of a release are the section of its version in CHANGELOG.md.
#[cfg(unix)]
#[test]
fn the_notes_of_a_release() {
    let workflow = yaml(".github/workflows/release.yml");
    let scripts = texts(&workflow, "run");
    let script = scripts.iter().find(|script| script.contains("gh release create")).unwrap();
    let changelog =
        "# Changelog\n\n## 1.2.3 (2026-01-01)\n\n### New\n\n- One\n\n## 1.2.2\n\n- Old\n";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("CHANGELOG.md"), changelog).unwrap();
    for (tag, notes) in [("v1.2.3", Some("\n### New\n\n- One\n\n")), ("v1.2.4", None)] {
        let mut bash = std::process::Command::new("bash");
        let bash = bash.args(["-e", "-c", &format!("gh() {{ true; }}\n{script}")]);
        let status = bash.env("TAG", tag).current_dir(folder.path()).status().unwrap();
        assert_eq!(status.success(), notes.is_some(), "{tag}");
        if let Some(notes) = notes {
            assert_eq!(fs::read_to_string(folder.path().join("notes.md")).unwrap(), notes);
        }
    }
}

/// What GitHub puts into a script is text of a stranger: it belongs into the environment.
#[test]
fn no_input_is_part_of_a_script() {
    for file in ["action.yml", ".github/workflows/ci.yml", ".github/workflows/release.yml"] {
        for script in texts(&yaml(file), "run") {
            assert!(!script.contains("${{"), "{file}: {script}");
        }
    }
}

/// The workflow builds the commands of the workspace for five platforms.
#[test]
fn the_workflow_of_a_release() {
    let workflow = yaml(".github/workflows/release.yml");
    let platforms = workflow["jobs"]["build"]["strategy"]["matrix"]["include"].as_array().unwrap();
    let targets: BTreeSet<&str> =
        platforms.iter().map(|platform| platform["target"].as_str().unwrap()).collect();
    assert_eq!(targets.len(), 5);
    let scripts = texts(&workflow, "run").join("\n");
    assert!(scripts.contains(&format!("= {}\n", targets.len())), "the checksums are counted");
    for file in ["LICENSE-MIT", "LICENSE-APACHE", "NOTICE", "README.md"] {
        assert!(scripts.contains(file) && repository().join(file).is_file(), "{file}");
    }
    for (package, command) in
        [("k8s-versioned-cli", "k8s-versioned"), ("k8s-coordination-cli", "coordination")]
    {
        assert!(scripts.contains(&format!("--package {package}")), "{package}");
        let manifest = read(&format!("crates/{package}/Cargo.toml"));
        let name = format!(
            "name = \"{command}\"
"
        );
        assert!(manifest.contains("[[bin]]") && manifest.contains(&name), "{command}");
    }
}

/// The image has the command that it builds.
#[test]
fn the_image() {
    let file = read("Dockerfile");
    let stages: Vec<&str> = file.lines().filter(|line| line.starts_with("FROM ")).collect();
    assert_eq!(stages.len(), 2, "{stages:?}");
    assert!(stages.iter().all(|stage| stage.contains("bookworm") || stage.contains("debian12")));
    assert!(file.contains("--package k8s-versioned-cli"));
    let example = file.lines().find_map(|line| line.split_once("docker run ")).unwrap().1;
    let (_, arguments) = example.split_once(" k8s-versioned ").unwrap();
    parse(&format!("k8s-versioned {arguments}"), &[]);
}
