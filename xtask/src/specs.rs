//! The folder `specs`, from which everything is generated.

use std::path::Path;

use k8s_versioned_codegen::Files;

use crate::Error;
use crate::error::Source;
use crate::tree::{Entry, Tree};

/// The folder of the specs, relative to the root.
pub const FOLDER: &str = "specs";

/// The folder of the specs of the types that all groups share, relative to the root.
pub const SHARED_FOLDER: &str = "crates/k8s-versioned/specs";

/// The specs of a workspace.
#[derive(Clone, Debug)]
pub struct Specs {
    /// The names in the folder.
    pub tree: Tree,
    /// Its documents and rule files.
    pub files: Files,
}

impl Specs {
    /// Reads the specs of the workspace at `root`.
    ///
    /// # Errors
    /// The folder or one of the files cannot be read, or is a link.
    pub fn read(root: &Path) -> Result<Self, Error> {
        Self::of(Tree::whole(root, FOLDER)?)
    }

    /// Reads the specs of the types that all groups share. A workspace without the folder has none.
    ///
    /// # Errors
    /// The folder or one of the files cannot be read, or is a link.
    pub fn read_shared(root: &Path) -> Result<Self, Error> {
        Self::of(Tree::whole_or_empty(root, SHARED_FOLDER)?)
    }

    fn of(tree: Tree) -> Result<Self, Error> {
        refuse_links(&tree)?;
        let files = tree.read_all(is_spec)?;
        Ok(Self { tree, files })
    }
}

impl Source {
    /// The files of the folder, as messages show them.
    pub fn specs(files: Files) -> Self {
        let shown = FOLDER.to_owned();
        Self { shown, files }
    }
}

/// Tells if a name in the folder is that of a document or rule file. All other files are ignored, such as a
/// README or the temporary files of editors.
pub fn is_spec(name: &str) -> bool {
    let extension = Path::new(name).extension();
    !is_hidden(name) && extension.is_some_and(|found| found == "json" || found == "toml")
}

/// Refuses links. Without this, the linked folder of a release would count as missing.
fn refuse_links(tree: &Tree) -> Result<(), Error> {
    let mut entries = tree.entries().iter();
    match entries.find(|(name, entry)| **entry == Entry::Other && !is_hidden(name)) {
        Some((name, _)) => Err(Error::NotAFile(tree.path().join(name))),
        None => Ok(()),
    }
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.'))
}
