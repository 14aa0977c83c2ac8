//! Causes in the plan of the Rust items.

use thiserror::Error;

use super::texts::Texts;

/// A cause in the plan of the Rust items.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what the fields are")]
pub enum PlanCause {
    #[error("no rule says which module the schema `{0}` goes into")]
    NoModule(String),
    #[error("`{0}` has no named fields for a Rust type")]
    NoShape(String),
    #[error("`{0}` cannot be the name of a Rust item")]
    NotAnIdentifier(String),
    #[error("the Rust name `{0}` is the name of the registry of all kinds")]
    ReservedName(String),
    #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
    NameClash { first: String, second: String, rust: String },
    #[error(
        "`{first}` and `{second}` would both be `{rust}` in Rust, and one of them may have had this name before"
    )]
    NameMoves { first: String, second: String, rust: String, table: String, key: String },
    #[error("there is no object `{object}`; did you mean `{near}`?")]
    NameOfNothing { object: String, near: String },
    #[error("`{0}` would contain itself")]
    Endless(String),
    #[error("the type is listed for several kinds, so its `kind` is ambiguous")]
    ManyKinds(Vec<String>),
    #[error("the resource `{resource}` has no type for {of}")]
    NoType { resource: String, of: &'static str },
    #[error("the object has no required `metadata` of type `ObjectMeta`")]
    NoMetadata,
    #[error(
        "a list must have `items`, required `metadata` of type `ListMeta`, and no other fields"
    )]
    UnusualList,
    #[error("the operation `{id}` is not a verb: {why}")]
    NoVerb { id: String, why: &'static str },
    #[error("the operation `{id}` differs from the verb `{verb}`: {what}")]
    UnlikeVerb { id: String, verb: &'static str, what: String },
    #[error("the resource `{resource}` has no {what}, which others like it have")]
    VerbMissing { resource: String, what: String },
    #[error("the text made for `{file}` is not Rust: {message}")]
    NotRust { file: String, message: String },
}

impl PlanCause {
    /// Each cause once, with empty fields.
    pub(super) fn all() -> [Self; 16] {
        [
            Self::NoModule(String::new()),
            Self::NoShape(String::new()),
            Self::NotAnIdentifier(String::new()),
            Self::ReservedName(String::new()),
            Self::NameClash { first: String::new(), second: String::new(), rust: String::new() },
            Self::NameMoves {
                first: String::new(),
                second: String::new(),
                rust: String::new(),
                table: String::new(),
                key: String::new(),
            },
            Self::NameOfNothing { object: String::new(), near: String::new() },
            Self::Endless(String::new()),
            Self::ManyKinds(Vec::new()),
            Self::NoType { resource: String::new(), of: "" },
            Self::NoMetadata,
            Self::UnusualList,
            Self::NoVerb { id: String::new(), why: "" },
            Self::UnlikeVerb { id: String::new(), verb: "", what: String::new() },
            Self::VerbMissing { resource: String::new(), what: String::new() },
            Self::NotRust { file: String::new(), message: String::new() },
        ]
    }

    /// Returns `true` if the files are generated nevertheless.
    pub(super) fn is_warning(&self) -> bool {
        matches!(self, Self::NameOfNothing { .. })
    }

    /// The identifier, the meaning and the hint.
    #[allow(clippy::too_many_lines, reason = "it is a table")]
    pub(super) fn texts(&self) -> Texts {
        match self {
            Self::NoModule(_) => (
                "no-module",
                "The name of a schema does not show its version, so it has no Rust module.",
                "add a `[[module]]` to `specs/group.toml`",
            ),
            Self::NoShape(_) => (
                "no-shape",
                "A schema has neither fields nor a known meaning.",
                "name its Rust type in an `[[intrinsic]]` of `specs/intrinsics.toml`",
            ),
            Self::NotAnIdentifier(_) => (
                "not-an-identifier",
                "No Rust name can be made of a name in the documents.",
                "if a rule states it: choose a name of ASCII letters and digits, of a type with a capital first, and \
                 leave a word out of its `[[vocabulary]]`, which holds any other word, too. If a document states it: \
                 give the kind of a definition a name in `specs/names.toml`; else name a type of your own for the \
                 schema in an `[[intrinsic]]` of `specs/intrinsics.toml`, and report it with the document",
            ),
            Self::ReservedName(_) => (
                "reserved-name",
                "A type has the name of an item that each package has.",
                "choose another name for the `[[vocabulary]]`",
            ),
            Self::NameClash { .. } => (
                "name-clash",
                "Two names of the documents become the same Rust name.",
                "schemas: give one another module by a `[[module]]` in `specs/group.toml`; words: give the field a \
                 `[[vocabulary]]` of its own; names in `specs/names.toml`: change one",
            ),
            Self::NameMoves { .. } => (
                "name-moves",
                "Two names of a custom resource become the same Rust name, and one of them may have had it.",
                "programs use the name: say in `specs/names.toml` which of the two keeps it; the other one gets \
                 another",
            ),
            Self::NameOfNothing { .. } => (
                "name-of-nothing",
                "`names.toml` names an object that its kind does not have, and lacks one that it has.",
                "correct the path and the name: `generate` writes the file anew, with a name of its own for the \
                 object",
            ),
            Self::Endless(_) => (
                "endless",
                "A type contains itself in a field that is always there.",
                "no value of it would end. If servers leave the field out, say so in `specs/fields.toml`: `empty = \
                 \"kept\"` makes it an `Option`; else report it with the document",
            ),
            Self::ManyKinds(_) => (
                "many-kinds",
                "A type is listed for several kinds, and could not know which it is.",
                "a type writes one `apiVersion` and one `kind`: name a type of your own for the schema in an \
                 `[[intrinsic]]` of `specs/intrinsics.toml`, and report it with the document",
            ),
            Self::NoType { .. } => (
                "no-type",
                "A resource has no type for its objects or lists.",
                "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
                 group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is \
                 so, report it with the document; the other versions can be generated meanwhile: leave out this \
                 document",
            ),
            Self::NoMetadata => (
                "no-metadata",
                "The objects of a resource have no metadata, or of another type.",
                "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
                 group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is \
                 so, report it with the document; the other versions can be generated meanwhile: leave out this \
                 document",
            ),
            Self::UnusualList => (
                "unusual-list",
                "The list of a resource is unlike the lists of Kubernetes.",
                "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
                 group-version-kind; the metadata is a type of `io.k8s.apimachinery.pkg.apis.meta.v1`. If the API is \
                 so, report it with the document; the other versions can be generated meanwhile: leave out this \
                 document",
            ),
            Self::NoVerb { .. } => (
                "no-verb",
                "An operation is none of the verbs for which packages have functions.",
                "a subresource or a verb that no API of Kubernetes has so far: `verbs = false` in `specs/group.toml` \
                 generates the types without their requests; report it with the document",
            ),
            Self::UnlikeVerb { .. } => (
                "unlike-verb",
                "An operation differs from the same verb of all other kinds.",
                "all kinds have the same verbs: a new parameter can go into `specs/left-out.toml`, with the reason \
                 why programs cannot give it; `verbs = false` in `specs/group.toml` generates the types without their \
                 requests. If Kubernetes changed the verb, report it: it belongs into k8s-versioned-names",
            ),
            Self::VerbMissing { .. } => (
                "verb-missing",
                "A resource lacks a verb that others like it have.",
                "`verbs = false` in `specs/group.toml` generates the types without their requests; if Kubernetes has \
                 such resources now, report it: their verbs belong into k8s-versioned-names",
            ),
            Self::NotRust { .. } => (
                "not-rust",
                "The generator wrote text that is not Rust.",
                "this is a mistake in the generator, not in its input: report it with the documents",
            ),
        }
    }

    pub(super) fn understood(&self) -> Option<String> {
        match self {
            Self::ManyKinds(kinds) => {
                let kinds = kinds.join(", ");
                Some(format!("one kind, or one of the core group among others; found {kinds}"))
            }
            Self::NameMoves { table, rust, key, .. } => {
                Some(format!("in the table [{table:?}], for example `{rust} = [{key:?}]`"))
            }
            _ => None,
        }
    }
}
