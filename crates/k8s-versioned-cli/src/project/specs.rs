//! The documents and rule files of a project, from which everything is generated.

use std::fs::FileType;

use k8s_versioned_codegen::{Files, Problems, is_spec};

use crate::error::{Refused, SourceFolder};
use crate::project::tree::FolderTree;
use crate::{Error, Project};

/// The specs of a project.
#[derive(Clone, Debug)]
pub struct Specs {
    /// The names in the folder.
    pub tree: FolderTree,
    /// The documents and the rule files, by their names in the folder.
    pub files: Files,
}

impl Specs {
    /// Reads the specs of a project.
    ///
    /// # Errors
    /// The folder or one of the files cannot be read, or is a link.
    pub fn read(project: &Project) -> Result<Self, Error> {
        let Project { root, specs, shared, .. } = project;
        let tree = match shared {
            None => FolderTree::whole(root, specs)?,
            // A workspace need not have a package of shared types.
            Some(_) => FolderTree::whole_or_empty(root, specs)?,
        };
        refuse_links(&tree)?;
        let files = tree.read_all(is_spec)?;
        Ok(Self { tree, files })
    }

    /// The error for problems of these files.
    pub fn refused(&self, problems: Problems) -> Error {
        let Refused { problems, sources, .. } = self.with_places(problems);
        Error::refused(problems, sources)
    }

    /// Problems of these files, with the files.
    pub(crate) fn with_places(&self, problems: Problems) -> Refused {
        let (label, files) = (self.tree.label().to_owned(), self.files.clone());
        Refused {
            problems,
            sources: vec![SourceFolder { label, files }],
            advice: None,
            writes: true,
        }
    }
}

impl SourceFolder {
    /// The path of a file, as messages show it.
    pub(crate) fn path(&self, file: &str) -> String {
        match self.label.as_str() {
            "" => file.to_owned(),
            folder => format!("{folder}/{file}"),
        }
    }

    /// The files of the folder, as messages show them.
    pub fn specs(project: &Project, files: Files) -> Self {
        let label = project.specs.clone();
        Self { label, files }
    }
}

/// Refuses links. Without this, the linked folder of a release would count as missing.
fn refuse_links(tree: &FolderTree) -> Result<(), Error> {
    let mut entries = tree.entries().iter();
    let is_other = |entry: &FileType| !entry.is_file() && !entry.is_dir();
    match entries.find(|(name, entry)| is_other(entry) && !is_hidden(name)) {
        Some((name, _)) => Err(Error::NotAFile(tree.path().join(name))),
        None => Ok(()),
    }
}

fn is_hidden(name: &str) -> bool {
    name.split('/').any(|part| part.starts_with('.'))
}
