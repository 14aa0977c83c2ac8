//! Places of recordings.

use std::path::{Path, PathBuf};

use k8s_versioned::{GroupVersion, Release};

/// The path of a recording, and the names of its folders.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The path of the file: the path of the folder as given, and the path below it.
    pub path: PathBuf,
    /// The release of the server.
    pub release: Release,
    /// The API group.
    pub group: String,
    /// The name of the version's folder: an API version, or a word for recordings across several.
    pub version: String,
    /// The name of the set.
    pub set: String,
}

impl Place {
    /// Reads the path below the folder of recordings; `None` if the layout has no such place.
    pub(super) fn parse(root: &Path, path: &Path) -> Option<Self> {
        let below = path.strip_prefix(root).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        let [release, group, version, set, _file] = parts?.try_into().ok()?;
        Some(Self {
            path: path.to_owned(),
            release: release.parse().ok()?,
            group: group.to_owned(),
            version: version.to_owned(),
            set: set.to_owned(),
        })
    }

    pub(super) fn group_version(&self) -> GroupVersion<'_> {
        GroupVersion { group: &self.group, version: &self.version }
    }
}
