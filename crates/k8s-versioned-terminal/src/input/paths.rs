//! The files in folders.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files in a folder that have one of these extensions, in the order of their names; with `recursive` also those in folders
/// in it. Links to folders are not followed.
///
/// # Errors
/// A folder cannot be read.
pub fn files_in(folder: &Path, extensions: &[&str], recursive: bool) -> io::Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    let inside = |inner: &Path, error: io::Error| {
        if inner == folder {
            return error;
        }
        io::Error::new(error.kind(), format!("{}: {error}", inner.display()))
    };
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
        let entries = entries.map_err(|error| inside(&folder, error))?;
        for path in entries.iter().map(fs::DirEntry::path) {
            let extension = path.extension().and_then(|extension| extension.to_str());
            if path.is_dir() {
                if recursive && !path.is_symlink() {
                    folders.push(path);
                }
            } else if extension.is_some_and(|extension| extensions.contains(&extension)) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
