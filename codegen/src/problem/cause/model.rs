//! Causes in several documents that are compared.

use thiserror::Error;

use crate::Place;

/// A cause in several documents that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum ModelCause {
    #[error("the document is of the group `{found}`")]
    ForeignGroup { found: String, expected: String },
    #[error("{what} is not the same in all documents of this release")]
    DocumentsDisagree { what: String, other: String },
    #[error("{what} was {was} and is {now} now")]
    Changed { what: String, was: String, now: String, earlier: Place },
    #[error("two operations of this release have the id `{0}`")]
    OperationTwice(String),
    #[error("the operation `{was}` has the id `{now}` now")]
    OperationRenamed { was: String, now: String },
    #[error("{what} differs from the release before")]
    OperationChanged { what: String, earlier: Place },
    #[error("kind `{kind}` is also served under a path other than `{first}`")]
    TwoResources { kind: String, first: String },
}

impl ModelCause {
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::ForeignGroup { .. } => {
                "`specs/group.toml` names the one group of a project: remove the document"
            }
            Self::DocumentsDisagree { .. } => {
                "import all documents of a release from the same source"
            }
            Self::Changed { .. } => {
                "within one API version this must not happen, and no Rust type can hold both: check that the \
                 documents are genuine"
            }
            Self::OperationTwice(_)
            | Self::OperationRenamed { .. }
            | Self::OperationChanged { .. } => {
                "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
            }
            Self::TwoResources { .. } => {
                "a kind has one name in paths and one scope: check that the documents are genuine"
            }
        }
    }

    pub(super) fn understood(&self) -> Option<String> {
        match self {
            Self::ForeignGroup { expected, .. } => Some(format!("documents of `{expected}`")),
            Self::DocumentsDisagree { other, .. } => Some(format!("what `{other}` says")),
            Self::Changed { earlier, .. } | Self::OperationChanged { earlier, .. } => {
                Some(format!("what it was before, at {earlier}"))
            }
            _ => None,
        }
    }
}
