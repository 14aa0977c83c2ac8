//! Causes in several documents that are compared.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

use crate::Place;

/// A cause in several documents that are compared.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum ModelCause {
    /// A document is of a group that the project does not name.
    ///
    /// Hint: `specs/group.toml` names the groups of the package: add this one, or remove the document
    #[error("the document is of the group `{found}`")]
    ForeignGroup { found: String, expected: String },
    /// Two documents of a release state different things about the same schema.
    ///
    /// Hint: import all documents of a release from the same source
    #[error("{what} is not the same in all documents of this release")]
    DocumentsDisagree { what: String, other: String },
    /// A schema states something else than in the release before, and no type can hold both.
    ///
    /// Hint: within one API version this must not happen, and no Rust type can hold both: check that the documents are
    /// genuine. If they are, a package has the releases before the change or those since: remove the folders of the
    /// others from `specs`, and their entries from the manifest if there is one
    #[error("{what} was {was} and is {now} now")]
    Changed { what: String, was: String, now: String, earlier: Place },
    /// Two operations of a release have one identifier.
    ///
    /// Hint: an operation keeps its id, path and bodies in all releases: check that the documents are genuine
    #[error("two operations of this release have the id `{0}`")]
    OperationTwice(String),
    /// The same operation has another identifier in another release.
    ///
    /// Hint: an operation keeps its id, path and bodies in all releases: check that the documents are genuine
    #[error("the operation `{was}` has the id `{now}` now")]
    OperationRenamed { was: String, now: String },
    /// An operation differs from the release before in what requests are built from.
    ///
    /// Hint: an operation keeps its id, path and bodies in all releases: check that the documents are genuine
    #[error("{what} differs from the release before")]
    OperationChanged { what: String, earlier: Place },
    /// The name of a resource in a path is one that no server has.
    ///
    /// Hint: the name of a resource has lower-case letters, digits and `-`: check that the documents are genuine
    #[error("{0:?} cannot be the name of a resource")]
    ResourceName(String),
    /// A kind is served under two paths.
    ///
    /// Hint: a kind has one name in paths and one scope: check that the documents are genuine
    #[error("kind `{kind}` is also served under a path other than `{first}`")]
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
