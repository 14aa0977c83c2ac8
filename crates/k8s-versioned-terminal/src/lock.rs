//! The lock of a run on a folder. It shows whether files were left over by another run.
//!
//! ```
//! use k8s_versioned_terminal::lock::Lock;
//! use k8s_versioned_terminal::temporary;
//!
//! # let folder = tempfile::tempdir()?;
//! # let folder = folder.path();
//! let locks = Lock::all([folder]).map_err(|(_, error)| error)?;
//! let mut file = temporary::builder().tempfile_in(folder)?;
//! std::io::Write::write_all(&mut file, b"new")?;
//! // Readers see the old file or the new one.
//! file.persist(folder.join("a.txt"))?;
//! # drop(locks);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use crate::temporary::is_left_over;

/// The right to change the files in a folder. Other runs wait for it; the end of the process gives it back, however it ends.
#[derive(Debug)]
pub struct Lock {
    /// The open folder: the lock needs no file of its own.
    _folder: File,
}

impl Lock {
    /// Waits for the locks of folders, and removes what runs that were killed have left directly in them. All runs lock in the same
    /// order, so that two never wait for each other. A system without locks of folders gives none.
    ///
    /// # Errors
    /// A folder cannot be read, or a left-over cannot be removed: the folder, and why.
    pub fn all<'p>(
        folders: impl IntoIterator<Item = &'p Path>,
    ) -> Result<Vec<Self>, (PathBuf, io::Error)> {
        let mut locks = Vec::new();
        let canonical =
            |folder: &'p Path| folder.canonicalize().map_err(|error| (folder.to_path_buf(), error));
        let folders = folders.into_iter().map(canonical).collect::<Result<BTreeSet<_>, _>>()?;
        for folder in folders {
            locks.extend(Self::of(&folder).map_err(|error| (folder, error))?);
        }
        Ok(locks)
    }

    fn of(folder: &Path) -> io::Result<Option<Self>> {
        // Other systems cannot open a folder as a file.
        if !cfg!(unix) {
            return Ok(None);
        }
        let open = File::open(folder)?;
        match open.lock() {
            Err(error) if error.kind() == ErrorKind::Unsupported => return Ok(None),
            locked => locked?,
        }
        remove_left_overs(folder)?;
        Ok(Some(Self { _folder: open }))
    }
}

/// Removes the temporary files and folders directly in a folder. Of a link, the link is removed.
fn remove_left_overs(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_name().to_str().is_some_and(is_left_over) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            fs::remove_dir_all(entry.path())?;
        } else {
            fs::remove_file(entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn the_lock_finds_what_others_left() {
        let folder = tempfile::tempdir().unwrap();
        let (inside, outside) = (folder.path().join("a"), folder.path().join("b"));
        for it in [&inside, &outside] {
            fs::create_dir(it).unwrap();
        }
        let mine = outside.join("mine");
        fs::write(&mine, "mine").unwrap();
        fs::write(inside.join(".k8s-versioned-0.tmp"), "").unwrap();
        fs::create_dir(inside.join(".k8s-versioned-x.tmp")).unwrap();
        std::os::unix::fs::symlink(&outside, inside.join(".k8s-versioned-1.tmp")).unwrap();
        fs::write(inside.join("own.tmp"), "").unwrap();
        let lock = Lock::all([inside.as_path(), &inside]).unwrap();
        let names: Vec<_> =
            fs::read_dir(&inside).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!((names, mine.is_file()), (vec!["own.tmp".into()], true));
        // Another one waits.
        assert!(File::open(&inside).unwrap().try_lock().is_err());
        drop(lock);
        assert!(File::open(&inside).unwrap().try_lock().is_ok());
    }
}
