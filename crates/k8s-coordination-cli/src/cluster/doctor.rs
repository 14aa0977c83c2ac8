//! `coordination doctor`: the problems of the Leases and candidates of a cluster.

use std::io::Write;

use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination_kube::client::{Candidates, served};
use k8s_versioned_names::findings::Finding;
use k8s_versioned_terminal::{Format, Outcome, write_json};
use kube::Client;
use serde::Serialize;

use super::findings::{self, Cluster};
use crate::Error;
use crate::elect::Contests;

const AFTER_HELP: &str = "\
Exit codes: 0 if there is no problem; 1 if there are problems; 2 if the cluster cannot be read; 130 after Ctrl-C.";

/// The arguments of `coordination doctor`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct Args {
    /// Read only this namespace.
    #[arg(long, short, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// Report times that are more than this in the future.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = super::seconds::<u32>)]
    pub skew: u32,
    /// The context of the kubeconfig.
    #[arg(long, value_name = "CONTEXT")]
    pub context: Option<String>,
    /// Give up when the API server sends nothing for this time; 0 waits forever.
    #[arg(long, value_name = "SECONDS", default_value_t = super::REQUEST_TIMEOUT, value_parser = super::seconds::<u32>)]
    pub request_timeout: u32,
    /// The format of the output.
    #[arg(long, value_parser = Format::one_of(&Format::ANSWER), default_value = "text")]
    pub format: Format,
}

/// The output for programs.
#[derive(Serialize)]
struct Diagnosis<'a> {
    success: bool,
    leases: usize,
    candidates: usize,
    /// Why the cluster has no candidates, if it serves none; or the release that removes the version of its candidates.
    note: Option<String>,
    findings: &'a [Finding],
}

/// Reads the cluster of the arguments and prints its problems.
///
/// # Errors
///
/// The errors of [`run`], or there is no kubeconfig.
pub fn start(args: &Args, out: &mut dyn Write) -> Result<Outcome, Error> {
    super::run("interrupted: some objects were not checked", async {
        let context = args.context.as_deref();
        let (client, requests) = super::connect(context, args.request_timeout).await?;
        let result = run(&client, args, MicroTime::now(), out).await;
        result.map_err(|error| requests.name(error))
    })
}

/// Reads the cluster and prints its problems.
///
/// # Errors
///
/// A request failed.
pub async fn run(
    client: &Client,
    args: &Args,
    now: MicroTime,
    out: &mut dyn Write,
) -> Result<Outcome, Error> {
    let served = served(client).await?;
    let namespace = args.namespace.as_deref();
    let (candidates, note) = match served.choose() {
        Ok(version) => {
            let client = Candidates::new(client.clone(), version);
            (super::candidates(&client, namespace).await?.items, served.deprecation())
        }
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let (leases, _) = super::leases(client, namespace).await?;
    let contests = Contests::of(candidates.clone(), leases.clone());
    let cluster = Cluster {
        leases: &leases,
        candidates: &candidates,
        elections: contests.elections(now),
        now,
        skew: args.skew.into(),
    };
    let findings = findings::of(&cluster);
    let success = findings.is_empty();
    let (leases, candidates) = (leases.len(), candidates.len());
    if args.format == Format::Json {
        let report = Diagnosis { success, leases, candidates, note, findings: &findings };
        write_json(&report, out)?;
        return Ok(Outcome::new(success));
    }
    if let Some(note) = note {
        writeln!(out, "note: {note}")?;
    }
    for finding in &findings {
        write!(out, "{finding}")?;
    }
    writeln!(out, "Leases: {leases}, candidates: {candidates}, problems: {}", findings.len())?;
    Ok(Outcome::new(success))
}
