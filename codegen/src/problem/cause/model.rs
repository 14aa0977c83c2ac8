//! Causes in several documents that are compared.

use thiserror::Error;

use super::texts::Texts;
use crate::problem::place::Place;

/// A cause in several documents that are compared.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
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
    #[error("{0:?} cannot be the name of a resource")]
    ResourceName(String),
    #[error("kind `{kind}` is also served under a path other than `{first}`")]
    TwoResources { kind: String, first: String },
}

impl ModelCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 8] {
        [
            Self::ForeignGroup { found: String::new(), expected: String::new() },
            Self::DocumentsDisagree { what: String::new(), other: String::new() },
            Self::Changed {
                what: String::new(),
                was: String::new(),
                now: String::new(),
                earlier: Place::default(),
            },
            Self::OperationTwice(String::new()),
            Self::OperationRenamed { was: String::new(), now: String::new() },
            Self::OperationChanged { what: String::new(), earlier: Place::default() },
            Self::ResourceName(String::new()),
            Self::TwoResources { kind: String::new(), first: String::new() },
        ]
    }

    /// The identifier, the meaning and the hint.
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::ForeignGroup { .. } => (
                "foreign-group",
                "A document is of a group that the project does not name.",
                "`specs/group.toml` names the groups of the package: add this one, or remove the document",
            ),
            Self::DocumentsDisagree { .. } => (
                "documents-disagree",
                "Two documents of a release state different things about the same schema.",
                "import all documents of a release from the same source",
            ),
            Self::Changed { .. } => (
                "changed",
                "A schema states something else than in the release before, and no type can hold both.",
                "within one API version this must not happen, and no Rust type can hold both: check that the \
                 documents are genuine. If they are, a package has the releases before the change or those since: \
                 remove the folders of the others from `specs`, and their entries from the manifest if there is one",
            ),
            Self::OperationTwice(_) => (
                "operation-twice",
                "Two operations of a release have one identifier.",
                "an operation keeps its id, path and bodies in all releases: check that the documents are genuine",
            ),
            Self::OperationRenamed { .. } => (
                "operation-renamed",
                "The same operation has another identifier in another release.",
                "an operation keeps its id, path and bodies in all releases: check that the documents are genuine",
            ),
            Self::OperationChanged { .. } => (
                "operation-changed",
                "An operation differs from the release before in what requests are built from.",
                "an operation keeps its id, path and bodies in all releases: check that the documents are genuine",
            ),
            Self::ResourceName(_) => (
                "resource-name",
                "The name of a resource in a path is one that no server has.",
                "the name of a resource has lower-case letters, digits and `-`: check that the documents are genuine",
            ),
            Self::TwoResources { .. } => (
                "two-resources",
                "A kind is served under two paths.",
                "a kind has one name in paths and one scope: check that the documents are genuine",
            ),
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
