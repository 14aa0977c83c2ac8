//! Causes in documents that are held against each other.

use strum::EnumProperty;
use thiserror::Error;

use crate::Place;

/// A cause in documents that are held against each other.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum ModelCause {
    #[error("the document is of the group `{found}`")]
    #[strum(props(
        hint = "`specs/group.toml` names the one group of a project: remove the document"
    ))]
    ForeignGroup { found: String, expected: String },
    #[error("{what} is not the same in all documents of this release")]
    #[strum(props(hint = "import all documents of a release from the same source"))]
    DocumentsDisagree { what: String, other: String },
    #[error("{what} was {was} and is {now} now")]
    #[strum(props(
        hint = "within one API version this must not happen, and no Rust type can hold both: check that the \
                documents are genuine"
    ))]
    Changed { what: String, was: String, now: String, earlier: Place },
    #[error("two operations of this release have the id `{0}`")]
    #[strum(props(
        hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
    ))]
    OperationTwice(String),
    #[error("the operation `{was}` has the id `{now}` now")]
    #[strum(props(
        hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
    ))]
    OperationRenamed { was: String, now: String },
    #[error("{what} is not the same as before")]
    #[strum(props(
        hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"
    ))]
    OperationChanged { what: String, earlier: Place },
    #[error("kind `{kind}` is served under another path than `{first}`, too")]
    #[strum(props(
        hint = "a kind has one name in paths and one scope: check that the documents are genuine"
    ))]
    TwoResources { kind: String, first: String },
}

impl ModelCause {
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
