//! The problems of a body.

use k8s_versioned::{DecodeError, Quoted};
use thiserror::Error;

/// A problem of a body: an error, for which a server refuses it, or a warning. Its text is that of the server.
///
/// Fields that are unknown or duplicate are errors with `fieldValidation=Strict` and warnings otherwise.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BodyProblem {
    /// An error: the body is not JSON, or not an object of the kind.
    #[error(transparent)]
    Decode(DecodeError),
    /// An error: the URL names another object, or another namespace.
    #[error("{field}: {} is not {}, which the URL names", Quoted(found), Quoted(expected))]
    NotOfUrl {
        /// The path of the field.
        field: &'static str,
        /// The value of the field.
        found: String,
        /// The value in the URL.
        expected: String,
    },
    /// The kind does not have the field; the server drops it.
    #[error("unknown field {0:?}")]
    UnknownField(String),
    /// The field is there more than once; the last one counts.
    #[error("duplicate field {0:?}")]
    DuplicateField(String),
    /// A warning: owners have the `uid` of others before them; the server drops them.
    #[error(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references in 1.20+, \
         and may reject such requests as early as 1.24; please fix your requests; \
         duplicate UID(s) observed: {}",
        .0.join(", ")
    )]
    DuplicateOwners(Vec<String>),
}

impl BodyProblem {
    /// The path of the field; empty if it is about the whole body.
    pub fn path(&self) -> &str {
        match self {
            Self::Decode(error) => error.path(),
            Self::NotOfUrl { field, .. } => field,
            Self::UnknownField(path) | Self::DuplicateField(path) => path,
            Self::DuplicateOwners(_) => "metadata.ownerReferences",
        }
    }
}
