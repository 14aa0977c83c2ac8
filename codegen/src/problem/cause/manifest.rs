//! Causes in the manifest, in the files that it lists, and in an import.

use strum::{EnumIter, EnumMessage};
use thiserror::Error;

use crate::text::did_you_mean;

/// A cause in the manifest, or in an import.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum ManifestCause {
    /// The project has no documents yet.
    ///
    /// Hint: fetch a release; `k8s-versioned fetch --help` lists the sources
    #[error("there are no documents")]
    NoDocuments,
    /// `manifest.toml` lists a document whose file is not there.
    ///
    /// Hint: documents are not edited by hand: undo the change, or import the release again; if the release is not wanted any
    /// more, remove its entries from `manifest.toml`, too
    #[error("the manifest lists this document, but the file does not exist")]
    DocumentMissing,
    /// A document is there that `manifest.toml` does not list.
    ///
    /// Hint: remove the file, or import its release, which lists it
    #[error("the manifest does not list this document")]
    DocumentUnlisted,
    /// A document differs from the one that was fetched.
    ///
    /// Hint: documents are not edited by hand: undo the change, or import the release again
    #[error("this document was edited: its SHA-256 differs from the manifest's")]
    DocumentEdited,
    /// `manifest.toml` lists a document twice.
    ///
    /// Hint: the manifest is written by the import of a release: import it again
    #[error("the manifest lists `{0}` twice")]
    DocumentTwice(String),
    /// Releases of Kubernetes are missing in between, so that "since" would be wrong.
    ///
    /// Hint: import the releases between: the additions of a release show only against the one before it. If the
    /// releases are not of Kubernetes, name the `product` in `specs/group.toml`
    #[error("releases are missing between {before} and {after}")]
    ReleaseGap { before: String, after: String },
    /// A JSON file has not the name of a document.
    ///
    /// Hint: without a manifest, documents are at `v1.NN/apis__<group>__<version>_openapi.json`, and the folder has no
    /// other JSON
    #[error("the file is not named like the document of a group and release")]
    NotADocument,
    /// The source has no documents of the groups that the project names.
    ///
    /// Hint: a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the name, or the folder,
    /// which is `api/openapi-spec/v3` in the source tree of Kubernetes
    #[error("the source has no document of the group `{wanted}`{}", did_you_mean(near.as_ref()))]
    NothingToImport { wanted: String, near: Option<String> },
    /// The definitions are not of the groups that the project names.
    ///
    /// Hint: a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the name, or name the
    /// files of its definitions
    #[error("the definitions are of {}, none is of the group `{wanted}`{}", others.join(", "), did_you_mean(near.as_ref()))]
    OtherGroups { wanted: String, others: Vec<String>, near: Option<String> },
    /// The documents of a cluster would replace the documents of the source tree, which have more.
    ///
    /// Hint: a cluster's documents lack what its feature gates switch off: import them only for a release that has no
    /// other documents
    #[error("release {0} has documents from its source tree already")]
    SourceTreeThere(String),
}
