//! Causes in the manifest, in the files that it lists, and in an import.

use k8s_versioned_names::Release;
use thiserror::Error;

/// A cause in the manifest, or in an import.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum ManifestCause {
    #[error("there are no documents")]
    NoDocuments,
    #[error("the manifest lists this document, but the file does not exist")]
    DocumentMissing,
    #[error("the manifest does not list this document")]
    DocumentUnlisted,
    #[error("this document was edited: its SHA-256 differs from the manifest's")]
    DocumentEdited,
    #[error("the manifest lists `{0}` twice")]
    DocumentTwice(String),
    #[error("releases are missing between {before} and {after}")]
    ReleaseGap { before: Release, after: Release },
    #[error("the file is not named like the document of a group and release")]
    NotADocument,
    #[error("there is no document of the group `{0}`")]
    NothingToImport(String),
    #[error("release {0} has documents from its source tree already")]
    SourceTreeThere(Release),
}

impl ManifestCause {
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::NoDocuments => {
                "import a release: `cargo xtask import --release v1.NN --from DIR`"
            }
            Self::DocumentMissing | Self::DocumentEdited => {
                "documents are not edited by hand: undo the change, or import the release again"
            }
            Self::DocumentUnlisted => {
                "remove the file, or import its release with `cargo xtask import`, which lists it"
            }
            Self::DocumentTwice(_) => {
                "the manifest is written by `cargo xtask import`: import the release again"
            }
            Self::ReleaseGap { .. } => {
                "import the releases between: the additions of a release show only against the one before it"
            }
            Self::NotADocument => {
                "without a manifest, documents are at `v1.NN/apis__<group>__<version>_openapi.json`, and the folder has \
                 no other JSON"
            }
            Self::NothingToImport(_) => {
                "the folder to import from is `api/openapi-spec/v3` of Kubernetes' source tree"
            }
            Self::SourceTreeThere(_) => {
                "a cluster's documents lack what its feature gates switch off: import them only for a release that \
                 has no other documents"
            }
        }
    }
}
