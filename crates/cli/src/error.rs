//! What can keep a command from its work.

use std::io::{self, ErrorKind};
use std::path::PathBuf;

use k8s_versioned::{Quoted, Release};
use k8s_versioned_conformance::{DocumentError, KnownFailuresError, LoadError, UnknownCheck};
use thiserror::Error;

use crate::Outcome;

/// What kept a command from its work.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no folder of recordings, or it holds none.
    #[error(
        "{0}\n\
         hint: `--fixtures` names the folder with `<release>/<group>/<version>/<set>/<file>.json`"
    )]
    Recordings(#[from] LoadError),
    /// There are recordings, but none of the release.
    #[error("no recordings of {release} found in {}", folder.display())]
    Release {
        /// The release that was asked for.
        release: Release,
        /// The folder of the recordings.
        folder: PathBuf,
    },
    /// There is no such check.
    #[error(transparent)]
    Check(#[from] UnknownCheck),
    /// The documents cannot be read.
    #[error(transparent)]
    Documents(#[from] DocumentError),
    /// The known failures cannot be read.
    #[error(transparent)]
    KnownFailures(#[from] KnownFailuresError),
    /// An input cannot be read.
    #[error("cannot read {input}: {reason}")]
    Input {
        /// Its name.
        input: String,
        /// Why it cannot be read.
        reason: io::Error,
    },
    /// An object in an input cannot be used.
    #[error("{place}: {reason}")]
    Object {
        /// Where it is.
        place: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The input has neither the `Lease` nor a candidate for it.
    #[error("no Lease is called {}; there are {}", Quoted(wanted), list(known))]
    Lease {
        /// The name that was asked for.
        wanted: String,
        /// The names that there are.
        known: Vec<String>,
    },
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// How a command ends with this error.
    pub fn outcome(&self) -> Outcome {
        match self {
            // It was read, and is no text.
            Self::Input { reason, .. } if reason.kind() == ErrorKind::InvalidData => {
                Outcome::Failure
            }
            Self::Recordings(_)
            | Self::Release { .. }
            | Self::Check(_)
            | Self::Input { .. }
            | Self::Lease { .. }
            | Self::Documents(DocumentError::Folder { .. }) => Outcome::Usage,
            Self::Documents(_) | Self::KnownFailures(_) | Self::Object { .. } | Self::Output(_) => {
                Outcome::Failure
            }
        }
    }

    /// Whether the output could not be written for this reason.
    pub fn is_io(&self, kind: io::ErrorKind) -> bool {
        matches!(self, Self::Output(error) if error.kind() == kind)
    }
}

/// Names as a sentence lists them.
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| Quoted(name).to_string()).collect();
    names.join(", ")
}
