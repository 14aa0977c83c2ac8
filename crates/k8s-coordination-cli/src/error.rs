//! Errors of commands.

use std::io;
use std::path::{Path, PathBuf};

use k8s_versioned::{Quoted, Release};
use k8s_versioned_conformance::{DocumentError, KnownFailuresError, LoadError, UnknownCheck};
#[cfg(not(feature = "cluster"))]
use k8s_versioned_terminal::Missing;
use k8s_versioned_terminal::{Outcome, PagesError};
use thiserror::Error;

/// The parts that a build without the feature `cluster` lacks.
#[cfg(not(feature = "cluster"))]
pub(crate) const CLUSTER: Missing = Missing {
    ability: "use clusters",
    parts: "`doctor`, `lead`, `migrate` and `elect --cluster`",
    feature: "cluster",
    install: "cargo install --locked --path crates/k8s-coordination-cli --features cluster",
};

/// An error that stops a command.
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
    #[error("{} has no recordings of {release}, only of {}", folder.display(), known.join(", "))]
    Release {
        /// The release from the arguments.
        release: Release,
        /// The folder of the recordings.
        folder: PathBuf,
        /// The releases of the recordings.
        known: Vec<String>,
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
        /// The name of the input: a path, or the standard input.
        input: String,
        /// The error of the system.
        reason: io::Error,
    },
    /// Something that is not a file cannot be replaced.
    #[error("`--in-place` needs files: {input} is not a file")]
    NotAFile {
        /// The name of the input, such as the standard input.
        input: String,
    },
    /// The input has no `Lease` of this name and no candidate for it.
    #[error("no Lease is called {}; the input has {}", Quoted(wanted), list(known))]
    Lease {
        /// The name from the arguments.
        wanted: String,
        /// The names of the input.
        known: Vec<String>,
    },
    /// The form of the report is about files.
    #[cfg(feature = "cluster")]
    #[error("`--format github` and `gitlab` need files: objects of a cluster have no place in one")]
    NoPlace,
    /// A cluster cannot be used.
    #[cfg(feature = "cluster")]
    #[error("{message}{}", hint.as_ref().map_or(String::new(), |hint| format!("\nhint: {hint}")))]
    Cluster {
        /// The error, with its causes.
        message: String,
        /// What to do, if that is known.
        hint: Option<String>,
    },
    /// A request to a cluster failed.
    #[cfg(feature = "cluster")]
    #[error("{message}{}", hint.as_ref().map_or(String::new(), |hint| format!("\nhint: {hint}")))]
    Request {
        /// The error, with its causes.
        message: String,
        /// What to do, if that is known.
        hint: Option<String>,
    },
    /// There is no such program.
    #[cfg(feature = "cluster")]
    #[error("the program {} is not found", Quoted(name))]
    Program {
        /// Its name or path, as given.
        name: String,
    },
    /// The subcommand is not part of this build.
    #[cfg(not(feature = "cluster"))]
    #[error("{}", CLUSTER)]
    NotBuilt,
    /// The system does not give what requests to a cluster need.
    #[cfg(feature = "cluster")]
    #[error("cannot start the runtime of the client: {0}")]
    Runtime(io::Error),
    /// Completions or man pages cannot be written.
    #[error(transparent)]
    Pages(#[from] PagesError),
    /// The output cannot be written.
    #[error("cannot write the output: {0}")]
    Output(#[from] io::Error),
}

impl Error {
    /// A file or folder cannot be read.
    pub(crate) fn input(path: &Path, reason: io::Error) -> Self {
        let input = path.display().to_string();
        Self::Input { input, reason }
    }

    /// The outcome of a command that ends with this error.
    pub fn outcome(&self) -> Outcome {
        match self {
            #[cfg(feature = "cluster")]
            Self::NoPlace | Self::Cluster { .. } | Self::Request { .. } => Outcome::Usage,
            #[cfg(feature = "cluster")]
            Self::Program { .. } => Outcome::Code(127),
            #[cfg(feature = "cluster")]
            Self::Runtime(_) => Outcome::Failure,
            #[cfg(not(feature = "cluster"))]
            Self::NotBuilt => Outcome::Usage,
            Self::Recordings(_)
            | Self::Release { .. }
            | Self::Check(_)
            | Self::Input { .. }
            | Self::NotAFile { .. }
            | Self::Lease { .. }
            | Self::Documents(DocumentError::Folder { .. })
            | Self::KnownFailures(KnownFailuresError::File { .. }) => Outcome::Usage,
            Self::Documents(_) | Self::KnownFailures(_) | Self::Pages(_) | Self::Output(_) => {
                Outcome::Failure
            }
        }
    }

    /// Returns `true` if the next reading of the cluster can succeed without a change of the arguments.
    #[cfg(feature = "cluster")]
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self, Self::Cluster { .. } | Self::Request { .. } | Self::Lease { .. })
    }

    /// Returns `true` if the output could not be written for this reason.
    pub fn is_io(&self, kind: io::ErrorKind) -> bool {
        matches!(self, Self::Output(error) | Self::Pages(PagesError::Output(error)) if error.kind() == kind)
    }
}

/// The names as a list in a sentence.
fn list(names: &[String]) -> String {
    if names.is_empty() {
        return "none".to_owned();
    }
    let names: Vec<String> = names.iter().map(|name| Quoted(name).to_string()).collect();
    names.join(", ")
}
