//! `validate`: objects against the schemas of a package.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use tempfile::TempDir;

use crate::command::{call, definition, package};

/// A definition with a schema that can refuse much.
const BACKUPS: &str = definition!(
    "{kind: Backup, plural: backups}",
    "        required: [spec]
        properties:
          spec:
            type: object
            required: [volume]
            properties:
              volume: {type: string, pattern: '^[a-z]+$', maxLength: 5}
              keep: {type: integer, minimum: 1, nullable: true}
              mode: {type: string, enum: [full, quick]}
              copies: {type: integer, format: int32}
              port: {x-kubernetes-int-or-string: true}
              either: {x-kubernetes-int-or-string: true, nullable: true}
              since: {type: string, format: date-time}
              hosts: {type: array, maxItems: 1, items: {type: string}}
"
);

/// The command `validate` of a package that has the definition of backups.
struct Validate {
    _folder: TempDir,
    path: PathBuf,
    file: PathBuf,
}

impl Validate {
    fn new() -> Self {
        let (folder, path) = package("example.com");
        let crd = folder.path().join("crd.yaml");
        fs::write(&crd, BACKUPS).unwrap();
        call(&path, &format!("fetch --release v1.36 --crds {}", crd.display())).unwrap();
        let file = folder.path().join("a.yaml");
        Self { _folder: folder, path, file }
    }

    fn run(&self, text: &str, more: &str) -> Result<String, String> {
        fs::write(&self.file, text).unwrap();
        call(&self.path, &format!("validate {} {more}", self.file.display()))
    }

    /// The command as a program.
    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        command.arg("--root").arg(&self.path).arg("validate");
        command
    }
}

/// A backup with these fields.
fn backup(fields: &str) -> String {
    let metadata = "metadata: {name: a, creationTimestamp: null}";
    format!("{{apiVersion: example.com/v1, kind: Backup, {metadata}, {fields}}}\n")
}

const GOOD: &str =
    "spec: {volume: a, keep: null, copies: 3.0, port: http, since: '2026-01-02T03:04:05Z'}";

#[test]
fn objects_that_fulfil_their_schema() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let list = format!("{good}---\n{}---\n", good.replace("http", "80"));
    assert_eq!(validate.run(&list, "").unwrap(), "objects valid 2\n");
    let json = format!("{{apiVersion: v1, kind: List, items: [{good}]}}");
    let said = validate.run(&json, "--format json").unwrap();
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said, serde_json::json!({"success": true, "objects": 1, "findings": []}));
}

/// The fields of a backup, the check that refuses them, and what it says.
const REFUSED: [(&str, &str, &str); 16] = [
    ("", "required", ": \"spec\" is a required property"),
    ("spec: {keep: 1}", "required", ": spec: \"volume\" is a required property"),
    ("spec: {volume: 1}", "type", ": spec.volume: value is not of type \"string\"; found 1"),
    (
        "spec: {volume: A}",
        "pattern",
        ": spec.volume: value does not match \"^[a-z]+$\"; found \"A\"",
    ),
    ("spec: {volume: abcdef}", "maxLength", ": spec.volume: value is longer than 5"),
    ("spec: {volume: a, keep: 0}", "minimum", ": spec.keep: value is less than the minimum of 1"),
    ("spec: {volume: a, mode: slow}", "enum", ": spec.mode: value is not one of"),
    (
        "spec: {volume: a, hosts: null}",
        "type",
        ": spec.hosts: value is not of type \"array\"; found null",
    ),
    (
        "spec: {volume: a, port: []}",
        "anyOf",
        ": spec.port: value is neither an integer nor a string; found []",
    ),
    (
        "spec: {volume: a, either: []}",
        "anyOf",
        ": spec.either: value is neither an integer nor a string",
    ),
    (
        "spec: {volume: a, copies: 99999999999}",
        "format",
        ": spec.copies: value is not an \"int32\"; found 99999999999",
    ),
    (
        "spec: {volume: a, keep: 9223372036854775808}",
        "format",
        ": spec.keep: value is not an \"int64\"",
    ),
    ("spec: {volume: 3.0}", "type", ": spec.volume: value is not of type \"string\"; found 3"),
    ("spec: {volume: a, since: now}", "format", ": spec.since: value is not a \"date-time\""),
    ("spec: {volume: a, hosts: [a, b]}", "maxItems", ": spec.hosts: value has more than 1 item"),
    ("spec: {volume: a, hosts: [1]}", "type", ": spec.hosts[0]: "),
];

#[test]
fn objects_against_their_schema() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let other = good.replace("example.com/v1", "example.com/v2");
    let labels = "{apiVersion: example.com/v1, kind: Backup, metadata: {name: a, labels: 1}, spec: {volume: a}}";
    let refused = REFUSED.map(|(fields, id, said)| (backup(fields), id, said));
    let others = [
        (labels.to_owned(), "type", ": metadata.labels: "),
        (
            format!("{good}---\n{other}"),
            "no-schema",
            " at document 2 (Backup a): no document has example.com/v2 Backup",
        ),
        ("{spec: {}}".to_owned(), "no-schema", ": kind: absent"),
    ];
    for (text, id, said) in refused.into_iter().chain(others) {
        let refused = validate.run(&text, "").unwrap_err();
        let expected = format!("error[{id}]: {}", validate.file.display());
        assert!(refused.starts_with(&expected) && refused.contains(said), "{text}: {refused}");
        assert!(refused.ends_with("error: 1 object is not valid, 1 finding\n"), "{refused}");
    }
}

const CONFIG_MAP: &str = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}\n";

#[test]
fn fields_that_the_schema_does_not_have() {
    let validate = Validate::new();
    for (text, field, near) in [
        (backup("spec: {volume: a, colour: x}"), "spec.colour", ""),
        (backup("spec: {volume: a}, specs: {}"), "specs", ""),
        (backup("spec: {volume: a, kep: 1}"), "spec.kep", "keep"),
        (
            backup("spec: {volume: a}").replace("name: a,", "name: a, lables: {},"),
            "metadata.lables",
            "labels",
        ),
    ] {
        let refused = validate.run(&text, "").unwrap_err();
        let expected = format!(
            "error[unknown-field]: {} at document 1 (Backup a): {field}: not a field of this version: a server refuses the object\n",
            validate.file.display(),
        );
        assert!(refused.starts_with(&expected), "{text}: {refused}");
        assert_eq!(
            refused.contains(&format!("hint: did you mean `{near}`?")),
            !near.is_empty(),
            "{refused}"
        );
        let warned = validate.run(&text, "--field-validation warn").unwrap();
        assert!(warned.starts_with("warning[unknown-field]: "), "{warned}");
        assert!(
            warned.ends_with("a server drops it\nobjects valid 1\n") || !near.is_empty(),
            "{warned}"
        );
        assert_eq!(validate.run(&text, "--field-validation ignore").unwrap(), "objects valid 1\n");
    }
    let unnamed = "{apiVersion: example.com/v1, kind: Backup, spec: {volume: a}}";
    let refused = validate.run(unnamed, "").unwrap_err();
    assert!(
        refused.contains("at document 1: metadata.name: name or generateName is required"),
        "{refused}"
    );
    let generated = unnamed.replace("spec:", "metadata: {generateName: a-}, spec:");
    assert_eq!(validate.run(&generated, "").unwrap(), "objects valid 1\n");
}

#[test]
fn kinds_of_other_groups() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let refused = validate.run(CONFIG_MAP, "").unwrap_err();
    assert!(
        refused.contains("no document has v1 ConfigMap\n  hint: `--skip-unknown` skips it"),
        "{refused}"
    );
    let both = format!("{good}---\n{CONFIG_MAP}");
    let said = validate.run(&both, "--skip-unknown").unwrap();
    let skipped = " at document 2 (ConfigMap a): skipped: `ConfigMap` of `v1`\nobjects valid 1\n";
    assert!(said.starts_with("note[skipped]: ") && said.ends_with(skipped), "{said}");
    for (from, to) in [
        ("kind: Backup", "kind: Bakcup"),
        ("example.com/v1", "example.com/v3"),
        ("example.com/v1", "exampel.com/v1"),
        ("example.com/v1", "v1"),
    ] {
        let refused = validate.run(&good.replace(from, to), "--skip-unknown").unwrap_err();
        let hint = "hint: did you mean `Backup` of `example.com/v1`?";
        assert!(refused.contains("no document has") && refused.contains(hint), "{refused}");
    }
}

/// What is not YAML hides nothing of other files, and of the documents before it.
#[test]
fn everything_is_reported() {
    let validate = Validate::new();
    let folder = validate.file.with_file_name("all");
    fs::create_dir_all(folder.join("folder.yaml")).unwrap();
    fs::write(folder.join("a.yaml"), "a: [").unwrap();
    fs::write(folder.join("b.json"), "{\n  \"a\": 1,,\n}").unwrap();
    let list = format!(
        "# Two.\n---\n{}---\n{{kind: List, items: [{}]}}\n",
        backup(GOOD),
        backup("spec: {volume: 1}")
    );
    fs::write(folder.join("c.yaml"), list).unwrap();
    let cut = format!("{}---\n{}---\na: [", backup(GOOD), backup("spec: {volume: 2}"));
    fs::write(folder.join("d.yaml"), cut).unwrap();
    let args = format!("validate {}", folder.display());
    let refused = call(&validate.path, &args).unwrap_err();
    for said in [
        "error[yaml]: the file cannot be read as YAML: ",
        "error[json]: the JSON cannot be read: key must be a string at line 2 column 10",
        "c.yaml at document 2, item 1 (Backup a): spec.volume: value is not of type \"string\"; found 1\n",
        "d.yaml at document 2 (Backup a): spec.volume: value is not of type \"string\"; found 2\n",
    ] {
        assert!(refused.contains(said), "{said}: {refused}");
    }
    assert!(
        refused
            .ends_with("error: 3 documents cannot be read; 2 objects are not valid, 2 findings\n"),
        "{refused}"
    );
    assert!(!refused.contains("nothing written") && !refused.contains("charts"), "{refused}");
    let mut command = validate.command();
    let output = command.arg(&folder).args(["--format", "json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!([&json["success"], &json["objects"]], [&false.into(), &serde_json::json!(4)]);
    let lines = [0, 1, 2].map(|index| json["findings"][index]["line"].as_u64());
    assert_eq!(lines, [Some(1), Some(2), Some(5)]);
    let finding = &json["findings"][3];
    assert_eq!(finding["file"], folder.join("c.yaml").display().to_string());
    let place = ["document", "item", "path"].map(|member| finding[member].to_string());
    assert_eq!(place, ["2", "[1]", "\"spec.volume\""]);
}

/// A key that occurs twice hides no document after it.
#[test]
fn every_bad_document_is_reported() {
    let validate = Validate::new();
    let twice = "{kind: Backup,\n  kind: Backup}\n";
    let wrong = backup("spec: {volume: 1}");
    let text =
        format!("{}---\n{twice}---\n# Nothing.\n---\n{wrong}---\n{twice}---\na: [", backup(GOOD));
    let refused = validate.run(&text, "").unwrap_err();
    let file = validate.file.display();
    for said in [
        format!("--> {file}:4:3\n"),
        format!("--> {file}:11:3\n"),
        format!("--> {file}:13:"),
        format!("{file} at document 4 (Backup a): spec.volume: value is not of type \"string\""),
    ] {
        assert!(refused.contains(&said), "{said}: {refused}");
    }
    let end = "error: 3 documents cannot be read; 1 object is not valid, 1 finding\n";
    assert!(refused.ends_with(end), "{refused}");
}

/// Servers leave out the type of the items.
#[test]
fn lists_of_a_kind() {
    let validate = Validate::new();
    let items =
        "{metadata: {name: a}, spec: {volume: a}}, {metadata: {name: b}, spec: {volume: 1}}";
    let list = format!("{{apiVersion: example.com/v1, kind: BackupList, items: [{items}]}}");
    let refused = validate.run(&list, "").unwrap_err();
    let expected = format!(
        "error[type]: {} at document 1, item 2 (Backup b): spec.volume: value is not of type \"string\"; found 1\n",
        validate.file.display()
    );
    assert!(refused.starts_with(&expected), "{refused}");
    assert!(refused.ends_with("error: 1 object is not valid, 1 finding\n"), "{refused}");
    assert_eq!(
        validate.run(&list.replace("volume: 1", "volume: b"), "").unwrap(),
        "objects valid 2\n"
    );
}

#[test]
fn the_standard_input() {
    let validate = Validate::new();
    let mut command = validate.command();
    command.arg("-").stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(backup(GOOD).as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "objects valid 1\n");
}

/// What the arguments name and is not there; the report has one shape.
#[test]
fn exit_codes() {
    let validate = Validate::new();
    fs::write(&validate.file, "# Nothing.\n").unwrap();
    let file = validate.file.to_str().unwrap();
    for (args, code) in [
        (&["nowhere.yaml"][..], 2),
        (&["--root", "nowhere", file], 2),
        (&["--root", "src", file], 2),
        (&["--root", file, file], 2),
        (&[file, "--release", "v1.1"], 2),
        (&[file], 1),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
        command.args(["validate", "--format", "json"]).args(args);
        if !args.contains(&"--root") {
            command.arg("--root").arg(&validate.path);
        }
        let output = command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{args:?}");
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!([&said["success"], &said["objects"]], [&false.into(), &serde_json::json!(0)]);
        let finding = &said["findings"][0];
        assert!(finding["severity"] == "error" && finding["file"] != "", "{finding}");
        assert_eq!(finding["file"] == file, code == 1, "{finding}");
    }
}

#[test]
fn files_without_an_object_that_can_be_checked() {
    let validate = Validate::new();
    for (text, more, said) in [
        ("a: [", "", "cannot be read as YAML"),
        ("{{ .Values.a }}: [", "", "hint: templates of charts are rendered first"),
        ("", "", "a.yaml: it has no object\nerror: there are no objects\n"),
        (CONFIG_MAP, "--skip-unknown", "there are no objects of a kind that the documents have"),
        (&*backup(GOOD), "--release v1.35", "specs has no release v1.35; it has v1.36"),
        (&backup(GOOD), "nowhere.yaml", "cannot read nowhere.yaml"),
    ] {
        let refused = validate.run(text, more).unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
}
