//! Causes in the manifests of CustomResourceDefinitions.

use strum::{EnumIter, EnumMessage, EnumProperty};
use thiserror::Error;

/// A cause in a manifest.
#[derive(
    Clone, Debug, PartialEq, Eq, PartialOrd, Ord, EnumIter, EnumMessage, EnumProperty, Error,
)]
#[strum(serialize_all = "kebab-case")]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum CrdCause {
    /// None of the objects in the manifests defines a custom resource.
    ///
    /// Hint: name files with objects of the kind CustomResourceDefinition
    #[error("there is no CustomResourceDefinition")]
    NoDefinition,
    /// The definition is of a version that no server has had.
    ///
    /// Hint: there are `apiextensions.k8s.io/v1` and, until 1.21, `v1beta1`
    #[error("a CustomResourceDefinition has the apiVersion {0}")]
    ApiVersion(String),
    /// A name is missing in the definition, or is not a text.
    ///
    /// Hint: servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters
    #[error("the name is missing, or is not a string")]
    NoText,
    /// A name in the definition is one that servers reject.
    ///
    /// Hint: servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters
    #[error("{0:?} cannot be a name here")]
    Name(String),
    /// The name of a version is one that servers reject.
    ///
    /// Hint: servers reject such a definition: correct the name, or leave the version out by `[[leave-out]]` in
    /// `specs/group.toml`
    #[error("{name:?} is not a version: {why}")]
    Version { name: String, why: String },
    /// The definition does not say whether its objects are in namespaces.
    ///
    /// Hint: the scope is `Namespaced` or `Cluster`
    #[error("{0:?} is not a scope")]
    Scope(String),
    /// The definition has no version.
    ///
    /// Hint: `spec.versions` lists them
    #[error("there are no versions")]
    NoVersions,
    /// The definition has more versions than any real one: each of them is a module.
    ///
    /// Hint: check that this is the right file
    #[error("there are {found} versions, more than {limit}")]
    ManyVersions { found: usize, limit: usize },
    /// The schema of a version is not an object.
    ///
    /// Hint: a version has its schema at `schema.openAPIV3Schema`; `[[leave-out]]` in `specs/group.toml` leaves out a version
    #[error("the schema of a version is not an object")]
    NoSchema,
    /// The schema of a version is not of objects.
    ///
    /// Hint: servers take the type `object` at the top of a schema alone; `[[leave-out]]` in `specs/group.toml` leaves out a
    /// version
    #[error("the schema of a kind must have the type `object`, not {0}")]
    NotAnObject(String),
    /// A version occurs twice in a definition, and only one of the two could be generated.
    ///
    /// Hint: servers reject such a definition: remove one of the two
    #[error("there is another version {0:?}")]
    VersionTwice(String),
    /// Two definitions that differ are of the same kind of a group.
    ///
    /// Hint: a release has one definition of each kind: name the files of one release of the product alone
    #[error("there is another definition of {kind:?} in {other}, and it differs")]
    KindTwice {
        /// The kind of both.
        kind: String,
        /// The file of the other, and its number in it.
        other: String,
    },
    /// A list has the name of another kind.
    ///
    /// Hint: servers reject one of the two: each kind and each list has its own name, without `listKind` the kind with
    /// `List`
    #[error("the list kind {0:?} has the name of another kind or list")]
    ListKind(String),
    /// Definitions of two kinds have one name.
    ///
    /// Hint: the plural and the group are the name of a definition: a cluster has one of the two
    #[error("the kind {kind:?} also has the name {name:?}")]
    PluralTwice { name: String, kind: String },
    /// A group and version has both a document and a definition.
    ///
    /// Hint: a group and version is either a document or definitions: remove one of them
    #[error("this group and version has both a document and a definition")]
    DocumentToo,
    /// A definition is in no folder of a release, and other files are.
    ///
    /// Hint: move the file into the folder of its release, such as `v1.36` or `1.15.0`
    #[error("the definitions are not in the folder of a release, but other files are in {0}")]
    NoRelease(String),
    /// A definition has a version that is not served, and the package has no types of it.
    ///
    /// Hint: `unserved = true` in `specs/group.toml` generates such versions, too, and `unserved = false` none without this
    /// warning
    #[strum(props(severity = "warning"))]
    #[error(
        "`{version}` of `{kind}` is not served and left out; objects can still be stored in it"
    )]
    LeftOut { version: String, kind: String },
    /// Schemas of a definition have vendor extensions, which servers ignore.
    ///
    /// Hint: the types are those of a schema without them, as a server publishes it
    #[strum(props(severity = "warning"))]
    #[error("servers ignore vendor extensions: `{0}`")]
    ForeignKeywords(String),
    /// A keyword of a schema does nothing, or no value fits it. Servers accept it.
    ///
    /// Hint: servers take the definition as it is: correct the keyword, or remove it
    #[strum(props(severity = "warning"))]
    #[error("`{keyword}` means nothing here{when}: {why}{}", elsewhere(*more))]
    Meaningless { keyword: String, when: String, why: &'static str, more: usize },
    /// Servers refuse a definition with this keyword.
    ///
    /// Hint: a server takes no such definition, unless it has stored it before: correct it
    #[strum(props(severity = "warning"))]
    #[error("servers refuse {what}: {why}{}{}", instead(*in_rust), elsewhere(*more))]
    Refused {
        what: String,
        why: &'static str,
        /// What Rust has instead of a type that the schema does not have.
        in_rust: Option<&'static str>,
        more: usize,
    },
    /// Servers refuse the definition.
    ///
    /// Hint: a server takes no such definition, unless it has stored it before: correct it
    #[strum(props(severity = "warning"))]
    #[error("servers refuse the definition: {message}{}", instead(*in_rust))]
    Rejected { message: String, in_rust: Option<&'static str> },
    /// Several files have versions of one definition.
    ///
    /// Hint: nothing is wrong if the files are of one release of the product
    #[strum(props(severity = "warning"))]
    #[error("the definition of `{kind}` has further versions in `{files}`")]
    United { kind: String, files: String },
    /// YAML gives the name of a field without quotes another meaning.
    ///
    /// Hint: put the name into quotes: `y`, `n`, `yes`, `no`, `on`, `off` are booleans, also as keys
    #[strum(props(severity = "warning"))]
    #[error("the field `{word}` is called `{name}` in YAML{}", elsewhere(*more))]
    MisreadName { word: String, name: String, more: usize },
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
