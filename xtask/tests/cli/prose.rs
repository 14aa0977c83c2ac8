//! No text of upstream is in the files of this workspace.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use testing::specs::groups;
use walkdir::WalkDir;

use crate::workspace::{NEWEST, Workspace, repository};

/// The documents and definitions of others, compressed, a line each: their names from `codegen/cases/groups`.
const COMPRESSED: [&str; 3] =
    ["documents.jsonl.gz", "../crds/documents.jsonl.gz", "../crds/manifests.jsonl.gz"];

/// The folders that have documents of Kubernetes.
fn specs() -> impl Iterator<Item = PathBuf> {
    let crates = fs::read_dir(repository().join("crates")).unwrap();
    let folders = crates.map(|package| package.unwrap().path().join("specs"));
    folders.chain([repository().join("specs")]).filter(|folder| folder.is_dir())
}

/// The description of a schema, an operation or a parameter in a document. A field of this name has a schema, which is an object.
fn described(value: &Value) -> Option<&str> {
    match value {
        Value::Object(members) => {
            let own = members.get("description").and_then(Value::as_str);
            own.or_else(|| members.values().find_map(described))
        }
        Value::Array(items) => items.iter().find_map(described),
        _ => None,
    }
}

#[test]
fn vendored_documents_have_no_descriptions() {
    let mut read = 0;
    let mut check = |name: &str, text: &[u8]| {
        let document: Value = serde_json::from_slice(text).unwrap();
        assert_eq!(described(&document), None, "{name}");
        read += 1;
    };
    for folder in specs() {
        let files = WalkDir::new(&folder).into_iter().map(Result::unwrap);
        for file in files
            .filter(|file| file.path().extension().is_some_and(|extension| extension == "json"))
        {
            check(&file.path().display().to_string(), &fs::read(file.path()).unwrap());
        }
    }
    for name in COMPRESSED {
        groups::lines(name).for_each(|line| check(name, line.as_bytes()));
    }
    assert!(read > 300, "{read}");
}

#[test]
fn an_import_keeps_no_descriptions() {
    let workspace = Workspace::small();
    workspace.documents(NEWEST);
    workspace.edit("specs/group.toml", "descriptions = \"rules\"", "descriptions = \"documents\"");
    let error = workspace.fail(&["import", "--release", NEWEST, "--from", "from"]);
    assert!(error.contains("specs/group.toml would keep upstream's descriptions"), "{error}");
}
