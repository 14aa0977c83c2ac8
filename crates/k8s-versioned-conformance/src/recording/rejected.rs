//! Files that are not recordings.

use std::path::{Path, PathBuf};

use k8s_versioned::Release;
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
    /// The release that its folder names.
    pub(super) release: Option<Release>,
}

impl Rejected {
    /// A file below the folder of recordings.
    pub(super) fn new(folder: &Path, path: impl Into<PathBuf>, reason: RejectReason) -> Self {
        let path = path.into();
        let below = path.strip_prefix(folder).ok().and_then(|below| below.iter().next());
        let release = below.and_then(|part| part.to_str()?.parse().ok());
        Self { path, reason, release }
    }
}

/// The reason why a file is not a recording.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RejectReason {
    /// The file or folder cannot be walked into.
    #[error("cannot be reached: {0}")]
    Unreachable(walkdir::Error),
    /// It is a device, a socket or another special file.
    #[error("not a regular file")]
    NotRegular,
    /// Its path is not one of the layout.
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
    /// It has a request, a response, and an unknown member.
    #[error("not an exchange: `{member}` is unknown")]
    Surplus {
        /// The name of the unknown member.
        member: String,
    },
    /// It has a name and no other member.
    #[error("not a recording: neither an exchange nor a scenario with objects")]
    Nothing,
}
