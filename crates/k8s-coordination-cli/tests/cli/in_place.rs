//! `coordination convert` that replaces its files.

use std::fs;
use std::path::Path;

use tempfile::TempDir;
use testing::dress::FORMS;

use crate::command::coordination;
use crate::input::GOOD;

const ARGS: [&str; 4] = ["convert", "--to", "v1alpha2", "--in-place"];

const COMMENTED: &str = "\
# Ours.
apiVersion: coordination.k8s.io/v1beta1
kind: LeaseCandidate
metadata: {name: b}
spec: {leaseName: scheduler, strategy: example.com/a, binaryVersion: 1.33.0}
";

fn folder(files: &[(&str, &str)]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn each_file_gets_its_converted_objects() {
    let folder = folder(&[("a.json", GOOD), ("b.yaml", COMMENTED)]);
    let output = coordination(folder.path(), &[&ARGS[..], &["."]].concat());
    assert_eq!(output.code, 0);
    assert!(output.stdout.is_empty());
    let style = "note[style-lost]: ./b.yaml: comments, order and style of the YAML are not kept\n";
    assert_eq!(output.stderr, format!("{style}2 files replaced, 0 unchanged\n"));
    assert_eq!(read(&folder, "a.json"), GOOD.replace("v1beta1", "v1alpha2"));
    assert!(read(&folder, "b.yaml").starts_with("apiVersion: coordination.k8s.io/v1alpha2\n"));
    assert_eq!(names(folder.path()), ["a.json", "b.yaml"]);
}

#[test]
fn a_compressed_file_stays_compressed() {
    let object = serde_json::from_str(GOOD).unwrap();
    let (_, compressed) = FORMS.iter().find(|(name, _)| *name == "release.json.gz").unwrap();
    let folder = folder(&[]);
    let path = folder.path().join("a.json.gz");
    fs::write(&path, compressed(&object)).unwrap();
    let output = coordination(folder.path(), &[&ARGS[..], &["."]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(fs::read(&path).unwrap().starts_with(b"\x1f\x8b"));
    let output = coordination(folder.path(), &["convert", "--to", "v1alpha2", "a.json.gz"]);
    assert_eq!(output.stdout, GOOD.replace("v1beta1", "v1alpha2"));
}

#[test]
fn a_file_that_is_named_twice_is_replaced_once() {
    let folder = folder(&[("b.yaml", COMMENTED)]);
    let output = coordination(folder.path(), &[&ARGS[..], &["b.yaml", "b.yaml"]].concat());
    assert_eq!(output.code, 0);
    assert!(output.stderr.ends_with("1 file replaced, 0 unchanged\n"), "{}", output.stderr);
}

#[test]
fn a_file_without_changes_is_not_written() {
    let good = COMMENTED.replace("v1beta1", "v1alpha2");
    let folder = folder(&[("b.yaml", &good)]);
    let output = coordination(folder.path(), &[&ARGS[..], &["b.yaml"]].concat());
    assert_eq!((output.code, &*output.stderr), (0, "0 files replaced, 1 unchanged\n"));
    assert_eq!(read(&folder, "b.yaml"), good);
}

/// The whole file is written again: of other objects the values stay, not the text.
#[test]
fn other_objects_keep_their_values() {
    let other = "apiVersion: v1\nkind: Pod\n# Ours.\nb: 0644\na: 1\n";
    let folder = folder(&[("b.yaml", &format!("{COMMENTED}---\n{other}")), ("c.yaml", other)]);
    let args = [&ARGS[..], &["--skip-unknown", "."]].concat();
    let output = coordination(folder.path(), &args);
    assert_eq!(output.code, 0, "{}", output.stderr);
    let message =
        "note[style-lost]: ./b.yaml: comments, order and style of the YAML are not kept\n";
    assert!(output.stderr.contains(message), "{}", output.stderr);
    let written = read(&folder, "b.yaml");
    assert!(written.ends_with("---\na: 1\napiVersion: v1\nb: 420\nkind: Pod\n"), "{written}");
    assert_eq!(read(&folder, "c.yaml"), other);
}

#[test]
fn reformatted_json_is_reported() {
    let folder = folder(&[("a.json", &GOOD.replace("\":", "\" :  "))]);
    let output = coordination(folder.path(), &[&ARGS[..], &["a.json"]].concat());
    let message = "note[style-lost]: a.json: order and style of the JSON are not kept\n1 file replaced, 0 unchanged\n";
    assert_eq!((output.code, &*output.stderr), (0, message));
}

#[test]
fn unknown_fields_are_dropped_only_on_request() {
    let odd = COMMENTED.replace("strategy:", "colour: red, strategy:");
    let folder = folder(&[("b.yaml", &odd)]);
    let output = coordination(folder.path(), &[&ARGS[..], &["b.yaml"]].concat());
    assert_eq!(output.code, 1);
    let message = "spec.colour: not a field of this version: the file would lose it\n";
    assert!(output.stderr.contains(message), "{}", output.stderr);
    assert!(output.stderr.ends_with("nothing is written: 1 error\n"), "{}", output.stderr);
    assert_eq!(read(&folder, "b.yaml"), odd);

    let output = coordination(folder.path(), &[&ARGS[..], &["--drop-unknown", "b.yaml"]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stderr.ends_with("1 file replaced, 0 unchanged\n"), "{}", output.stderr);
    assert!(!read(&folder, "b.yaml").contains("colour"));
}

#[test]
fn unknown_fields_are_dropped_only_where_something_is_rewritten() {
    let folder = folder(&[("a.json", GOOD)]);
    let args = ["convert", "--to", "v1alpha2", "--drop-unknown", "a.json"];
    let output = coordination(folder.path(), &args);
    assert_eq!(output.code, 2);
    assert!(output.stderr.contains("<--in-place|--check>"), "{}", output.stderr);
}

/// The new file would be beside the old one, in a folder that cannot be written.
#[cfg(unix)]
#[test]
fn a_file_that_cannot_be_replaced_is_reported() {
    use std::os::unix::fs::PermissionsExt as _;

    let set_mode = |path: &Path, mode| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    let folder = folder(&[("a.json", GOOD)]);
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("b.json"), GOOD).unwrap();
    set_mode(&other, 0o555);
    // Root may write everywhere.
    if fs::write(other.join("c.json"), "").is_err() {
        let args = [&ARGS[..], &["a.json", "other/b.json"]].concat();
        let output = coordination(folder.path(), &args);
        let message = "error[not-replaced]: other/b.json: cannot be replaced: no new file can be made beside it: permission denied; \
                    no file is replaced\n0 files replaced, 0 unchanged\n";
        assert_eq!((output.code, &*output.stderr), (1, message));
        let output = coordination(folder.path(), &[&args[..], &["--format", "json"]].concat());
        let json: serde_json::Value = serde_json::from_str(&output.stderr).unwrap();
        assert_eq!(json["findings"][0]["id"], "not-replaced");
        assert_eq!(read(&folder, "a.json"), GOOD);
        assert_eq!(names(folder.path()), ["a.json", "other"]);
    }
    set_mode(&other, 0o755);
}

#[test]
fn a_check_writes_nothing() {
    let new = GOOD.replace("v1beta1", "v1alpha2");
    let folder = folder(&[("old.json", GOOD), ("new.json", &new)]);
    let check = |files: &[&str]| {
        let arguments = [&["convert", "--to", "v1alpha2", "--check"], files].concat();
        let output = coordination(folder.path(), &arguments);
        assert!(output.stdout.is_empty());
        (output.code, output.stderr)
    };
    let changes = "error[would-change]: ./old.json: the conversion to v1alpha2 would change it\n\
                   1 file would change, 1 unchanged\n";
    assert_eq!(check(&["."]), (1, changes.to_owned()));
    let json: serde_json::Value =
        serde_json::from_str(&check(&["--format", "json", "."]).1).unwrap();
    assert_eq!(
        (&json["success"], &json["findings"][0]["id"]),
        (&false.into(), &"would-change".into())
    );
    assert_eq!(check(&["new.json"]), (0, "0 files would change, 1 unchanged\n".to_owned()));
    assert_eq!(read(&folder, "old.json"), GOOD);
    // Without errors nothing would be written, too.
    fs::write(folder.path().join("bad.yaml"), "kind: Lease\n").unwrap();
    let (code, stderr) = check(&["bad.yaml"]);
    assert!(code == 1 && !stderr.contains("written"), "{stderr}");
}

#[test]
fn one_failure_keeps_all_files() {
    let folder = folder(&[("a.json", GOOD), ("b.yaml", "kind: Lease\n")]);
    let output = coordination(folder.path(), &[&ARGS[..], &["a.json", "b.yaml"]].concat());
    assert_eq!(output.code, 1);
    assert_eq!(read(&folder, "a.json"), GOOD);
    assert_eq!(names(folder.path()), ["a.json", "b.yaml"]);
}

#[cfg(unix)]
#[test]
fn permissions_and_links_stay() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    let folder = folder(&[("a.json", GOOD)]);
    let file = folder.path().join("a.json");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("a.json", folder.path().join("link.json")).unwrap();
    let output = coordination(folder.path(), &[&ARGS[..], &["link.json"]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(folder.path().join("link.json").is_symlink());
    assert_eq!(read(&folder, "a.json"), GOOD.replace("v1beta1", "v1alpha2"));
}

/// A killed run leaves its temporary file behind.
#[cfg(unix)]
#[test]
fn what_a_killed_run_left_is_removed() {
    use std::os::unix::fs::symlink;

    let folder =
        folder(&[("a.json", GOOD), (".k8s-versioned-AbCdEf.tmp", "half"), ("own.tmp", "mine")]);
    symlink("own.tmp", folder.path().join(".k8s-versioned-0.tmp")).unwrap();
    let output = coordination(folder.path(), &[&ARGS[..], &["a.json"]].concat());
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert_eq!(names(folder.path()), ["a.json", "own.tmp"]);
    assert_eq!(read(&folder, "own.tmp"), "mine");
}
