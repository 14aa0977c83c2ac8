//! Requests that cannot be built.

use thiserror::Error;

use super::Refusal;

/// What keeps a request from being built: it could never be meant, or it cannot be written down.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A name cannot be a segment of a path.
    #[error(
        "`{found}` cannot be a {of}: it must not be empty, `.` or `..`, and must not have a `/`"
    )]
    Name {
        /// What it names: `name`, `namespace`.
        of: &'static str,
        /// The name.
        found: String,
    },
    /// Parameters that servers refuse beside each other: all of them.
    #[error("{}", join(.0))]
    Refused(Vec<Refusal>),
    /// The path leads to no object that exists already, so that it has no status.
    #[error("a request that creates an object cannot be for its status")]
    NoStatus,
    /// A patch does not have the form of its kind.
    #[error("{0} must be a JSON object")]
    PatchForm(&'static str),
    /// `force` on a patch that is not an apply.
    #[error("`force` is for apply alone")]
    Force,
    /// An apply without the name of the one who applies.
    #[error(
        "apply needs a `fieldManager`: the name under which the server records who owns which field"
    )]
    FieldManager,
    /// The parameters cannot be written into a query.
    #[error("the parameters cannot be written: {0}")]
    Parameters(#[source] serde_json::Error),
    /// The body cannot be written as JSON.
    #[error("the body cannot be written as JSON: {0}")]
    Body(#[source] serde_json::Error),
    /// The parts do not make a request, for example because the URL is too long.
    #[error("the request cannot be built: {0}")]
    Http(#[from] http::Error),
}

fn join(refused: &[Refusal]) -> String {
    let refused: Vec<String> = refused.iter().map(ToString::to_string).collect();
    refused.join("; ")
}

impl RequestError {
    /// The error of what is refused, if anything is.
    pub(super) fn check(refused: Vec<Refusal>) -> Result<(), Self> {
        if refused.is_empty() { Ok(()) } else { Err(Self::Refused(refused)) }
    }
}
