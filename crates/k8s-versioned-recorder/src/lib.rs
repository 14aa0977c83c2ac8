//! A proxy that records requests to a Kubernetes API server and the responses.
//!
//! It runs between any client and a server, and writes each request with its response as a file in the format of
//! [`k8s_versioned_conformance::recordings`] (`docs/recordings.md` in the repository describes it). The command is
//! `k8s-versioned-recorder`; tests call [`serve`].
//!
//! It forwards to `kubectl proxy`, or with the feature `cluster` to the cluster of a kubeconfig context (`--context`), over
//! TLS and with the credentials of the context.
//!
//! ```text
//! kubectl proxy --port 8001
//! k8s-versioned-recorder --server 127.0.0.1:8001 --release v1.36 --group coordination.k8s.io --set leases --to fixtures
//! curl -H 'x-recording-name: list-leases' http://127.0.0.1:8002/apis/coordination.k8s.io/v1/leases
//! ```
//!
//! - Only the headers `accept`, `content-type` and `warning` are recorded. Credentials are forwarded but not recorded.
//! - Only `GET` passes, unless [`Options::allow_writes`] is set. The recorder answers anything else with 403.
//! - Responses are forwarded as they arrive, including watches. A watch is recorded when the client or the server ends it.
//! - The header `x-recording-name` names the case. A name that the set already has is refused with 400.
//! - Only requests to the paths of [`Options::group`] are recorded. Other requests are only forwarded.

mod exchange;
mod options;
mod proxy;
mod tee;
mod upstream;

pub use options::{Options, ServerAddress};
pub use proxy::serve;
