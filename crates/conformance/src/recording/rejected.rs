//! Files that are not recordings.

use std::path::PathBuf;

use thiserror::Error;

use crate::read::ReadError;

/// A file that is not a recording.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[non_exhaustive]
pub struct Rejected {
    /// The path of the file.
    pub path: PathBuf,
    /// The reason.
    pub reason: RejectReason,
}

impl Rejected {
    pub(super) fn new(path: impl Into<PathBuf>, reason: RejectReason) -> Self {
        Self { path: path.into(), reason }
    }
}

/// The reason why a file is not a recording.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// The file or folder cannot be walked into.
    #[error("cannot be reached: {0}")]
    Unreachable(walkdir::Error),
    /// It is not a file, but a device, a socket or the like.
    #[error("not a regular file")]
    NotRegular,
    /// It is in a place that the layout does not have.
    #[error(
        "not a recording: recordings are at `<release>/<group>/<version>/<set>/<file>.json`, \
         with a release such as `v1.36`"
    )]
    Misplaced,
    /// It cannot be read as text.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// It is not JSON, has a key twice, is nested too deep, or a member is missing or of the wrong type.
    #[error("not a recording: {0}")]
    Syntax(serde_json::Error),
    /// It has a request or a response, but not both.
    #[error("not an exchange: `{missing}` is missing")]
    Half {
        /// The member that is missing.
        missing: &'static str,
    },
    /// It has a request, a response, and something else.
    #[error("not an exchange: `{member}` is unknown")]
    Surplus {
        /// The name of the unknown member.
        member: String,
    },
    /// It has a name, and nothing else.
    #[error("not a recording: neither an exchange nor a scenario with objects")]
    Nothing,
}
