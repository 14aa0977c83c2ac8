//! Folders of recordings: their layout, and reading all of one.

use std::fmt;
use std::path::{Path, PathBuf};

use k8s_versioned_core::Release;
use thiserror::Error;
use walkdir::{DirEntry, WalkDir};

use super::path::RecordingPath;
use super::text::read_text;
use super::{Recording, RejectReason};

/// The name of the file of known failures among the recordings.
pub const KNOWN_FAILURES_FILE: &str = "known-failures.toml";

/// The folder of stories: requests and events over time, which are neither exchanges nor scenarios.
const STORIES_FOLDER: &str = "stories";

/// The recordings of a folder, in the order of their paths.
#[derive(Debug, Default)]
pub struct Recordings {
    all: Vec<Recording>,
    rejected: Vec<Rejected>,
    /// The one release that was kept, if it was only one.
    only: Option<Release>,
}

impl Recordings {
    /// Reads all recordings of a folder.
    ///
    /// A file that is not a recording does not stop the others: it is [`rejected`](Self::rejected). Hidden
    /// files, Markdown, the file of known failures and the folder `stories` are skipped.
    ///
    /// # Errors
    ///
    /// There is no such folder, it holds no files that could be recordings, or it is the folder of a release or below one.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, LoadError> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(LoadError::NoFolder(folder.to_owned()));
        }
        let mut recordings = Self::default();
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_of_recordings) {
            match visit(folder, entry) {
                Ok(Some(recording)) => recordings.all.push(recording),
                Ok(None) => {}
                Err(rejected) => recordings.rejected.push(rejected),
            }
        }
        if !recordings.all.is_empty() {
            return Ok(recordings);
        }
        if recordings.rejected.is_empty() {
            return Err(LoadError::Empty(folder.to_owned()));
        }
        // One error instead of one for each file.
        let misplaced = |it: &Rejected| matches!(it.reason, RejectReason::Misplaced);
        match release_in(folder).filter(|_| recordings.rejected.iter().all(misplaced)) {
            Some(release) => Err(LoadError::BelowRelease { folder: folder.to_owned(), release }),
            None => Ok(recordings),
        }
    }

    /// Keeps only the recordings of one release.
    #[must_use]
    pub fn of_release(mut self, release: Release) -> Self {
        self.only = Some(release);
        self.all.retain(|recording| recording.path.release == release);
        self.rejected.retain(|rejected| rejected.release == Some(release));
        self
    }

    /// Returns `true` if all recordings of this release were kept, or with `None` the recordings of all releases.
    pub fn covers(&self, release: Option<Release>) -> bool {
        self.only.is_none() || self.only == release
    }

    /// The recordings, in the order of their paths.
    pub fn iter(&self) -> std::slice::Iter<'_, Recording> {
        self.all.iter()
    }

    /// The number of recordings.
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Returns `true` if there is no recording.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The files that are not recordings.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The other recordings of the folder that a recording is in.
    pub fn beside<'a>(&'a self, one: &'a Recording) -> impl Iterator<Item = &'a Recording> {
        let folder = one.path.file.parent();
        // They are in the order of their paths, so the recordings of a folder are adjacent.
        let first = self.all.partition_point(|other| other.path.file.parent() < folder);
        let rest = self.all.iter().skip(first);
        let beside = rest.take_while(move |other| other.path.file.parent() == folder);
        beside.filter(|other| other.path != one.path)
    }
}

impl<'a> IntoIterator for &'a Recordings {
    type Item = &'a Recording;
    type IntoIter = std::slice::Iter<'a, Recording>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A file that is not a recording.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[non_exhaustive]
pub struct Rejected {
    /// The path of the file.
    pub path: PathBuf,
    /// Why it is not a recording.
    #[source]
    pub reason: RejectReason,
    /// The release that its folder names.
    release: Option<Release>,
}

impl Rejected {
    /// A file below the folder of recordings.
    fn new(folder: &Path, path: impl Into<PathBuf>, reason: RejectReason) -> Self {
        let path = path.into();
        let below = path.strip_prefix(folder).ok().and_then(|below| below.iter().next());
        let release = below.and_then(|part| part.to_str()?.parse().ok());
        Self { path, reason, release }
    }
}

/// A folder from which nothing can be read. `Debug` writes the same text as `Display`, for a test that returns it.
#[derive(Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such folder.
    #[error("no such folder: {}", .0.display())]
    NoFolder(PathBuf),
    /// The folder holds no files that could be recordings.
    #[error("no recordings found in {}", .0.display())]
    Empty(PathBuf),
    /// The folder is the one of a release, or below it: the names of the folders belong to the recordings.
    #[error("no recordings found in {}: load the folder above `{release}`", folder.display())]
    #[non_exhaustive]
    BelowRelease {
        /// The folder.
        folder: PathBuf,
        /// The release in its path.
        release: Release,
    },
}

impl fmt::Debug for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The release in the path of a folder that may be the one of a release, a group, a version or a set.
fn release_in(folder: &Path) -> Option<Release> {
    let folder = folder.canonicalize().ok()?;
    folder.iter().rev().take(4).find_map(|name| name.to_str()?.parse().ok())
}

fn is_of_recordings(entry: &DirEntry) -> bool {
    // The folder itself may have any name.
    let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
    let stories = entry.depth() == 1 && entry.file_name() == STORIES_FOLDER;
    !hidden && !stories
}

/// Returns `true` if a file that is not a recording may be in the folder.
fn is_companion(entry: &DirEntry) -> bool {
    let markdown = entry.path().extension().is_some_and(|extension| extension == "md");
    markdown || (entry.depth() == 1 && entry.file_name() == KNOWN_FAILURES_FILE)
}

fn visit(
    folder: &Path,
    entry: Result<DirEntry, walkdir::Error>,
) -> Result<Option<Recording>, Rejected> {
    let entry = entry.map_err(|error| {
        let path = error.path().unwrap_or(folder).to_owned();
        Rejected::new(folder, path, RejectReason::Unreachable(error))
    })?;
    if entry.file_type().is_dir() || is_companion(&entry) {
        return Ok(None);
    }
    let path = entry.path();
    let recording = read_recording(folder, path, entry.file_type().is_file());
    recording.map(Some).map_err(|reason| Rejected::new(folder, path, reason))
}

fn read_recording(folder: &Path, file: &Path, regular: bool) -> Result<Recording, RejectReason> {
    if !regular {
        return Err(RejectReason::NotRegular);
    }
    let json = file.extension().is_some_and(|extension| extension == "json");
    let path = RecordingPath::parse(folder, file).filter(|_| json);
    Recording::parse(path.ok_or(RejectReason::Misplaced)?, &read_text(file)?)
}
