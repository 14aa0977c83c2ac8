//! The changes that make a folder hold the wanted files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::FileType;
use std::path::PathBuf;

use k8s_versioned_codegen::Files;
use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use crate::Error;
use crate::project::is_below;
use crate::project::staged::Staged;
use crate::project::tree::Tree;

/// The most files of a new folder that are named one by one.
const LISTED: usize = 30;

/// The difference between a folder and what it should hold.
#[derive(Debug)]
pub struct Changes {
    /// The folder of the package.
    pub(super) root: PathBuf,
    pub(super) folder: PathBuf,
    label: String,
    /// The wanted files that exist with the wanted content.
    pub unchanged: Vec<String>,
    /// Files to write.
    pub written: BTreeMap<String, Write>,
    /// Files and folders to remove.
    pub removed: BTreeMap<String, FileType>,
    /// Whether the folder then holds the wanted files and nothing else.
    pub(super) is_whole: bool,
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
        let removed = surplus(tree, owned, &wanted);
        let mut changes = Self {
            root: tree.root().to_path_buf(),
            folder: tree.path().to_path_buf(),
            label: tree.label().to_owned(),
            unchanged: Vec::new(),
            written: BTreeMap::new(),
            is_whole: is_whole(tree, &removed, &wanted),
            removed,
        };
        for (name, after) in wanted {
            if !is_below(&name) {
                return Err(Error::Refusal(format!("`{name}` would be outside {}", tree.label())));
            }
            let is_file = tree.entries().get(&name).is_some_and(FileType::is_file);
            let before = is_file.then(|| tree.read(&name)).transpose()?;
            if before.as_ref() == Some(&after) {
                changes.unchanged.push(name);
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

impl Serialize for Changes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Changes", 3)?;
        let written: Vec<String> = self.written.keys().map(|name| self.show(name)).collect();
        fields.serialize_field("written", &written)?;
        fields.serialize_field("removed", &self.show_removed().collect::<Vec<_>>())?;
        fields.serialize_field("unchanged", &self.unchanged.len())?;
        fields.end()
    }
}

impl fmt::Display for Changes {
    /// One line for each change. A new package has hundreds of files: their folder and number say enough.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_new =
            self.unchanged.is_empty() && self.written.values().all(|it| it.before.is_none());
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

/// Returns `true` if a folder of the package has the wanted files and nothing else once these are removed.
fn is_whole(tree: &Tree, removed: &BTreeMap<String, FileType>, wanted: &Files) -> bool {
    let goes = |name: &String| removed.contains_key(name) || wanted.contains_key(name);
    !tree.label().is_empty()
        && tree.entries().iter().all(|(name, entry)| entry.is_dir() || goes(name))
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
    use std::fs;
    use std::path::Path;

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
