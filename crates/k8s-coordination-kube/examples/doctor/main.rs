//! Finds the problems of the Leases and candidates of a cluster.

#[path = "../common/mod.rs"]
mod common;
mod findings;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination_kube::client::{Candidates, served};
use kube::Client;

use common::{Failure, cluster};
use findings::Cluster;

/// Finds the problems of the Leases and candidates of a cluster.
///
/// The exit code is 0 if there is no problem, 1 if there are problems, 2 if the cluster cannot be read, and 130 after
/// Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "doctor")]
pub(crate) struct Options {
    /// Reads only this namespace
    #[arg(short, long)]
    pub(crate) namespace: Option<String>,
    /// Reports times that are more than this in the future
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    pub(crate) skew: u32,
    /// The context of the kubeconfig
    #[arg(long)]
    pub(crate) context: Option<String>,
}

/// Reads the cluster and prints its problems.
pub(crate) async fn run(
    client: &Client,
    options: &Options,
    now: MicroTime,
    out: &mut impl Write,
) -> Result<ExitCode, Failure> {
    let served = served(client).await?;
    let namespace = options.namespace.as_deref();
    let candidates = match served.choose() {
        Ok(version) => {
            let client = Candidates::new(client.clone(), version);
            cluster::candidates(&client, namespace).await?.items
        }
        Err(error) => {
            writeln!(out, "note: {error}")?;
            Vec::new()
        }
    };
    let (leases, _) = cluster::leases(client, namespace).await?;
    let cluster =
        Cluster { leases: &leases, candidates: &candidates, now, skew: options.skew.into() };
    let findings = findings::of(&cluster);
    for finding in &findings {
        writeln!(out, "{finding}")?;
    }
    let (leases, candidates) = (leases.len(), candidates.len());
    writeln!(out, "Leases: {leases}, candidates: {candidates}, problems: {}", findings.len())?;
    Ok(ExitCode::from(u8::from(!findings.is_empty())))
}

fn main() -> ExitCode {
    let options = Options::parse();
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        run(&client, &options, MicroTime::now(), &mut std::io::stdout()).await
    };
    common::run(work, "interrupted: some objects were not checked")
}
