//! The input of all commands.

use std::fs::{self, File};

use insta::assert_snapshot;
use tempfile::TempDir;

use crate::command::{Ran, command, coordination, pipe, transcript};

const VALIDATE: &[&str] = &["validate"];
const CONVERT: &[&str] = &["convert", "--to", "v1beta1"];
const ELECT: &[&str] = &["elect", "--now", "2026-01-02T03:04:05Z"];
const COMMANDS: [&[&str]; 3] = [VALIDATE, CONVERT, ELECT];

/// A candidate that every command accepts, as `convert` writes it.
pub(crate) const GOOD: &str = r#"{
  "apiVersion": "coordination.k8s.io/v1beta1",
  "kind": "LeaseCandidate",
  "metadata": {
    "annotations": {
      "example.com/owner": "é😀"
    },
    "name": "a"
  },
  "spec": {
    "binaryVersion": "1.33.0",
    "emulationVersion": "1.33.0",
    "leaseName": "scheduler",
    "renewTime": "2026-01-02T03:04:00.000000Z",
    "strategy": "OldestEmulationVersion"
  }
}
"#;

#[test]
fn no_object_exits_1() {
    let inputs = [
        "",
        "---\n# nothing\n---\n",
        "[]",
        "{apiVersion: coordination.k8s.io/v1, kind: LeaseList, items: null}",
        "{apiVersion: v1, kind: List, items: []}",
        "{apiVersion: v1, kind: Pod}",
    ];
    for input in inputs {
        for command in COMMANDS {
            let output = pipe(&[command, &["--skip-unknown"]].concat(), input);
            assert_eq!(output.code, 1, "{command:?} {input}");
        }
    }
    let printed = inputs.map(|input| {
        let transcript = transcript(&["validate", "--skip-unknown"], input);
        format!("# {input}\n{transcript}")
    });
    assert_snapshot!(printed.concat());
}

/// The shell empties the file before the command reads it.
#[test]
fn a_redirection_into_the_input_exits_1() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("x.json");
    fs::write(&path, GOOD).unwrap();
    let mut command = command(&[CONVERT, &["x.json"]].concat());
    let stdout = File::create(&path).unwrap();
    let output = Ran::run(command.current_dir(folder.path()).stdout(stdout));
    assert_eq!(output.code, 1);
    let stderr = output.stderr;
    assert!(stderr.starts_with("error[no-object]: x.json: it is empty\n  hint: "), "{stderr}");
}

#[test]
fn input_that_is_not_text() {
    let mut all = String::new();
    let surrogate = b"\xfe\xff\xd8\0";
    let compressed =
        [&b"\x1f\x8b\x08\0"[..], b"PK\x03\x04", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd", b"BZh9"];
    let others = [b"a: \xff", &b"\xff\xfe{"[..], surrogate];
    for bytes in compressed.into_iter().chain(others) {
        for command in COMMANDS {
            assert_eq!(pipe(command, bytes).code, 1, "{command:?}");
        }
        all += &transcript(VALIDATE, bytes);
    }
    assert_snapshot!(all);
}

#[test]
fn an_array_stays_an_array() {
    let indented = GOOD.trim_end().replace('\n', "\n  ");
    let other = indented.replace("\"name\": \"a\"", "\"name\": \"b\"");
    let array = format!("[\n  {indented},\n  {other}\n]\n");
    assert_eq!(pipe(CONVERT, &array).stdout, array);
    let nested = format!("[[{GOOD}]]");
    assert_snapshot!(transcript(VALIDATE, &array) + &transcript(VALIDATE, nested));
}

/// The documents before it are judged, as in YAML.
#[test]
fn a_syntax_error_in_json_hides_no_finding_before_it() {
    let folder = TempDir::new().unwrap();
    let text = GOOD.replace("scheduler", "") + &GOOD.replace("}\n}", "},\n}");
    for file in ["x.json", "x.yaml"] {
        fs::write(folder.path().join(file), &text).unwrap();
        let ran = coordination(folder.path(), &[VALIDATE, &[file]].concat());
        let printed = ran.stdout + &ran.stderr;
        let first = format!("{file}:13:18 at document 1 (LeaseCandidate a): spec.leaseName: ");
        let second = format!(
            "{file}:34:1 at document 2: not JSON: trailing comma at line 34 column 1\n1 object"
        );
        assert!(printed.contains(&first) && printed.contains(&second), "{printed}");
    }
}

/// A broken file `*.json` is an error, also if YAML would take it; the standard input can be both.
#[test]
fn a_json_file_is_never_yaml() {
    let folder = TempDir::new().unwrap();
    let (json, yaml) = (GOOD.replace("}\n}", "},\n}"), GOOD.to_owned() + "---\n" + GOOD);
    for (text, error) in [
        (&*json, "17:1 at document 1: not JSON: trailing comma at line 17 column 1"),
        (&yaml, "18:2 at document 2: not JSON: invalid number at line 18 column 2"),
        ("kind: Lease\n", "1:1 at document 1: not JSON: expected value at line 1 column 1"),
    ] {
        fs::write(folder.path().join("x.json"), text).unwrap();
        let hint = "a `*.json` file must contain only JSON";
        let expected = format!("error[not-understood]: x.json:{error}\n  hint: {hint}\n");
        for command in COMMANDS {
            let ran = coordination(folder.path(), &[command, &["x.json"]].concat());
            let printed = ran.stdout + &ran.stderr;
            assert!(ran.code == 1 && printed.starts_with(&expected), "{command:?} {printed}");
        }
    }
    assert_eq!(pipe(VALIDATE, json).code, 0);
    // This is JSON.
    fs::write(folder.path().join("x.json"), r#"{"a": 1, "a": 2}"#).unwrap();
    let ran = coordination(folder.path(), &["validate", "x.json"]);
    let expected =
        "x.json:1:15 at document 1: the key `a` occurs twice in one object\n  hint: remove";
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
}

/// Files, folders and the standard input; objects in both formats become YAML.
#[test]
fn files_folders_and_standard_input() {
    let folder = TempDir::new().unwrap();
    let put = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    put("one.json", GOOD);
    put("folder/b.yaml", &GOOD.replace("v1beta1", "v1beta0"));
    put("folder/a.yml", "kind: Lease\n");
    put("folder/notes.txt", "ignored");
    put("folder/below/c.json", "{");
    put("nothing/notes.txt", "ignored");
    put("nested/below/one.json", GOOD);
    let run = |args: &[&str]| {
        let output = coordination(folder.path(), args);
        format!("$ {}\n{}{}", args.join(" "), output.stdout, output.stderr)
    };
    let all = [
        run(&["validate", "folder", "one.json", "-"]),
        run(&["validate", "-R", "folder"]),
        run(&["validate", "nothing"]),
        run(&["validate", "nested"]),
    ];
    assert_snapshot!(all.join("\n"));
    put("two.yaml", "apiVersion: coordination.k8s.io/v1\nkind: Lease\n");
    let output = coordination(folder.path(), &[CONVERT, &["one.json", "two.yaml"]].concat());
    let written = output.stdout;
    assert!(written.starts_with("apiVersion: coordination.k8s.io/v1beta1\n"), "{written}");
    assert!(
        written.ends_with("\n---\napiVersion: coordination.k8s.io/v1\nkind: Lease\n"),
        "{written}"
    );
}

/// A kind of another group is an error for every command, or skipped with a note. A list of another group counts as one
/// object, whose items are not read.
#[test]
fn kinds_of_other_groups() {
    let list = r#"{"apiVersion": "example.com/v1", "kind": "AllowList", "items": [{}]}"#;
    let other = r#"{"apiVersion": "apps/v1", "kind": "Deployment"}"#;
    let input = format!("{GOOD}{other}{list}");
    let transcripts = COMMANDS.map(|command| {
        let skipped = transcript(&[command, &["--skip-unknown"]].concat(), &input);
        transcript(command, &input) + &skipped
    });
    assert_snapshot!(transcripts.concat());
}

/// As `git diff --name-only` gives them: one object of the group is enough, but what may be meant as one is an error.
#[test]
fn files_without_objects_are_skipped() {
    let folder = TempDir::new().unwrap();
    let others = [
        ("pod.yaml", "apiVersion: v1\nkind: Pod\n"),
        ("kustomization.yaml", "resources: [a.yaml]\n"),
        ("Chart.yaml", "apiVersion: v2\nname: chart\n"),
        ("values.yaml", "replicas: 3\n"),
        ("patch.json", r#"[{"op": "remove", "path": "/spec"}]"#),
        ("comments.yaml", "# nothing\n"),
    ];
    let errors = [
        ("empty.yaml", ""),
        ("no-kind.yaml", "apiVersion: coordination.k8s.io/v1\n"),
        ("no-kind-and-no-version.yaml", "apiVersion: coordination.k8s.io\n"),
        ("another-case.yaml", "Kind: Lease\n"),
        ("no-group.yaml", "kind: Lease\n"),
        ("a-number.yaml", "apiVersion: 7\n"),
        ("text.yaml", "hello\n"),
    ];
    fs::write(folder.path().join("one.json"), GOOD).unwrap();
    for (name, text) in others.into_iter().chain(errors) {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let names = others.map(|(name, _)| name);
    let run = |command: &[&str], files: &[&str]| {
        coordination(folder.path(), &[command, &["--skip-unknown"], files].concat())
    };
    for command in COMMANDS {
        let ran = run(command, &[&["one.json"], &names[..]].concat());
        assert_eq!(ran.code, 0, "{command:?} {}{}", ran.stdout, ran.stderr);
        assert_eq!(run(command, &names).code, 1, "{command:?}");
        for (name, _) in errors {
            assert_eq!(run(command, &["one.json", name]).code, 1, "{command:?} {name}");
            let without = coordination(folder.path(), &[command, &["one.json", name]].concat());
            assert_eq!(without.code, 1, "{command:?} {name}");
        }
    }
    let printed =
        run(VALIDATE, &names).stdout + "\n" + &run(CONVERT, &["one.json", "values.yaml"]).stderr;
    assert_snapshot!(printed);
}

/// For people, what is skipped is one line; programs get each.
#[test]
fn skipped_objects_are_one_line() {
    let folder = TempDir::new().unwrap();
    let pods = "---\napiVersion: v1\nkind: Pod\n".repeat(300);
    let others = "---\nreplicas: 3\n---\napiVersion: apps/v1\nkind: Deployment\n";
    fs::write(folder.path().join("a.yaml"), pods + "---\n" + GOOD).unwrap();
    fs::write(folder.path().join("b.yaml"), others).unwrap();
    let kinds = "`Deployment` of `apps/v1`, `Pod` of `v1`, an object without `kind`";
    for (files, expected) in [
        (&["a.yaml"][..], "note[skipped]: a.yaml: skipped: 300 objects: `Pod` of `v1`\n"),
        (
            &["a.yaml", "b.yaml"],
            &format!("note[skipped]: 2 files: skipped: 302 objects: {kinds}\n"),
        ),
    ] {
        let args = [&["validate", "--skip-unknown"], files].concat();
        let printed = coordination(folder.path(), &args).stdout;
        assert_eq!(printed, format!("{expected}1 object, 0 errors\n"));
        let json = coordination(folder.path(), &[&args[..], &["--format", "json"]].concat()).stdout;
        assert!(json.matches("\"skipped\"").count() >= 300, "{json}");
    }
}

/// A typing error is never skipped: the object may be meant for the group.
#[test]
fn an_object_with_a_suggestion_is_not_skipped() {
    for (api_version, kind, message) in [
        ("coordination/v1", "Lease", "`Lease` of `coordination/v1` is not of the group"),
        ("coordination/v1", "LeaseList", "`LeaseList` of `coordination/v1` is not of the group"),
        ("Coordination.k8s.io/v1", "Lease", "`Lease` of `Coordination.k8s.io/v1` is not of"),
        ("v1", "lease", "`lease` of `v1` is not of the group"),
        (
            "coordination.k8s.io",
            "Lease",
            "the version is missing: `Lease` of `coordination.k8s.io`",
        ),
        ("coordination.k8s.io", "Widget", "the version is missing: `Widget` of"),
    ] {
        let input = format!("{GOOD}\n---\napiVersion: {api_version}\nkind: {kind}\n");
        for command in COMMANDS {
            let ran = pipe(&[command, &["--skip-unknown"]].concat(), &input);
            let printed = ran.stdout + &ran.stderr;
            assert!(ran.code == 1 && printed.contains(message), "{command:?} {printed}");
        }
    }
}

#[test]
fn objects_that_are_not_understood() {
    let objects = "\
{apiVersion: coordination.k8s.io/v1beta1, kind: LeaseCandidat}
---
{apiVersion: coordination.k8s.io/v1beta2, kind: LeaseCandidateList, items: []}
---
{apiVersion: coordination.k8s.io/v1beta1, kind: lease}
---
{apiVersion: coordination.k8s.io/v1beta1, kind: leasecandidates}
---
{apiVersion: coordination.k8s.io/v1, kind: LeaseCandidate}
---
{apiVersion: v1, kind: Lease}
---
{apiVersion: example.com/v1, kind: Lease}
---
{apiVersion: coordination.k8s.io/v1, kind: Release}
---
{apiVersion: a/b/c, kind: Lease}
---
{apiVersion: coordination.k8.io/v1, kind: Lease}
---
{apiVersion: coordination/v1, kind: Lease}
---
{apiVersion: coordination.k8s.io, kind: Lease}
---
{apiVersion: coordination.k8s.io/v1, kind: Widget}
---
{apiVersion: coordination.k8s.io/v1, kind: LeaseList, items: [{kind: LeaseCandidate}]}
---
{kind: Lease}
---
{apiVersion: coordination.k8s.io/v1, metadata: {name: a}}
---
{apiVersion: 7, kind: Lease}
---
{apiVersion: v1, kind: List, items: none}
---
hello
---
a: [b
";
    let template = "name: {{ .Values.name }}\n";
    assert_snapshot!(transcript(VALIDATE, objects) + &transcript(VALIDATE, template));
}

/// A text of an object stays in its line.
#[test]
fn texts_of_objects_are_escaped_and_shortened() {
    let evil = "\u{1b}[2J\n0 objects, 0 errors\r\u{202e}".to_owned() + &"x".repeat(300_000);
    let candidate = serde_json::json!({
        "apiVersion": "coordination.k8s.io/v1beta1",
        "kind": "LeaseCandidate",
        "metadata": {"name": "a", (evil.clone()): 1},
        "spec": {"renewTime": evil, "leaseName": "l"},
    });
    let other = serde_json::json!({"apiVersion": evil, "kind": evil});
    let ours = serde_json::json!({"apiVersion": "coordination.k8s.io/v1", "kind": evil});
    let items = [candidate, other, ours];
    let list = serde_json::json!({"apiVersion": "v1", "kind": "List", "items": items});
    for command in COMMANDS {
        let text = transcript(command, list.to_string());
        let unseen = ['\u{1b}', '\r', '\u{202e}'];
        assert!(!text.contains(unseen), "{command:?}: {text}");
        assert!(text.len() < 6_000, "{command:?}: {} bytes", text.len());
    }
}

/// A list of 1,500 candidates in YAML, whose kind comes last, as `kubectl` writes it. An item between has an unknown field.
fn long_list() -> String {
    let item = |number: usize| {
        let note = "n".repeat(700);
        let unknown = if number == 1_234 { "    holder: a\n" } else { "" };
        format!(
            "- apiVersion: coordination.k8s.io/v1beta1
  kind: LeaseCandidate
  metadata:
    annotations:
      example.com/note: {note}
    name: node-{number}
    namespace: kube-system
  spec:
    binaryVersion: \"1.33.0\"
    emulationVersion: \"1.33.0\"
{unknown}    leaseName: scheduler
    strategy: OldestEmulationVersion
"
        )
    };
    let items: String = (0..1_500).map(item).collect();
    format!("apiVersion: v1\nitems:\n{items}kind: List\n")
}

/// It is read in pieces, which nobody sees: the place of a finding, and the converted text, are the ones of the whole.
#[test]
fn a_long_list_in_yaml() {
    let list = long_list();
    assert!(list.len() > 1 << 20);
    let line = list.lines().position(|line| line == "    holder: a").unwrap() + 1;
    let output = pipe(VALIDATE, &list);
    let place = format!(
        "standard input:{line}:13 at document 1, item 1235 (LeaseCandidate kube-system/node-1234)"
    );
    assert!(output.stdout.contains(&place), "{}", output.stdout);
    assert!(output.stdout.contains("1500 objects"), "{}", output.stdout);

    let good = list.replace("    holder: a\n", "");
    let output = pipe(CONVERT, &good);
    assert_eq!((output.code, output.stdout == good), (0, true), "{}", output.stderr);
    assert!(!output.stderr.contains("style"), "{}", output.stderr);
    let output = pipe(
        CONVERT,
        format!("# A comment.\n{}", good.replace("- api", "-   api")).replace("\n  ", "\n    "),
    );
    assert_eq!((output.code, output.stdout == good), (0, true), "{}", output.stderr);
    assert!(
        output.stderr.contains("comments, order and style of the YAML are not kept"),
        "{}",
        output.stderr
    );

    // An error after the items is an error of the whole.
    let output = pipe(VALIDATE, format!("{good}kind: [\n"));
    assert!(output.stdout.contains("error[not-understood]"), "{}", output.stdout);
    assert!(!output.stdout.contains("node-"), "{}", output.stdout);
}
