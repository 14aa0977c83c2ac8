//! Helpers of the tests on the real documents.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses its part, and may fail by panicking"
)]

use std::path::Path;

use coordination_codegen::{Files, Options};
use k8s_versioned::Release;

/// The files of the workspace's `specs/`.
pub(crate) fn specs() -> Files {
    folder("specs", "")
}

/// The recordings of a release.
pub(crate) fn fixtures(release: Release) -> Files {
    folder("fixtures", &format!("{release}/"))
}

/// The files of a folder of the workspace whose names begin so.
fn folder(name: &str, begin: &str) -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name);
    let mut files = Files::new();
    for entry in walkdir::WalkDir::new(root.join(begin)) {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&root).unwrap();
            let path: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
            files.insert(path.join("/"), std::fs::read(entry.path()).unwrap());
        }
    }
    files
}

/// Options as any caller could have them.
pub(crate) fn options() -> Options {
    Options { root: "crate".to_owned(), command: "a test".to_owned() }
}
