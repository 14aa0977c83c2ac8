//! Causes in the plan of the Rust items.

use thiserror::Error;

/// A cause in the plan of the Rust items.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "the message says what it is")]
pub enum PlanCause {
    #[error("no rule says which module the schema `{0}` goes into")]
    NoModule(String),
    #[error("`{0}` has no named fields for a Rust type")]
    NoShape(String),
    #[error("`{0}` is no name for a Rust item")]
    NotAnIdentifier(String),
    #[error("the Rust name `{0}` is that of the registry of all kinds")]
    ReservedName(String),
    #[error("`{first}` and `{second}` would both be `{rust}` in Rust")]
    NameClash { first: String, second: String, rust: String },
    #[error("`{0}` would contain itself")]
    Endless(String),
    #[error("several of the object's kinds could be written")]
    ManyKinds(Vec<String>),
    #[error("the resource `{resource}` has no type for {of}")]
    NoType { resource: String, of: &'static str },
    #[error("the object has no `metadata` of the type `ObjectMeta` that is always there")]
    NoMetadata,
    #[error(
        "a list has `items`, `metadata` of the type `ListMeta` that is always there, and nothing else; this one \
         differs"
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
    /// The advice.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::NoModule(_) => "add a `[[module]]` to `specs/group.toml`",
            Self::NoShape(_) => {
                "name its Rust type in an `[[intrinsic]]` of `specs/intrinsics.toml`"
            }
            Self::NotAnIdentifier(_) | Self::ReservedName(_) => {
                "no name of Rust can be made of this: check that the documents are genuine, or correct the rule"
            }
            Self::NameClash { .. } => {
                "schemas: give one another module by a `[[module]]` in `specs/group.toml`; words: give the field a \
                 `[[vocabulary]]` of its own"
            }
            Self::Endless(_) => {
                "a type can contain itself only in a field that can be absent, in a list or in a map"
            }
            Self::ManyKinds(_) => "a type writes one `apiVersion` and one `kind`",
            Self::NoType { .. } | Self::NoMetadata | Self::UnusualList => {
                "a resource has an object with `metadata`, and a list with `metadata` and `items`, each with its own \
                 group-version-kind; the metadata is that of `io.k8s.apimachinery.pkg.apis.meta.v1`"
            }
            Self::NoVerb { .. } => {
                "a subresource or a verb that no API of Kubernetes has so far: add it to \
                 crates/k8s-versioned-names/src/verb.rs, and its functions to crates/k8s-versioned-requests"
            }
            Self::UnlikeVerb { .. } => {
                "all kinds have the same verbs: if Kubernetes changed the verb, change it in \
                 crates/k8s-versioned-names/src/verb.rs and in crates/k8s-versioned-requests/src/verbs.rs; a new parameter goes \
                 into crates/k8s-versioned-names/src/parameters.rs, with its release, or into specs/left-out.toml with the reason why programs cannot give it"
            }
            Self::VerbMissing { .. } => {
                "if Kubernetes has such resources now, add their verbs to crates/k8s-versioned-names/src/verb.rs"
            }
            Self::NotRust { .. } => "this is a mistake in the generator, not in its input",
        }
    }

    pub(super) fn understood(&self) -> Option<String> {
        let Self::ManyKinds(kinds) = self else {
            return None;
        };
        let kinds = kinds.join(", ");
        Some(format!("one kind, or one of the core group among others; found {kinds}"))
    }
}
