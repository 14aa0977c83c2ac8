//! The subcommands and options that need a cluster: the client, its errors, Ctrl-C, and the objects of a cluster.

mod connect;
pub mod doctor;
pub mod elect;
mod findings;
pub mod lead;
mod limits;
pub mod migrate;
mod process;
mod requests;
mod retries;

use std::str::FromStr;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::prelude::*;
use k8s_coordination::requests::ListParameters;
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{self, Candidates, Listed, send_pages, served, with_causes};
use kube::Client;

use crate::{Error, Outcome};

/// The exit code of a command that Ctrl-C interrupted, as shells have it.
const INTERRUPTED: u8 = 130;

/// The default of `--request-timeout`.
pub(crate) const REQUEST_TIMEOUT: u32 = 30;

/// Reads an argument that is a number of seconds.
pub(crate) fn seconds<T: FromStr>(text: &str) -> Result<T, &'static str> {
    text.parse().map_err(|_| "write a whole number of seconds, such as `30`")
}

/// The number of objects in a page of a list.
const PAGE: i64 = 500;

impl From<client::Error> for Error {
    fn from(error: client::Error) -> Self {
        let (message, hint) = (message(&error), error.hint());
        match error {
            client::Error::Client(_) | client::Error::Response(_) | client::Error::Watch(_) => {
                Self::Request { message, hint }
            }
            _ => Self::Cluster { message, hint },
        }
    }
}

/// An error with its causes, without the page that a server of something else answers with.
fn message(error: &client::Error) -> String {
    let refusal = error.api().filter(|refusal| refusal.status().is_none());
    match refusal.filter(|refusal| refusal.body().trim_ascii_start().starts_with(b"<")) {
        Some(refusal) => {
            format!("{}: the answer is a page, not one of an API server", refusal.code())
        }
        None => with_causes(error),
    }
}

impl Error {
    /// An error of a cluster with this hint.
    fn cluster(error: &(dyn std::error::Error + 'static), hint: &str) -> Self {
        Self::Cluster { message: with_causes(error), hint: Some(hint.to_owned()) }
    }

    /// The error, with the name of the cluster if it is about one.
    fn of_cluster(self, name: &str) -> Self {
        match self {
            Self::Cluster { message, hint } | Self::Request { message, hint } => {
                Self::Cluster { message: format!("{name}: {message}"), hint }
            }
            other => other,
        }
    }
}

/// Runs the work until it ends or the user presses Ctrl-C. Then it prints this message, if it is not empty.
fn run(
    interrupted: &str,
    work: impl Future<Output = Result<Outcome, Error>>,
) -> Result<Outcome, Error> {
    run_to_end(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => {
                if !interrupted.is_empty() {
                    eprintln!("{interrupted}");
                }
                Ok(Outcome::Code(INTERRUPTED))
            }
        }
    })
}

/// Runs the work until it ends. It handles Ctrl-C itself.
fn run_to_end(work: impl Future<Output = Result<Outcome, Error>>) -> Result<Outcome, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(Error::Runtime)?;
    let result = runtime.block_on(work);
    // A look-up of a name cannot be stopped, and the runtime would wait for it.
    runtime.shutdown_background();
    result
}

/// The newest version of candidates that the cluster serves.
async fn newest(client: &Client) -> Result<LeaseCandidateVersion, Error> {
    let chosen = served(client).await?.choose();
    chosen.map_err(|error| Error::Cluster { message: error.to_string(), hint: None })
}

/// The candidates of one namespace or of all, as the cluster has them.
async fn candidates(
    candidates: &Candidates<AnyLeaseCandidate>,
    namespace: Option<&str>,
) -> Result<Listed<AnyLeaseCandidate>, Error> {
    let parameters = ListParameters::default().with_limit(PAGE);
    let listed = match namespace {
        Some(namespace) => candidates.list(namespace, &parameters).await?,
        None => candidates.list_all_namespaces(&parameters).await?,
    };
    Ok(listed.body)
}

/// The Leases of one namespace or of all, and the `resourceVersion` of the list.
async fn leases(
    client: &Client,
    namespace: Option<&str>,
) -> Result<(Vec<Lease>, Option<String>), Error> {
    let parameters = ListParameters::default().with_limit(PAGE);
    let request = match namespace {
        Some(namespace) => Lease::list(namespace, &parameters),
        None => Lease::list_all_namespaces(&parameters),
    };
    let pages = send_pages(client, request.map_err(client::Error::from)?).await?;
    let last = pages.last().map(|page| &page.body.metadata);
    let version = last.and_then(|metadata| metadata.resource_version.clone());
    let leases = pages.into_iter().flat_map(|page| page.body.items);
    Ok((leases.collect(), version))
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use crate::Outcome;

    #[test]
    fn the_end_does_not_wait_for_a_thread() {
        let start = Instant::now();
        let result = super::run_to_end(async {
            tokio::task::spawn_blocking(|| std::thread::sleep(Duration::from_secs(30)));
            Ok(Outcome::Success)
        });
        assert_eq!(result.unwrap(), Outcome::Success);
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}
