//! What the tests on the real documents share.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses its part, and may fail by panicking"
)]

use std::path::Path;

use coordination_codegen::{Files, Options};

/// The files of the workspace's `specs/`.
pub(crate) fn specs() -> Files {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs");
    let mut files = Files::new();
    for entry in walkdir::WalkDir::new(&root) {
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
    Options {
        root: "crate".to_owned(),
        command: "a test".to_owned(),
    }
}
