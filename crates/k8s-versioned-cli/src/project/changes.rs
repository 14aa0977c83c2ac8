//! The changes that make a folder hold the wanted files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::{self, FileType};
use std::mem;
use std::path::{Path, PathBuf};

use k8s_versioned_codegen::Files;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::Error;
use crate::project::is_below;
use crate::project::tree::Tree;

/// The prefix of temporary files. An interrupted run leaves such files behind, and the next run removes
/// them.
const TEMPORARY: &str = ".k8s-versioned-";

/// The most files of a new folder that are named one by one.
const LISTED: usize = 30;

/// The difference between a folder and what it should hold.
#[derive(Debug)]
pub struct Changes {
    folder: PathBuf,
    label: String,
    /// The number of wanted files that exist with the wanted content.
    pub unchanged: usize,
    /// Files to write.
    pub written: BTreeMap<String, Write>,
    /// Files and folders to remove.
    pub removed: BTreeMap<String, FileType>,
}

/// A file to write.
#[derive(Debug)]
pub struct Write {
    /// The file's bytes now, if there is one.
    pub before: Option<Vec<u8>>,
    /// The bytes that it will hold.
    pub after: Vec<u8>,
}

impl Changes {
    /// Compares a folder with the files that it should hold.
    ///
    /// Other files are removed if they are `owned`, and folders if they are empty then. Only wanted files are
    /// read.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn plan(tree: &Tree, owned: &dyn Fn(&str) -> bool, wanted: Files) -> Result<Self, Error> {
        let mut changes = Self {
            folder: tree.path().to_path_buf(),
            label: tree.label().to_owned(),
            unchanged: 0,
            written: BTreeMap::new(),
            removed: surplus(tree, owned, &wanted),
        };
        for (name, after) in wanted {
            if !is_below(&name) {
                return Err(Error::Refusal(format!("`{name}` would be outside {}", tree.label())));
            }
            let is_file = tree.entries().get(&name).is_some_and(FileType::is_file);
            let before = is_file.then(|| tree.read(&name)).transpose()?;
            if before.as_ref() == Some(&after) {
                changes.unchanged += 1;
            } else {
                changes.written.insert(name, Write { before, after });
            }
        }
        Ok(changes)
    }

    /// Returns `true` if the folder holds the wanted files and no others.
    pub fn is_empty(&self) -> bool {
        self.written.is_empty() && self.removed.is_empty()
    }

    /// The folder, as messages show it.
    pub fn folder(&self) -> &str {
        &self.label
    }

    /// A name in the folder, as messages show it.
    pub fn show(&self, name: &str) -> String {
        if self.label.is_empty() { name.to_owned() } else { format!("{}/{name}", self.label) }
    }

    /// The names to be removed, as messages show them: with a slash after the name of a folder.
    pub fn show_removed(&self) -> impl Iterator<Item = String> {
        let slash = |entry: &FileType| if entry.is_dir() { "/" } else { "" };
        self.removed.iter().map(move |(name, entry)| self.show(name) + slash(entry))
    }

    /// Makes the changes of all folders. Each file is replaced atomically; unchanged files are not touched.
    ///
    /// All files are written beside their folders' files first, under other names. Only then is anything replaced or removed.
    ///
    /// # Errors
    /// The operating system refuses. If it refuses to write, all folders are as they were. If it refuses to remove or to rename,
    /// the earlier changes stay, and a second run makes the others.
    pub fn apply_all(all: &[Self]) -> Result<(), Error> {
        let mut staged = Staged::default();
        for changes in all {
            for (name, write) in &changes.written {
                staged.write(&changes.folder, name, &write.after)?;
            }
        }
        all.iter().try_for_each(Self::remove)?;
        staged.replace()
    }

    fn remove(&self) -> Result<(), Error> {
        // Backwards: the files of a folder before the folder.
        for (name, entry) in self.removed.iter().rev() {
            let path = self.folder.join(name);
            let removed =
                if entry.is_dir() { fs::remove_dir(&path) } else { fs::remove_file(&path) };
            removed.map_err(Error::io("remove", &path))?;
        }
        Ok(())
    }
}

/// New files under temporary names, each with the path that it will have. What is left of them is removed with this value.
#[derive(Debug, Default)]
struct Staged(Vec<(PathBuf, PathBuf)>);

impl Staged {
    /// Writes a file into `folder` itself: the folder that it will be in may be a file yet.
    fn write(&mut self, folder: &Path, name: &str, bytes: &[u8]) -> Result<(), Error> {
        fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
        let temporary = folder.join(format!("{TEMPORARY}{}.tmp", self.0.len()));
        self.0.push((temporary.clone(), folder.join(name)));
        fs::write(&temporary, bytes).map_err(Error::io("write", &temporary))
    }

    /// Gives all files their names. Readers see the old file or the new one.
    fn replace(mut self) -> Result<(), Error> {
        for (temporary, path) in mem::take(&mut self.0) {
            let folder = path.parent().unwrap_or(&path);
            fs::create_dir_all(folder).map_err(Error::io("create", folder))?;
            fs::rename(&temporary, &path).map_err(Error::io("write", &path))?;
        }
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        for (temporary, _) in &self.0 {
            // The error that ended the run is the one to report; the next run removes what stays.
            let _ = fs::remove_file(temporary);
        }
    }
}

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Changes", 3)?;
        let written: Vec<String> = self.written.keys().map(|name| self.show(name)).collect();
        fields.serialize_field("written", &written)?;
        fields.serialize_field("removed", &self.show_removed().collect::<Vec<_>>())?;
        fields.serialize_field("unchanged", &self.unchanged)?;
        fields.end()
    }
}

impl fmt::Display for Changes {
    /// One line for each change. A new package has hundreds of files: their folder and number say enough.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_new = self.unchanged == 0 && self.written.values().all(|it| it.before.is_none());
        if is_new && self.written.len() > LISTED {
            writeln!(f, "  written  {}: {} files", self.show(""), self.written.len())?;
        } else {
            for name in self.written.keys() {
                writeln!(f, "  written  {}", self.show(name))?;
            }
        }
        for name in self.show_removed() {
            writeln!(f, "  removed  {name}")?;
        }
        Ok(())
    }
}

/// Returns `true` if an interrupted run left the file behind.
pub fn is_left_over(name: &str) -> bool {
    name.rsplit('/').next().is_some_and(|last| last.starts_with(TEMPORARY))
}

/// The owned names that are not wanted, and the folders that are empty without them.
fn surplus(
    tree: &Tree,
    owned: &dyn Fn(&str) -> bool,
    wanted: &Files,
) -> BTreeMap<String, FileType> {
    let (mut folders, mut removed, mut remaining) = (Vec::new(), BTreeMap::new(), Vec::new());
    for (name, entry) in tree.entries() {
        if entry.is_dir() {
            folders.push((name, entry));
        } else if owned(name) && !(entry.is_file() && wanted.contains_key(name)) {
            removed.insert(name.clone(), *entry);
        } else {
            remaining.push(name);
        }
    }
    for (folder, entry) in folders {
        let inside = format!("{folder}/");
        if !wanted.keys().chain(remaining.iter().copied()).any(|name| name.starts_with(&inside)) {
            removed.insert(folder.clone(), *entry);
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder that has a file, and shall have another one.
    fn changes(folder: &Path, wanted: &str) -> Changes {
        let files = Files::from([(wanted.to_owned(), b"new".to_vec())]);
        Changes::plan(&Tree::whole_or_empty(folder, "").unwrap(), &|_| true, files).unwrap()
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
            fs::read_dir(&first).unwrap().map(|it| it.unwrap().file_name()).collect();
        assert_eq!(names, ["old"], "the first folder is as it was");

        fs::remove_file(&second).unwrap();
        fs::create_dir(&second).unwrap();
        fs::write(second.join("old"), "old").unwrap();
        Changes::apply_all(&all).unwrap();
        assert!(first.join("old/new").is_file() && second.join("new").is_file());
        assert!(!second.join("old").exists());
        assert!(all.iter().all(|it| fs::read_dir(&it.folder).unwrap().count() == 1));
    }
}
