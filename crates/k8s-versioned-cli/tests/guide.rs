//! The commands of `docs/your-own-group.md`, run as a reader runs them: the files that the page shows are written, and each
//! line `$ …` is a command.

#![allow(
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test may fail by panicking"
)]

mod support;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::read::GzDecoder;
use k8s_versioned_codegen::{Files, crd};
use support::{documents, server};
use tempfile::TempDir;

/// The part of the page that a test runs: a file to write, or a command.
enum Step<'a> {
    Write(&'a str, &'a str),
    Run(&'a str),
}

fn page() -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/your-own-group.md"))
        .unwrap()
}

/// The steps of the page. A block of YAML, TOML or Rust is the file that the sentence before it names last.
fn steps(page: &str) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    let parts: Vec<&str> = page.split("```").collect();
    for pair in parts.chunks_exact(2) {
        let (before, block) = (pair[0], pair[1]);
        let (language, text) = block.split_once('\n').unwrap();
        match language {
            "console" => steps.extend(text.lines().map(|line| {
                Step::Run(line.strip_prefix("$ ").unwrap_or_else(|| panic!("{line}")))
            })),
            "rust" | "toml" | "yaml" => {
                let name = before.trim_end().trim_end_matches(':').rsplit('`').nth(1).unwrap();
                steps.push(Step::Write(name, text));
            }
            "sh" => {}
            other => panic!("a block of {other:?}"),
        }
    }
    steps
}

/// Runs the page in a folder, `cargo` only if it is asked for. Returns the number of commands.
fn run(cargo: bool) -> usize {
    let folder = TempDir::new().unwrap();
    for release in ["1.35", "1.36"] {
        let checkout = format!("kubernetes-{release}/api/openapi-spec/v3");
        let checkout = folder.path().join(checkout);
        fs::create_dir_all(&checkout).unwrap();
        for (name, text) in documents(&format!("v{release}")) {
            fs::write(checkout.join(name), text).unwrap();
        }
    }
    let mut documents = documents("v1.36");
    documents.extend(custom("gateway.networking.k8s.io"));
    let address = server(documents);
    let (page, mut here, mut count) = (page(), folder.path().to_path_buf(), 0);
    for step in steps(&page) {
        match step {
            Step::Write(name, text) => write(&folder.path().join(name), text),
            Step::Run(line) => {
                count += 1;
                let line = line.replace("http://127.0.0.1:8001", &address);
                let words: Vec<&str> = line.split_whitespace().collect();
                match words[0] {
                    "cd" => here = here.join(words[1]).canonicalize().unwrap(),
                    "cargo" if !cargo => {}
                    "cargo" => run_cargo(&here, &words[1..]),
                    "k8s-versioned" => run_command(&here, &words[1..]),
                    other => panic!("{other}"),
                }
            }
        }
    }
    count
}

fn run_command(here: &Path, arguments: &[&str]) {
    let run = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        let output = command.args(arguments).current_dir(here).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "k8s-versioned {arguments:?}: {said}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(arguments);
    if arguments == ["generate"] {
        // The page says that a second run changes nothing.
        assert!(run(arguments).ends_with("everything is up to date\n"));
    }
}

/// The documents that a server publishes for definitions of public projects in a group.
fn custom(group: &str) -> Files {
    let path = workspace().join("codegen/cases/crds/manifests.jsonl.gz");
    let lines = BufReader::new(GzDecoder::new(fs::File::open(path).unwrap())).lines();
    let of_group = format!(r#""group":"{group}""#);
    let lines = lines.map(Result::unwrap).filter(|line| line.replace(' ', "").contains(&of_group));
    let manifests =
        lines.enumerate().map(|(index, line)| (format!("{index}.json"), line.into_bytes()));
    crd::documents(&manifests.collect(), &crd::shared_schemas()).unwrap()
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// Writes a file as the page shows it, with the folder of this workspace's packages.
fn write(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    let crates = workspace().join("crates");
    fs::write(path, text.replace("\u{2026}/crates", crates.to_str().unwrap())).unwrap();
}

/// Builds with the versions of this workspace's lock file, and without a network.
fn run_cargo(here: &Path, arguments: &[&str]) {
    let workspace = workspace();
    fs::copy(workspace.join("Cargo.lock"), here.join("Cargo.lock")).unwrap();
    recorded(here);
    let target =
        std::env::var_os("CARGO_TARGET_DIR").map_or(workspace.join("target"), PathBuf::from);
    let mut command = Command::new(env!("CARGO"));
    command.args(arguments).arg("--offline").current_dir(here);
    command.env("CARGO_TARGET_DIR", target.join("generated")).env("CARGO_PROFILE_DEV_DEBUG", "0");
    command.env("RUSTFLAGS", "-D warnings");
    // The program of the page chooses a release by a feature.
    command.env_remove("K8S_OPENAPI_ENABLED_VERSION");
    let output = command.output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    let ran = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "cargo {arguments:?} in {}: {said}{ran}", here.display());
    let tested = ran.contains("types_survive_the_recordings ... ok");
    assert!(tested || arguments != ["test"], "{ran}");
}

/// Adds a recording to a package.
fn recorded(package: &Path) {
    let name = package.file_name().unwrap().to_str().unwrap();
    let recordings = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recordings").join(name);
    if !recordings.is_dir() {
        return;
    }
    for entry in walkdir::WalkDir::new(&recordings) {
        let entry = entry.unwrap();
        let to =
            package.join("tests/recordings").join(entry.path().strip_prefix(&recordings).unwrap());
        if entry.file_type().is_dir() {
            fs::create_dir_all(&to).unwrap();
        } else {
            fs::copy(entry.path(), &to).unwrap();
        }
    }
}

#[test]
fn the_commands_of_the_page() {
    assert!(run(false) >= 28);
}

#[test]
#[ignore = "compiles four packages and a program: `.ci/run` runs it"]
fn the_packages_of_the_page_compile_and_pass_their_tests() {
    run(true);
}
