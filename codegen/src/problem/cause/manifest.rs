//! Causes in the manifest, in the files that it lists, and in an import.

use thiserror::Error;

use super::texts::Texts;
use crate::text::did_you_mean;

/// A cause in the manifest, or in an import.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
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
    ReleaseGap { before: String, after: String },
    #[error("the file is not named like the document of a group and release")]
    NotADocument,
    #[error("the source has no document of the group `{wanted}`{}", did_you_mean(near.as_ref()))]
    NothingToImport { wanted: String, near: Option<String> },
    #[error("the definitions are of {}, none is of the group `{wanted}`{}", others.join(", "), did_you_mean(near.as_ref()))]
    OtherGroups { wanted: String, others: Vec<String>, near: Option<String> },
    #[error("release {0} has documents from its source tree already")]
    SourceTreeThere(String),
}

impl ManifestCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 10] {
        [
            Self::NoDocuments,
            Self::DocumentMissing,
            Self::DocumentUnlisted,
            Self::DocumentEdited,
            Self::DocumentTwice(String::new()),
            Self::ReleaseGap { before: String::new(), after: String::new() },
            Self::NotADocument,
            Self::NothingToImport { wanted: String::new(), near: None },
            Self::OtherGroups { wanted: String::new(), others: Vec::new(), near: None },
            Self::SourceTreeThere(String::new()),
        ]
    }

    /// The identifier, the meaning and the hint.
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::NoDocuments => (
                "no-documents",
                "The project has no documents yet.",
                "fetch a release; `k8s-versioned fetch --help` lists the sources",
            ),
            Self::DocumentMissing => (
                "document-missing",
                "`manifest.toml` lists a document whose file is not there.",
                "documents are not edited by hand: undo the change, or import the release again; if the release is \
                 not wanted any more, remove its entries from `manifest.toml`, too",
            ),
            Self::DocumentUnlisted => (
                "document-unlisted",
                "A document is there that `manifest.toml` does not list.",
                "remove the file, or import its release, which lists it",
            ),
            Self::DocumentEdited => (
                "document-edited",
                "A document differs from the one that was fetched.",
                "documents are not edited by hand: undo the change, or import the release again",
            ),
            Self::DocumentTwice(_) => (
                "document-twice",
                "`manifest.toml` lists a document twice.",
                "the manifest is written by the import of a release: import it again",
            ),
            Self::ReleaseGap { .. } => (
                "release-gap",
                "Releases of Kubernetes are missing in between, so that \"since\" would be wrong.",
                "import the releases between: the additions of a release show only against the one before it. If the \
                 releases are not of Kubernetes, name the `product` in `specs/group.toml`",
            ),
            Self::NotADocument => (
                "not-a-document",
                "A JSON file has not the name of a document.",
                "without a manifest, documents are at `v1.NN/apis__<group>__<version>_openapi.json`, and the folder \
                 has no other JSON",
            ),
            Self::NothingToImport { .. } => (
                "nothing-to-import",
                "The source has no documents of the groups that the project names.",
                "a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the \
                 name, or the folder, which is `api/openapi-spec/v3` in the source tree of Kubernetes",
            ),
            Self::OtherGroups { .. } => (
                "other-groups",
                "The definitions are not of the groups that the project names.",
                "a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the \
                 name, or name the files of its definitions",
            ),
            Self::SourceTreeThere(_) => (
                "source-tree-there",
                "The documents of a cluster would replace the documents of the source tree, which have more.",
                "a cluster's documents lack what its feature gates switch off: import them only for a release that \
                 has no other documents",
            ),
        }
    }
}
