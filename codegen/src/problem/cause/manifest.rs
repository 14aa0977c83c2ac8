//! Causes in the manifest, in the files that it lists, and in an import.

use k8s_versioned::Release;
use strum::EnumProperty;
use thiserror::Error;

/// A cause in the manifest, or in an import.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum ManifestCause {
    #[error("there are no documents")]
    #[strum(props(hint = "import a release: `cargo xtask import --release v1.NN --from DIR`"))]
    NoDocuments,
    #[error("the manifest lists this document, and it is not there")]
    #[strum(props(
        hint = "documents are not edited by hand: undo the change, or import the release again"
    ))]
    DocumentMissing,
    #[error("this document is there, and the manifest does not list it")]
    #[strum(props(
        hint = "remove the file, or import its release with `cargo xtask import`, which lists it"
    ))]
    DocumentUnlisted,
    #[error("this document is not as it was imported: its SHA-256 differs from the manifest's")]
    #[strum(props(
        hint = "documents are not edited by hand: undo the change, or import the release again"
    ))]
    DocumentEdited,
    #[error("the manifest lists `{0}` twice")]
    #[strum(props(
        hint = "the manifest is written by `cargo xtask import`: import the release again"
    ))]
    DocumentTwice(String),
    #[error("releases are missing between {before} and {after}")]
    #[strum(props(
        hint = "import the releases between, too: what a release added can only be told from the one before it"
    ))]
    ReleaseGap { before: Release, after: Release },
    #[error("release {release} has no document of {of}")]
    #[strum(props(
        hint = "import the release from a folder that has the group's document and those of its versions"
    ))]
    Incomplete { release: Release, of: &'static str },
    #[error("there is no document of the group `{0}`")]
    #[strum(props(
        hint = "the folder to import from is `api/openapi-spec/v3` of Kubernetes' source tree"
    ))]
    NothingToImport(String),
    #[error("release {0} has documents from its source tree already")]
    #[strum(props(
        hint = "a cluster's documents lack what its feature gates switch off, so they only stand in for a \
                release that has no others"
    ))]
    SourceTreeThere(Release),
}
