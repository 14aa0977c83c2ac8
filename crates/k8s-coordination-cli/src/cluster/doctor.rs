//! `coordination doctor`: the problems of the Leases and candidates of a cluster.

use std::io::Write;

use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination_kube::client::{Candidates, served};
use k8s_versioned_terminal::{Outcome, QuietArgs, Report, ReportFormat, stdout_width};
use kube::Client;
use serde::Serialize;

use super::connect::connect;
use super::findings::{self, Cluster};
use crate::Error;
use crate::elect::Contests;

const AFTER_HELP: &str = "\
Exit codes: 0 if there is no problem; 1 if there are problems; 2 if the cluster cannot be read; 130 after Ctrl-C.";

/// The arguments of `coordination doctor`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct DoctorArgs {
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
    /// The format of the output. Objects of a cluster have no place in a file, which other formats are about.
    #[arg(long, value_parser = ReportFormat::one_of(&ReportFormat::PAGE), default_value = "text")]
    pub format: ReportFormat,
    /// What the report leaves out.
    #[command(flatten)]
    pub quiet: QuietArgs,
}

/// What the output for programs has besides findings.
#[derive(Serialize)]
struct Read {
    leases: usize,
    candidates: usize,
    /// Why the cluster has no candidates, if it serves none; or the release that removes the version of its candidates.
    note: Option<String>,
}

/// Reads the cluster of the arguments and prints its problems.
///
/// # Errors
///
/// The errors of [`run`], or there is no kubeconfig.
pub fn start(args: &DoctorArgs, out: &mut dyn Write) -> Result<Outcome, Error> {
    super::run("interrupted: some objects were not checked", async {
        let context = args.context.as_deref();
        let (client, requests) = connect(context, args.request_timeout).await?;
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
    args: &DoctorArgs,
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
    let contests = Contests::of_cluster(candidates.clone(), leases.clone());
    let cluster = Cluster {
        leases: &leases,
        candidates: &candidates,
        elections: contests.elections(now),
        now,
        skew: args.skew.into(),
    };
    let quiet = args.quiet.quiet;
    let mut report = Report::new(args.format, quiet).with_width(stdout_width());
    for finding in findings::all(&cluster) {
        report.add(finding);
    }
    let (leases, candidates) = (leases.len(), candidates.len());
    report.count_objects(leases + candidates);
    let (success, is_text) = (report.is_success(), args.format == ReportFormat::Text && !quiet);
    if let Some(note) = note.as_ref().filter(|_| is_text) {
        writeln!(out, "note: {note}")?;
    }
    report.write(success, Read { leases, candidates, note }, out)?;
    if is_text {
        let problems = report.errors();
        writeln!(out, "Leases: {leases}, candidates: {candidates}, problems: {problems}")?;
    }
    Ok(Outcome::new(success))
}
