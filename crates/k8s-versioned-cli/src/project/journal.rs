//! The end of a run, in which only names change: what is to do is written down, so that the next run can do the rest of a run that was
//! killed. So the package is the old one or the new one, also where the next run is refused.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::project::tree::{is_below, read, refuse_links_to};

/// The folder in a package with the new files of a run that has written all of them.
const FOLDER: &str = ".k8s-versioned-changes";

/// The file with the steps, beside the new files.
const FILE: &str = "steps.json";

/// What is to do. A step that is taken already does nothing.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Journal {
    steps: Vec<Step>,
}

/// A file or folder that is renamed or removed. Paths in the package are relative to it; paths of new files, to their folder.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) enum Step {
    /// Replaces a folder of the package, or creates it. The inode number of the new folder says whether the step is taken already, since
    /// the two folders exchange their names.
    Replace { folder: String, by: String, number: Option<u64> },
    /// Removes a file.
    RemoveFile(String),
    /// Removes an empty folder.
    RemoveFolder(String),
    /// Makes the folders around a file.
    MakeRoom(String),
    /// Gives a new file its name.
    Put { file: String, new: String },
}

impl Journal {
    pub(super) fn add(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Writes the steps beside the new files, and takes them. A kill leaves the package as it was until all is written, and then the
    /// steps for [`finish`].
    pub(super) fn run(&self, root: &Path, new: &Path) -> Result<(), Error> {
        self.commit(root, new)?;
        let committed = root.join(FOLDER);
        let taken = self.steps.iter().try_for_each(|step| step.take(root, &committed));
        // Only a kill leaves steps: after an error, the package tells what went wrong.
        let back = fs::rename(&committed, new).map_err(Error::io("rename", &committed));
        taken.and(back)
    }

    fn commit(&self, root: &Path, new: &Path) -> Result<(), Error> {
        let (file, committed) = (new.join(FILE), root.join(FOLDER));
        let text = serde_json::to_vec(self).map_err(io::Error::from);
        let written = text.and_then(|text| fs::write(&file, text));
        written.map_err(Error::io("write", &file))?;
        fs::rename(new, &committed).map_err(Error::io("write", &committed))
    }

    /// The steps that a run has left in a package; `None` if it left none, or they lead elsewhere.
    fn left(committed: &Path) -> Option<Self> {
        let left: Self = serde_json::from_slice(&read(&committed.join(FILE)).ok()?).ok()?;
        let is_safe = |path: &str| is_below(path) && !is_hidden(path);
        let stays_inside = left.steps.iter().flat_map(Step::paths).all(is_safe);
        stays_inside.then_some(left)
    }
}

/// Returns `true` for paths such as `.git/hooks`, also in the short form of Windows, `git~1`. A clone can hold a file of steps, and must
/// not reach what no clone can hold.
fn is_hidden(path: &str) -> bool {
    path.split(['/', '\\']).any(|part| part.starts_with('.') || part.contains('~'))
}

/// Takes the steps that a killed run has left in a package. The caller has the lock of the package.
pub(super) fn finish(root: &Path) -> Result<(), Error> {
    let committed = root.join(FOLDER);
    if !fs::symlink_metadata(&committed).is_ok_and(|found| found.is_dir()) {
        return Ok(());
    }
    let left = Journal::left(&committed).unwrap_or_default();
    let taken = left.steps.iter().try_for_each(|step| step.take(root, &committed));
    // Steps that cannot be taken must not fail each run from now on.
    let removed = fs::remove_dir_all(&committed).map_err(Error::io("remove", &committed));
    taken.and(removed)
}

impl Step {
    fn paths(&self) -> impl Iterator<Item = &str> {
        let (path, new) = match self {
            Self::Replace { folder, by, .. } => (folder, Some(by)),
            Self::Put { file, new } => (file, Some(new)),
            Self::RemoveFile(path) | Self::RemoveFolder(path) | Self::MakeRoom(path) => {
                (path, None)
            }
        };
        [Some(path), new].into_iter().flatten().map(String::as_str)
    }

    fn take(&self, root: &Path, new: &Path) -> Result<(), Error> {
        match self {
            Self::Replace { folder, by, number } => replace(root, folder, (new, by, *number)),
            Self::RemoveFile(path) | Self::RemoveFolder(path) => {
                refuse_links_to(root, path)?;
                let path = root.join(path);
                let removed = match self {
                    Self::RemoveFolder(_) => fs::remove_dir(&path),
                    _ => fs::remove_file(&path),
                };
                match removed {
                    Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
                    removed => removed.map_err(Error::io("remove", &path)),
                }
            }
            Self::MakeRoom(path) => make_room(root, path),
            Self::Put { file, new: name } => {
                refuse_links_to(root, file)?;
                refuse_links_to(new, name)?;
                let (from, to) = (new.join(name), root.join(file));
                if fs::symlink_metadata(&from).is_err() {
                    return Ok(());
                }
                fs::rename(from, &to).map_err(Error::io("write", &to))
            }
        }
    }
}

fn make_room(root: &Path, path: &str) -> Result<(), Error> {
    refuse_links_to(root, path)?;
    let path = root.join(path);
    let folder = path.parent().unwrap_or(root);
    fs::create_dir_all(folder).map_err(Error::io("create", folder))
}

fn replace(
    root: &Path,
    folder: &str,
    (new, by, number): (&Path, &str, Option<u64>),
) -> Result<(), Error> {
    refuse_links_to(new, by)?;
    let whole = new.join(by);
    let is_new = fs::symlink_metadata(&whole).is_ok_and(|found| number_of(&found) == number);
    if !is_new {
        return Ok(());
    }
    make_room(root, folder)?;
    let folder = root.join(folder);
    if exchange(&whole, &folder) {
        return Ok(());
    }
    let before = new.join(format!("{by}-before"));
    let has_before = match fs::rename(&folder, &before) {
        Ok(()) => true,
        Err(error) if error.kind() == ErrorKind::NotFound => false,
        Err(error) => return Err(Error::io("replace", &folder)(error)),
    };
    fs::rename(whole, &folder).map_err(|error| {
        if has_before {
            // The first error is the one to report.
            let _ = fs::rename(&before, &folder);
        }
        Error::io("write", &folder)(error)
    })
}

/// The inode number of a folder, which a rename does not change; `None` on systems that do not exchange folders.
#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "other systems have no numbers")]
pub(super) fn number_of(folder: &fs::Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(folder))
}

#[cfg(not(unix))]
pub(super) fn number_of(_: &fs::Metadata) -> Option<u64> {
    None
}

/// Exchanges the names of two folders atomically. Returns `false` if the system cannot, or if the second folder does not exist.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fs;
    use std::path::Path;

    use super::{FOLDER, Journal, Step, finish, number_of};

    /// A package with old files, the folder of its new files, and the steps to them.
    fn begin(root: &Path) -> Journal {
        let new = root.join("new");
        for folder in [root.join("code"), root.join("docs/old"), new.join("0")] {
            fs::create_dir_all(folder).unwrap();
        }
        for (path, text) in [("code/a.rs", "old"), ("docs/old/b.md", "old"), ("docs/c.md", "old")] {
            fs::write(root.join(path), text).unwrap();
        }
        for (path, text) in [("0/a.rs", "new"), ("1", "new"), ("2", "new")] {
            fs::write(new.join(path), text).unwrap();
        }
        let number = number_of(&fs::metadata(new.join("0")).unwrap());
        let put = |file: &str, new: &str| Step::Put { file: file.into(), new: new.into() };
        let steps = vec![
            Step::Replace { folder: "code".into(), by: "0".into(), number },
            Step::RemoveFile("docs/old/b.md".into()),
            Step::RemoveFolder("docs/old".into()),
            Step::MakeRoom("docs/new/b.md".into()),
            put("docs/new/b.md", "1"),
            put("docs/c.md", "2"),
        ];
        Journal { steps }
    }

    fn files(root: &Path) -> BTreeMap<String, String> {
        let entries =
            walkdir::WalkDir::new(root).into_iter().map(|entry| entry.unwrap().into_path());
        let files = entries.filter(|path| path.is_file());
        let name = |path: &Path| path.strip_prefix(root).unwrap().to_str().unwrap().to_owned();
        files.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
    }

    /// A kill after each of the steps.
    #[test]
    fn the_next_run_takes_the_steps_that_are_left() {
        let new = ["code/a.rs", "docs/c.md", "docs/new/b.md"];
        let new = new.map(|name| (name.to_owned(), "new".to_owned())).into();
        for taken in 0..=6 {
            let folder = tempfile::tempdir().unwrap();
            let root = folder.path();
            let journal = begin(root);
            journal.commit(root, &root.join("new")).unwrap();
            for step in journal.steps.iter().take(taken) {
                step.take(root, &root.join(FOLDER)).unwrap();
            }
            finish(root).unwrap();
            assert_eq!(files(root), new, "after {taken} steps");
            assert!(!root.join("docs/old").exists());
            finish(root).unwrap();
            assert_eq!(files(root), new);
        }
    }

    /// A clone can have a folder of this name.
    #[cfg(unix)]
    #[test]
    fn steps_that_lead_elsewhere_are_not_taken() {
        let parent = tempfile::tempdir().unwrap();
        let (victim, root) = (parent.path().join("victim"), parent.path().join("package"));
        fs::write(&victim, "precious").unwrap();
        let outside = victim.to_str().unwrap();
        for path in ["../victim", outside, "link/victim"] {
            for step in [
                Step::RemoveFile(path.into()),
                Step::Put { file: path.into(), new: "0".into() },
                Step::Put { file: "a".into(), new: path.into() },
                Step::Replace { folder: path.into(), by: "0".into(), number: None },
            ] {
                fs::create_dir_all(root.join(FOLDER)).unwrap();
                fs::write(root.join(FOLDER).join("0"), "new").unwrap();
                for folder in [&root, &root.join(FOLDER)] {
                    std::os::unix::fs::symlink(parent.path(), folder.join("link")).unwrap();
                }
                let text = serde_json::to_vec(&Journal { steps: vec![step] }).unwrap();
                fs::write(root.join(FOLDER).join(super::FILE), text).unwrap();
                let _ = finish(&root);
                assert_eq!(fs::read_to_string(&victim).unwrap(), "precious", "{path}");
                assert!(!root.join("a").exists() && !root.join(FOLDER).exists(), "{path}");
                fs::remove_dir_all(&root).unwrap();
            }
        }
    }

    /// No clone can hold a hook of git, but it can hold steps.
    #[test]
    fn steps_write_no_hooks() {
        for hooks in [".git/hooks", "GIT~1/hooks", "module/.git/hooks"] {
            let folder = tempfile::tempdir().unwrap();
            let (root, committed) = (folder.path(), folder.path().join(FOLDER));
            fs::create_dir_all(root.join(hooks)).unwrap();
            fs::create_dir(&committed).unwrap();
            fs::write(committed.join("0"), "new").unwrap();
            let steps = vec![Step::Put { file: format!("{hooks}/post-commit"), new: "0".into() }];
            let text = serde_json::to_vec(&Journal { steps }).unwrap();
            fs::write(committed.join(super::FILE), text).unwrap();
            finish(root).unwrap();
            assert!(files(root).is_empty(), "{hooks}");
        }
    }
}
