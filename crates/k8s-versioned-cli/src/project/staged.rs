//! New files and folders of a package, complete before the first of them gets its name.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;

use k8s_versioned_terminal::temporary;
use tempfile::TempDir;

use crate::Error;
use crate::project::changes::Changes;
use crate::project::journal::{Journal, Step, number_of};
use crate::project::tree::refuse_links_to;

impl Changes {
    /// Makes the changes of all folders. Unchanged files are not touched.
    ///
    /// All files are written first, into a new folder in the package. Then only names change: a folder that has nothing else is replaced
    /// as a whole, and other files one by one, each atomically. The next run ends a run that is killed there.
    ///
    /// # Errors
    /// The operating system refuses. If it refuses to write, all folders are as they were. If it refuses to remove or to rename,
    /// the earlier changes stay, and a second run makes the others.
    pub fn apply_all(all: &[Self]) -> Result<(), Error> {
        let mut packages: BTreeMap<&Path, Vec<&Self>> = BTreeMap::new();
        for changes in all.iter().filter(|changes| !changes.is_empty()) {
            packages.entry(&changes.root).or_default().push(changes);
        }
        let packages = packages.iter().map(|(root, changes)| Staged::write(root, changes));
        let packages = packages.collect::<Result<Vec<_>, _>>()?;
        packages.iter().try_for_each(|staged| staged.journal.run(staged.root, staged.new.path()))
    }
}

/// The new files of a package. What is left of them is removed with this value.
#[derive(Debug)]
struct Staged<'c> {
    root: &'c Path,
    /// The folder of the files. It is in the package, because files can be renamed only within one file system.
    new: TempDir,
    /// The steps that give the files their names.
    journal: Journal,
}

impl<'c> Staged<'c> {
    /// Writes the new files of a package. Nothing else in it changes.
    fn write(root: &'c Path, all: &[&Changes]) -> Result<Self, Error> {
        let new = temporary::builder().tempdir_in(root).map_err(Error::io("create", root))?;
        let mut staged = Self { root, new, journal: Journal::default() };
        for (index, changes) in all.iter().enumerate() {
            let Changes { written, removed, is_whole, .. } = changes;
            // One file is replaced atomically, and so is a folder.
            let is_whole = *is_whole && written.len() + removed.len() > 1;
            if !(is_whole && staged.write_whole(changes, &index.to_string())?) {
                staged.write_files(changes, index)?;
            }
        }
        Ok(staged)
    }

    /// Writes a folder with all files as they shall be. Returns `false` if the file system has no links for those that stay.
    fn write_whole(&mut self, changes: &Changes, name: &str) -> Result<bool, Error> {
        let Changes { folder, unchanged, written, .. } = changes;
        let whole = self.new.path().join(name);
        fs::create_dir(&whole).map_err(Error::io("create", &whole))?;
        let created = fs::symlink_metadata(&whole).map_err(Error::io("create", &whole))?;
        if let Ok(before) = fs::symlink_metadata(folder) {
            let set = fs::set_permissions(&whole, before.permissions());
            set.map_err(Error::io("create", &whole))?;
        }
        for name in unchanged {
            let path = whole.join(name);
            create_parents(&path)?;
            // The file itself: its time does not change, so that nothing is compiled again.
            if fs::hard_link(folder.join(name), path).is_err() {
                return Ok(false);
            }
        }
        for (name, write) in written {
            let path = whole.join(name);
            create_parents(&path)?;
            create(&path, &write.after)?;
        }
        let (folder, number) = (changes.label.clone(), number_of(&created));
        self.journal.add(Step::Replace { folder, by: name.to_owned(), number });
        Ok(true)
    }

    /// Writes the files that change.
    fn write_files(&mut self, changes: &Changes, index: usize) -> Result<(), Error> {
        // Backwards: the files of a folder before the folder.
        for (name, entry) in changes.removed.iter().rev() {
            let remove = if entry.is_dir() { Step::RemoveFolder } else { Step::RemoveFile };
            self.journal.add(remove(changes.show(name)));
        }
        for name in changes.written.keys() {
            refuse_links_to(&changes.folder, name)?;
            self.journal.add(Step::MakeRoom(changes.show(name)));
        }
        for (number, (name, write)) in changes.written.iter().enumerate() {
            let new = format!("{index}-{number}");
            create(&self.new.path().join(&new), &write.after)?;
            self.journal.add(Step::Put { file: changes.show(name), new });
        }
        Ok(())
    }
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
