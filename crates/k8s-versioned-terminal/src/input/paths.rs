//! The files in folders.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The files in a folder that have one of these extensions, also with `.gz` after it, in the order of their names; with `recursive`
/// also those in folders in it. Links to folders are not followed, and pipes, sockets and devices are left out: reading a pipe can last forever.
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
            if path.is_dir() {
                if recursive && !path.is_symlink() {
                    folders.push(path);
                }
            } else if has_extension(&path, extensions) && !is_special(&path) {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}

/// Returns `true` if a file has one of these extensions, also if it is compressed.
pub(super) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    let packed = path
        .extension()
        .is_some_and(|extension| extension == "gz")
        .then(|| path.with_extension(""));
    let extension = packed.as_deref().unwrap_or(path).extension();
    extension
        .and_then(|extension| extension.to_str())
        .is_some_and(|extension| extensions.contains(&extension))
}

/// Returns `true` for what exists and is not a file, such as a pipe. A link to nothing stays, so that reading reports it.
fn is_special(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|one| !one.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn a_pipe_in_a_folder_is_left_out() {
        use std::os::unix::fs::symlink;
        use std::os::unix::net::UnixListener;

        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let _socket = UnixListener::bind(path("a.yaml")).unwrap();
        fs::write(path("b.yaml"), "").unwrap();
        symlink("/dev/zero", path("c.yaml")).unwrap();
        symlink("nothing", path("d.yaml")).unwrap();
        let files = files_in(folder.path(), &["yaml"], true).unwrap();
        assert_eq!(files, [path("b.yaml"), path("d.yaml")]);
    }
}
