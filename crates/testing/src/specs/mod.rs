//! Folders of documents and rules as input of the generator.

pub mod generations;
pub mod groups;
pub mod invented;
pub mod patch;
pub mod projects;

use std::path::{Path, PathBuf};
use std::{fs, io};

use k8s_versioned_codegen::input::manifest::{self, Manifest, ManifestEntry, SourceKind};
use k8s_versioned_codegen::spec::DocumentName;
use k8s_versioned_codegen::{EmitOptions, Files};
use k8s_versioned_names::Release;
use walkdir::WalkDir;

/// The names of the cases in `folder`, in their order.
pub fn cases(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// All files of a folder.
pub fn files(folder: &Path) -> io::Result<Files> {
    let mut files = Files::new();
    for entry in WalkDir::new(folder) {
        let entry = entry?;
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(folder).unwrap_or(entry.path());
            let parts: Vec<_> =
                path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
            files.insert(parts.join("/"), fs::read(entry.path())?);
        }
    }
    Ok(files)
}

/// Adds the manifest that an import of the documents writes, unless there is one.
pub fn add_manifest(files: &mut Files) {
    if files.contains_key(manifest::PATH) {
        return;
    }
    let mut documents: Vec<ManifestEntry> =
        files.iter().filter_map(|(path, text)| entry(path, text)).collect();
    documents.sort_by(|a, b| (a.release, &a.name).cmp(&(b.release, &b.name)));
    let text = manifest::write(&Manifest { documents });
    files.insert(manifest::PATH.to_owned(), text.into_bytes());
}

/// The entry of a document; `None` for other files.
fn entry(path: &str, text: &[u8]) -> Option<ManifestEntry> {
    let (release, name) = path.split_once('/')?;
    let sha256 = manifest::sha256(text);
    Some(ManifestEntry {
        release: release.parse().ok()?,
        source: SourceKind::SourceTree,
        name: DocumentName::parse(name)?,
        source_sha256: sha256.clone(),
        sha256,
    })
}

/// The files of the workspace's `specs/`.
pub fn project() -> Files {
    files(&of_workspace("specs")).unwrap()
}

/// The recordings of a release.
pub fn fixtures(release: Release) -> Files {
    let files = files(&of_workspace("fixtures").join(release.to_string())).unwrap();
    files.into_iter().map(|(path, bytes)| (format!("{release}/{path}"), bytes)).collect()
}

/// The options of tests on the workspace's own `specs/`.
pub fn options() -> EmitOptions {
    EmitOptions { root: "crate".to_owned(), command: "a test".to_owned(), shared: None }
}

fn of_workspace(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder)
}
