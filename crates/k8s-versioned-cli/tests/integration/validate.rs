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
              hosts: {type: array, maxItems: 2, items: {type: string}, x-kubernetes-list-type: set}
              level: {type: integer, default: 3}
            x-kubernetes-validations:
            - {rule: '!has(self.keep) || !has(self.copies) || self.keep <= self.copies', message: too many to keep}
            - {rule: '!has(oldSelf.keep) || has(self.keep)', message: keep is kept}
          status:
            type: object
            properties:
              phase: {type: string, enum: [done]}
    subresources: {status: {}}
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
        Self::of_release("v1.36")
    }

    fn of_release(release: &str) -> Self {
        let (folder, path) = package("example.com");
        let crd = folder.path().join("crd.yaml");
        fs::write(&crd, BACKUPS).unwrap();
        call(&path, &format!("fetch --release {release} --crds {}", crd.display())).unwrap();
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
    assert_eq!(validate.run(&list, "").unwrap(), "2 objects valid\n");
    let json = format!("{{apiVersion: v1, kind: List, items: [{good}]}}");
    let report = validate.run(&json, "--format json").unwrap();
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report, serde_json::json!({"success": true, "objects": 1, "findings": []}));
}

/// Without a package: by the definitions in files and folders.
#[test]
fn definitions_without_a_package() {
    let folder = TempDir::new().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path.display().to_string()
    };
    let definition = file("crds/backups.yaml", BACKUPS);
    let crds = folder.path().join("crds").display().to_string();
    let (good, bad) = (file("good.yaml", &backup(GOOD)), file("bad.yaml", &backup("spec: {}")));
    let validate = |more: &str| call(folder.path(), &format!("validate {more}"));
    for crds in [&definition, &crds] {
        assert_eq!(validate(&format!("{good} --crds {crds}")).unwrap(), "1 object valid\n");
        let report = validate(&format!("--crds {crds} --release v1.31 {bad}")).unwrap_err();
        assert!(report.contains("spec.volume: Required value"), "{report}");
    }
    let error = validate(&format!("--crds {good} {good}")).unwrap_err();
    assert!(error.contains("there is no CustomResourceDefinition"), "{error}");
    let error = validate(&good).unwrap_err();
    assert!(error.contains("`--crds` names definitions"), "{error}");
}

/// Real definitions have descriptions wherever a schema can have one, and what a server and tools have added.
#[test]
fn definitions_as_projects_ship_them() {
    let folder = TempDir::new().unwrap();
    let described = "description: |\n  What `it` means: \"a | b\" <c>.\n\n  - one: 'two'\n";
    let text = BACKUPS
        .replace(
            "        required: [spec]\n",
            &format!(
                "        required: [spec]\n        {}",
                described.replace('\n', "\n        ").trim_end_matches(' ')
            ),
        )
        .replace(
            "volume: {type: string,",
            "volume: {type: string, description: 'The `volume` | \"it\"',",
        )
        .replace("level: {type: integer,", "level: {type: integer, description: A level.,");
    assert_eq!(text.matches("description:").count(), 3);
    let (crd, good) = (folder.path().join("crd.yaml"), folder.path().join("good.yaml"));
    fs::write(&crd, text).unwrap();
    fs::write(&good, backup(GOOD)).unwrap();
    let validate = format!("validate --crds {} {}", crd.display(), good.display());
    assert_eq!(call(folder.path(), &validate).unwrap(), "1 object valid\n");
}

/// The fields of a backup, the reason of the server, and what it says.
const REFUSED: [(&str, &str, &str); 13] = [
    ("", "field-value-required", ": spec: Required value"),
    ("spec: {keep: 1}", "field-value-required", ": spec.volume: Required value"),
    (
        "spec: {volume: 1}",
        "field-value-type-invalid",
        ": spec.volume: Invalid value: \"integer\": spec.volume in body must be of type string: \"integer\"",
    ),
    (
        "spec: {volume: A}",
        "field-value-invalid",
        ": spec.volume: Invalid value: \"A\": spec.volume in body should match '^[a-z]+$'",
    ),
    ("spec: {volume: abcdef}", "field-value-too-long", ": spec.volume: Too long: "),
    (
        "spec: {volume: a, keep: 0}",
        "field-value-invalid",
        ": spec.keep: Invalid value: 0: spec.keep in body should be greater than or equal to 1",
    ),
    (
        "spec: {volume: a, mode: slow}",
        "field-value-not-supported",
        ": spec.mode: Unsupported value: \"slow\": supported values: \"full\", \"quick\"",
    ),
    ("spec: {volume: a, port: []}", "field-value-type-invalid", ": spec.port: Invalid value: "),
    (
        "spec: {volume: a, copies: 99999999999}",
        "field-value-invalid",
        "Checked value must be of type integer with format int32 in spec.copies",
    ),
    ("spec: {volume: a, since: now}", "field-value-type-invalid", ": spec.since: Invalid value: "),
    ("spec: {volume: a, hosts: [a, b, c]}", "field-value-too-many", ": spec.hosts: Too many: 3"),
    (
        "spec: {volume: a, hosts: [a, a]}",
        "field-value-duplicate",
        ": spec.hosts[1]: Duplicate value: \"a\"",
    ),
    ("spec: {volume: a, keep: 9, copies: 8}", "field-value-invalid", ": spec: Invalid value: "),
];

#[test]
fn objects_against_their_schema() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let other = good.replace("example.com/v1", "example.com/v2");
    let labels = "{apiVersion: example.com/v1, kind: Backup, metadata: {name: a, labels: 1}, spec: {volume: a}}";
    let refused = REFUSED.map(|(fields, id, message)| (backup(fields), id, message));
    let others = [
        (
            labels.to_owned(),
            "bad-request",
            ": Backup in version \"v1\" cannot be handled as a Backup: json: ",
        ),
        (
            format!("{good}---\n{other}"),
            "unknown-kind",
            ":3:14 at document 2 (Backup a): apiVersion: no definition or document has example.com/v2 Backup",
        ),
        ("{spec: {}}".to_owned(), "unknown-kind", ":1:1 at document 1: kind: absent"),
        (
            "{spec: {},\n kind: 1}".to_owned(),
            "unknown-kind",
            ":2:8 at document 1: kind: not a text",
        ),
        (
            "{apiVersion: example.com/v1,\n kind: Restore}".to_owned(),
            "unknown-kind",
            ":2:8 at document 1: kind: no definition or document has example.com/v1 Restore",
        ),
    ];
    for (text, id, message) in refused.into_iter().chain(others) {
        let refused = validate.run(&text, "").unwrap_err();
        let expected = format!("error[{id}]: {}", validate.file.display());
        assert!(refused.starts_with(&expected) && refused.contains(message), "{text}: {refused}");
        assert!(refused.contains("\nerror: 1 object is not valid, "), "{refused}");
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
        let expected = format!(": {field}: unknown field \"{field}\"\n");
        assert!(refused.starts_with("error[unknown-field]: "), "{text}: {refused}");
        assert!(refused.contains(&expected), "{text}: {refused}");
        assert_eq!(
            refused.contains(&format!("hint: did you mean `{near}`?")),
            !near.is_empty(),
            "{refused}"
        );
        let warned = validate.run(&text, "--field-validation warn").unwrap();
        assert!(warned.starts_with("warning[unknown-field]: "), "{warned}");
        assert!(warned.ends_with("\n1 object valid\n"), "{warned}");
        assert_eq!(validate.run(&text, "--field-validation ignore").unwrap(), "1 object valid\n");
    }
    let unnamed = "{apiVersion: example.com/v1, kind: Backup, spec: {volume: a}}";
    let refused = validate.run(unnamed, "").unwrap_err();
    assert!(
        refused.contains(
            "at document 1: metadata.name: Required value: name or generateName is required"
        ),
        "{refused}"
    );
    let generated = unnamed.replace("spec:", "metadata: {generateName: a-}, spec:");
    assert_eq!(validate.run(&generated, "").unwrap(), "1 object valid\n");
}

#[test]
fn kinds_of_other_groups() {
    let validate = Validate::new();
    let good = backup(GOOD);
    let refused = validate.run(CONFIG_MAP, "").unwrap_err();
    assert!(
        refused.contains(
            "no definition or document has v1 ConfigMap\n  hint: `--skip-unknown` skips it"
        ),
        "{refused}"
    );
    let both = format!("{good}---\n{CONFIG_MAP}");
    let output = validate.run(&both, "--skip-unknown").unwrap();
    let skipped = " at document 2 (ConfigMap a): skipped: `ConfigMap` of `v1`\n1 object valid\n";
    assert!(output.starts_with("note[skipped]: ") && output.ends_with(skipped), "{output}");
    for (from, to) in [
        ("kind: Backup", "kind: Bakcup"),
        ("example.com/v1", "example.com/v3"),
        ("example.com/v1", "exampel.com/v1"),
        ("example.com/v1", "v1"),
    ] {
        let refused = validate.run(&good.replace(from, to), "--skip-unknown").unwrap_err();
        let hint = "hint: did you mean `Backup` of `example.com/v1`?";
        assert!(
            refused.contains("no definition or document has") && refused.contains(hint),
            "{refused}"
        );
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
    for message in [
        "a.yaml:1:4 at document 1: the file cannot be read as YAML: ",
        "b.json:2:10 at document 1: the JSON cannot be read: key must be a string at line 2 column 10",
        " at document 2, item 1 (Backup a): spec.volume: Invalid value: \"integer\": ",
        "d.yaml:3:105 at document 2 (Backup a): spec.volume: Invalid value: \"integer\": ",
    ] {
        assert!(refused.contains(message), "{message}: {refused}");
    }
    assert!(
        refused
            .ends_with("error: 3 documents cannot be read; 2 objects are not valid, 4 findings\n"),
        "{refused}"
    );
    assert!(!refused.contains("nothing written") && !refused.contains("charts"), "{refused}");
    let mut command = validate.command();
    let output = command.arg(&folder).args(["--format", "json"]).output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!([&json["success"], &json["objects"]], [&false.into(), &serde_json::json!(4)]);
    let lines = [0, 1, 2].map(|index| json["findings"][index]["line"].as_u64());
    assert_eq!(lines, [Some(1), Some(2), Some(5)]);
    let finding = &json["findings"][2];
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
    for message in [
        format!("{file}:4:3 at document 2: the key `kind` occurs twice"),
        format!("{file}:11:3 at document 5: the key `kind` occurs twice"),
        format!("{file}:13:"),
        format!("{file}:8:105 at document 4 (Backup a): spec.volume: Invalid value: \"integer\""),
    ] {
        assert!(refused.contains(&message), "{message}: {refused}");
    }
    let end = "error: 3 documents cannot be read; 1 object is not valid, 2 findings\n";
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
        "error[field-value-type-invalid]: {}:1:{} at document 1, item 2 (Backup b): spec.volume: Invalid value: ",
        validate.file.display(),
        list.find("1}}").unwrap() + 1,
    );
    assert!(refused.starts_with(&expected), "{refused}");
    assert!(refused.contains("\nerror: 1 object is not valid, "), "{refused}");
    assert_eq!(
        validate.run(&list.replace("volume: 1", "volume: b"), "").unwrap(),
        "2 objects valid\n"
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
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "1 object valid\n");
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
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            [&report["success"], &report["objects"]],
            [&false.into(), &serde_json::json!(0)]
        );
        let finding = &report["findings"][0];
        assert!(finding["severity"] == "error" && finding["file"] != "", "{finding}");
        assert_eq!(finding["file"] == file, code == 1, "{finding}");
    }
}

#[test]
fn files_without_an_object_that_can_be_checked() {
    let validate = Validate::new();
    for (text, more, message) in [
        ("a: [", "", "cannot be read as YAML"),
        ("{{ .Values.a }}: [", "", "hint: templates of charts are rendered first"),
        ("", "", "a.yaml: it has no object\nerror: there are no objects\n"),
        (&*backup(GOOD), "--release v1.1", "no server of v1.1 is known"),
        (&backup(GOOD), "nowhere.yaml", "cannot read nowhere.yaml"),
    ] {
        let refused = validate.run(text, more).unwrap_err();
        assert!(refused.contains(message), "{refused}");
    }
    // A hook can get the files of a commit that have nothing to judge.
    for text in [CONFIG_MAP, "", r#"{"name": "a", "version": "1.0.0"}"#] {
        let passed = validate.run(text, "--skip-unknown").unwrap();
        assert!(passed.contains("note[no-object]"), "{passed}");
    }
}

/// A server drops the status of a new object, drops unknown fields, and fills in defaults.
#[test]
fn objects_as_they_are_stored() {
    let validate = Validate::new();
    let text = backup("spec: {volume: a, colour: x}, status: {phase: running}");
    let stored = validate.run(&text, "--as-stored --field-validation warn").unwrap();
    let (comments, stored): (Vec<&str>, Vec<&str>) =
        stored.lines().partition(|line| line.starts_with("# "));
    assert_eq!(comments.last(), Some(&"# 1 object valid"), "{comments:?}");
    let stored: serde_json::Value = serde_saphyr::from_str(&stored.join("\n")).unwrap();
    assert_eq!(stored["spec"], serde_json::json!({"volume": "a", "level": 3}));
    assert_eq!(stored.get("status"), None);
    let refused = validate.run(&text, "--subresource status --field-validation ignore");
    assert!(refused.unwrap_err().contains(": status.phase: Unsupported value: \"running\""));
}

/// Numbers are stored as they are written, in JSON and in YAML, and so are defaults.
#[test]
fn numbers_come_out_as_they_went_in() {
    let folder = TempDir::new().unwrap();
    let (crd, object) = (folder.path().join("crd.yaml"), folder.path().join("object"));
    let mut random = 7_u64;
    let mut numbers = vec!["0.09648644792653349".to_owned()];
    for _ in 0..200 {
        random =
            random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        #[allow(clippy::cast_precision_loss, reason = "it has 53 bits")]
        numbers.push(format!("{:?}", (random >> 11) as f64 / 9_007_199_254_740_992.0));
    }
    let defaults: Vec<String> = numbers
        .iter()
        .enumerate()
        .map(|(index, number)| format!("n{index}: {{type: number, default: {number}}}"))
        .collect();
    let schema = format!(
        "        properties:\n          given: {{type: array, items: {{type: number}}}}\n          defaults: {{type: object, default: {{}}, properties: {{{}}}}}\n",
        defaults.join(", ")
    );
    let crd_text = definition!("{kind: Backup, plural: backups}", "SCHEMA");
    fs::write(&crd, crd_text.replace("SCHEMA", &schema)).unwrap();
    let list = numbers.join(", ");
    let yaml = format!(
        "apiVersion: example.com/v1\nkind: Backup\nmetadata: {{name: a}}\ngiven: [{list}]\n"
    );
    let json = format!(
        r#"{{"apiVersion": "example.com/v1", "kind": "Backup", "metadata": {{"name": "a"}}, "given": [{list}]}}"#
    );
    let expected: Vec<f64> = numbers.iter().map(|number| number.parse().unwrap()).collect();
    for text in [yaml, json] {
        fs::write(&object, text).unwrap();
        let command = format!("validate --crds {} --as-stored {}", crd.display(), object.display());
        let stored: serde_json::Value =
            serde_saphyr::from_str(&call(folder.path(), &command).unwrap()).unwrap();
        for (index, number) in expected.iter().enumerate() {
            assert_eq!(stored["given"][index].as_f64(), Some(*number));
            assert_eq!(stored["defaults"][format!("n{index}")].as_f64(), Some(*number));
        }
    }
}

/// A stored object makes an object an update: what does not change is not judged again, and rules see the old object.
#[test]
fn updates_of_stored_objects() {
    let validate = Validate::new();
    let old = validate.file.with_file_name("old.yaml");
    fs::write(&old, backup("spec: {volume: TOO LONG, keep: 2}, status: {phase: done}")).unwrap();
    let more = format!("--old {}", old.display());
    let same = backup("spec: {volume: TOO LONG, keep: 3}");
    assert!(validate.run(&same, "").is_err());
    let stored = validate.run(&same, &format!("{more} --as-stored")).unwrap();
    assert!(stored.contains("phase: done") && !stored.contains("resourceVersion"), "{stored}");
    let refused = validate.run(&backup("spec: {volume: a}"), &more).unwrap_err();
    assert!(refused.contains(": keep is kept"), "{refused}");
    // Another name is another object.
    let other = backup("spec: {volume: a}").replace("name: a", "name: b");
    assert_eq!(validate.run(&other, &more).unwrap(), "1 object valid\n");
}

#[test]
fn the_place_of_a_field() {
    let validate = Validate::new();
    let text = "# A backup.\napiVersion: example.com/v1\nkind: Backup\nmetadata: {name: a}\nspec:\n  volume: a\n  \
                hosts:\n  - a\n  - a\n";
    let refused = validate.run(text, "").unwrap_err();
    let expected = format!(
        "error[field-value-duplicate]: {}:9:5 at document 1 (Backup a): spec.hosts[1]: ",
        validate.file.display()
    );
    assert!(refused.starts_with(&expected), "{refused}");
    let object = |metadata: &str, more: &str| {
        let of_type = r#""apiVersion": "example.com/v1", "kind": "Backup""#;
        format!(r#"{{{of_type}, "metadata": {{{metadata}}}, "spec": {{"volume": "a"}}{more}}}"#)
    };
    let good = object(r#""name": "a""#, "");
    let wrong = object(r#""name": "b""#, ",\n \"a\\nb\": 1");
    let labels = object("\"name\": \"b\", \"labels\": {\"a\": \"b\",\n \"c\": 1}", "");
    let list = format!(r#"{{"kind": "List", "apiVersion": "v1", "items": [{good},{wrong}]}}"#);
    for (text, place) in [
        (wrong.clone(), "2:10 at document 1 (Backup b): a\\nb: unknown field"),
        (format!("# YAML\n{wrong}"), "3:10 at document 1 (Backup b): a\\nb: unknown field"),
        (format!("[{good},\n{wrong}]"), "3:10 at document 1, item 2 (Backup b): a\\nb: "),
        (format!("- {good}\n-\n {wrong}"), "4:10 at document 1, item 2 (Backup b): a\\nb: "),
        (format!("[{good},\n{list}]"), "3:10 at document 1, item 2, item 2 (Backup b): a\\nb: "),
        (labels, "2:7 at document 1 (Backup b): metadata.labels[c]: Backup in version "),
    ] {
        let refused = validate.run(&text, "").unwrap_err();
        let place = format!("{}:{place}", validate.file.display());
        assert!(refused.contains(&place), "{place}: {refused}");
    }
    let old = validate.file.with_file_name("old.yaml");
    fs::write(&old, format!("# Old.\n{good}\n---\na: 1\na: 2\n")).unwrap();
    let refused = validate.run(&good, &format!("--old {}", old.display())).unwrap_err();
    assert!(refused.contains(&format!("{}:5:1\n", old.display())), "{refused}");
}

/// A report goes on the standard output as it is made, in the form that a program or a page needs.
#[test]
fn forms_of_a_report() {
    let validate = Validate::new();
    let text = backup("spec: {volume: a, kep: 1}");
    let github = validate.run(&text, "--format github").unwrap_err();
    let file = validate.file.display();
    let expected = format!("::error file={file},line=1,col=113,title=unknown-field::document 1 ");
    assert!(github.starts_with(&expected), "{github}");
    let gitlab = validate.run(&text, "--format gitlab").unwrap_err();
    assert!(gitlab.contains("\"check_name\": \"unknown-field\""), "{gitlab}");
    let markdown = validate.run(&text, "--format markdown").unwrap_err();
    assert!(markdown.contains("| error `unknown-field` |"), "{markdown}");
    let warned = validate.run(&text, "--field-validation warn --quiet").unwrap();
    assert_eq!(warned, "");
    let binary = validate.run("\u{7f}ELF\0\0", "").unwrap_err();
    assert!(
        binary.starts_with("error[not-text]: ") && binary.contains("a binary file"),
        "{binary}"
    );
}

/// Servers before 1.36 took integers beyond the range of their format.
#[test]
fn several_releases() {
    let validate = Validate::new();
    let text = backup("spec: {volume: A, copies: 99999999999}");
    let refused = validate.run(&text, "--release v1.31 --release v1.36").unwrap_err();
    let findings: Vec<&str> = refused.lines().filter(|line| line.starts_with("error[")).collect();
    let finding = |field: &str| findings.iter().find(|line| line.contains(field)).unwrap();
    assert!(finding("spec.volume: ").ends_with(" (v1.31, v1.36)"), "{refused}");
    assert!(finding(" in spec.copies").ends_with(" (v1.36)"), "{refused}");
    // A release of a product selects definitions, not a server.
    let refused = Validate::of_release("1.15.0").run(&text, "--release 1.15.0").unwrap_err();
    assert!(refused.contains(" in spec.copies"), "{refused}");
}

/// A version that a later release removes, in the releases before and after its servers warn.
#[test]
fn a_version_that_ends() {
    let workspace = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("candidate.yaml");
    let text = "apiVersion: coordination.k8s.io/v1alpha2\nkind: LeaseCandidate\nmetadata: {name: a, namespace: b}\n\
                spec: {leaseName: c, binaryVersion: 1.35.0, strategy: OldestEmulationVersion}\n";
    fs::write(&file, text).unwrap();
    let run =
        |release| call(&workspace, &format!("validate --release {release} {}", file.display()));
    assert_eq!(run("v1.34").unwrap(), "1 object valid\n");
    let warned = run("v1.35").unwrap();
    let expected =
        "coordination.k8s.io/v1alpha2 LeaseCandidate is deprecated since 1.35, and removed in 1.38";
    assert!(warned.starts_with("warning[deprecated]: ") && warned.contains(expected), "{warned}");
}

/// A definition whose rule costs more than servers allow, and what would lower it.
#[test]
fn costs_of_rules_are_explained() {
    let folder = TempDir::new().unwrap();
    let crd = folder.path().join("crd.yaml");
    let definition = |limit: &str| {
        definition!(
            "{kind: Backup, plural: backups}",
            "        properties:
          spec:
            type: object
            description: What to keep.
            properties:
              hosts:
                type: array
                LIMIT
                items: {type: string, maxLength: 100}
                x-kubernetes-validations:
                - {rule: 'self.all(x, self.all(y, x == y))'}
"
        )
        .replace("LIMIT", limit)
    };
    let explain = |limit: &str| {
        fs::write(&crd, definition(limit)).unwrap();
        let command = format!("validate --explain-cost {}", crd.display());
        call(folder.path(), &command)
    };
    let report = explain("").unwrap_err();
    assert!(
        report.contains("error[rule-cost]") && report.contains("more than 100 times"),
        "{report}"
    );
    let limit = "`maxItems: 16` at properties[spec].properties[hosts] makes it";
    assert!(report.contains(limit), "{report}");
    let report = explain("maxItems: 16").unwrap();
    assert!(report.contains("% of what servers allow: "), "{report}");
    let sum = ": spec.versions: all rules of v1 have an estimated cost of ";
    assert!(
        report.contains(sum) && report.contains("of what servers allow for a version"),
        "{report}"
    );
}

/// The definition of backups, and objects, in one input as charts have them.
fn chart(definition: &str, objects: &str) -> String {
    format!("{objects}---\n{definition}")
}

/// A definition with what a server asks for.
fn applied() -> String {
    BACKUPS.replacen("spec:\n", "metadata: {name: backups.example.com}\nspec:\n", 1)
}

/// Validates a text without a package.
fn alone(text: &str, more: &str) -> Result<String, String> {
    let folder = TempDir::new().unwrap();
    let file = folder.path().join("chart/all.yaml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    call(folder.path(), &format!("validate {} {more}", file.parent().unwrap().display()))
}

#[test]
fn definitions_in_the_input_judge_its_objects() {
    // The definition comes after the object.
    let good = alone(&chart(&applied(), &backup(GOOD)), "").unwrap();
    assert_eq!(good, "2 objects valid\n");
    let bad = alone(&chart(&applied(), &backup("spec: {}")), "--release v1.31").unwrap_err();
    assert!(bad.contains("spec.volume: Required value"), "{bad}");
    assert!(bad.contains("1 object is not valid"), "{bad}");
    // Without a definition of the kind, the input is as before.
    let other = backup(GOOD).replace("Backup", "Restore");
    let bad = alone(&chart(&applied(), &other), "").unwrap_err();
    assert!(bad.contains("unknown-kind"), "{bad}");
    // A definition that cannot be read, because `---` is missing, is no missing definition.
    let bad = alone(&(backup(GOOD) + &applied()), "").unwrap_err();
    assert!(bad.contains("the file cannot be read as YAML"), "{bad}");
}

#[test]
fn a_definition_that_servers_refuse() {
    let refused = applied().replace("plural: backups", "plural: backup");
    let report = alone(&refused, "").unwrap_err();
    assert!(report.contains("metadata.name: Invalid value"), "{report}");
    let rule = "!has(self.keep) || !has(self.copies) || self.keep <= self.copies";
    let schema = applied().replace(rule, "self.missing == 1");
    assert_ne!(schema, applied());
    let report = alone(&schema, "").unwrap_err();
    assert!(report.contains("undefined field 'missing'"), "{report}");
    assert!(report.contains("x-kubernetes-validations[0].rule"), "{report}");
}

#[test]
fn an_update_of_a_definition() {
    let folder = TempDir::new().unwrap();
    let (old, new) = (folder.path().join("old.yaml"), folder.path().join("new.yaml"));
    fs::write(&old, applied().replace("Namespaced", "Cluster")).unwrap();
    fs::write(&new, applied()).unwrap();
    let report =
        call(folder.path(), &format!("validate {} --old {}", new.display(), old.display()));
    let report = report.unwrap_err();
    assert!(
        report.contains("spec.scope: Invalid value: \"Namespaced\": field is immutable"),
        "{report}"
    );
}

/// What `kubectl get --output yaml` prints.
fn dump(spec: &str) -> String {
    let metadata = "metadata: {name: a, namespace: b, uid: 0b1c2d3e-0000-4000-8000-000000000000, resourceVersion: '512', \
                    generation: 3, creationTimestamp: '2026-01-02T03:04:05Z', managedFields: [{manager: kubectl, operation: Update, \
                    apiVersion: example.com/v1, time: '2026-01-02T03:04:05Z', fieldsType: FieldsV1, fieldsV1: {'f:spec': {}}}]}";
    format!(
        "apiVersion: v1\nkind: List\nitems:\n- {{apiVersion: example.com/v1, kind: Backup, {metadata}, {spec}}}\n"
    )
}

#[test]
fn a_dump_of_a_cluster_is_judged_as_it_stands() {
    let validate = Validate::new();
    assert_eq!(validate.run(&dump(GOOD), "").unwrap(), "1 object valid\n");
    let bad = dump(&GOOD.replace("volume: a", "volume: 1"));
    assert!(validate.run(&bad, "").unwrap_err().contains("spec.volume: Invalid value"));
    // The file is what the server has: an update without a change hides nothing.
    let old = format!("--old {}", validate.file.display());
    assert!(validate.run(&bad, &old).unwrap_err().contains("spec.volume: Invalid value"));
    let created = validate.run(&dump(GOOD), "--from-cluster never").unwrap_err();
    assert!(created.contains("resourceVersion should not be set"), "{created}");
    let file = backup(GOOD).replace("creationTimestamp: null", "namespace: b, generation: 2");
    assert_eq!(validate.run(&file, "--from-cluster always").unwrap(), "1 object valid\n");
}

#[test]
fn warnings_fail_on_request() {
    let validate = Validate::new();
    let object = backup(GOOD).replace("creationTimestamp: null", "finalizers: [a]");
    let report = validate.run(&object, "").unwrap();
    assert!(report.contains("warning[") && report.ends_with("1 object valid\n"), "{report}");
    assert!(
        validate
            .run(&object, "--fail-on warning")
            .unwrap_err()
            .contains("1 object has warnings, 1 finding")
    );
}

/// The README's second screen, as it is in the file.
#[test]
fn the_readme_shows_a_real_answer() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let mut lines = readme.lines();
    let command =
        lines.find(|line| line.starts_with("$ ") && line.contains("examples/validate/")).unwrap();
    let shown: Vec<&str> = lines.take_while(|line| !line.starts_with("```")).collect();
    let (_, arguments) = command.split_once(" validate ").unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    let run = run.arg("validate").args(arguments.split(' ')).current_dir(root).output().unwrap();
    let [text, errors] = [run.stdout, run.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(
        (run.status.code(), format!("{text}{errors}").lines().collect::<Vec<_>>()),
        (Some(1), shown)
    );
}

/// Servers cut long warnings, and of many they send only the first. Strict servers reject all the same.
#[test]
fn no_unknown_field_is_lost() {
    let with = |fields: &str| {
        let object = backup(&GOOD.replace("volume: a,", &format!("volume: a, {fields}")));
        alone(&chart(&applied(), &object), "").unwrap_err()
    };
    let long: Vec<String> = (0..20).map(|at| format!("{}{at:02}: 1,", "x".repeat(500))).collect();
    let report = with(&long.join(" "));
    assert_eq!(report.matches("error[unknown-field]").count(), 20);
    let many: Vec<String> = (0..300).map(|at| format!("unknown{at:03}: 1,")).collect();
    let report = with(&many.join(" "));
    assert_eq!(report.matches("error[unknown-field]").count(), 300);
}

/// The last definition of a kind in the input judges its objects, whatever was refused before it.
#[test]
fn a_good_definition_replaces_a_refused_one() {
    let refused = applied().replace("level: {type: integer", "level: {type: blockDevice");
    assert_ne!(refused, applied());
    let text = chart(&refused, &backup("spec: {}"));
    let report = alone(&text, "").unwrap_err();
    assert!(report.contains("not judged: servers reject the definition of its kind"), "{report}");
    let report = alone(&chart(&applied(), &text), "").unwrap_err();
    assert!(report.contains("spec.volume: Required value"), "{report}");
    // So it does for a definition of `--crds`.
    let folder = TempDir::new().unwrap();
    let crds = folder.path().join("crds.yaml");
    fs::write(&crds, &refused).unwrap();
    let report = alone(&chart(&applied(), &backup(GOOD)), &format!("--crds {}", crds.display()));
    assert_eq!(report, Ok("2 objects valid\n".to_owned()));
}
