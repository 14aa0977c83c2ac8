//! The examples in the documents.

use std::collections::BTreeSet;
use std::fs;

use serde_json::Value;
use tempfile::TempDir;
use testing::page;

use crate::command::{coordination, pipe, root};

const BLOCK: &str = "```console\n$ coordination ";

/// Runs all commands of a document in a folder with these files, each a block of the document, and compares their
/// output. `UPDATE_DOCS=1` corrects the document instead.
fn check(document: &str, files: &[&str], commands: usize) -> TempDir {
    let path = root().join(document);
    let text = fs::read_to_string(&path).unwrap();
    let folder = TempDir::new().unwrap();
    let mut blocks = text.split("```yaml\n").skip(1);
    for name in files {
        let (file, _) = blocks.next().unwrap().split_once("```").unwrap();
        fs::write(folder.path().join(name), file).unwrap();
    }
    let mut count = 0;
    let mut parts = text.split(BLOCK);
    let mut expected = parts.next().unwrap().to_owned();
    for part in parts {
        let (block, rest) = part.split_once("```").unwrap();
        let ran = block.split("$ coordination ").map(|command| {
            count += 1;
            let command = command.lines().next().unwrap();
            format!("{command}\n{}", run(&folder, command))
        });
        let ran: Vec<String> = ran.collect();
        expected = format!("{expected}{BLOCK}{}```{rest}", ran.join("$ coordination "));
    }
    page::check(&path, &expected);
    assert_eq!(count, commands);
    folder
}

/// The output of a command. `> FILE` writes its standard output into a file.
fn run(folder: &TempDir, command: &str) -> String {
    let (command, file) = match command.split_once(" > ") {
        Some((command, file)) => (command, Some(file)),
        None => (command, None),
    };
    let args: Vec<&str> = command.split(' ').collect();
    let output = coordination(folder.path(), &args);
    let Some(file) = file else { return output.stdout + &output.stderr };
    fs::write(folder.path().join(file), output.stdout).unwrap();
    output.stderr
}

#[test]
fn the_cookbook() {
    check("docs/guides/cookbook.md", &["candidates.yaml"], 1);
}

#[test]
fn the_page_of_the_command() {
    check("docs/reference/coordination-command.md", &["candidate.yaml", "objects.yaml"], 4);
}

/// The reports for CI point to the field. A message of a workflow command has one line; a file name has characters that the
/// commands use themselves.
#[test]
fn the_reports_for_ci() {
    let folder = TempDir::new().unwrap();
    let run = |args: &[&str]| coordination(folder.path(), args);
    let (github, gitlab) = (
        ["validate", "--format", "github", "manifests/"],
        ["validate", "--format", "gitlab", "manifests/"],
    );
    assert_eq!([run(&github).code, run(&gitlab).code], [2, 2], "there is no folder");
    let file = folder.path().join("manifests/a:b,100%.yaml");
    fs::create_dir(folder.path().join("manifests")).unwrap();
    let wrong = "---\napiVersion: coordination.k8s.io/v1\nkind: leese\nmetadata: {name: 100%}\n";
    fs::write(&file, wrong).unwrap();
    let ran = run(&github);
    let (begin, hint) = (
        "::error file=manifests/a%3Ab%2C100%25.yaml,line=3,col=7,title=not-understood::document 1 (leese 100%25): kind: unknown kind",
        "`%0Ahint: did you mean `Lease` of `coordination.k8s.io/v1`?\n",
    );
    assert!(ran.stdout.starts_with(begin) && ran.stdout.ends_with(hint), "{}", ran.stdout);
    assert_eq!((ran.code, ran.stdout.lines().count()), (1, 1), "{}", ran.stderr);

    let ran = run(&gitlab);
    let report: Value = serde_json::from_str(&ran.stdout).unwrap();
    let finding = &report[0];
    assert_eq!(
        (&finding["check_name"], &finding["severity"]),
        (&"not-understood".into(), &"major".into())
    );
    let location = serde_json::json!({"path": "manifests/a:b,100%.yaml", "lines": {"begin": 3}});
    assert_eq!((ran.code, &finding["location"]), (1, &location));
    assert!(finding["fingerprint"].is_string() && finding["description"].is_string(), "{report}");

    fs::write(&file, crate::input::GOOD).unwrap();
    assert_eq!([run(&github).code, run(&gitlab).code], [0, 0]);
}

/// The guide begins with a recorded object, and ends with the spec that a server of the new version stored.
#[test]
fn the_guide_from_v1alpha1() {
    let page = "docs/guides/from-v1alpha1.md";
    let folder = check(page, &["candidates.yaml"], 2);
    let page = fs::read_to_string(root().join(page)).unwrap();
    let block = |begin: &str| -> Value {
        let (_, after) = page.split_once(begin).unwrap();
        let (yaml, _) = after.split_once("```").unwrap();
        serde_saphyr::from_str(yaml).unwrap()
    };
    let recorded = |place: &str| -> Value {
        let path = format!("fixtures/{place}/leasecandidates/005-create-minimal.json");
        let text = fs::read(root().join(path)).unwrap();
        let recording: Value = serde_json::from_slice(&text).unwrap();
        recording["response"]["json"].clone()
    };
    let before = recorded("v1.31/coordination.k8s.io/v1alpha1");
    assert_eq!(block("```yaml\n"), before);
    let after = recorded("v1.36/coordination.k8s.io/v1beta1");
    assert_eq!(block("This is `new.yaml`:\n\n```yaml\n")["spec"], after["spec"]);
    let new = fs::read_to_string(folder.path().join("new.yaml")).unwrap();
    assert!(page.contains(&format!("This is `new.yaml`:\n\n```yaml\n{new}```\n")), "{new}");
}

/// Every word in `finding` that this command defines.
#[test]
fn every_finding_is_on_the_page() {
    let page = fs::read_to_string(root().join("docs/reference/coordination-command.md")).unwrap();
    let input = r#"
- apiVersion: coordination.k8s.io/v1alpha1
  kind: LeaseCandidate
  metadata:
    name: a
    uid: b
    ownerReferences: [{}]
    finalizers: [a]
    annotations: {kubectl.kubernetes.io/last-applied-configuration: '{}'}
  spec: {leaseName: l, renewTime: "2026-01-02T03:04:05.000000Z", preferredStrategies: [OldestEmulationVersion]}
- {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: l}}
"#;
    let other = format!("{input}- {{apiVersion: v1, kind: Pod}}\n");
    let broken =
        "- {apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: [], more: 1}\n- 7\n";
    let broken = format!("{broken}- {{apiVersion: coordination.k8s.io/v1, kind: Lease, x: 1}}");
    let table: [(&[&str], &str); 7] = [
        (&["validate"], ""),
        (&["validate"], &other),
        (&["validate"], &broken),
        (&["elect"], input),
        (&["elect", "--skip-unknown"], &other),
        (&["convert", "--to", "v1alpha1", "--migrate"], input),
        (&["convert", "--to", "v1beta1", "--skip-unknown"], &other),
    ];
    let mut ids = BTreeSet::new();
    for (args, input) in table {
        let output = pipe(&[args, &["--format", "json"]].concat(), input);
        let json = if args[0] == "convert" { output.stderr } else { output.stdout };
        let report: Value = serde_json::from_str(&json).unwrap();
        let findings = report["findings"].as_array().unwrap().iter();
        ids.extend(findings.map(|finding| finding["id"].as_str().unwrap().to_owned()));
    }
    let of_conversions = ["invalid-in-target"];
    ids.retain(|id| !of_conversions.contains(&id.as_str()));
    for id in &ids {
        assert!(page.contains(&format!("`{id}`")), "{id}");
    }
    assert_eq!(ids.len(), 14, "{ids:?}");
}
