//! Causes on the way from the model to Rust.

use strum::EnumProperty;
use thiserror::Error;

/// A cause on the way from the model to Rust.
#[derive(Clone, Debug, PartialEq, Eq, Error, EnumProperty)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum PlanCause {
    #[error("no rule says which module the schema `{0}` goes into")]
    #[strum(props(hint = "add a `[[module]]` to `specs/group.toml`"))]
    NoModule(String),
    #[error("`{0}` has no named fields to make a Rust type of")]
    #[strum(props(
        hint = "name the Rust type it stands for in an `[[intrinsic]]` of `specs/intrinsics.toml`"
    ))]
    NoShape(String),
    #[error(
        "`{field}` is a bare {value}, and no reference to a schema that a Rust type could stand for"
    )]
    #[strum(props(
        hint = "no document of Kubernetes did this so far: decide what it means in Rust, then teach the reader"
    ))]
    NamelessValue { field: String, value: String },
    #[error("`{0}` is no name for a Rust item")]
    #[strum(props(hint = "teach codegen/src/plan/names.rs another name for it"))]
    NotAnIdentifier(String),
    #[error("the Rust name `{0}` is that of the registry of all kinds")]
    #[strum(props(hint = "teach codegen/src/plan/names.rs another name for it"))]
    ReservedName(String),
    #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
    #[strum(props(hint = "teach codegen/src/plan/names.rs another name for it"))]
    NameClash { first: String, second: String, rust: String },
    #[error("`{0}` would contain itself")]
    #[strum(props(hint = "a type can contain itself only through a list or a map"))]
    Endless(String),
    #[error("a field requires a value of `{0}`, which has no default")]
    #[strum(props(
        hint = "if the type implements `Default`, say so with `default = true`; a time does not, as none of its \
                values means that there is none: for a required time, teach `plan/field` to use an `Option`"
    ))]
    NoDefault(String),
    #[error("several of the object's kinds could be written")]
    #[strum(props(hint = "a type writes one `apiVersion` and one `kind`"))]
    ManyKinds(Vec<String>),
    #[error("the resource `{resource}` has no type for {of}")]
    #[strum(props(
        hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its \
                own group-version-kind; the metadata is that of `io.k8s.apimachinery.pkg.apis.meta.v1`"
    ))]
    NoType { resource: String, of: &'static str },
    #[error("the object has no `metadata` of the type `ObjectMeta` that is always there")]
    #[strum(props(
        hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its \
                own group-version-kind; the metadata is that of `io.k8s.apimachinery.pkg.apis.meta.v1`"
    ))]
    NoMetadata,
    #[error(
        "a list has `items`, `metadata` of the type `ListMeta` that is always there, and nothing else; this one \
         differs"
    )]
    #[strum(props(
        hint = "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its \
                own group-version-kind; the metadata is that of `io.k8s.apimachinery.pkg.apis.meta.v1`"
    ))]
    UnusualList,
    #[error("the operation `{id}` is not a verb: {why}")]
    #[strum(props(
        hint = "Kubernetes' APIs have no such operation so far: decide what it is in Rust, then teach \
                codegen/src/plan/operations"
    ))]
    NoVerb { id: String, why: &'static str },
    #[error("the operation `{id}` is not what the verb `{verb}` is: {what}")]
    #[strum(props(
        hint = "all kinds have the same verbs: if Kubernetes changed the verb, change it in \
                crates/versioned/src/verb and in crates/versioned/src/operation; a new parameter goes into both, with \
                `since`, or into specs/left-out.toml with the reason why programs cannot give it"
    ))]
    UnlikeVerb { id: String, verb: &'static str, what: String },
    #[error("the resource `{resource}` has no `{verb}`, which others like it have")]
    #[strum(props(
        hint = "if such a resource is meant, give what is there a verb of its own in crates/versioned/src/verb"
    ))]
    VerbMissing { resource: String, verb: String },
    #[error("the text made for `{file}` is not Rust: {message}")]
    #[strum(props(hint = "this is a mistake in the generator, not in its input"))]
    NotRust { file: String, message: String },
}

impl PlanCause {
    pub(super) fn understood(&self) -> Option<String> {
        let Self::ManyKinds(kinds) = self else {
            return None;
        };
        let kinds = kinds.join(", ");
        Some(format!("one kind, or one of the core group among others; found {kinds}"))
    }
}
