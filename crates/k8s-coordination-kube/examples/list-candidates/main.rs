//! Lists the candidates of a cluster, of any version, with the leaders and the reasons.

#[path = "../common/mod.rs"]
mod common;

use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::{Parser, ValueEnum};
use futures_util::StreamExt;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{CandidateOutcome, Due, Outcome, Standing};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::prelude::*;
use k8s_coordination::requests::{ApiError, Event, ListParameters};
use k8s_coordination::v1::Lease;
use k8s_coordination_kube::client::{Candidates, Error, EventStream, send_watch, served};
use kube::Client;
use serde::Serialize;

use common::{Failure, cluster};

/// Lists the candidates of coordinated leader elections, of any version of the API, with the leaders and the reasons.
#[derive(Debug, Parser)]
#[command(name = "list-candidates")]
pub(crate) struct Options {
    /// Reads only this namespace
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
    /// The form of the output
    #[arg(short, long, value_enum, default_value_t = Output::Table)]
    pub(crate) output: Output,
    /// Prints the list again whenever a candidate or a leader changes, until Ctrl-C
    #[arg(short, long)]
    pub(crate) watch: bool,
    /// The context of the kubeconfig
    #[arg(long)]
    pub(crate) context: Option<String>,
}

/// The form of the output.
#[derive(Clone, Copy, Debug, PartialEq, ValueEnum)]
pub(crate) enum Output {
    /// For people
    Table,
    /// For programs
    Json,
}

/// Lists the candidates, and with `--watch` again after each change.
pub(crate) async fn run(
    client: &Client,
    options: &Options,
    now: impl Fn() -> MicroTime,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let version = served(client).await?.choose()?;
    let candidates = Candidates::<AnyLeaseCandidate>::new(client.clone(), version);
    let namespace = options.namespace.as_deref();
    loop {
        let listed = cluster::candidates(&candidates, namespace).await?;
        let (leases, leases_version) = cluster::leases(client, namespace).await?;
        write(&listed.items, &leases, options, now(), out)?;
        if !options.watch {
            return Ok(ExitCode::SUCCESS);
        }
        let candidates_version = listed.metadata.resource_version;
        tokio::select! {
            biased;
            changed = candidate_changes(&candidates, namespace, candidates_version) => changed?,
            changed = lease_changes(client, namespace, leases_version, &leases) => changed?,
            () = tokio::time::sleep(REDRAW) => {}
        }
    }
}

/// The longest time without a redraw. The expiry of a Lease is no event.
const REDRAW: Duration = Duration::from_secs(10);

/// The parameters of a watch that continues from a list.
fn since(version: Option<String>) -> ListParameters {
    let mut parameters = ListParameters::default().with_allow_watch_bookmarks(true);
    parameters.resource_version = version;
    parameters
}

/// Waits for an event that counts. A watch that ends or breaks counts, too, and so does one that cannot begin because its
/// `resourceVersion` has expired: the next list shows the changes.
async fn changes<E>(
    events: Result<EventStream<E>, Error>,
    counts: impl Fn(&E) -> bool,
) -> Result<(), Failure> {
    let mut events = match events {
        Err(error) if error.api().is_some_and(ApiError::is_expired) => return Ok(()),
        events => events?,
    };
    while let Some(Ok(event)) = events.next().await {
        if counts(&event) {
            break;
        }
    }
    Ok(())
}

/// Waits until a candidate changes.
async fn candidate_changes(
    candidates: &Candidates<AnyLeaseCandidate>,
    namespace: Option<&str>,
    version: Option<String>,
) -> Result<(), Failure> {
    let events = match namespace {
        Some(namespace) => candidates.watch(namespace, &since(version)).await,
        None => candidates.watch_all_namespaces(&since(version)).await,
    };
    changes(events, |(event, _)| !matches!(event, Event::Bookmark { .. })).await
}

/// Waits for a change of a Lease that is no renewal.
async fn lease_changes(
    client: &Client,
    namespace: Option<&str>,
    version: Option<String>,
    listed: &[Lease],
) -> Result<(), Failure> {
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
    let events = send_watch(client, &request.map_err(Error::from)?).await;
    let counts = |event: &Event<Lease>| match event {
        Event::Bookmark { .. } => false,
        Event::Modified(lease) => !known.contains(&without_times(lease)),
        _ => true,
    };
    changes(events, counts).await
}

/// The output for programs.
#[derive(Serialize)]
struct Listing<'a> {
    candidates: &'a [AnyLeaseCandidate],
    elections: &'a [Outcome<'a>],
}

fn write(
    candidates: &[AnyLeaseCandidate],
    leases: &[Lease],
    options: &Options,
    now: MicroTime,
    out: &mut impl Write,
) -> Result<(), Failure> {
    let elections = cluster::elections(candidates, leases, now);
    let elections: Vec<Outcome<'_>> = elections.into_iter().map(|(outcome, _)| outcome).collect();
    match options.output {
        Output::Json => {
            serde_json::to_writer(&mut *out, &Listing { candidates, elections: &elections })?;
            writeln!(out)?;
        }
        Output::Table => {
            if options.watch {
                // Clears the screen.
                write!(out, "\x1b[2J\x1b[H")?;
            }
            table(&elections, now, out)?;
        }
    }
    Ok(out.flush()?)
}

const HEAD: [&str; 8] =
    ["NAMESPACE", "LEASE", "CANDIDATE", "VERSION", "BINARY", "EMULATION", "RENEWED", "STANDING"];

fn table(elections: &[Outcome<'_>], now: MicroTime, out: &mut impl Write) -> Result<(), Failure> {
    if elections.is_empty() {
        writeln!(out, "There are no candidates.")?;
        return Ok(());
    }
    let mut rows = vec![HEAD.map(str::to_owned).to_vec()];
    for election in elections {
        rows.extend(election.candidates.iter().map(|of| row(of, election, now)));
    }
    let columns = 0..HEAD.len();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max()
    };
    let widths: Vec<usize> = columns.filter_map(width).collect();
    for row in &rows {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:width$}"));
        writeln!(out, "{}", cells.collect::<Vec<_>>().join("  ").trim_end())?;
    }
    for election in elections {
        write!(out, "\n{election}")?;
    }
    Ok(())
}

fn row(of: &CandidateOutcome<'_>, election: &Outcome<'_>, now: MicroTime) -> Vec<String> {
    let candidate = of.candidate;
    let renewed = candidate.renew_time().map_or("never".to_owned(), |time| {
        let seconds = now.duration_since(*time).as_secs();
        let age = jiff::SignedDuration::from_secs(seconds.saturating_abs());
        if seconds < 0 { format!("in {age:#}") } else { format!("{age:#} ago") }
    });
    let lapsed =
        matches!(election.due, Some(Due::Expired { .. } | Due::NoRenewTime | Due::NoDuration));
    let leads = !lapsed && election.holder == Some(candidate.name());
    let best = election.best == Some(candidate.name());
    let standing = match of.standing {
        _ if leads && best => "leads",
        _ if leads => "leads, not the best",
        Standing::Expired { .. } => "expired",
        Standing::Silent { .. } => "has not answered",
        standing if !standing.is_eligible() => "not eligible",
        _ if best => "best",
        _ => "waits",
    };
    let cells = [
        candidate.namespace(),
        candidate.lease_name(),
        candidate.name(),
        candidate.version().as_str(),
        candidate.binary_version().unwrap_or_default(),
        candidate.emulation_version().unwrap_or_default(),
        &renewed,
        standing,
    ];
    // Any client may write a candidate: its texts must not leave their cells.
    cells.map(|cell| cell.escape_debug().to_string()).to_vec()
}

fn main() -> ExitCode {
    let options = Options::parse();
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        run(&client, &options, MicroTime::now, &mut std::io::stdout()).await
    };
    common::run(work, "")
}
