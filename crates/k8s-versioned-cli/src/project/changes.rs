//! The changes that make a folder hold the wanted files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::FileType;
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

/// The most files of a new folder that are named one by one.
const LISTED: usize = 30;

/// The difference between a folder and its intended content.
#[derive(Debug)]
pub struct Changes {
    /// The folder of the package.
    pub(super) root: PathBuf,
    pub(super) folder: PathBuf,
    pub(super) label: String,
    /// The wanted files that exist with the wanted content.
    pub unchanged: Vec<String>,
    /// Files to write.
    pub written: BTreeMap<String, Write>,
    /// Files and folders to remove.
    pub removed: BTreeMap<String, FileType>,
    /// Whether the folder then holds exactly the wanted files.
    pub(super) is_whole: bool,
}

/// A file to write.
#[derive(Debug)]
pub struct Write {
    /// The bytes of the present file, if there is one.
    pub before: Option<Vec<u8>>,
    /// The bytes that it will hold.
    pub after: Vec<u8>,
}

impl Changes {
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
    /// One line for each change. Of the hundreds of files of a new package, only their folder and number are shown.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_new = self.unchanged.is_empty()
            && self.written.values().all(|written| written.before.is_none());
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
