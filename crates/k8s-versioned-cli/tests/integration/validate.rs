//! `validate`: objects against the schemas of a package.

use std::fs;
use std::path::PathBuf;

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
              port: {x-kubernetes-int-or-string: true}
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
}

/// A backup with these fields.
fn backup(fields: &str) -> String {
    let metadata = "metadata: {name: a, creationTimestamp: null}";
    format!("{{apiVersion: example.com/v1, kind: Backup, {metadata}, {fields}}}\n")
}

const GOOD: &str =
    "spec: {volume: a, keep: null, port: http, since: '2026-01-02T03:04:05Z', more: 1}";

#[test]
fn objects_that_fulfil_their_schema() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let list = format!("{good}---\n{}---\n", good.replace("http", "80"));
    assert_eq!(validate.run(&list, "").unwrap(), "objects valid 2\n");
    let json = format!("{{apiVersion: v1, kind: List, items: [{good}]}}");
    assert_eq!(validate.run(&json, "--format json").unwrap(), "{\n  \"valid\": 1\n}\n");
}

/// The fields of a backup, the check that refuses them, and what it says.
const REFUSED: [(&str, &str, &str); 12] = [
    ("status: {}", "required", ": \"spec\" is a required property"),
    ("spec: {keep: 1}", "required", " at /spec: \"volume\" is a required property"),
    ("spec: {volume: 1}", "type", " at /spec/volume: value is not of type \"string\"; found 1"),
    (
        "spec: {volume: A}",
        "pattern",
        " at /spec/volume: value does not match \"^[a-z]+$\"; found \"A\"",
    ),
    ("spec: {volume: abcdef}", "maxLength", " at /spec/volume: value is longer than 5"),
    (
        "spec: {volume: a, keep: 0}",
        "minimum",
        " at /spec/keep: value is less than the minimum of 1",
    ),
    ("spec: {volume: a, mode: slow}", "enum", " at /spec/mode: value is not one of"),
    (
        "spec: {volume: a, hosts: null}",
        "type",
        " at /spec/hosts: value is not of type \"array\"; found null",
    ),
    ("spec: {volume: a, port: []}", "anyOf", " at /spec/port: value is not valid under any"),
    ("spec: {volume: a, since: now}", "format", " at /spec/since: value is not a \"date-time\""),
    ("spec: {volume: a, hosts: [a, b]}", "maxItems", " at /spec/hosts: value has more than 1 item"),
    ("spec: {volume: a, hosts: [1]}", "type", " at /spec/hosts/0: "),
];

#[test]
fn objects_against_their_schema() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let other = good.replace("example.com/v1", "example.com/v2");
    let labels =
        "{apiVersion: example.com/v1, kind: Backup, metadata: {labels: 1}, spec: {volume: a}}";
    let refused = REFUSED.map(|(fields, id, said)| (backup(fields), id, said));
    let others = [
        (labels.to_owned(), "type", " at /metadata/labels: "),
        (
            format!("{good}---\n{other}"),
            "no-schema",
            "(object 2): no document has example.com/v2 Backup",
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

#[test]
fn files_without_an_object_that_can_be_checked() {
    let validate = Validate::new();
    for (text, more, said) in [
        ("a: [", "", "cannot be read as YAML"),
        ("", "", "there are no objects"),
        (&*backup(GOOD), "--release v1.35", "no document has example.com/v1 Backup"),
        (&backup(GOOD), "nowhere.yaml", "cannot read nowhere.yaml"),
    ] {
        let refused = validate.run(text, more).unwrap_err();
        assert!(refused.contains(said), "{refused}");
    }
}
