//! The common parts of the programs: the cluster, Ctrl-C, and errors with hints.

#![allow(dead_code, reason = "not every program needs all of it")]

pub(crate) mod cluster;

use std::error::Error;
use std::fmt;
use std::process::ExitCode;

use k8s_coordination_kube::client;
use kube::config::KubeConfigOptions;
use kube::{Client, Config};

/// The error of a program, with a hint.
#[derive(Debug)]
pub(crate) struct Failure {
    error: Box<dyn Error + Send + Sync>,
    hint: &'static str,
}

impl Failure {
    pub(crate) fn new(error: impl Into<Box<dyn Error + Send + Sync>>, hint: &'static str) -> Self {
        Self { error: error.into(), hint }
    }
}

impl<E: Error + Send + Sync + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let error: Box<dyn Error + Send + Sync> = error.into();
        let hint = error.downcast_ref().map_or("", hint);
        Self { error, hint }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = self.error.to_string();
        write!(f, "error: {shown}")?;
        let mut cause = self.error.source();
        while let Some(error) = cause {
            let text = error.to_string();
            if !shown.contains(&text) {
                write!(f, ": {text}")?;
            }
            cause = error.source();
        }
        if self.hint.is_empty() { Ok(()) } else { write!(f, "\nhint: {}", self.hint) }
    }
}

/// The hint for an error of the client.
fn hint(error: &client::Error) -> &'static str {
    match error.api() {
        Some(api) if api.is_forbidden() => {
            "the program needs the verbs `get`, `list`, `watch`, `create` and `update` for `leases` and \
             `leasecandidates` of `coordination.k8s.io`"
        }
        Some(api) if api.is_unauthorized() => {
            "the credentials are not valid, or no longer: log in again"
        }
        Some(api) if api.is_too_many_requests() => "the server has too much to do: try again later",
        None if matches!(error, client::Error::Client(_)) => {
            "does `kubectl get --raw /version` reach the cluster? For HTTPS, build with the features \
             `kube/rustls-tls,kube/ring`"
        }
        _ => "",
    }
}

/// A client for a context of the kubeconfig; by default for the current context, or for the cluster in which the program
/// runs.
pub(crate) async fn connect(context: Option<String>) -> Result<Client, Failure> {
    let hint = "is there a kubeconfig, at `$KUBECONFIG` or `~/.kube/config`, with this context?";
    let config = match context {
        None => Config::infer().await.map_err(|error| Failure::new(error, hint))?,
        context => {
            let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
            let config = Config::from_kubeconfig(&options).await;
            config.map_err(|error| Failure::new(error, hint))?
        }
    };
    let hint = "for HTTPS, build with the features `kube/rustls-tls,kube/ring`";
    Client::try_from(config).map_err(|error| Failure::new(error, hint))
}

/// The exit code of a program that Ctrl-C interrupted, as shells have it.
const INTERRUPTED: u8 = 130;

/// Runs the program until it ends or the user presses Ctrl-C. Then it prints this message.
pub(crate) fn run(
    work: impl Future<Output = Result<ExitCode, Failure>>,
    interrupted: &str,
) -> ExitCode {
    run_to_end(async {
        tokio::select! {
            result = work => result,
            _ = tokio::signal::ctrl_c() => {
                eprintln!("{interrupted}");
                Ok(ExitCode::from(INTERRUPTED))
            }
        }
    })
}

/// Runs the program until it ends. The program handles Ctrl-C itself.
pub(crate) fn run_to_end(work: impl Future<Output = Result<ExitCode, Failure>>) -> ExitCode {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    match runtime {
        Ok(runtime) => runtime.block_on(work).unwrap_or_else(|failure| fail(&failure)),
        Err(error) => fail(&error.into()),
    }
}

fn fail(failure: &Failure) -> ExitCode {
    eprintln!("{failure}");
    ExitCode::from(2)
}
