//! `coordination lead`: runs a program only while this process leads.

#[cfg(unix)]
use std::env;
use std::ffi::{OsStr, OsString};
use std::io::{self, ErrorKind};
#[cfg(unix)]
use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

#[cfg(unix)]
use futures_util::future::select_all;
use k8s_coordination::Quoted;
use k8s_coordination_kube::client;
use k8s_coordination_kube::lead::{CandidateSettings, Driver, LeadError, Leadership, Settings};
use kube::Client;
use tokio::process::Command;
use tokio::sync::SetOnce;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::{FilterExt, LevelFilter, Targets, filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::util::SubscriberInitExt;

use super::connect::configuration;
use super::process::{Running, exit_code};
use super::requests::context_name;
use super::{run_to_end, seconds};
use crate::{Error, Outcome};

const AFTER_HELP: &str = "\
Examples:
  coordination lead --lease backup -- backup --daemon
  coordination lead --lease backup --coordinated 1.2.0 -- sh -c 'exec backup --term \"$LEASE_TERM\"'

The program starts when this process leads, with the fencing token of the term in the variable LEASE_TERM. It gets SIGTERM \
when leading ends, and SIGKILL when the term is over or the time of --kill-after has passed. Then the command contends \
again. On SIGTERM, SIGHUP, SIGQUIT and Ctrl-C it stops the program, releases the Lease and exits. Its log is on the standard error.

The program has a process group of its own, and all processes in the group get these signals. What is left of the group when \
the program ends by itself is stopped in the same way.

Exit codes: the program's if it ends by itself, 128 + N if signal N killed it; 0 after SIGTERM, SIGHUP, SIGQUIT or Ctrl-C; \
2 for wrong usage or settings; 126 if the program cannot be executed; 127 if it is not found.";

/// The arguments of `coordination lead`.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = AFTER_HELP)]
pub struct LeadArgs {
    /// The name of the `Lease`.
    #[arg(long, short, value_name = "NAME")]
    pub lease: String,
    /// The namespace of the `Lease` [default: the namespace of the pod or of the context].
    #[arg(long, short, value_name = "NAMESPACE")]
    pub namespace: Option<String>,
    /// The name of this process, which no other process may have [default: `$POD_NAME`, or the host name with a random
    /// suffix].
    #[arg(long, short, value_name = "NAME")]
    pub identity: Option<String>,
    /// Use coordinated leader election: the API server picks the leader, and this process is a candidate with this version,
    /// such as `1.36.0`.
    #[arg(long, value_name = "VERSION")]
    pub coordinated: Option<String>,
    /// The time after a renewal in which no other process takes the `Lease`. Renewals come every 2/15 of it, and the program
    /// is stopped after 10/15 without one.
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = lease_seconds)]
    pub lease_duration: u32,
    /// The time between SIGTERM and SIGKILL while the term lasts.
    #[arg(long, value_name = "SECONDS", default_value_t = 10, value_parser = seconds::<u64>)]
    pub kill_after: u64,
    /// The context of the kubeconfig.
    #[arg(long, value_name = "CONTEXT")]
    pub context: Option<String>,
    /// The program, and its arguments.
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub program: Vec<OsString>,
}

/// Reads the seconds that a Lease can hold.
fn lease_seconds(text: &str) -> Result<u32, &'static str> {
    let number = seconds(text)?;
    let fits = number > 0 && i32::try_from(number).is_ok();
    fits.then_some(number).ok_or("a Lease holds 1 to 2147483647 seconds")
}

/// Contends for the Lease, and runs the program while this process leads.
///
/// # Errors
///
/// There is no such program, the settings are wrong, or there is no cluster.
pub fn run(args: &LeadArgs) -> Result<Outcome, Error> {
    if let Some(program) = args.program.first().filter(|program| !is_found(program)) {
        return Err(Error::Program { name: program.to_string_lossy().into_owned() });
    }
    log();
    run_to_end(async {
        let mut config = configuration(args.context.as_deref()).await?;
        // The driver has times of its own, and says why requests fail: the client must not send them again.
        config.default_retry = false;
        tracing::info!("{}, {}", context_name(args.context.as_deref()), config.cluster_url);
        let client = Client::try_from(config).map_err(client::Error::from)?;
        let settings = settings(args, client.default_namespace())?;
        let Settings { namespace, lease_name, identity, .. } = &settings;
        tracing::info!("contends for the Lease {namespace}/{lease_name} as {}", Quoted(identity));
        let terminated =
            terminated().map_err(|error| Error::cluster(&error, "signals are needed"))?;
        let wrong = |error: LeadError| Error::Cluster { message: error.to_string(), hint: None };
        let driver = Driver::new(client, settings).map_err(|errors| wrong(errors.into()))?;
        let program = Arc::new(Program::new(args));
        let ended = Arc::clone(&program);
        let driver = driver.with_shutdown(async move {
            // The program is not started again, even if leading ends before what it left is stopped.
            tokio::select! {
                () = terminated => {}
                () = ended.over.wait() => {}
            }
        });
        driver
            .run(|leadership| run_program(leadership, Arc::clone(&program)))
            .await
            .map_err(wrong)?;
        Ok(program.outcome())
    })
}

/// Returns `true` if the program is there: the file of a path, or a file in a folder of `PATH`.
#[cfg(unix)]
fn is_found(program: &OsStr) -> bool {
    if program.as_encoded_bytes().contains(&b'/') {
        return Path::new(program).exists();
    }
    // Without the variable the system has folders of its own.
    let folders = env::var_os("PATH");
    folders.is_none_or(|folders| {
        env::split_paths(&folders).any(|folder| folder.join(program).exists())
    })
}

/// Elsewhere the system looks in more folders, and for names with more extensions.
#[cfg(not(unix))]
fn is_found(_: &OsStr) -> bool {
    true
}

/// Writes the log to the standard error, without the client's line for each request that fails, and without the span of the
/// driver: there is one, which the first lines name.
fn log() {
    let targets = Targets::new()
        .with_default(LevelFilter::INFO)
        .with_target("kube_client::client::builder", LevelFilter::OFF);
    let lines = tracing_subscriber::fmt::layer().with_writer(io::stderr).with_target(false);
    tracing_subscriber::registry()
        .with(lines.with_filter(targets.and(filter_fn(|metadata| !metadata.is_span()))))
        .init();
}

fn settings(args: &LeadArgs, namespace: &str) -> Result<Settings, Error> {
    let namespace = args.namespace.as_deref().unwrap_or(namespace);
    let identity = match &args.identity {
        Some(identity) => identity.clone(),
        None => Settings::default_identity()
            .map_err(|error| Error::cluster(&error, "`--identity` names this process"))?,
    };
    let mut settings = Settings::new(namespace, &args.lease, identity);
    let duration = Duration::from_secs(args.lease_duration.into());
    settings.lease_duration = duration;
    (settings.renew_deadline, settings.retry_period) = (duration * 10 / 15, duration * 2 / 15);
    settings.candidate = args.coordinated.as_deref().map(CandidateSettings::new);
    Ok(settings)
}

/// SIGTERM, Ctrl-C, SIGQUIT, or SIGHUP.
#[cfg(unix)]
fn terminated() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut kinds = vec![SignalKind::terminate(), SignalKind::interrupt(), SignalKind::quit()];
    if !ignores_hangup() {
        kinds.push(SignalKind::hangup());
    }
    let mut signals = kinds.into_iter().map(signal).collect::<io::Result<Vec<_>>>()?;
    Ok(async move {
        select_all(signals.iter_mut().map(|signal| Box::pin(signal.recv()))).await;
    })
}

/// Returns `true` if the process was started without SIGHUP, as by `nohup`. Only Linux says so.
#[cfg(unix)]
fn ignores_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.and_then(|set| u64::from_str_radix(set.trim(), 16).ok());
    // The lowest bit is signal 1.
    ignored.is_some_and(|set| set & 1 == 1)
}

/// Ctrl-C.
#[cfg(not(unix))]
fn terminated() -> io::Result<impl Future<Output = ()> + Send + 'static> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}

/// The program, and how it ended by itself.
struct Program {
    command: Vec<OsString>,
    kill_after: Duration,
    ended: SetOnce<io::Result<ExitStatus>>,
    /// Set if leading ends after the program did, before what it left is stopped.
    over: SetOnce<()>,
}

impl Program {
    fn new(args: &LeadArgs) -> Self {
        let kill_after = Duration::from_secs(args.kill_after);
        let (ended, over) = (SetOnce::new(), SetOnce::new());
        Self { command: args.program.clone(), kill_after, ended, over }
    }

    fn start(&self, leadership: &Leadership) -> io::Result<Running> {
        let (program, arguments) = self.command.split_first().ok_or(ErrorKind::NotFound)?;
        let term = leadership.token().to_string();
        Running::start(Command::new(program).args(arguments).env("LEASE_TERM", term))
    }

    fn outcome(&self) -> Outcome {
        let code = match self.ended.get() {
            None => return Outcome::Success,
            Some(Ok(status)) => exit_code(*status),
            Some(Err(error)) if error.kind() == ErrorKind::NotFound => 127,
            Some(Err(_)) => 126,
        };
        Outcome::Code(code)
    }
}

/// Runs the program in one term. If the program ends by itself, the function returns, and the driver releases the Lease.
async fn run_program(leadership: Leadership, program: Arc<Program>) {
    if program.ended.initialized() {
        return; // It ended just before the last term did.
    }
    let mut running = match program.start(&leadership) {
        Ok(running) => running,
        Err(error) => {
            let name = program.command.first().map(|name| name.to_string_lossy());
            let name = name.unwrap_or_default();
            tracing::error!(%error, "the program {} cannot be started", Quoted(&name));
            let _ = program.ended.set(Err(error));
            return;
        }
    };
    let by_itself = tokio::select! {
        ended = running.ended() => {
            log_end(&ended);
            program.ended.set(ended).is_ok()
        }
        () = leadership.stopped() => false,
    };
    let over = async {
        leadership.stopped().await;
        if by_itself {
            let _ = program.over.set(());
        }
        std::future::pending().await
    };
    let killed = tokio::select! {
        killed = running.stop(program.kill_after) => killed,
        never = over => never,
    };
    if killed {
        tracing::warn!("the program does not stop; it is killed");
    }
}

/// Logs how the program ended by itself.
fn log_end(ended: &io::Result<ExitStatus>) {
    let Ok(status) = ended else { return };
    if let Some(code) = status.code() {
        tracing::info!("the program ended with exit code {code}");
    } else {
        tracing::warn!("the program ended by {status}");
    }
}
