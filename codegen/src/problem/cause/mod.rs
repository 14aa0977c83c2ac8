//! The causes of problems, by the stage that finds them. A cause displays as its message, and has a hint.

mod conversion;
mod document;
mod plan;
mod rules;

use strum::{EnumIter, EnumMessage, IntoEnumIterator, IntoStaticStr};
use thiserror::Error;

use crate::Place;

pub use conversion::{ConversionCause, Remedy};
pub use document::DocumentCause;
pub use plan::PlanCause;
pub use rules::RuleCause;

/// The cause of a problem, which displays as the thing that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(transparent)]
#[non_exhaustive]
pub enum Cause {
    /// In the text of one file.
    File(#[from] FileCause),
    /// In the manifest, or in an import.
    Manifest(#[from] ManifestCause),
    /// In the manifest of a CustomResourceDefinition.
    Crd(#[from] CrdCause),
    /// In one document.
    Document(#[from] DocumentCause),
    /// In several documents that are compared.
    Model(#[from] ModelCause),
    /// In a rule file.
    Rule(#[from] RuleCause),
    /// In the plan of the Rust items.
    Plan(#[from] PlanCause),
    /// In the plan of conversions.
    Conversion(#[from] ConversionCause),
}

impl Cause {
    /// The identifier of the cause, such as `name-clash`. It never changes its meaning.
    pub fn id(&self) -> &'static str {
        self.facts().0
    }

    /// The advice.
    pub fn hint(&self) -> &'static str {
        self.facts().1
    }

    /// The identifier and the advice.
    fn facts(&self) -> (&'static str, &'static str) {
        match self {
            Self::File(cause) => (cause.into(), cause.hint()),
            Self::Manifest(cause) => (cause.into(), cause.hint()),
            Self::Crd(cause) => (cause.into(), cause.hint()),
            Self::Document(cause) => (cause.into(), cause.hint()),
            Self::Model(cause) => (cause.into(), cause.hint()),
            Self::Rule(cause) => (cause.into(), cause.hint()),
            Self::Plan(cause) => (cause.into(), cause.hint()),
            Self::Conversion(cause) => (cause.into(), cause.hint()),
        }
    }

    /// The values that are understood in this place.
    pub fn understood(&self) -> Option<String> {
        match self {
            Self::Document(cause) => cause.understood(),
            Self::Model(cause) => cause.understood(),
            Self::Rule(cause) => cause.understood().map(str::to_owned),
            Self::Plan(cause) => cause.understood(),
            Self::File(_) | Self::Manifest(_) | Self::Crd(_) | Self::Conversion(_) => None,
        }
    }
}

/// What `k8s-versioned explain` says about a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The identifier of the cause.
    pub id: &'static str,
    /// The input in which it is found.
    pub stage: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// The advice.
    pub hint: &'static str,
}

impl Explanation {
    /// The explanations of all causes.
    pub fn all() -> Vec<Self> {
        [
            Self::of("the conversions (`conversions.toml`)", ConversionCause::hint),
            Self::of("CustomResourceDefinitions", CrdCause::hint),
            Self::of("an OpenAPI document", DocumentCause::hint),
            Self::of("the text of a file", FileCause::hint),
            Self::of("the list of documents (`manifest.toml`)", ManifestCause::hint),
            Self::of("the documents of several releases", ModelCause::hint),
            Self::of("the Rust items", PlanCause::hint),
            Self::of("the rule files", RuleCause::hint),
        ]
        .concat()
    }

    /// The explanations of the causes of one stage.
    fn of<C>(stage: &'static str, hint: fn(&C) -> &'static str) -> Vec<Self>
    where
        C: EnumMessage + IntoEnumIterator,
        for<'a> &'static str: From<&'a C>,
    {
        let explanation = |cause: C| {
            let meaning = cause.get_documentation().unwrap_or_default();
            Self { id: (&cause).into(), stage, meaning, hint: hint(&cause) }
        };
        C::iter().map(explanation).collect()
    }
}

// Causes in the manifests of CustomResourceDefinitions.

/// A cause in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum CrdCause {
    /// A manifest is neither YAML nor JSON.
    #[error("the file cannot be read as YAML: {0}")]
    Yaml(String),
    /// None of the objects in the manifests defines a custom resource.
    #[error("there is no CustomResourceDefinition")]
    NoDefinition,
    /// The definition is of a version that servers no longer have.
    #[error("a CustomResourceDefinition has the apiVersion {0}")]
    ApiVersion(String),
    /// A name is missing in the definition, or is not a text.
    #[error("there is no text")]
    NoText,
    /// A name in the definition is one that servers refuse.
    #[error("{0:?} cannot be a name here")]
    Name(String),
    /// The name of a version does not say how it compares with others.
    #[error("the version {0:?} has no number")]
    Version(String),
    /// The definition does not say whether its objects are in namespaces.
    #[error("{0:?} is not a scope")]
    Scope(String),
    /// The definition has no version.
    #[error("there are no versions")]
    NoVersions,
    /// The definition has more versions than any real one: each of them is a module.
    #[error("there are {found} versions, more than {limit}")]
    ManyVersions { found: usize, limit: usize },
    /// A version of the definition states no fields.
    #[error("a version has no schema")]
    NoSchema,
    /// A version occurs twice in a definition, and only one of the two could be generated.
    #[error("there is another version {0:?}")]
    VersionTwice(String),
    /// Two definitions that differ are of the same kind of a group.
    #[error("there is another definition of {0:?}, and it differs")]
    KindTwice(String),
    /// A group and version has both a document and a definition.
    #[error("there is also a file with this document")]
    DocumentToo,
}

impl CrdCause {
    /// The advice.
    fn hint(&self) -> &'static str {
        match self {
            Self::Yaml(_) => "a file has YAML or JSON, with any number of objects in a row",
            Self::NoDefinition => "name files with objects of the kind CustomResourceDefinition",
            Self::ApiVersion(_) => {
                "servers since 1.22 have `apiextensions.k8s.io/v1` alone: migrate the definition"
            }
            Self::NoText | Self::Name(_) => {
                "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters"
            }
            Self::Version(_) => "packages have versions such as `v1`, `v1beta2` and `v2alpha1`",
            Self::Scope(_) => "the scope is `Namespaced` or `Cluster`",
            Self::NoVersions => "`spec.versions` lists them",
            Self::ManyVersions { .. } => "check that this is the right file",
            Self::VersionTwice(_) => "servers refuse such a definition: remove one of the two",
            Self::KindTwice(_) => {
                "a release has one definition of each kind: name the files of one release of the product alone"
            }
            Self::DocumentToo => {
                "a group and version is either a document or definitions: remove one of them"
            }
            Self::NoSchema => "a version has its schema at `schema.openAPIV3Schema`",
        }
    }
}

// Causes in the text of one file.

/// A cause in the text of a file.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum FileCause {
    /// A file of the folder of specs is empty.
    #[error("the file is empty")]
    Empty,
    /// A file is not text in UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A document is not JSON.
    #[error("the JSON cannot be read: {0}")]
    Json(String),
    /// An object of a document has a key twice, and programs would read different values.
    #[error("the key `{0}` occurs twice in one object")]
    DuplicateKey(String),
    /// A document nests deeper than any real one, and reading it could exhaust the stack.
    #[error("values nest more than {limit} deep")]
    TooDeep { limit: usize },
    /// A file is larger than any real one, and reading it could exhaust the memory.
    #[error("the file has more than {limit} bytes")]
    TooLarge { limit: usize },
    /// A file `generated.proto` has a line that the generator does not read.
    #[error("`{0}` is not understood here")]
    Proto(String),
    /// A rule file is not TOML, or has a key that it does not have.
    #[error("the TOML cannot be read: {0}")]
    Toml(String),
    /// A file has more problems than are shown.
    #[error("{0} more problems of this file are not shown")]
    More(usize),
}

impl FileCause {
    /// The advice.
    fn hint(&self) -> &'static str {
        match self {
            Self::Empty | Self::Json(_) | Self::DuplicateKey(_) | Self::TooDeep { .. } => {
                "import the release again from upstream's documents"
            }
            Self::NotUtf8 => {
                "save the file in UTF-8, or import the release again if it is a document"
            }
            Self::Toml(_) => "correct the file: the comment at its head explains the keys",
            Self::Proto(_) => {
                "upstream's `generated.proto` has one field on a line: check that the file is genuine, and report it if it is. \
                 Without `specs/field-numbers.toml` the package is generated without protobuf"
            }
            Self::More(_) | Self::TooLarge { .. } => "check that this is the right file",
        }
    }
}

// Causes in the manifest, in the files that it lists, and in an import.

/// A cause in the manifest, or in an import.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum ManifestCause {
    /// The project has no documents yet.
    #[error("there are no documents")]
    NoDocuments,
    /// `manifest.toml` lists a document whose file is not there.
    #[error("the manifest lists this document, but the file does not exist")]
    DocumentMissing,
    /// A document is there that `manifest.toml` does not list.
    #[error("the manifest does not list this document")]
    DocumentUnlisted,
    /// A document differs from the one that was fetched.
    #[error("this document was edited: its SHA-256 differs from the manifest's")]
    DocumentEdited,
    /// `manifest.toml` lists a document twice.
    #[error("the manifest lists `{0}` twice")]
    DocumentTwice(String),
    /// Releases of Kubernetes are missing in between, so that "since" would be wrong.
    #[error("releases are missing between {before} and {after}")]
    ReleaseGap { before: String, after: String },
    /// A JSON file has not the name of a document.
    #[error("the file is not named like the document of a group and release")]
    NotADocument,
    /// The source has no documents of the groups that the project names.
    #[error("there is no document of the group `{0}`")]
    NothingToImport(String),
    /// The documents of a cluster would replace the documents of the source tree, which have more.
    #[error("release {0} has documents from its source tree already")]
    SourceTreeThere(String),
}

impl ManifestCause {
    /// The advice.
    fn hint(&self) -> &'static str {
        match self {
            Self::NoDocuments => "fetch a release; `k8s-versioned fetch --help` lists the sources",
            Self::DocumentMissing | Self::DocumentEdited => {
                "documents are not edited by hand: undo the change, or import the release again"
            }
            Self::DocumentUnlisted => "remove the file, or import its release, which lists it",
            Self::DocumentTwice(_) => {
                "the manifest is written by the import of a release: import it again"
            }
            Self::ReleaseGap { .. } => {
                "import the releases between: the additions of a release show only against the one before it. If the releases \
                 are not of Kubernetes, name the `product` in `specs/group.toml`"
            }
            Self::NotADocument => {
                "without a manifest, documents are at `v1.NN/apis__<group>__<version>_openapi.json`, and the folder has \
                 no other JSON"
            }
            Self::NothingToImport(_) => {
                "check the name in `groups` of `specs/group.toml`, and the folder: in the source tree of Kubernetes it is \
                 `api/openapi-spec/v3`"
            }
            Self::SourceTreeThere(_) => {
                "a cluster's documents lack what its feature gates switch off: import them only for a release that \
                 has no other documents"
            }
        }
    }
}

// Causes in several documents that are compared.

/// A cause in several documents that are compared.
#[derive(Clone, Debug, PartialEq, Eq, EnumIter, EnumMessage, Error, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum ModelCause {
    /// A document is of a group that the project does not name.
    #[error("the document is of the group `{found}`")]
    ForeignGroup { found: String, expected: String },
    /// Two documents of a release state different things about the same schema.
    #[error("{what} is not the same in all documents of this release")]
    DocumentsDisagree { what: String, other: String },
    /// A schema states something else than in the release before, and no type can hold both.
    #[error("{what} was {was} and is {now} now")]
    Changed { what: String, was: String, now: String, earlier: Place },
    /// Two operations of a release have one identifier.
    #[error("two operations of this release have the id `{0}`")]
    OperationTwice(String),
    /// The same operation has another identifier in another release.
    #[error("the operation `{was}` has the id `{now}` now")]
    OperationRenamed { was: String, now: String },
    /// An operation differs from the release before in what requests are built from.
    #[error("{what} differs from the release before")]
    OperationChanged { what: String, earlier: Place },
    /// A kind is served under two paths.
    #[error("kind `{kind}` is also served under a path other than `{first}`")]
    TwoResources { kind: String, first: String },
}

impl ModelCause {
    /// The advice.
    fn hint(&self) -> &'static str {
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

    fn understood(&self) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::Explanation;

    #[test]
    fn every_cause_has_its_own_identifier_and_an_explanation() {
        let all = Explanation::all();
        let ids: BTreeSet<&str> = all.iter().map(|it| it.id).collect();
        assert_eq!(ids.len(), all.len());
        for Explanation { id, meaning, hint, .. } in all {
            assert!(meaning.ends_with('.') && !hint.is_empty(), "{id}: {meaning:?}, {hint:?}");
            // Users of the command have no generator to change.
            assert!(!hint.contains("codegen") && !hint.contains("crates/"), "{id}: {hint}");
        }
    }
}
