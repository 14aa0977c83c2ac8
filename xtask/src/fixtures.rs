//! The folder `fixtures`, with recordings of servers.

use std::path::Path;

use coordination_codegen::Files;
use k8s_versioned::Release;

use crate::Error;
use crate::tree::Tree;

/// Where the recordings are, relative to the root.
pub const FOLDER: &str = "fixtures";

/// Reads the recordings of the releases that `select` takes; a workspace without the folder has none.
///
/// # Errors
/// When the folder or one of the files cannot be read.
pub fn read(root: &Path, select: impl Fn(Release) -> bool) -> Result<Files, Error> {
    let tree = Tree::whole_or_empty(root, FOLDER)?;
    tree.read_all(|name| {
        let release = name
            .split('/')
            .next()
            .and_then(|folder| folder.parse().ok());
        is_json(name) && release.is_some_and(&select)
    })
}

fn is_json(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "json")
}
