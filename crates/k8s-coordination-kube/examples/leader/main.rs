//! Leads by a Lease: prints the leader, and gives the Lease back on Ctrl-C.

#[path = "../common/mod.rs"]
mod common;

use std::hash::{BuildHasher, RandomState};
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use k8s_coordination_kube::lead::{CandidateSettings, Driver, Leadership, Settings};
use kube::Client;

use common::Failure;

/// Contends for a Lease, and prints the leader.
///
/// On Ctrl-C it stops, gives the Lease back, and ends: start it twice to see a handover.
#[derive(Debug, Parser)]
#[command(name = "leader")]
pub(crate) struct Options {
    /// The namespace of the Lease
    #[arg(short, long, default_value = "default")]
    pub(crate) namespace: String,
    /// The name of the Lease
    #[arg(short, long, default_value = "leader-example")]
    pub(crate) lease: String,
    /// The name of this process, which no other process may have
    #[arg(short, long)]
    pub(crate) identity: String,
    /// Lets the API server pick the leader among candidates; this process has this version, such as `1.36.0`
    #[arg(long, value_name = "VERSION")]
    pub(crate) coordinated: Option<String>,
    /// Leads for this time, gives the Lease back, and ends
    #[arg(long, value_name = "SECONDS")]
    pub(crate) lead_for: Option<u64>,
    /// The context of the kubeconfig
    #[arg(long)]
    pub(crate) context: Option<String>,
}

/// Contends until the shutdown, or until it has led for the time in the options.
pub(crate) async fn run(
    client: Client,
    options: &Options,
    shutdown: impl Future<Output = ()> + Send + 'static,
    mut out: impl Write + Send + 'static,
) -> Result<ExitCode, Failure> {
    let mut settings = Settings::new(&options.namespace, &options.lease, &options.identity);
    settings.seed = RandomState::new().hash_one(&options.identity);
    settings.candidate = options.coordinated.as_deref().map(CandidateSettings::new);
    let time = options.lead_for.map_or(Duration::MAX, Duration::from_secs);
    let driver = Driver::new(client, settings)?.with_shutdown(shutdown);
    let mut state = driver.handle().state();
    let print = async {
        while state.changed().await.is_ok() {
            // The output may be closed.
            let _ = writeln!(out, "{}", *state.borrow_and_update());
        }
    };
    let (led, ()) = tokio::join!(driver.run(move |leadership| work(leadership, time)), print);
    led?;
    Ok(ExitCode::SUCCESS)
}

/// The work: it only waits.
async fn work(leadership: Leadership, time: Duration) {
    tokio::select! {
        () = tokio::time::sleep(time) => {}
        () = leadership.stopped() => {}
    }
}

fn main() -> ExitCode {
    let options = Options::parse();
    let shutdown = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    let work = async {
        let client = common::connect(options.context.clone()).await?;
        run(client, &options, shutdown, std::io::stdout()).await
    };
    common::run_to_end(work)
}
