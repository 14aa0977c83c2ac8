//! `coordination elect --cluster`: the elections of a cluster, again after each change with `--watch`.

use std::io::Write;
use std::time::Duration;

use futures_util::StreamExt;
use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ApiError, Event, ListParameters};
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{self, Candidates, EventStream, send_watch};
use k8s_versioned_terminal::{Report, ReportFormat};
use kube::Client;
use tokio::time::Instant;

use super::connect::connect;
pub use crate::elect::SourceArgs;
use crate::elect::{Contests, ElectArgs, write_outcomes};
use crate::{Error, Outcome};

/// Reads the cluster of the arguments, runs its elections and writes the outcomes.
///
/// # Errors
///
/// The errors of [`run`], or there is no kubeconfig.
pub fn start(args: &ElectArgs, out: &mut dyn Write, err: &mut dyn Write) -> Result<Outcome, Error> {
    super::run("", async {
        let SourceArgs { context, request_timeout, .. } = &args.source;
        let (client, requests) = connect(context.as_deref(), *request_timeout).await?;
        let name = |error| requests.name(error);
        run(&client, args, MicroTime::now, name, out, err).await
    })
}

/// Runs the elections of a cluster and writes the outcomes, and with `--watch` again after each change. `name` adds the name of
/// the cluster to an error.
///
/// # Errors
///
/// A request failed, or there is no such `Lease`. With `--watch` these end it only until it has written once; later it
/// writes the error to `err`, and reads the cluster again.
pub async fn run(
    client: &Client,
    args: &ElectArgs,
    now: impl Fn() -> MicroTime,
    name: impl Fn(Error) -> Error,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<Outcome, Error> {
    let (mut pause, mut version, mut begun, mut told) = (PAUSE, None, false, String::new());
    loop {
        let next = Instant::now() + pause;
        let changed = match look(client, args, &mut version, &now, out, err).await {
            Ok((outcome, _)) if !args.source.watch => return Ok(outcome),
            Ok((_, seen)) => {
                begun = true;
                if clears(args) {
                    told.clear();
                }
                seen.changes(client, args.namespace.as_deref()).await
            }
            Err(error) => Err(error),
        };
        let changed = match changed {
            Ok(changed) => {
                told.clear();
                changed
            }
            Err(error) if begun && error.may_pass() => {
                tell(&name(error), &mut told, err)?;
                // An update of the server can be the reason.
                version = None;
                false
            }
            Err(error) => return Err(name(error)),
        };
        // Without a pause, a watch that ends at once would list all objects without end.
        pause = if changed { PAUSE } else { (pause * 2).min(LOOK) };
        tokio::time::sleep_until(next).await;
    }
}

/// Returns `true` if the elections replace those on the screen.
fn clears(args: &ElectArgs) -> bool {
    args.source.watch && args.format == ReportFormat::Text
}

/// Writes an error after which the cluster is read again, unless it was the last error written.
fn tell(error: &Error, told: &mut String, err: &mut dyn Write) -> Result<(), Error> {
    let error = error.to_string();
    if *told != error {
        writeln!(err, "{error}\nthe cluster is read again until Ctrl-C")?;
        *told = error;
    }
    Ok(())
}

/// The objects of a cluster, and where to watch from.
struct Seen {
    candidates: Candidates<AnyLeaseCandidate>,
    candidates_version: Option<String>,
    leases: Vec<Lease>,
    leases_version: Option<String>,
}

/// Reads a cluster, which serves candidates in this version if that is known, and writes its elections.
async fn look(
    client: &Client,
    args: &ElectArgs,
    version: &mut Option<LeaseCandidateVersion>,
    now: impl Fn() -> MicroTime,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> Result<(Outcome, Seen), Error> {
    let namespace = args.namespace.as_deref();
    let known = match *version {
        Some(known) => known,
        None => *version.insert(super::newest(client).await?),
    };
    let candidates = Candidates::new(client.clone(), known);
    let listed = super::candidates(&candidates, namespace).await?;
    let (leases, leases_version) = super::leases(client, namespace).await?;
    let contests = Contests::of_cluster(listed.items, leases.clone());
    let outcomes = contests.outcomes(args.lease.as_deref(), now())?;
    if clears(args) {
        // Clears the screen.
        write!(out, "\x1b[2J\x1b[H")?;
    }
    let mut report = Report::new(args.format, args.quiet.quiet);
    let outcome = write_outcomes(args, &outcomes, &mut report, out, err)?;
    let candidates_version = listed.metadata.resource_version;
    Ok((outcome, Seen { candidates, candidates_version, leases, leases_version }))
}

impl Seen {
    /// Waits until the elections have to be written again. Returns `false` if a watch has ended before.
    async fn changes(self, client: &Client, namespace: Option<&str>) -> Result<bool, Error> {
        tokio::select! {
            biased;
            changed = candidate_changes(&self.candidates, namespace, self.candidates_version) => changed,
            changed = lease_changes(client, namespace, self.leases_version, &self.leases) => changed,
            () = tokio::time::sleep(LOOK) => Ok(true),
        }
    }
}

/// The shortest time between two looks.
const PAUSE: Duration = Duration::from_secs(1);

/// The longest time without another look. The expiry of a Lease is not an event.
const LOOK: Duration = Duration::from_secs(10);

/// The parameters of a watch that continues from a list.
fn since(version: Option<String>) -> ListParameters {
    let mut parameters = ListParameters::default().with_allow_watch_bookmarks(true);
    parameters.resource_version = version;
    parameters
}

/// Waits for an event that counts. Returns `false` if the watch ends or breaks before, or cannot begin because its
/// `resourceVersion` has expired: the next list shows the changes.
async fn changes<E>(
    events: Result<EventStream<E>, client::Error>,
    counts: impl Fn(&E) -> bool,
) -> Result<bool, Error> {
    let mut events = match events {
        Err(error) if error.api().is_some_and(ApiError::is_expired) => return Ok(false),
        events => events?,
    };
    while let Some(Ok(event)) = events.next().await {
        if counts(&event) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Waits until a candidate changes.
async fn candidate_changes(
    candidates: &Candidates<AnyLeaseCandidate>,
    namespace: Option<&str>,
    version: Option<String>,
) -> Result<bool, Error> {
    let events = match namespace {
        Some(namespace) => candidates.watch(namespace, &since(version)).await,
        None => candidates.watch_all_namespaces(&since(version)).await,
    };
    changes(events, |(event, _)| !matches!(event, Event::Bookmark { .. })).await
}

/// Waits for a change of a Lease that is not a renewal.
async fn lease_changes(
    client: &Client,
    namespace: Option<&str>,
    version: Option<String>,
    listed: &[Lease],
) -> Result<bool, Error> {
    let request = match namespace {
        Some(namespace) => Lease::watch(namespace, since(version)),
        None => Lease::watch_all_namespaces(since(version)),
    };
    let without_times = |lease: &Lease| {
        let mut spec = lease.spec.clone();
        (spec.acquire_time, spec.renew_time) = (None, None);
        (lease.metadata.uid.clone(), spec)
    };
    let known: Vec<_> = listed.iter().map(without_times).collect();
    let events = send_watch(client, &request.map_err(client::Error::from)?).await;
    let counts = |event: &Event<Lease>| match event {
        Event::Bookmark { .. } => false,
        Event::Modified(lease) => !known.contains(&without_times(lease)),
        _ => true,
    };
    changes(events, counts).await
}
