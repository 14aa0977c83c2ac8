//! New files and folders of a package, complete before the first of them gets its name.

use std::fs;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use k8s_versioned_terminal::temporary;
use tempfile::TempDir;

use crate::Error;
use crate::project::changes::Changes;
use crate::project::tree::refuse_links_to;

impl Changes {
    /// Makes the changes of all folders. Unchanged files are not touched.
    ///
    /// All files are written first, into new folders beside those of the package. Then only names change: a folder that has nothing
    /// else is replaced as a whole, and other files one by one, each atomically.
    ///
    /// # Errors
    /// The operating system refuses. If it refuses to write, all folders are as they were. If it refuses to remove or to rename,
    /// the earlier changes stay, and a second run makes the others.
    pub fn apply_all(all: &[Self]) -> Result<(), Error> {
        let changed = all.iter().filter(|changes| !changes.is_empty());
        let staged = changed.map(Staged::write).collect::<Result<Vec<_>, _>>()?;
        staged.iter().try_for_each(Staged::put)
    }
}

/// The new files of a folder. What is left of them is removed with this value.
#[derive(Debug)]
struct Staged<'c> {
    changes: &'c Changes,
    /// The folder of the files. It is next to the package, because files can be renamed only within one file system.
    beside: TempDir,
    /// The folder that replaces the whole folder of the package, if one can.
    whole: Option<PathBuf>,
}

impl<'c> Staged<'c> {
    /// Writes the new files of a folder next to it. Nothing in the package changes.
    fn write(changes: &'c Changes) -> Result<Self, Error> {
        let Changes { root, written, removed, .. } = changes;
        let beside = temporary::builder().tempdir_in(root).map_err(Error::io("create", root))?;
        let mut staged = Self { changes, beside, whole: None };
        // One file is replaced atomically, and so is a folder.
        if changes.is_whole && written.len() + removed.len() > 1 {
            staged.whole = staged.write_whole()?;
        }
        if staged.whole.is_none() {
            for (index, write) in written.values().enumerate() {
                create(&staged.file(index), &write.after)?;
            }
        }
        Ok(staged)
    }

    fn file(&self, index: usize) -> PathBuf {
        self.beside.path().join(index.to_string())
    }

    /// A folder with all files as they shall be; `None` if the file system has no links for those that stay.
    fn write_whole(&self) -> Result<Option<PathBuf>, Error> {
        let Changes { folder, unchanged, written, .. } = self.changes;
        let whole = self.beside.path().join("whole");
        fs::create_dir(&whole).map_err(Error::io("create", &whole))?;
        if let Ok(before) = fs::symlink_metadata(folder) {
            let set = fs::set_permissions(&whole, before.permissions());
            set.map_err(Error::io("create", &whole))?;
        }
        for name in unchanged {
            let path = whole.join(name);
            create_parents(&path)?;
            // The file itself: its time does not change, so that nothing is compiled again.
            if fs::hard_link(folder.join(name), path).is_err() {
                return Ok(None);
            }
        }
        for (name, write) in written {
            let path = whole.join(name);
            create_parents(&path)?;
            create(&path, &write.after)?;
        }
        Ok(Some(whole))
    }

    /// Gives the new files their names. Readers see the old file or the new one.
    fn put(&self) -> Result<(), Error> {
        match &self.whole {
            Some(whole) => self.put_whole(whole),
            None => self.put_files(),
        }
    }

    fn put_whole(&self, whole: &Path) -> Result<(), Error> {
        let folder = &self.changes.folder;
        create_parents(folder)?;
        if exchange(whole, folder) {
            return Ok(());
        }
        let before = self.beside.path().join("before");
        let has_before = match fs::rename(folder, &before) {
            Ok(()) => true,
            Err(error) if error.kind() == ErrorKind::NotFound => false,
            Err(error) => return Err(Error::io("replace", folder)(error)),
        };
        fs::rename(whole, folder).map_err(|error| {
            if has_before {
                // The first error is the one to report.
                let _ = fs::rename(&before, folder);
            }
            Error::io("write", folder)(error)
        })
    }

    fn put_files(&self) -> Result<(), Error> {
        let Changes { folder, written, removed, .. } = self.changes;
        // Backwards: the files of a folder before the folder.
        for (name, entry) in removed.iter().rev() {
            let path = folder.join(name);
            let removed =
                if entry.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
            removed.map_err(Error::io("remove", &path))?;
        }
        for name in written.keys() {
            refuse_links_to(folder, name)?;
            create_parents(&folder.join(name))?;
        }
        for (index, name) in written.keys().enumerate() {
            let path = folder.join(name);
            fs::rename(self.file(index), &path).map_err(Error::io("write", &path))?;
        }
        Ok(())
    }
}

/// Gives two folders each other's names in one step, so that a run that is killed leaves one of them. Returns `false` where the system
/// cannot, or where there is no second folder.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

/// Writes a new file. What is at the path already, such as a link, is an error.
fn create(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let created = fs::File::create_new(path).and_then(|mut file| file.write_all(bytes));
    created.map_err(Error::io("write", path))
}

fn create_parents(path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder).map_err(Error::io("create", folder))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use k8s_versioned_codegen::Files;

    use crate::Error;
    use crate::project::changes::Changes;
    use crate::project::tree::FolderTree;

    /// A folder in which a file has to be replaced.
    fn changes(folder: &Path, wanted: &str) -> Changes {
        let files = Files::from([(wanted.to_owned(), b"new".to_vec())]);
        Changes::plan(&FolderTree::whole_or_empty(folder, "").unwrap(), &|_| true, files).unwrap()
    }

    #[test]
    fn all_folders_change_or_none() {
        let parent = tempfile::tempdir().unwrap();
        let [first, second] = ["first", "second"].map(|name| parent.path().join(name));
        for folder in [&first, &second] {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("old"), "old").unwrap();
        }
        let all = [changes(&first, "old/new"), changes(&second, "new")];
        fs::remove_dir_all(&second).unwrap();
        fs::write(&second, "in the way").unwrap();
        assert!(matches!(Changes::apply_all(&all), Err(Error::Io { action: "create", .. })));
        let names: Vec<_> =
            fs::read_dir(&first).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["old"], "the first folder is as it was");

        fs::remove_file(&second).unwrap();
        fs::create_dir(&second).unwrap();
        fs::write(second.join("old"), "old").unwrap();
        Changes::apply_all(&all).unwrap();
        assert!(first.join("old/new").is_file() && second.join("new").is_file());
        assert!(!second.join("old").exists());
        assert!(all.iter().all(|staged| fs::read_dir(&staged.folder).unwrap().count() == 1));
    }
}
