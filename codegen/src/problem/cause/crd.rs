//! Causes in the manifests of CustomResourceDefinitions.

use strum::{EnumIter, EnumMessage, EnumProperty};
use thiserror::Error;

use crate::text::did_you_mean;

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
    /// The definition is of a version that servers no longer have.
    ///
    /// Hint: servers since 1.22 have `apiextensions.k8s.io/v1` alone: migrate the definition
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
    /// Hint: servers reject such a definition: correct the name
    #[error("{name:?} is not a version: {why}")]
    Version { name: String, why: String },
    /// The definition does not say whether its objects are in namespaces.
    ///
    /// Hint: the scope is `Namespaced` or `Cluster`
    #[error("{0:?} is not a scope")]
    Scope(String),
    /// Servers keep all fields of the objects, whatever the schemas say.
    ///
    /// Hint: types would lose fields, and servers reject it in new definitions: remove it, and state
    /// `x-kubernetes-preserve-unknown-fields: true` in the schemas of the objects that have unknown fields
    #[error("the definition preserves unknown fields of all objects")]
    Preserves,
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
    /// A version of the definition states no fields.
    ///
    /// Hint: a version has its schema at `schema.openAPIV3Schema`
    #[error("a version has no schema")]
    NoSchema,
    /// The schema of a version is not of objects.
    ///
    /// Hint: servers take the type `object` at the top of a schema alone
    #[error("the schema of a kind must have the type `object`, not {0}")]
    NotAnObject(String),
    /// A version occurs twice in a definition, and only one of the two could be generated.
    ///
    /// Hint: servers reject such a definition: remove one of the two
    #[error("there is another version {0:?}")]
    VersionTwice(String),
    /// Two versions of a definition are stored.
    ///
    /// Hint: servers store objects in one version: set `storage: true` in it alone
    #[error("{0:?} and {1:?} both have `storage: true`")]
    StoredTwice(String, String),
    /// The name of the definition is not that of its kind.
    ///
    /// Hint: servers take the plural, a dot and the group as the name alone
    #[error("the definition has the name {found:?}, not {expected:?}")]
    OtherName { found: String, expected: String },
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
    /// A schema has a keyword that servers ignore.
    ///
    /// Hint: the types are those of a schema without it, as a server publishes it: correct the name, or remove the keyword
    #[strum(props(severity = "warning"))]
    #[error("servers ignore the keyword `{keyword}`{}{}", did_you_mean(near.as_ref()), elsewhere(*more))]
    IgnoredKeyword { keyword: String, near: Option<String>, more: usize },
    /// Schemas of a definition have vendor extensions, which servers ignore.
    ///
    /// Hint: the types are those of a schema without them, as a server publishes it
    #[strum(props(severity = "warning"))]
    #[error("servers ignore vendor extensions: `{0}`")]
    ForeignKeywords(String),
    /// A schema has a type that no server knows.
    ///
    /// Hint: its values are any JSON in Rust: correct the type
    #[strum(props(severity = "warning"))]
    #[error("servers do not know the type `{name}`{}{}", did_you_mean(near.as_ref()), elsewhere(*more))]
    ForeignType { name: String, near: Option<String>, more: usize },
    /// A schema states no type, or a list no items.
    ///
    /// Hint: servers reject such a definition: state it; the schema of any value is `x-kubernetes-preserve-unknown-fields: true`
    #[strum(props(severity = "warning"))]
    #[error("the schema has no `{keyword}`{}", elsewhere(*more))]
    NotStated { keyword: &'static str, more: usize },
    /// No version of a definition is stored.
    ///
    /// Hint: servers reject such a definition: set `storage: true` in one of its versions
    #[strum(props(severity = "warning"))]
    #[error("no version of `{0}` has `storage: true`")]
    NotStored(String),
    /// A default is of another type than its field.
    ///
    /// Hint: servers reject such a definition: write a default of this type
    #[strum(props(severity = "warning"))]
    #[error("the default {default} is not of the type `{of_type}`{}", elsewhere(*more))]
    WrongDefault { default: String, of_type: String, more: usize },
    /// A default is none of the words that its field can have.
    ///
    /// Hint: servers reject such a definition: write a default that is in `enum`
    #[strum(props(severity = "warning"))]
    #[error("the default {default} is not in `enum`{}", elsewhere(*more))]
    DefaultNotInEnum { default: String, more: usize },
    /// A schema requires a field that it does not have.
    ///
    /// Hint: no object is valid, because servers drop fields that the schema does not have: correct the name, or add the field
    #[strum(props(severity = "warning"))]
    #[error("the field `{name}` is required, and not in `properties`{}{}", did_you_mean(near.as_ref()), elsewhere(*more))]
    RequiredDropped { name: String, near: Option<String>, more: usize },
    /// YAML gives the name of a field without quotes another meaning.
    ///
    /// Hint: put the name into quotes: `y`, `n`, `yes`, `no`, `on`, `off` are booleans, also as keys
    #[strum(props(severity = "warning"))]
    #[error("the field `{word}` is called `{name}` in YAML{}", elsewhere(*more))]
    MisreadName { word: String, name: String, more: usize },
    /// The items of a list are named by a field that they do not have.
    ///
    /// Hint: servers reject such a definition: name fields of the items in `x-kubernetes-list-map-keys`
    #[strum(props(severity = "warning"))]
    #[error("`{key}` is a key of the list, but its items have no such field{}", elsewhere(*more))]
    NoSuchKey { key: String, more: usize },
}

fn elsewhere(more: usize) -> String {
    match more {
        0 => String::new(),
        1 => " (and in another place)".to_owned(),
        more => format!(" (and in {more} other places)"),
    }
}
