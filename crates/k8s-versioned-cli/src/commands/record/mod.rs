//! `record`: a proxy that records requests to a Kubernetes API server and the responses.
//!
//! It runs between any client and a server, and writes each request with its response as a file in the format of
//! [`k8s_versioned_conformance::recordings`] (`docs/guides/recordings.md` in the repository describes it). Tests call [`serve`].
//!
//! It forwards to `kubectl proxy`, or to the cluster of a kubeconfig context (`--context`), over TLS and with the credentials
//! of the context.
//!
//! ```text
//! kubectl proxy --port 8001
//! k8s-versioned record --server 127.0.0.1:8001 --release v1.36 --group coordination.k8s.io --set leases --to fixtures
//! curl -H 'x-recording-name: list-leases' http://127.0.0.1:8002/apis/coordination.k8s.io/v1/leases
//! ```
//!
//! - Only the headers `accept`, `content-type` and `warning` are recorded. Credentials are forwarded but not recorded.
//! - Only `GET` passes, unless [`RecordArgs::allow_writes`] is set. The recorder answers anything else with 403.
//! - Responses are forwarded as they arrive, including watches. A watch is recorded when the client or the server ends it.
//! - The header `x-recording-name` names the case. A name that the set already has is refused with 400.
//! - Only requests to the paths of [`RecordArgs::group`] are recorded. Other requests are only forwarded.

mod from_http;
mod limits;
mod options;
mod proxy;
mod secrets;
mod tee;
mod upstream;

use std::io::{self, Write as _};

use tokio::net::TcpListener;

use crate::Error;

pub use options::{RecordArgs, ServerAddress};
pub use proxy::serve;

/// Records until the process is ended.
///
/// # Errors
/// The address to listen on is not free, or as [`serve`] says.
pub fn run(options: RecordArgs) -> Result<(), Error> {
    let refused = |error: io::Error| Error::Refusal(error.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(refused)?.block_on(async {
        let listener = TcpListener::bind(options.listen).await.map_err(|error| {
            Error::Refusal(format!(
                "cannot listen on {}: {error}; `--listen` names another address",
                options.listen
            ))
        })?;
        let address = listener.local_addr().map_err(refused)?;
        let (group, to) = (&options.group, options.to.display());
        writeln!(io::stderr(), "recording {group} into {to}, on http://{address}")
            .map_err(refused)?;
        serve(listener, options).await.map_err(refused)
    })
}
