//! `coordination conform`, and functions that run the command.

use std::fmt::Write as _;
use std::fs;
use std::io::{Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The root of the workspace.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The exit code of the command, and its output.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs the command in a folder.
pub(crate) fn coordination(folder: &Path, args: &[&str]) -> Ran {
    Ran::run(command(args).current_dir(folder).stdin(Stdio::null()))
}

/// Runs the command with this standard input.
pub(crate) fn pipe(args: &[&str], input: impl AsRef<[u8]>) -> Ran {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(input.as_ref()).unwrap();
    file.rewind().unwrap();
    Ran::run(command(args).stdin(file))
}

pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coordination"));
    command.args(args);
    command
}

impl Ran {
    pub(crate) fn run(command: &mut Command) -> Self {
        let Output { status, stdout, stderr } = command.output().unwrap();
        Self {
            code: status.code().unwrap(),
            stdout: String::from_utf8(stdout).unwrap(),
            stderr: String::from_utf8(stderr).unwrap(),
        }
    }
}

/// A command and its output for this standard input.
pub(crate) fn transcript(args: &[&str], input: impl AsRef<[u8]>) -> String {
    let Ran { code, stdout, stderr } = pipe(args, input);
    format!("$ coordination {}\n{stdout}-- stderr\n{stderr}-- exit code {code}\n\n", args.join(" "))
}

/// Checks that arguments are refused: exit code 2, a message, no output.
pub(crate) fn refused(args: &[&str], ran: &Ran, message: &str) {
    assert_eq!(ran.code, 2, "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.starts_with("error: "), "{args:?}: {}", ran.stderr);
    assert!(ran.stderr.contains(message), "{args:?}: {}", ran.stderr);
    assert_eq!(ran.stdout, "", "{args:?}");
}

/// A folder with a folder of recordings that has one good recording.
fn one_recording() -> TempDir {
    let folder = TempDir::new().unwrap();
    let file = "v1.36/coordination.k8s.io/v1/leases/005-get.json";
    let target = folder.path().join("fixtures").join(file);
    fs::create_dir_all(target.parent().unwrap()).unwrap();
    fs::copy(root().join("fixtures").join(file), target).unwrap();
    folder
}

#[test]
fn the_recordings_of_a_release_pass() {
    let output = coordination(&root(), &["conform", "--release", "v1.32"]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(output.stdout.ends_with(": no failure\n"));
    assert!(!output.stdout.contains('\u{1b}'), "colours without a terminal");
}

#[test]
fn colours_are_for_terminals() {
    let folder = one_recording();
    let mut command = command(&["conform"]);
    let output = Ran::run(command.env("CLICOLOR_FORCE", "1").current_dir(folder.path()));
    assert!(output.stdout.contains("\u{1b}["));
}

#[test]
fn json_is_for_programs() {
    let args =
        ["conform", "--format", "json", "--only", "twin", "--only", "decode", "--release", "v1.31"];
    let output = coordination(&root(), &args);
    assert_eq!(output.code, 0);
    let report: Value = serde_json::from_str(&output.stdout).unwrap();
    assert_eq!(report["success"], true);
    let checks = report["checks"].as_array().unwrap().iter().map(|check| &check["name"]);
    assert!(checks.eq(["decode", "twin"]));
    let mut results = report["results"].as_array().unwrap().iter();
    assert!(results.all(|row| row["release"] == "v1.31"));
}

/// Files in the folder of the good recording, their texts, and the exit code. The snapshot has the reports. There are no
/// documents, so the checks that need one do not apply.
#[test]
fn reports() {
    let set = "fixtures/v1.36/coordination.k8s.io/v1/leases";
    let good = fs::read_to_string(root().join(set).join("005-get.json")).unwrap();
    let failing = good.replace("\"leaseDurationSeconds\"", "\"leaseDurationMinutes\"");
    let table = [
        (format!("{set}/005-get.json"), &*good, 0),
        (format!("{set}/005-get.json"), &*failing, 1),
        (format!("{set}/006-broken.json"), "{", 1),
        ("fixtures/known-failures.toml".to_owned(), "[[failure]]\n", 1),
    ];
    let mut all = String::new();
    for (file, text, code) in table {
        let folder = one_recording();
        fs::write(folder.path().join(&file), text).unwrap();
        let output = coordination(folder.path(), &["conform"]);
        assert_eq!(output.code, code, "{file}");
        writeln!(all, "# {file}\n{}{}", output.stdout, output.stderr).unwrap();
    }
    insta::assert_snapshot!(all);
}

#[test]
fn wrong_usage_exits_2() {
    let folder = one_recording();
    fs::create_dir(folder.path().join("empty")).unwrap();
    let table: [(&[&str], &str); 11] = [
        (&["validate", "nowhere.yaml"], "cannot read nowhere.yaml: "),
        (&["conform", "--fixtures", "empty"], "no recordings found in empty"),
        (&["conform", "--fixtures", "nowhere"], "no such folder: nowhere"),
        (&["conform", "--release", "v1.30"], "fixtures has no recordings of v1.30, only of v1.36"),
        (&["conform", "--compare", "v1.36", "v1.99"], "fixtures has no recordings of v1.99"),
        (&["conform", "--release", "1.36"], "write `v1.36`"),
        (&["conform", "--only", "decoding"], "no check is called `decoding`; there are decode, "),
        (&["conform", "--specs", "nowhere"], "cannot list nowhere"),
        (&["conform", "--known", "nowhere"], "nowhere: cannot be read"),
        (&["conform", "--format", "xml"], "invalid value 'xml'"),
        (&["conforms"], "unrecognized subcommand 'conforms'"),
    ];
    for (args, message) in table {
        refused(args, &coordination(folder.path(), args), message);
    }
}

#[test]
fn help() {
    let output = coordination(&root(), &["--help"]);
    insta::assert_snapshot!(output.stdout);
}

#[test]
fn every_command_has_an_example() {
    for command in ["conform", "convert", "elect", "validate"] {
        let output = coordination(&root(), &[command, "--help"]);
        let help = output.stdout;
        let (_, example) = help.split_once("\nExample").unwrap();
        assert!(example.contains(&format!("coordination {command}")), "{help}");
    }
}
