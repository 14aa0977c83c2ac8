//! Folders of documents and rules as input of the generator.

pub mod combinations;
pub mod generations;
pub mod groups;
pub mod invented;
pub mod patch;
pub mod projects;

use std::path::{Path, PathBuf};
use std::{fs, io};

use k8s_versioned_codegen::{EmitOptions, Files, manifest};
use k8s_versioned_core::{Release, Version};
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
    let entries = files.iter().filter_map(|(path, text)| entry(path, text));
    let text = format!("# Of a test.\n\n{}", entries.collect::<Vec<_>>().join("\n"));
    files.insert(manifest::PATH.to_owned(), text.into_bytes());
}

/// The entry of a document; `None` for other files.
fn entry(path: &str, text: &[u8]) -> Option<String> {
    let (release, file) = path.split_once('/')?;
    let release: Release = release.parse().ok()?;
    group_of(file)?;
    let sum = manifest::sha256(text);
    Some(format!(
        "[[document]]\nrelease = \"{release}\"\nsource = \"source-tree\"\nfile = \"{file}\"\n\
         source-sha256 = \"{sum}\"\nsha256 = \"{sum}\"\n"
    ))
}

/// The group of a document, by its name: `apis__GROUP__VERSION_openapi.json`; `None` for other files.
fn group_of(file: &str) -> Option<&str> {
    let mut parts = file.strip_suffix("_openapi.json")?.split("__");
    let group = match parts.next()? {
        "api" => "",
        "apis" => parts.next()?,
        _ => return None,
    };
    let version = parts.next().map(str::parse::<Version>).transpose();
    (version.is_ok() && parts.next().is_none()).then_some(group)
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
