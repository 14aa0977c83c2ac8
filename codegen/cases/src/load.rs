//! Case folders as input of the generator. The build script and the tests share this file.

use std::path::Path;
use std::{fs, io};

use k8s_versioned_codegen::Files;
use k8s_versioned_codegen::manifest::{self, Entry, Manifest, SourceKind};
use k8s_versioned_codegen::spec::DocumentName;
use walkdir::WalkDir;

/// The names of the cases in `folder`, in their order.
pub(crate) fn cases(folder: &Path) -> io::Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// All files of a folder.
pub(crate) fn files(folder: &Path) -> io::Result<Files> {
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
pub(crate) fn add_manifest(files: &mut Files) {
    if files.contains_key(manifest::PATH) {
        return;
    }
    let mut documents: Vec<Entry> =
        files.iter().filter_map(|(path, text)| entry(path, text)).collect();
    documents.sort_by(|a, b| (a.release, &a.name).cmp(&(b.release, &b.name)));
    let text = manifest::write(&Manifest { documents });
    files.insert(manifest::PATH.to_owned(), text.into_bytes());
}

/// The entry of a document; `None` for other files.
fn entry(path: &str, text: &[u8]) -> Option<Entry> {
    let (release, name) = path.split_once('/')?;
    let sha256 = manifest::sha256(text);
    Some(Entry {
        release: release.parse().ok()?,
        source: SourceKind::SourceTree,
        name: DocumentName::parse(name)?,
        source_sha256: sha256.clone(),
        sha256,
    })
}
