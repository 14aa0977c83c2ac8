//! Causes in the manifest, in the files that it lists, and in an import.

use super::table::causes;
use crate::text::did_you_mean;

causes! {
    /// A cause in the manifest, or in an import.
    pub(crate) enum ManifestCause {
        /// The project has no documents yet.
        #[error("there are no documents")]
        #[id = "no-documents"]
        #[hint = "fetch a release; `k8s-versioned fetch --help` lists the sources"]
        NoDocuments,
        /// `manifest.toml` lists a document whose file is not there.
        #[error("the manifest lists this document, but the file does not exist")]
        #[id = "document-missing"]
        #[hint = "documents are not edited by hand: undo the change, or import the release again; if the release is not \
            wanted any more, also remove its entries from `manifest.toml`"]
        DocumentMissing,
        /// A document is there that `manifest.toml` does not list.
        #[error("the manifest does not list this document")]
        #[id = "document-unlisted"]
        #[hint = "remove the file, or import its release, which lists it"]
        DocumentUnlisted,
        /// A document differs from what was fetched.
        #[error("this document was edited: its SHA-256 differs from the manifest's")]
        #[id = "document-edited"]
        #[hint = "documents are not edited by hand: undo the change, or import the release again"]
        DocumentEdited,
        /// `manifest.toml` lists a document twice.
        #[error("the manifest lists `{0}` twice")]
        #[id = "document-twice"]
        #[hint = "the manifest is written by the import of a release: import it again"]
        DocumentTwice(String),
        /// Releases of Kubernetes are missing in between, so that "since" would be wrong.
        #[error("releases are missing between {before} and {after}")]
        #[id = "release-gap"]
        #[hint = "import the releases between: the additions of a release show only against the one before it. If the \
            releases are not of Kubernetes, name the `product` in `specs/group.toml`"]
        ReleaseGap { before: String, after: String },
        /// A JSON file has not the name of a document.
        #[error("the file is not named like the document of a group and release")]
        #[id = "not-a-document"]
        #[hint = "without a manifest, documents are at `v1.NN/apis__<group>__<version>_openapi.json`, and the folder has no \
            other JSON"]
        NotADocument,
        /// The source has no documents of the groups that the project names.
        #[error("the source has no document of the group `{wanted}`{}", did_you_mean(near.as_ref()))]
        #[id = "nothing-to-import"]
        #[hint = "a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the name, or \
            the folder, which is `api/openapi-spec/v3` in the source tree of Kubernetes"]
        NothingToImport { wanted: String, near: Option<String> },
        /// The definitions are not of the groups that the project names.
        #[error("the definitions are of {}, none is of the group `{wanted}`{}", others.join(", "), did_you_mean(near.as_ref()))]
        #[id = "other-groups"]
        #[hint = "a package names its groups in `groups` of its `group.toml`, a new one with `--group`: correct the name, or \
            name the files of its definitions"]
        OtherGroups { wanted: String, others: Vec<String>, near: Option<String> },
        /// The documents of a cluster would replace the documents of the source tree, which have more.
        #[error("release {0} has documents from its source tree already")]
        #[id = "source-tree-there"]
        #[hint = "a cluster's documents lack what its feature gates switch off: import them only for a release that has no \
            other documents"]
        SourceTreeThere(String),
    }
}
