//! Helpers of the tests on the real documents.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test uses its part, and may fail by panicking"
)]

#[path = "../../cases/src/load.rs"]
pub(crate) mod load;

use std::path::{Path, PathBuf};

use k8s_versioned_codegen::{Files, Options};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)
}

/// The files of the workspace's `specs/`.
pub(crate) fn specs() -> Files {
    load::files(&folder("specs")).unwrap()
}

/// The options of the tests.
pub(crate) fn options() -> Options {
    Options { root: "crate".to_owned(), command: "a test".to_owned(), shared: None }
}
