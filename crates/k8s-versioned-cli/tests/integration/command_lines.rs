//! Each command line of a page, of the help and of the man pages runs: in a folder with the files that it names.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;

use tempfile::TempDir;
use testing::command_lines;
use testing::specs::groups::custom_documents;

use crate::support::{documents, server};

const TOOL: &str = "k8s-versioned";

/// The command lines that do not run here, with the reason.
const LISTED: [(&str, &str); 4] = [
    ("record --release v1.36", "it runs until it is ended; `guide.rs` starts it"),
    ("record --server 127.0.0.1:8001", "it runs until it is ended; `record.rs` tests its options"),
    ("fetch --release v1.37", "there is no checkout of 1.37; `fetch --release v1.36` runs"),
    ("diff v1.36 v1.37", "there is no checkout of 1.37; `diff v1.35 v1.36` runs"),
];

/// The command lines whose objects are wrong on purpose, with what they find.
const REFUSED: [(&str, &str); 2] = [
    ("validate --crds examples/validate", "1 object is not valid, 4 findings"),
    ("--root backup-types validate nightly.yaml", "1 object is not valid"),
];

/// The command lines that run in the folder of a package, or of several versions.
const IN_PACKAGE: [(&str, &str); 8] = [
    ("generate", "backup-types"),
    ("draft", "backup-types"),
    ("diff 1.15.0/", "backup-types"),
    ("fetch --release 1.16.0", "backup-types"),
    ("fetch --release v1.36", "batch-types"),
    ("diff v1.35", "batch-of-two"),
    ("diff v1.36/v1beta1", "lease-types"),
    ("explain", "backup-types"),
];

const BACKUPS: &str = include_str!("../../../../examples/webhook/specs/crd.yaml");

const WIDGETS: &str = "\
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: widgets, kind: Widget}
  versions:
  - name: v1beta1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {size: {type: integer, description: How large.}}}}}}
";

/// A backup as a cluster has it.
const NIGHTLY: &str = "\
apiVersion: storage.example.com/v1
kind: Backup
metadata: {name: nightly, namespace: default, uid: 0b1c2d3e-0000-4000-8000-000000000000, resourceVersion: \"7\"}
spec: {schedule: 0 3 * * *}
";

/// The files that the command lines name, in their folders.
fn files() -> Vec<(&'static str, String)> {
    let broken = "apiVersion: storage.example.com/v1\nkind: Backup\nmetadata: {name: a}\nspec: {keep: many}\n";
    let review = r#"{"apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview", "#;
    let request =
        r#""request": {"uid": "1", "desiredAPIVersion": "example.com/v1", "objects": []}}"#;
    let answer =
        r#""response": {"uid": "1", "result": {"status": "Success"}, "convertedObjects": []}}"#;
    let definitions = ["backups.yaml", "backups.json", "crd.yaml", "crds/backups.yaml"];
    let widgets = ["widget.yaml", "widgets.yaml", "FILE", "OLD", "NEW", "OLD.yaml", "NEW.yaml"];
    let others = ["old/widgets.yaml", "new/widgets.yaml", "crds/widgets.yaml"];
    let mut files: Vec<(&str, String)> = vec![
        ("request.json", format!("{review}{request}")),
        // What the example of a webhook sends and answers is tested there.
        ("tests/requests/list-v1.json", format!("{review}{request}")),
        ("answer.json", format!("{review}{answer}")),
        ("charts/nightly.yaml", NIGHTLY.to_owned()),
        ("chart/all.yaml", format!("{BACKUPS}---\n{NIGHTLY}")),
        ("nightly.yaml", NIGHTLY.to_owned()),
        ("broken/nightly.yaml", broken.to_owned()),
    ];
    files.extend(definitions.map(|name| (name, BACKUPS.to_owned())));
    files.extend(widgets.into_iter().chain(others).map(|name| (name, WIDGETS.to_owned())));
    files
}

/// What stands before `|` in the examples: definitions and objects of a cluster.
fn dump(line: &str) -> String {
    if line.contains("show") { WIDGETS.to_owned() } else { format!("{BACKUPS}---\n{NIGHTLY}") }
}

/// The documents of Kubernetes, and the packages, which are made once.
fn prepared() -> &'static Path {
    static FOLDER: LazyLock<TempDir> = LazyLock::new(|| {
        let folder = TempDir::new().unwrap();
        for (name, text) in files() {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let of_workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize();
        let of_workspace = of_workspace.unwrap();
        for name in ["crates", "examples"] {
            symlink(of_workspace.join(name), folder.path().join(name)).unwrap();
        }
        for (name, release) in [("kubernetes-1.35", "v1.35"), ("kubernetes-1.36", "v1.36")] {
            let checkout = folder.path().join(name).join("api/openapi-spec/v3");
            fs::create_dir_all(&checkout).unwrap();
            for (name, text) in documents(release) {
                fs::write(checkout.join(name), text).unwrap();
            }
        }
        symlink(folder.path().join("kubernetes-1.36"), folder.path().join("kubernetes")).unwrap();
        let run = |line: &str, here: &str| {
            let (code, output) = run(line, &folder.path().join(here), "");
            assert_eq!(code, Some(0), "{line}: {output}");
        };
        run("new backup-types --product Backups --release 1.15.0 --crds backups.yaml", "");
        let rules = folder.path().join("examples/webhook/specs/conversions.toml");
        fs::copy(rules, folder.path().join("backup-types/specs/conversions.toml")).unwrap();
        run("generate", "backup-types");
        run("new batch-types --group batch --release v1.35 --folder kubernetes-1.35", "");
        run("generate", "batch-types");
        copy(&folder.path().join("batch-types"), &folder.path().join("batch-of-two"));
        run("fetch --release v1.36 --folder ../kubernetes-1.36", "batch-of-two");
        run("new lease-types --group coordination.k8s.io --release v1.36 --folder kubernetes", "");
        folder
    });
    FOLDER.path()
}

/// Copies a folder; links stay links.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        let is_large = entry.file_name().to_string_lossy().starts_with("kubernetes");
        if is_large || entry.file_type().unwrap().is_symlink() {
            symlink(path.canonicalize().unwrap(), to).unwrap();
        } else if path.is_dir() {
            copy(&path, &to);
        } else {
            fs::copy(path, to).unwrap();
        }
    }
}

/// Runs a command line; its exit code, and its output.
fn run(line: &str, here: &Path, input: &str) -> (Option<i32>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_k8s-versioned"));
    command.args(line.split_whitespace()).current_dir(here);
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    // A command that does not read its input may have ended.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    (output.status.code(), text.concat())
}

/// The command lines of all pages and of each help, without the name of the command, each with its place.
fn all() -> BTreeMap<String, String> {
    let mut all = command_lines::of_pages(TOOL);
    let folder = TempDir::new().unwrap();
    let (code, output) = run("man .", folder.path(), "");
    assert_eq!(code, Some(0), "{output}");
    let mut subcommands = BTreeSet::new();
    for entry in fs::read_dir(folder.path()).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let name = name.trim_end_matches(".1").trim_start_matches(TOOL);
        subcommands.insert(name.trim_start_matches('-').to_owned());
    }
    for subcommand in subcommands {
        let (_, help) = run(&format!("{subcommand} --help"), folder.path(), "");
        for line in command_lines::of_help(&help, TOOL) {
            all.entry(line).or_insert_with(|| format!("{subcommand} --help"));
        }
    }
    let arguments = |line: String| line.split_once(' ').unwrap().1.to_owned();
    all.into_iter().map(|(line, place)| (arguments(line), place)).collect()
}

/// The value for the longest beginning of a line.
fn listed<'t>(table: &[(&str, &'t str)], line: &str) -> Option<&'t str> {
    table.iter().find(|(begin, _)| line.starts_with(begin)).map(|(_, value)| *value)
}

#[test]
fn each_command_line_runs() {
    let all = all();
    assert!(all.len() > 50, "{all:#?}");
    let address = server({
        let mut documents = documents("v1.36");
        documents.extend(custom_documents()["gateway.networking.k8s.io"].clone());
        documents
    });
    for table in [&LISTED[..], &REFUSED, &IN_PACKAGE] {
        for (begin, _) in table {
            assert!(all.keys().any(|line| line.starts_with(begin)), "no page has `{begin}`");
        }
    }
    let mut wrong = Vec::new();
    for (line, place) in all.iter().filter(|(line, _)| listed(&LISTED, line).is_none()) {
        let folder = TempDir::new().unwrap();
        // What writes has a folder of its own.
        let reads = ["show", "validate", "diff", "explain", "draft", "check-review"];
        let reads = reads.iter().any(|subcommand| line.starts_with(subcommand));
        let root = if reads { prepared() } else { folder.path() };
        if !reads {
            copy(prepared(), root);
        }
        let here = root.join(listed(&IN_PACKAGE, line).unwrap_or_default());
        let line = line.replace("http://127.0.0.1:8001", &address);
        let ran = prepare(&line, &here, !reads && here.as_path() != root);
        let (code, output) = run(&ran, &here, &dump(&line));
        let expected = listed(&REFUSED, &line);
        let fits = match expected {
            None => code == Some(0),
            Some(found) => code == Some(1) && output.contains(found),
        };
        if !fits {
            wrong.push(format!("{place}: {TOOL} {line}: {code:?}\n{output}\n"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.concat());
}

/// The line as it runs: a sentence that names a subcommand alone means its help.
fn prepare(line: &str, here: &Path, in_package: bool) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let has_no_arguments = ["diff", "new", "record", "show", "validate", "fetch", "check-review"];
    if let [word] = words[..]
        && has_no_arguments.contains(&word)
    {
        return format!("{word} --help");
    }
    if line.starts_with("new --template") {
        return format!("{line} --help");
    }
    // What the line makes is not there yet.
    if let ["new", name, ..] = words[..] {
        drop(fs::remove_dir_all(here.join(name)));
    }
    if line.starts_with("--root backup-types validate") {
        let broken = here.join("broken/nightly.yaml");
        fs::copy(broken, here.join("nightly.yaml")).unwrap();
    }
    // A line of the help names the files of the folder above without it.
    if in_package {
        let above: PathBuf = here.parent().unwrap().to_path_buf();
        symlink(above.join("crds"), here.join("crds")).unwrap();
        symlink(above.join("kubernetes"), here.join("kubernetes")).unwrap();
    }
    line.replace(" DIR ", " backup-types ")
}
