//! Compares a folder with the files that it should hold.

use std::collections::BTreeMap;
use std::fs::FileType;

use k8s_versioned_codegen::Files;

use crate::Error;
use crate::project::changes::{Changes, Write};
use crate::project::tree::{FolderTree, is_below};

impl Changes {
    /// Compares a folder with the files that it should hold.
    ///
    /// Other files are removed if they are `owned`, and folders if they are empty then. Only wanted files are
    /// read.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn plan(
        tree: &FolderTree,
        owned: &dyn Fn(&str) -> bool,
        wanted: Files,
    ) -> Result<Self, Error> {
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
}

/// Returns `true` if a folder of the package has exactly the wanted files once these are removed.
fn is_whole(tree: &FolderTree, removed: &BTreeMap<String, FileType>, wanted: &Files) -> bool {
    let goes = |name: &String| removed.contains_key(name) || wanted.contains_key(name);
    !tree.label().is_empty()
        && tree.entries().iter().all(|(name, entry)| entry.is_dir() || goes(name))
}

/// The owned names that are not wanted, and the folders that are empty without them.
fn surplus(
    tree: &FolderTree,
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
    // All names are in order, so the files of a folder follow its own name.
    for (folder, entry) in folders {
        let inside = format!("{folder}/");
        let first_wanted = wanted.range(inside.clone()..).next().map(|(name, _)| name);
        let first_remaining = remaining.get(remaining.partition_point(|name| **name < inside));
        let mut files = first_wanted.into_iter().chain(first_remaining.copied());
        if !files.any(|name| name.starts_with(&inside)) {
            removed.insert(folder.clone(), *entry);
        }
    }
    removed
}
