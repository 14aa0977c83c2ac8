//! Requests that cannot be built.

use thiserror::Error;

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
        of: String,
        /// The name.
        found: String,
    },
    /// The parameters ask for a stream where one answer is expected.
    #[error("`watch=true` asks for a stream of events: build the request with the watch function")]
    Watch,
    /// The parameters ask for one answer where a stream is expected.
    #[error("`watch=false` contradicts a watch")]
    NoWatch,
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
    /// A parameter that servers ignore when options are sent: a dry run in the query would delete for real.
    #[error("servers ignore the parameter `{0}` when options are sent: set it in the options")]
    IgnoredParameter(&'static str),
    /// The body cannot be written as JSON.
    #[error("the body cannot be written as JSON: {0}")]
    Body(#[source] serde_json::Error),
    /// The parts do not make a request, for example because the URL is too long.
    #[error("the request cannot be built: {0}")]
    Http(#[from] http::Error),
}
