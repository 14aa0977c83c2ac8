//! Requests that cannot be built.

use thiserror::Error;

use k8s_versioned::Quoted;
use k8s_versioned::field::{FieldError, FieldErrors};

/// A request that cannot be built: servers would refuse it, or it cannot be written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RequestError {
    /// A name cannot be a segment of a path.
    #[error(
        "{} cannot be a {of}: it must not be empty, `.` or `..`, and must not have a `/`",
        Quoted(found)
    )]
    Name {
        /// The thing that it names: `name`, `namespace`.
        of: &'static str,
        /// The name.
        found: String,
    },
    /// Parameters that servers refuse beside the other parameters of the request, for any objects: all of them, by
    /// name.
    ///
    /// The rules are those of the API servers of all known releases. A request that breaks one is not built;
    /// [`Request::with_parameter`](super::Request::with_parameter) sets such a parameter anyway.
    ///
    /// | refused | answer of a server | known from |
    /// |---|---|---|
    /// | list: `resourceVersionMatch` without `resourceVersion` | 422 | recordings |
    /// | list: `resourceVersionMatch` with `continue` | 422 | the source of the API server |
    /// | list: `resourceVersionMatch=Exact` with `resourceVersion=0` | 422 | the source |
    /// | list: `resourceVersion` other than `0` with `continue` | 400 | the source |
    /// | list: `sendInitialEvents` | 422 | the source |
    /// | watch: `sendInitialEvents` without `resourceVersionMatch=NotOlderThan` | 422 | the source |
    /// | watch: `resourceVersionMatch` without `sendInitialEvents` | 422 | the source |
    /// | watch: `resourceVersionMatch` with `continue` | 422 | the source |
    /// | deletion: `orphanDependents` with `propagationPolicy` | 422 | the source |
    #[error("{}", join(.0))]
    Refused(FieldErrors),
    /// The request creates an object, which has no status yet.
    #[error("a request that creates an object cannot be for its status")]
    NoStatus,
    /// A patch does not have the form of its kind.
    #[error("{0} must be a JSON object")]
    PatchForm(&'static str),
    /// `force` on a request that is not an apply.
    #[error("`force` is for apply alone")]
    Force,
    /// An apply without a `fieldManager`.
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

fn join(refused: &FieldErrors) -> String {
    let line = |it: &FieldError| format!("servers refuse `{}` {}", it.path, it.message);
    let lines: Vec<String> = refused.iter().map(line).collect();
    lines.join("; ")
}
