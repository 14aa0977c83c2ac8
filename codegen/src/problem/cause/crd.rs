//! Causes in the manifests of CustomResourceDefinitions.

use thiserror::Error;

use super::texts::Texts;

/// A cause in a manifest.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum CrdCause {
    #[error("there is no CustomResourceDefinition")]
    NoDefinition,
    #[error("{0:?} is not an apiVersion of a CustomResourceDefinition")]
    ApiVersion(String),
    #[error("the name is missing, or is not a string")]
    NoText,
    #[error("{0:?} cannot be a name here")]
    Name(String),
    #[error("{name:?} is not a version: {why}")]
    Version { name: String, why: String },
    #[error("{0:?} is not a scope")]
    Scope(String),
    #[error("there are no versions")]
    NoVersions,
    #[error("there are {found} versions, more than {limit}")]
    ManyVersions { found: usize, limit: usize },
    #[error("the schema of a version is not an object")]
    NoSchema,
    #[error("the schema of a kind must have the type `object`, not {0}")]
    NotAnObject(String),
    #[error("there is another version {0:?}")]
    VersionTwice(String),
    #[error("there is another definition of {kind:?} in {other}, and it differs")]
    KindTwice {
        /// The kind of both.
        kind: String,
        /// The file of the other, and its number in it.
        other: String,
    },
    #[error("the list kind {0:?} has the name of another kind or list")]
    ListKind(String),
    #[error("the kind {kind:?} also has the name {name:?}")]
    PluralTwice { name: String, kind: String },
    #[error("this group and version has both a document and a definition")]
    DocumentToo,
    #[error("the definitions are not in the folder of a release, but other files are in {0}")]
    NoRelease(String),
    #[error(
        "`{version}` of `{kind}` is not served and left out; objects can still be stored in it"
    )]
    LeftOut { version: String, kind: String },
    #[error("servers ignore vendor extensions: `{0}`")]
    ForeignKeywords(String),
    #[error("`{keyword}` means nothing here{when}: {why}{}", elsewhere(*more))]
    Meaningless { keyword: String, when: String, why: &'static str, more: usize },
    #[error("servers refuse {what}: {why}{}{}", instead(*in_rust), elsewhere(*more))]
    Refused {
        what: String,
        why: &'static str,
        /// What Rust has instead of a type that the schema does not have.
        in_rust: Option<&'static str>,
        more: usize,
    },
    #[error("servers refuse the definition: {message}{}{}", instead(*in_rust), elsewhere(*more))]
    Rejected { message: String, in_rust: Option<&'static str>, more: usize },
    #[error("the definition of `{kind}` has further versions in `{files}`")]
    United { kind: String, files: String },
    #[error("the field `{word}` is called `{name}` in YAML{}", elsewhere(*more))]
    MisreadName { word: String, name: String, more: usize },
}

impl CrdCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 23] {
        [
            Self::NoDefinition,
            Self::ApiVersion(String::new()),
            Self::NoText,
            Self::Name(String::new()),
            Self::Version { name: String::new(), why: String::new() },
            Self::Scope(String::new()),
            Self::NoVersions,
            Self::ManyVersions { found: 0, limit: 0 },
            Self::NoSchema,
            Self::NotAnObject(String::new()),
            Self::VersionTwice(String::new()),
            Self::KindTwice { kind: String::new(), other: String::new() },
            Self::ListKind(String::new()),
            Self::PluralTwice { name: String::new(), kind: String::new() },
            Self::DocumentToo,
            Self::NoRelease(String::new()),
            Self::LeftOut { version: String::new(), kind: String::new() },
            Self::ForeignKeywords(String::new()),
            Self::Meaningless { keyword: String::new(), when: String::new(), why: "", more: 0 },
            Self::Refused { what: String::new(), why: "", in_rust: None, more: 0 },
            Self::Rejected { message: String::new(), in_rust: None, more: 0 },
            Self::United { kind: String::new(), files: String::new() },
            Self::MisreadName { word: String::new(), name: String::new(), more: 0 },
        ]
    }

    /// Returns `true` if the files are generated nevertheless.
    pub(super) fn is_warning(&self) -> bool {
        matches!(
            self,
            Self::LeftOut { .. }
                | Self::ForeignKeywords(_)
                | Self::Meaningless { .. }
                | Self::Refused { .. }
                | Self::Rejected { .. }
                | Self::United { .. }
                | Self::MisreadName { .. }
        )
    }

    /// The identifier, the meaning and the hint.
    #[allow(clippy::too_many_lines, reason = "it is a table")]
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::NoDefinition => (
                "no-definition",
                "None of the objects in the manifests defines a custom resource.",
                "name files with objects of the kind CustomResourceDefinition",
            ),
            Self::ApiVersion(_) => (
                "api-version",
                "The definition is of a version that no server has had.",
                "there are `apiextensions.k8s.io/v1` and, until 1.21, `v1beta1`",
            ),
            Self::NoText => (
                "no-text",
                "A name is missing in the definition, or is not a text.",
                "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters",
            ),
            Self::Name(_) => (
                "name",
                "A name in the definition is one that servers reject.",
                "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters; kinds and plurals \
                 have at most 63 characters",
            ),
            Self::Version { .. } => (
                "version",
                "The name of a version is one that servers reject.",
                "servers reject such a definition: correct the name, or leave the version out by `[[leave-out]]` in \
                 `specs/group.toml`",
            ),
            Self::Scope(_) => (
                "scope",
                "The definition does not say whether its objects are in namespaces.",
                "the scope is `Namespaced` or `Cluster`",
            ),
            Self::NoVersions => {
                ("no-versions", "The definition has no version.", "`spec.versions` lists them")
            }
            Self::ManyVersions { .. } => (
                "many-versions",
                "The definition has more versions than any real one: each of them is a module.",
                "check that this is the right file",
            ),
            Self::NoSchema => (
                "no-schema",
                "The schema of a version is not an object.",
                "a version has its schema at `schema.openAPIV3Schema`; `[[leave-out]]` in `specs/group.toml` leaves \
                 out a version",
            ),
            Self::NotAnObject(_) => (
                "not-an-object",
                "The schema of a version is not of objects.",
                "servers take the type `object` at the top of a schema alone; `[[leave-out]]` in `specs/group.toml` \
                 leaves out a version",
            ),
            Self::VersionTwice(_) => (
                "version-twice",
                "A version occurs twice in a definition, and only one of the two could be generated.",
                "servers reject such a definition: remove one of the two",
            ),
            Self::KindTwice { .. } => (
                "kind-twice",
                "Two definitions that differ are of the same kind of a group.",
                "a release has one definition of each kind: name the files of one release of the product alone",
            ),
            Self::ListKind(_) => (
                "list-kind",
                "A list has the name of another kind.",
                "servers reject one of the two: each kind and each list has its own name, without `listKind` the kind \
                 with `List`",
            ),
            Self::PluralTwice { .. } => (
                "plural-twice",
                "Definitions of two kinds have one name.",
                "the plural and the group are the name of a definition: a cluster has one of the two",
            ),
            Self::DocumentToo => (
                "document-too",
                "A group and version has both a document and a definition.",
                "a group and version is either a document or definitions: remove one of them",
            ),
            Self::NoRelease(_) => (
                "no-release",
                "A definition is in no folder of a release, and other files are.",
                "move the file into the folder of its release, such as `v1.36` or `1.15.0`",
            ),
            Self::LeftOut { .. } => (
                "left-out",
                "A definition has a version that is not served, and the package has no types of it.",
                "`unserved = true` in `specs/group.toml` generates such versions, too, and `unserved = false` none \
                 without this warning",
            ),
            Self::ForeignKeywords(_) => (
                "foreign-keywords",
                "Schemas of a definition have vendor extensions, which servers ignore.",
                "the types are the same as without them, since servers do not publish them",
            ),
            Self::Meaningless { .. } => (
                "meaningless",
                "A keyword of a schema does nothing, or no value fits it. Servers accept it.",
                "servers take the definition as it is: correct the keyword, or remove it",
            ),
            Self::Refused { .. } => (
                "refused",
                "Servers refuse a definition with this keyword.",
                "a server takes no such definition, unless it has stored it before: correct it",
            ),
            Self::Rejected { .. } => (
                "rejected",
                "Servers refuse the definition.",
                "a server takes no such definition, unless it has stored it before: correct it",
            ),
            Self::United { .. } => (
                "united",
                "Several files have versions of one definition.",
                "nothing is wrong if the files are of one release of the product",
            ),
            Self::MisreadName { .. } => (
                "misread-name",
                "YAML gives the name of a field without quotes another meaning.",
                "put the name into quotes: `y`, `n`, `yes`, `no`, `on`, `off` are booleans, also as keys",
            ),
        }
    }
}

fn instead(in_rust: Option<&str>) -> String {
    in_rust.map(|in_rust| format!("; in Rust, {in_rust}")).unwrap_or_default()
}

fn elsewhere(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and in another place)".to_owned(),
        more => format!(" (and in {more} other places)"),
    }
}
