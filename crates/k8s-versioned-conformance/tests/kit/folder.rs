//! Folders of recordings for tests.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

/// The recordings and documents of the invented API.
pub(crate) const WIDGETS: &str = "tests/widgets";
pub(crate) const DOCUMENTS: &str = "tests/documents";

/// The folder of the recordings of the invented API, below a folder of recordings.
pub(crate) const SET: &str = "v1.36/example.com/v1/widgets";

/// A valid recording.
pub(crate) const GOOD: &str = include_str!("../widgets/v1.36/example.com/v1/widgets/002-get.json");

/// A folder with these files.
pub(crate) fn with(files: &[(&str, &[u8])]) -> TempDir {
    let folder = TempDir::new().unwrap();
    for (path, content) in files {
        put(&folder, path, content);
    }
    folder
}

/// Puts a file into a folder.
pub(crate) fn put(folder: &TempDir, path: &str, content: &[u8]) -> PathBuf {
    let path = folder.path().join(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, content).unwrap();
    path
}

/// A file with this content in the set, beside a valid recording.
pub(crate) fn beside_good(file: &str, content: &[u8]) -> TempDir {
    let (good, other) = (format!("{SET}/000-good.json"), format!("{SET}/{file}"));
    with(&[(&good, GOOD.as_bytes()), (&other, content)])
}

/// The invented API's recordings with one text replaced in one file.
pub(crate) fn edited(file: &str, from: &str, to: &str) -> TempDir {
    copy(WIDGETS, &format!("{SET}/{file}"), from, to)
}

/// The invented API's documents with one text replaced.
pub(crate) fn edited_documents(from: &str, to: &str) -> TempDir {
    copy(DOCUMENTS, "v1.36/apis__example.com__v1_openapi.json", from, to)
}

fn copy(source: &str, file: &str, from: &str, to: &str) -> TempDir {
    let copy = TempDir::new().unwrap();
    copy_folder(Path::new(source), copy.path());
    let text = fs::read_to_string(copy.path().join(file)).unwrap();
    assert!(text.contains(from), "{file} does not contain {from}");
    put(&copy, file, text.replacen(from, to, 1).as_bytes());
    copy
}

fn copy_folder(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_folder(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}
