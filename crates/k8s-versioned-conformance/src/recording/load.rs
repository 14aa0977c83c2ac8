//! All recordings of a folder.

use std::path::{Path, PathBuf};

use k8s_versioned::Release;
use thiserror::Error;
use walkdir::{DirEntry, WalkDir};

use super::file;
use super::{Place, Recording, RejectReason, Rejected};
use crate::known::KNOWN_FAILURES_FILE;
use crate::read;

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
    /// There is no such folder, or it holds no files that could be recordings.
    pub fn load(folder: impl AsRef<Path>) -> Result<Self, LoadError> {
        let folder = folder.as_ref();
        if !folder.is_dir() {
            return Err(LoadError::NoFolder(folder.to_owned()));
        }
        let mut found = Self::default();
        let walk = WalkDir::new(folder).follow_links(true).sort_by_file_name();
        for entry in walk.into_iter().filter_entry(is_of_recordings) {
            match visit(folder, entry) {
                Ok(Some(recording)) => found.all.push(recording),
                Ok(None) => {}
                Err(rejected) => found.rejected.push(rejected),
            }
        }
        if found.all.is_empty() && found.rejected.is_empty() {
            return Err(LoadError::Empty(folder.to_owned()));
        }
        Ok(found)
    }

    /// Keeps the recordings of one release.
    #[must_use]
    pub fn of_release(mut self, release: Release) -> Self {
        self.only = Some(release);
        self.all.retain(|recording| recording.place.release == release);
        self.rejected.retain(|rejected| rejected.release == Some(release));
        self
    }

    /// True if all recordings of this release were kept, or with `None` those of all releases.
    pub(crate) fn covers(&self, release: Option<Release>) -> bool {
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

    /// True if there is no recording.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The files that are not recordings.
    pub fn rejected(&self) -> &[Rejected] {
        &self.rejected
    }

    /// The other recordings of the folder that a recording is in.
    pub fn beside<'a>(&'a self, one: &'a Recording) -> impl Iterator<Item = &'a Recording> {
        let folder = one.place.path.parent();
        let beside = self.iter().filter(move |other| other.place.path.parent() == folder);
        beside.filter(|other| other.place != one.place)
    }
}

impl<'a> IntoIterator for &'a Recordings {
    type Item = &'a Recording;
    type IntoIter = std::slice::Iter<'a, Recording>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// A folder from which nothing can be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadError {
    /// There is no such folder.
    #[error("no such folder: {}", .0.display())]
    NoFolder(PathBuf),
    /// The folder holds no files that could be recordings.
    #[error("no recordings found in {}", .0.display())]
    Empty(PathBuf),
}

/// The folder of stories: requests and events over time, which are neither exchanges nor scenarios.
const STORIES_FOLDER: &str = "stories";

fn is_of_recordings(entry: &DirEntry) -> bool {
    // The folder itself may have any name.
    let hidden = entry.depth() > 0 && entry.file_name().as_encoded_bytes().starts_with(b".");
    let stories = entry.depth() == 1 && entry.file_name() == STORIES_FOLDER;
    !hidden && !stories
}

/// True if a file that is not a recording may be in the folder.
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

fn read_recording(folder: &Path, path: &Path, regular: bool) -> Result<Recording, RejectReason> {
    if !regular {
        return Err(RejectReason::NotRegular);
    }
    let json = path.extension().is_some_and(|extension| extension == "json");
    let place = Place::parse(folder, path).filter(|_| json);
    let place = place.ok_or(RejectReason::Misplaced)?;
    file::parse(place, &read::text(path)?)
}
