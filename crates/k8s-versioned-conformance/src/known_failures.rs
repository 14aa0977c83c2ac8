//! Known failures, each with its reason.

use std::fmt;
use std::path::{Path, PathBuf};

use k8s_versioned_core::Release;
use k8s_versioned_core::findings::{Finding, Severity};
use k8s_versioned_core::nearest::nearest;
use serde::Deserialize;
use thiserror::Error;

use crate::examination::{Mismatch, is_in};
use crate::recordings::{ReadError, Recording, Recordings, read_text};

/// The known failures of a file, each with its reason.
///
/// The file is TOML, with a table for each failure. An entry that nothing fails for is an error.
///
/// ```
/// use k8s_versioned_conformance::KnownFailures;
///
/// let known = KnownFailures::parse(
///     r#"
///     [[failure]]
///     check = "schema"           # The name of the check.
///     release = "v1.31"          # Every release, if absent.
///     set = "widgets"            # The folder of the recording.
///     name = "get"               # The `name` in the recording.
///     pointer = "/response/json" # This place and everything below it; the whole recording, if absent.
///     reason = "The document requires a field that the server leaves out."
///     "#,
/// )?;
/// assert_eq!(known.entries().len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct KnownFailures {
    #[serde(default, rename = "failure")]
    entries: Vec<KnownFailure>,
}

/// A known failure. A case has the same name in every release, so one entry can cover all.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct KnownFailure {
    /// The name of the check.
    pub check: String,
    /// The release; all if absent.
    pub release: Option<Release>,
    /// The name of the set.
    pub set: String,
    /// The name of the recording.
    pub name: String,
    /// The place that fails, as a JSON pointer. It also covers everything below.
    #[serde(default)]
    pub pointer: String,
    /// The reason why it fails, and why that is expected.
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
        let file = |reason| KnownFailuresError::File { path: path.to_owned(), reason };
        let text = read_text(path).map_err(file)?;
        let syntax = |reason: toml::de::Error| {
            let (path, reason) = (path.to_owned(), Box::new(reason));
            KnownFailuresError::Syntax { path, reason }
        };
        Self::parse(&text).map_err(syntax)
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

    /// Returns the known failures, in the order of the file.
    pub fn entries(&self) -> &[KnownFailure] {
        &self.entries
    }
}

impl KnownFailure {
    /// Returns `true` if the entry is about this mismatch.
    pub(crate) fn covers(&self, check: &str, recording: &Recording, mismatch: &Mismatch) -> bool {
        self.check == check && self.names(recording) && is_in(&mismatch.pointer, &self.pointer)
    }

    /// Returns `true` if the entry is about this recording.
    pub(crate) fn names(&self, recording: &Recording) -> bool {
        self.set == recording.path.set
            && self.name == recording.name
            && self.release.is_none_or(|release| release == recording.path.release)
    }

    /// The error about an entry that nothing fails for, beside the names of the checks.
    pub(crate) fn stale<'n, N: Iterator<Item = &'n str>>(
        &self,
        recordings: &Recordings,
        names: impl Fn() -> N,
    ) -> Finding {
        let error = |message| {
            let check = self.check.clone();
            let finding = Finding::new(Severity::Error, check, self.to_string(), message);
            finding.at(self.pointer.as_str())
        };
        if !names().any(|name| name == self.check) {
            let hint = match nearest(&self.check, names()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("there are {}", names().collect::<Vec<_>>().join(", ")),
            };
            return error("a known failure of a check that does not exist").with_hint(hint);
        }
        if recordings.iter().any(|recording| self.names(recording)) {
            return error("a known failure that no longer fails: remove the entry");
        }
        error("a known failure without its recording: it is not loaded")
            .with_hint("correct `set`, `name` or `release`, or remove the entry")
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
        /// The error of reading the file.
        #[source]
        reason: ReadError,
    },
    /// The file is not a list of known failures.
    #[error("{}: {reason}", path.display())]
    Syntax {
        /// The path of the file.
        path: PathBuf,
        /// The reason and its place.
        #[source]
        reason: Box<toml::de::Error>,
    },
}
