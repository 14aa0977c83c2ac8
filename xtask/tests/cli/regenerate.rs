//! `cargo xtask regenerate`. That the generated code of this repository is up to date is a step of `.ci/run`.

use std::fs;
use std::process::Command;

use insta::assert_snapshot;

use crate::workspace::{Edit, Workspace};

const CHECK: &[&str] = &["regenerate", "--check"];
const REGENERATE: &[&str] = &["regenerate"];

/// A generated file.
const THING: &str = "v1beta1/thing.rs";

fn generated(name: &str) -> String {
    Workspace::generated(name)
}

/// Changes of generated files, and the lines that report each.
const CASES: [(Edit, &[&str]); 7] = [
    (
        |workspace| workspace.edit(&generated(THING), "@generated", "@edited"),
        &["differs  v1beta1/thing.rs"],
    ),
    (|workspace| workspace.remove(&generated(THING)), &["missing  v1beta1/thing.rs"]),
    (|workspace| workspace.remove("crates"), &["missing  mod.rs", "missing  v1beta1/thing.rs"]),
    (
        |workspace| {
            for name in ["v1beta1/stray.rs", "v0/old.rs", "notes.txt", ".hidden"] {
                workspace.write(&generated(name), "stray");
            }
            fs::create_dir(workspace.path(&generated("empty"))).unwrap();
        },
        &[
            "surplus  v1beta1/stray.rs",
            "surplus  v0/old.rs",
            "surplus  v0/",
            "surplus  notes.txt",
            "surplus  .hidden",
            "surplus  empty/",
        ],
    ),
    (
        |workspace| {
            workspace.remove(&generated("v1alpha1"));
            workspace.write(&generated("v1alpha1"), "a file");
            workspace.remove(&generated(THING));
            workspace.write(&generated("v1beta1/thing.rs/inside"), "");
        },
        &["surplus  v1alpha1", "missing  v1beta1/thing.rs", "surplus  v1beta1/thing.rs/"],
    ),
    (
        |workspace| {
            workspace.remove(&generated(THING));
            workspace.write(&generated("v1beta1/.k8s-versioned-a1B2c3.tmp"), "half a fi");
        },
        &["missing  v1beta1/thing.rs", "surplus  v1beta1/.k8s-versioned-a1B2c3.tmp"],
    ),
    (
        |workspace| {
            workspace.write("outside/precious", "keep");
            let link = |to: &str, at: &str| {
                std::os::unix::fs::symlink(workspace.path(to), workspace.path(&generated(at)))
                    .unwrap();
            };
            link("outside", "folder");
            workspace.remove(&generated(THING));
            link("outside/precious", THING);
        },
        &["surplus  folder", "surplus  v1beta1/thing.rs"],
    ),
];

/// `--check` names the wrong files, and `regenerate` repairs them.
#[test]
fn wrong_files_are_reported_and_repaired() {
    let good = Workspace::small();
    for (spoil, lines) in CASES {
        let workspace = Workspace::small();
        spoil(&workspace);
        let output = workspace.fail(CHECK);
        for line in lines {
            let (what, name) = line.split_once("  ").unwrap();
            let line = format!("  {what}  {}", generated(name));
            assert!(output.lines().any(|found| found == line), "{line:?} is not in:\n{output}");
        }
        assert!(output.ends_with("run `cargo xtask regenerate`\n"), "{output}");
        workspace.succeed(REGENERATE);
        // The target of a link is not changed.
        if workspace.path("outside").exists() {
            assert_eq!(workspace.read("outside/precious"), "keep");
            workspace.remove("outside");
        }
        assert!(workspace.entries() == good.entries(), "{lines:?}");
    }
}

#[test]
fn only_changed_files_are_written() {
    let workspace = Workspace::small();
    workspace.edit(&generated(THING), "@generated", "@edited");
    workspace.age();
    let output = workspace.succeed(REGENERATE);
    assert!(output.contains(&format!("  written  {}\n", generated(THING))), "{output}");
    assert_eq!(workspace.written(), [generated(THING)]);
    workspace.age();
    for args in [REGENERATE, CHECK] {
        let output = workspace.succeed(args);
        assert!(output.ends_with("everything is up to date\n"), "{output}");
    }
    assert_eq!(workspace.written(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn written_files_are_normal_files() {
    use std::os::unix::fs::PermissionsExt as _;

    let workspace = Workspace::small();
    workspace.remove(&generated(THING));
    workspace.succeed(REGENERATE);
    workspace.write("normal", "");
    let mode = |name: &str| fs::metadata(workspace.path(name)).unwrap().permissions().mode();
    assert_eq!(mode(&generated(THING)), mode("normal"));
}

#[test]
fn output_of_check() {
    let workspace = Workspace::small();
    workspace.edit(&generated(THING), "pub struct Thing ", "pub struct Object ");
    workspace.write(&generated("v1beta1/stray.rs"), "stray");
    workspace.remove(&generated("v1alpha1/thing.rs"));
    assert_snapshot!(workspace.fail(CHECK));
    for name in workspace.files("crates").keys() {
        workspace.write(&format!("crates/{name}"), "gone");
    }
    let output = workspace.fail(CHECK);
    assert!(output.lines().count() < 250, "many differences are cut: {output}");
}

#[test]
fn other_files_in_specs_are_ignored() {
    let workspace = Workspace::small();
    for name in
        ["README.md", "manifest.toml~", ".manifest.toml.swp", "v1.3/.#x.json", ".old/x.json"]
    {
        workspace.write(&format!("specs/{name}"), "{");
    }
    workspace.succeed(CHECK);
}

/// A shared target folder has one binary for several checkouts: it works on the one where it runs.
#[test]
fn the_workspace_is_that_of_the_current_folder() {
    let workspace = Workspace::small();
    workspace.write("Cargo.toml", "[workspace]\nmembers = []\n");
    workspace.write("crates/one/Cargo.toml", "[package]\nname = \"one\"\n");
    let generated = Workspace::generated("mod.rs");
    let wanted = workspace.read(&generated);
    workspace.write(&generated, "");
    let run = |folder: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
        command.current_dir(workspace.path(folder)).args(args).output().unwrap()
    };
    assert!(!run("", &["regenerate", "--check"]).status.success());
    assert!(run("crates/one", &["regenerate"]).status.success());
    assert_eq!(workspace.read(&generated), wanted);
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .current_dir(std::env::temp_dir())
        .arg("regenerate")
        .output()
        .unwrap();
    assert!(String::from_utf8(elsewhere.stderr).unwrap().contains("not in a workspace"));
}
