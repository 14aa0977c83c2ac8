//! The folder `fixtures`, which has the recordings of servers.

use std::collections::BTreeSet;
use std::path::Path;

use k8s_versioned_codegen::{Files, manifest, rules};
use k8s_versioned_names::Release;

use crate::Error;
use crate::error::Source;
use crate::tree::Tree;

/// The folder of the recordings, relative to the root.
pub const FOLDER: &str = "fixtures";

/// Reads the recordings of the releases that `select` takes; a workspace without the folder has none.
///
/// # Errors
/// The folder or one of the files cannot be read.
pub fn read(root: &Path, select: impl Fn(Release) -> bool) -> Result<Files, Error> {
    let tree = Tree::whole_or_empty(root, FOLDER)?;
    tree.read_all(|name| {
        let release = name.split('/').next().and_then(|folder| folder.parse().ok());
        is_json(name) && release.is_some_and(&select)
    })
}

/// The file with the releases that are not recorded, each with the reason, relative to the root.
pub const EXCEPTIONS: &str = "specs/not-recorded.toml";

/// Checks that each release has either recordings or a reason why it has none.
///
/// # Errors
/// The folder or the file of exceptions cannot be read; [`Error::Recordings`].
pub fn check(root: &Path, specs: &Files) -> Result<(), Error> {
    let refused = |problems| Error::refused(problems, vec![Source::specs(specs.clone())]);
    let documents = manifest::read(specs).map_err(refused)?.documents;
    let releases: BTreeSet<Release> = documents.iter().map(|entry| entry.release).collect();
    let exceptions = rules::read_not_recorded(specs).map_err(refused)?;
    let tree = Tree::whole_or_empty(root, FOLDER)?;
    let recorded = |release: &Release| {
        let begin = format!("{release}/");
        let mut names = tree.entries().keys();
        names.any(|name| name.starts_with(&begin) && is_json(name))
    };
    let wrong = |release: &Release| recorded(release) == exceptions.contains_key(release);
    let wrong: Vec<Release> = releases.into_iter().filter(wrong).collect();
    if wrong.is_empty() {
        return Ok(());
    }
    let (surplus, missing) = wrong.into_iter().partition(recorded);
    Err(Error::Recordings { missing, surplus })
}

fn is_json(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|extension| extension == "json")
}
