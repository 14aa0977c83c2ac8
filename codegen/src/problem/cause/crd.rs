//! Causes in the manifests of CustomResourceDefinitions.

use strum::{EnumIter, EnumMessage, IntoStaticStr};
use thiserror::Error;

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
    /// Servers keep all fields of the objects, whatever the schemas say.
    #[error("the definition preserves unknown fields of all objects")]
    Preserves,
    /// The definition has no version.
    #[error("there are no versions")]
    NoVersions,
    /// The definition has more versions than any real one: each of them is a module.
    #[error("there are {found} versions, more than {limit}")]
    ManyVersions { found: usize, limit: usize },
    /// A version of the definition states no fields.
    #[error("a version has no schema")]
    NoSchema,
    /// The schema of a version is not of objects.
    #[error("the objects of a kind are of the type {0}")]
    NotAnObject(String),
    /// A version occurs twice in a definition, and only one of the two could be generated.
    #[error("there is another version {0:?}")]
    VersionTwice(String),
    /// Two definitions that differ are of the same kind of a group.
    #[error("there is another definition of {0:?}, and it differs")]
    KindTwice(String),
    /// A list has the name of another kind.
    #[error("{0:?} is the kind of a list and of something else")]
    ListKind(String),
    /// Definitions of two kinds have one name.
    #[error("the kind {kind:?} has the name {name:?}, too")]
    PluralTwice { name: String, kind: String },
    /// A group and version has both a document and a definition.
    #[error("there is also a file with this document")]
    DocumentToo,
    /// A definition is in no folder of a release, and other files are.
    #[error("the definitions are of no release, and other files are of {0}")]
    NoRelease(String),
}

impl CrdCause {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Yaml(_) => {
                "a file has objects in YAML or JSON, with `---` between them; templates of charts are rendered first"
            }
            Self::NoDefinition => "name files with objects of the kind CustomResourceDefinition",
            Self::ApiVersion(_) => {
                "servers since 1.22 have `apiextensions.k8s.io/v1` alone: migrate the definition"
            }
            Self::NoText | Self::Name(_) => {
                "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters"
            }
            Self::Version(_) => "packages have versions such as `v1`, `v1beta2` and `v2alpha1`",
            Self::Scope(_) => "the scope is `Namespaced` or `Cluster`",
            Self::Preserves => {
                "types would lose fields, and servers refuse it in new definitions: remove it, and state \
                 `x-kubernetes-preserve-unknown-fields: true` in the schemas of the objects that have unknown fields"
            }
            Self::NoVersions => "`spec.versions` lists them",
            Self::ManyVersions { .. } => "check that this is the right file",
            Self::NotAnObject(_) => "servers take the type `object` at the top of a schema alone",
            Self::VersionTwice(_) => "servers refuse such a definition: remove one of the two",
            Self::PluralTwice { .. } => {
                "the plural and the group are the name of a definition: a cluster has one of the two"
            }
            Self::ListKind(_) => {
                "servers refuse one of the two: each kind and each list has its own name, without `listKind` the kind with `List`"
            }
            Self::KindTwice(_) => {
                "a release has one definition of each kind: name the files of one release of the product alone"
            }
            Self::DocumentToo => {
                "a group and version is either a document or definitions: remove one of them"
            }
            Self::NoRelease(_) => {
                "move the file into the folder of its release, such as `v1.36` or `1.15.0`"
            }
            Self::NoSchema => "a version has its schema at `schema.openAPIV3Schema`",
        }
    }
}
