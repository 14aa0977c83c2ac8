//! A project: the folder of a package, and where its documents, code, pages and recordings are.

pub mod changes;
mod crates;
mod journal;
pub mod package_files;
mod plan_changes;
pub mod recordings;
pub mod specs;
mod staged;
pub mod tree;

pub use crates::{Crates, Git};

use std::io::ErrorKind::{NotADirectory, NotFound};
use std::path::{Path, PathBuf};

use k8s_versioned_terminal::lock::Lock;
use serde::Deserialize;

use crate::Error;
use crate::project::tree::is_below;

/// The optional file in the folder of a package that states the paths of its folders.
pub const FILE: &str = "k8s-versioned.toml";

/// A package whose types are generated. All folders are relative to the root.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Project {
    /// The folder of the project.
    #[serde(skip)]
    pub root: PathBuf,
    /// The folder of the documents and rule files.
    pub specs: String,
    /// The folder of the generated code. It holds no other files.
    pub code: String,
    /// The folder of the generated pages; it also holds other pages. `None`: no pages are generated.
    pub pages: Option<String>,
    /// The folder of the pages about the API. It holds no other files. Without it, there are none.
    pub reference: Option<String>,
    /// The folder of the recordings of servers.
    pub recordings: String,
    /// The place of the packages on which generated code depends; `None` for a registry.
    pub crates: Option<Crates>,
    /// The name of a package whose `Cargo.toml` and `src/lib.rs` are written if there are none: the name in its `Cargo.toml`,
    /// otherwise the name of its folder.
    #[serde(skip)]
    pub package: Option<String>,
    /// The crate that the project fills with types that all groups share. Other projects depend on such a crate.
    #[serde(skip)]
    pub shared: Option<String>,
    /// The command that the head of each generated file names.
    #[serde(skip)]
    pub command: String,
    /// Whether each release needs recordings, or a reason in `not-recorded.toml` why it has none.
    #[serde(skip)]
    pub needs_recordings: bool,
}

impl Default for Project {
    fn default() -> Self {
        Self {
            root: PathBuf::from("."),
            specs: "specs".to_owned(),
            code: "src/generated".to_owned(),
            pages: Some("docs".to_owned()),
            reference: None,
            recordings: "tests/recordings".to_owned(),
            crates: None,
            package: None,
            shared: None,
            command: "k8s-versioned generate".to_owned(),
            needs_recordings: false,
        }
    }
}

impl Project {
    /// The project in a folder: as its file [`FILE`] says, or with the default folders.
    ///
    /// # Errors
    /// The file cannot be read, is not TOML, or a folder in it is not below the root.
    pub fn read(root: &Path) -> Result<Self, Error> {
        let path = root.join(FILE);
        let mut project = match std::fs::read_to_string(&path) {
            Ok(text) => toml::from_str(&text)
                .map_err(|error| Error::Project(path.clone(), error.to_string()))?,
            Err(error) if matches!(error.kind(), NotFound | NotADirectory) => Self::default(),
            Err(error) => return Err(Error::io("read", &path)(error)),
        };
        let folders = [&project.specs, &project.code, &project.recordings];
        let pages = [&project.pages, &project.reference].into_iter().flatten();
        if let Some(outside) = folders.into_iter().chain(pages).find(|name| !is_below(name)) {
            let message = format!("`{outside}` is not a folder below the project");
            return Err(Error::Project(path, message));
        }
        let missing = |source| Error::Argument { path: root.to_path_buf(), source };
        let folder = root.canonicalize().map_err(missing)?;
        // A checkout can have a folder of another name.
        let manifest = std::fs::read_to_string(root.join("Cargo.toml")).ok();
        let name_of_folder = || folder.file_name().map(|name| name.to_string_lossy().into_owned());
        project.package =
            manifest.as_deref().and_then(package_files::name_in).or_else(name_of_folder);
        project.root = root.to_path_buf();
        Ok(project)
    }

    /// The project in a folder, which must have specs.
    ///
    /// # Errors
    /// There are no specs, or as [`read`](Self::read).
    pub(crate) fn with_specs(root: &Path) -> Result<Self, Error> {
        let project = Self::read(root)?;
        if root.join(&project.specs).is_dir() {
            return Ok(project);
        }
        let hint = "no folder of specs; `k8s-versioned new` makes a package, `--root` names one";
        Err(Error::NoProject(root.to_path_buf(), hint))
    }
}

/// The locks of projects, which a run holds while it reads and changes them. What a killed run has begun to change is changed first.
pub(crate) fn lock<'p>(
    projects: impl IntoIterator<Item = &'p Project>,
) -> Result<Vec<Lock>, Error> {
    let roots: Vec<&Path> = projects.into_iter().map(|project| project.root.as_path()).collect();
    let locks = Lock::all(roots.iter().copied());
    let locks = locks.map_err(|(path, source)| Error::Argument { path, source })?;
    roots.into_iter().try_for_each(journal::finish)?;
    Ok(locks)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::{FILE, Project};

    #[test]
    fn folders_stay_below_the_project() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Project::read(folder.path()).unwrap().code, "src/generated");
        for (text, good) in [
            ("code = \"src/api\"", true),
            ("code = \"../api\"", false),
            ("specs = \"/etc\"", false),
            ("colour = \"red\"", false),
        ] {
            fs::write(folder.path().join(FILE), text).unwrap();
            assert_eq!(Project::read(folder.path()).is_ok(), good, "{text}");
        }
    }
}
