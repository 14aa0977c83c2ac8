//! Leading by a `Lease` with the client.
//!
//! [`lead`] runs the work whenever this process leads, and releases the Lease when the work is done. The elector of
//! [`k8s_lease_elector`] decides; this module sends its requests, keeps its watches open and runs the work.
//!
//! ```
//! use k8s_coordination_kube::lead::{LeadError, Settings, lead};
//!
//! async fn run(client: kube::Client) -> Result<(), LeadError> {
//!     let settings = Settings::new("default", "my-controller", "pod-7f9c");
//!     lead(client, settings, |leadership| async move {
//!         while leadership.holds() {
//!             println!("leads in term {}", leadership.token());
//!             tokio::select! {
//!                 () = tokio::time::sleep(std::time::Duration::from_secs(1)) => {}
//!                 () = leadership.stopped() => return, // Another process may lead soon.
//!             }
//!         }
//!     })
//!     .await
//! }
//! ```
//!
//! A [`Driver`] has more: a shutdown, Events on the Lease, and a [`Handle`] for `/healthz`, `/metrics` and stepping down. The
//! example `controller` of this crate and the page `docs/guides/controller.md` of the repository put it all together.
//!
//! With a candidate the API server picks the leader, by the versions of the programs (coordinated election):
//!
//! ```
//! # use k8s_coordination_kube::lead::{CandidateSettings, InClusterError, Settings};
//! # fn settings() -> Result<Settings, InClusterError> {
//! Ok(Settings::in_cluster("x")?.with_candidate(CandidateSettings::new("1.2.0")))
//! # }
//! ```
//!
//! If the server has no coordinated election at the start, the driver falls back to plain election, unless
//! [`CandidateSettings::fall_back`] is `false`.
//!
//! **Give the driver a client of its own.** Requests of one client wait for each other where a rate limit is a layer of the
//! client, and a controller that starts lists many objects: renewals that wait behind them come too late, and the process
//! loses the Lease at the worst time. [`client`] makes one. By default a client of `kube` sends a refused request (429, 503,
//! 504) again by itself, so that no answer comes in time and the driver cannot say why: that one does not.

mod announce;
mod clock;
mod driver;
mod leadership;
mod log;
mod metrics;
mod server;

use kube::{Client, Config};

pub use driver::{Driver, LeadError};
pub use k8s_lease_elector::{
    self, CandidateSettings, FencingToken, FencingTokenError, Health, InClusterError, Settings,
    SettingsErrors, State, StopCause,
};
pub use leadership::{Handle, Leadership};
pub use metrics::LeadMetrics;

/// A client for a driver: like [`Client::try_default`], but without retries, because the driver retries.
///
/// From a `Config` of your own, with `default_retry = false`, [`Client::try_from`] makes the same.
///
/// # Errors
///
/// There is no configuration of a cluster, or it is wrong.
pub async fn client() -> Result<Client, kube::Error> {
    let mut config = Config::infer().await.map_err(kube::Error::InferConfig)?;
    config.default_retry = false;
    Client::try_from(config)
}

/// Leads by the Lease that the settings name: runs the work whenever this process leads.
///
/// - When leading ends, the work is asked to stop ([`Leadership::stopped`]), and aborted when the term is over.
/// - When the work returns while this process leads, the Lease is released, and the function returns.
/// - When leading ends before the work returns, the function contends again, and calls `work` again.
///
/// If the future is dropped, the work is aborted, and the Lease runs out. To release it on a signal, use
/// [`Driver::with_shutdown`].
///
/// # Errors
///
/// The settings are wrong, or the work panicked. A request that fails, as with a permission that is missing, is not an error: the driver
/// sends it again. Whenever the reason changes it warns by `tracing`, or on the standard error if the program has no subscriber;
/// [`Handle::health`] has the last error for the program.
pub async fn lead<W, F>(client: Client, settings: Settings, work: W) -> Result<(), LeadError>
where
    W: FnMut(Leadership) -> F,
    F: Future<Output = ()> + Send + 'static,
{
    Driver::new(client, settings)?.run(work).await
}
