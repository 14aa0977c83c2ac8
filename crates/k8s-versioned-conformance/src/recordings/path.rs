//! The path of a recording, and the names of its folders.

use std::path::{Path, PathBuf};

use k8s_versioned_core::Release;

/// The path of a recording, and the names of its folders.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RecordingPath {
    /// The path of the file: the path of the folder as given, and the path below it.
    pub file: PathBuf,
    /// The release of the server; for custom resources, of the product that defines them.
    pub release: Release,
    /// The API group.
    pub group: String,
    /// The name of the version's folder: an API version, or a word for recordings across several.
    pub version: String,
    /// The name of the set.
    pub set: String,
}

impl RecordingPath {
    /// Parses the path of a file below the folder of recordings; `None` if the path does not fit the layout.
    pub fn parse(root: &Path, file: &Path) -> Option<Self> {
        let below = file.strip_prefix(root).ok()?;
        let parts: Option<Vec<&str>> = below.iter().map(|part| part.to_str()).collect();
        let [release, group, version, set, _] = parts?.try_into().ok()?;
        Some(Self {
            file: file.to_owned(),
            release: release.parse().ok()?,
            group: group.to_owned(),
            version: version.to_owned(),
            set: set.to_owned(),
        })
    }

    /// The folder of a set; `None` if a name cannot be the name of one folder.
    pub fn folder(
        root: &Path,
        release: Release,
        group: &str,
        version: &str,
        set: &str,
    ) -> Option<PathBuf> {
        let names = [group, version, set];
        let folder = root.join(release.to_string()).join(names.iter().collect::<PathBuf>());
        names.into_iter().all(is_folder_name).then_some(folder)
    }
}

/// Returns `true` if a name can be the name of one folder of the layout: letters, digits, `-`, `_` and `.`, which is not the
/// first.
pub fn is_folder_name(name: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && !name.starts_with('.') && name.bytes().all(known)
}

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use k8s_versioned_core::Release;

    use super::RecordingPath;

    #[test]
    fn names_stay_in_the_folder() {
        let folder = |version| {
            RecordingPath::folder(Path::new("to"), Release::new(1, 36), "example.com", version, "a")
        };
        assert_eq!(folder("v1"), Some(PathBuf::from("to/v1.36/example.com/v1/a")));
        for version in ["", "..", ".", "a/b", "/etc", "a\\b", "v1\0"] {
            assert_eq!(folder(version), None, "{version:?}");
        }
    }
}
