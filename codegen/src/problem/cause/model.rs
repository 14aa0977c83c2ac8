//! Causes in several documents that are compared.

use super::table::causes;
use crate::problem::place::Place;

causes! {
    /// A cause in several documents that are compared.
    pub(crate) enum ModelCause {
        /// A document is of a group that the project does not name.
        #[error("the document is of the group `{found}`")]
        #[id = "foreign-group"]
        #[hint = "`specs/group.toml` names the groups of the package: add this one, or remove the document"]
        ForeignGroup { found: String, expected: String },
        /// Two documents of a release state different things about the same schema.
        #[error("{what} is not the same in all documents of this release")]
        #[id = "documents-disagree"]
        #[hint = "import all documents of a release from the same source"]
        DocumentsDisagree { what: String, other: String },
        /// A schema states something else than in the release before, and no type can hold both.
        #[error("{what} was {was} and is {now} now")]
        #[id = "changed"]
        #[hint = "within one API version this must not happen, and no Rust type can hold both: check that the documents are \
            genuine. If they are, a package has the releases before the change or those since: remove the folders of the \
            others from `specs`, and their entries from the manifest if there is one"]
        Changed { what: String, was: String, now: String, earlier: Place },
        /// Two operations of a release have one identifier.
        #[error("two operations of this release have the id `{0}`")]
        #[id = "operation-twice"]
        #[hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"]
        OperationTwice(String),
        /// The same operation has another identifier in another release.
        #[error("the operation `{was}` has the id `{now}` now")]
        #[id = "operation-id-differs"]
        #[hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"]
        OperationRenamed { was: String, now: String },
        /// An operation differs from the release before in what requests are built from.
        #[error("{what} differs from the release before")]
        #[id = "operation-differs"]
        #[hint = "an operation keeps its id, path and bodies in all releases: check that the documents are genuine"]
        OperationChanged { what: String, earlier: Place },
        /// No server has a resource with the name in a path.
        #[error("{0:?} cannot be the name of a resource")]
        #[id = "resource-name"]
        #[hint = "the name of a resource has lower-case letters, digits and `-`: check that the documents are genuine"]
        ResourceName(String),
        /// A kind is served under two paths.
        #[error("kind `{kind}` is also served under a path other than `{first}`")]
        #[id = "two-resources"]
        #[hint = "a kind has one name in paths and one scope: check that the documents are genuine"]
        TwoResources { kind: String, first: String },
    }
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
