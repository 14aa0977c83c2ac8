//! What the tests on recordings share.

#![allow(
    dead_code,
    clippy::expect_used,
    reason = "each test uses its part, and may fail by panicking"
)]

use std::path::{Path, PathBuf};

use k8s_versioned::Release;
use serde_json::Value;

/// The release whose server was recorded: `<release>/<group>/<version>/<set>/<file>.json`.
pub(crate) fn release(path: &Path) -> Release {
    let folder = path.ancestors().nth(4).and_then(Path::file_name);
    let name = folder.and_then(|name| name.to_str()).expect("UTF-8");
    name.parse().expect("a release")
}

/// All recordings under `fixtures/`, in a stable order.
pub(crate) fn recordings() -> impl Iterator<Item = (PathBuf, Value)> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures");
    let entries = walkdir::WalkDir::new(fixtures).sort_by_file_name();
    let paths = entries
        .into_iter()
        .filter_entry(|entry| entry.file_name() != "stories")
        .map(|entry| entry.expect("readable folder").into_path());
    let is_recording = |path: &PathBuf| {
        path.extension()
            .is_some_and(|extension| extension == "json")
    };
    paths.filter(is_recording).map(|path| {
        let text = std::fs::read(&path).expect("readable file");
        let recording = k8s_coordination::k8s_versioned::from_json(&text).expect("JSON");
        (path, recording)
    })
}
