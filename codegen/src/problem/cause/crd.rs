//! Causes in the manifests of CustomResourceDefinitions.

use k8s_versioned_core::Version;

use super::table::causes;
use crate::text::reason;

causes! {
    /// A cause in a manifest.
    #[derive(PartialOrd, Ord)]
    pub(crate) enum CrdCause {
        /// None of the objects in the manifests defines a custom resource.
        #[error("there is no CustomResourceDefinition")]
        #[id = "no-definition"]
        #[hint = "name files with objects of the kind CustomResourceDefinition"]
        NoDefinition,
        /// The definition is of a version that no server has had.
        #[error("{0:?} is not an apiVersion of a CustomResourceDefinition")]
        #[id = "api-version"]
        #[hint = "there are `apiextensions.k8s.io/v1` and, until 1.21, `v1beta1`"]
        ApiVersion(String),
        /// A name is missing in the definition, or is not a text.
        #[error("the name is missing, or is not a string")]
        #[id = "no-text"]
        #[hint = "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters"]
        NoText,
        /// Servers reject a name in the definition.
        #[error("{0:?} cannot be a name here")]
        #[id = "name"]
        #[hint = "servers take names of lower-case letters, digits, `-` and `.`; kinds also have upper-case letters; kinds \
            and plurals have at most 63 characters"]
        Name(String),
        /// Servers reject the name of a version.
        #[error("{name:?} is not a version: {}", reason::<Version>(name))]
        #[id = "version"]
        #[hint = "servers reject such a definition: correct the name, or leave the version out by `[[leave-out]]` in \
            `specs/group.toml`"]
        #[leave_out]
        Version { name: String },
        /// The definition does not say whether its objects are in namespaces.
        #[error("{0:?} is not a scope")]
        #[id = "scope"]
        #[hint = "the scope is `Namespaced` or `Cluster`"]
        Scope(String),
        /// The definition has no version.
        #[error("there are no versions")]
        #[id = "no-versions"]
        #[hint = "`spec.versions` lists them"]
        NoVersions,
        /// The definition has more versions than any real one: each of them is a module.
        #[error("there are {found} versions, more than {limit}")]
        #[id = "many-versions"]
        #[hint = "check that this is the right file"]
        ManyVersions { found: usize, limit: usize },
        /// The schema of a version is not an object.
        #[error("the schema of a version is not an object")]
        #[id = "no-schema"]
        #[hint = "a version has its schema at `schema.openAPIV3Schema`; `[[leave-out]]` in `specs/group.toml` leaves out a \
            version"]
        #[leave_out]
        NoSchema,
        /// The schema of a version is not of objects.
        #[error("the schema of a kind must have the type `object`, not {0}")]
        #[id = "not-an-object"]
        #[hint = "servers accept only the type `object` at the top of a schema; `[[leave-out]]` in `specs/group.toml` leaves \
            out a version"]
        #[leave_out]
        NotAnObject(String),
        /// A version occurs twice in a definition, and only one of the two could be generated.
        #[error("there is another version {0:?}")]
        #[id = "version-twice"]
        #[hint = "servers reject such a definition: remove one of the two"]
        VersionTwice(String),
        /// Two definitions that differ are of the same kind of a group.
        #[error("there is another definition of {kind:?} in {other}, and it differs")]
        #[id = "kind-twice"]
        #[hint = "a release has one definition of each kind: name only the files of one release of the product"]
        KindTwice {
            /// The kind of both.
            kind: String,
            /// The file of the other, and its number in it.
            other: String,
        },
        /// A list has the name of another kind.
        #[error("the list kind {0:?} has the name of another kind or list")]
        #[id = "list-kind"]
        #[hint = "servers reject one of the two: each kind and each list has its own name, without `listKind` the kind with \
            `List`"]
        ListKind(String),
        /// Definitions of two kinds have one name.
        #[error("the kind {kind:?} also has the name {name:?}")]
        #[id = "plural-twice"]
        #[hint = "the plural and the group are the name of a definition: a cluster has one of the two"]
        PluralTwice { name: String, kind: String },
        /// A group and version has both a document and a definition.
        #[error("this group and version has both a document and a definition")]
        #[id = "document-too"]
        #[hint = "a group and version is either a document or definitions: remove one of them"]
        DocumentToo,
        /// A definition is in no folder of a release, and other files are.
        #[error("the definitions are not in the folder of a release, but other files are in {0}")]
        #[id = "no-release"]
        #[hint = "move the file into the folder of its release, such as `v1.36` or `1.15.0`"]
        NoRelease(String),
        /// A definition has a version that is not served, and the package has no types of it.
        #[error(
            "`{version}` of `{kind}` is not served and left out; objects can still be stored in it"
        )]
        #[id = "left-out"]
        #[hint = "`unserved = true` in `specs/group.toml` also generates such versions, and `unserved = false` leaves them out without this \
            warning"]
        #[warning]
        LeftOut { version: String, kind: String },
        /// Schemas of a definition have vendor extensions, which servers ignore.
        #[error("servers ignore vendor extensions: `{0}`")]
        #[id = "foreign-keywords"]
        #[hint = "the types are the same as without them, since servers do not publish them"]
        #[warning]
        ForeignKeywords(String),
        /// A keyword of a schema does nothing, or no value fits it. Servers accept it.
        #[error("`{keyword}` means nothing here{when}: {why}{}", elsewhere(*more))]
        #[id = "meaningless"]
        #[hint = "servers take the definition as it is: correct the keyword, or remove it"]
        #[warning]
        Meaningless { keyword: String, when: String, why: &'static str, more: usize },
        /// Servers refuse a definition with this keyword.
        #[error("servers reject {what}: {why}{}{}", instead(*in_rust), elsewhere(*more))]
        #[id = "refused"]
        #[hint = "a server takes no such definition, unless it has stored it before: correct it"]
        #[warning]
        Refused {
            what: String,
            why: &'static str,
            /// What Rust has instead of a type that the schema does not have.
            in_rust: Option<&'static str>,
            more: usize,
        },
        /// Servers refuse the definition.
        #[error("servers reject the definition: {message}{}{}", instead(*in_rust), elsewhere(*more))]
        #[id = "rejected"]
        #[hint = "a server takes no such definition, unless it has stored it before: correct it"]
        #[warning]
        Rejected { message: String, in_rust: Option<&'static str>, more: usize },
        /// Several files have versions of one definition.
        #[error("the definition of `{kind}` has further versions in `{files}`")]
        #[id = "united"]
        #[hint = "nothing is wrong if the files are of one release of the product"]
        #[warning]
        United { kind: String, files: String },
        /// YAML gives the name of a field without quotes another meaning.
        #[error("the field `{word}` is called `{name}` in YAML{}", elsewhere(*more))]
        #[id = "misread-name"]
        #[hint = "put the name into quotes: `y`, `n`, `yes`, `no`, `on`, `off` are booleans, also as keys"]
        #[warning]
        MisreadName { word: String, name: String, more: usize },
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
