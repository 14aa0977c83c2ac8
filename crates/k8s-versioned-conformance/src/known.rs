//! Known failures, each with its reason.
//!
//! ```toml
//! [[failure]]
//! check = "schema"
//! release = "v1.31"          # all releases if absent
//! set = "widgets"
//! name = "get"
//! pointer = "/response/json" # this place and everything below it; everything if absent
//! reason = "…"
//! ```

use std::fmt;
use std::path::{Path, PathBuf};

use k8s_versioned::Release;
use serde::Deserialize;
use thiserror::Error;

use crate::outcome::Mismatch;
use k8s_versioned_recordings::Recording;
use k8s_versioned_recordings::{ReadError, read_text};

/// The known failures.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    #[serde(default, rename = "failure")]
    entries: Vec<KnownFailure>,
}

/// A known failure. A case has the same name in every release, so one entry can cover all.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailure {
    /// The name of the check.
    pub check: String,
    /// The release; all if absent.
    pub release: Option<Release>,
    /// The name of the set.
    pub set: String,
    /// The name of the recording.
    pub name: String,
    /// The place that fails, as a JSON pointer. It covers everything below, too.
    #[serde(default)]
    pub pointer: String,
    /// The reason why it fails, and why that is right.
    pub reason: String,
}

impl KnownFailures {
    /// Reads a file of known failures.
    ///
    /// # Errors
    ///
    /// The file cannot be read, is not TOML, or an entry lacks a member, such as its reason.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, KnownFailuresError> {
        let path = path.as_ref();
        let text = match read_text(path) {
            Ok(text) => text,
            Err(reason) => {
                let path = path.to_owned();
                return Err(KnownFailuresError::File { path, reason });
            }
        };
        Self::parse(&text).map_err(|reason| KnownFailuresError::Syntax {
            path: path.to_owned(),
            reason: Box::new(reason),
        })
    }

    /// Reads known failures from a text.
    ///
    /// # Errors
    ///
    /// The text is not TOML, or an entry lacks a member, such as its reason.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        let known: Self = toml::from_str(text)?;
        let silent = |entry: &&KnownFailure| entry.reason.trim().is_empty();
        match known.entries.iter().find(silent) {
            Some(entry) => Err(serde::de::Error::custom(format_args!(
                "the failure of `{}` in {entry} has no reason",
                entry.check
            ))),
            None => Ok(known),
        }
    }

    /// The known failures.
    pub fn entries(&self) -> &[KnownFailure] {
        &self.entries
    }
}

impl KnownFailure {
    /// Returns `true` if the entry is about this mismatch.
    pub(crate) fn covers(&self, check: &str, recording: &Recording, mismatch: &Mismatch) -> bool {
        self.check == check
            && self.set == recording.path.set
            && self.name == recording.name
            && self.release.is_none_or(|release| release == recording.path.release)
            && mismatch
                .pointer
                .strip_prefix(&self.pointer)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    }
}

/// Writes the set and the name, and the release if it names one.
impl fmt::Display for KnownFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.set, self.name)?;
        self.release.map_or(Ok(()), |release| write!(f, " in {release}"))
    }
}

/// A file of known failures that cannot be read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum KnownFailuresError {
    /// The file cannot be read.
    #[error("{}: {reason}", path.display())]
    File {
        /// The path of the file.
        path: PathBuf,
        /// The reason.
        reason: ReadError,
    },
    /// The file is not a list of known failures.
    #[error("{}: {reason}", path.display())]
    Syntax {
        /// The path of the file.
        path: PathBuf,
        /// The reason and its place.
        reason: Box<toml::de::Error>,
    },
}
