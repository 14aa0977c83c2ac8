//! The subcommands that need a cluster: the client, its errors, and Ctrl-C.

pub mod lead;

use k8s_coordination_kube::client::{self, with_causes};
use kube::config::KubeConfigOptions;
use kube::{Client, Config};

use crate::{Error, Outcome};

impl From<client::Error> for Error {
    fn from(error: client::Error) -> Self {
        let hint = error.hint();
        Self::Cluster { message: with_causes(&error), hint }
    }
}

impl Error {
    /// An error of a cluster with this hint.
    fn cluster(error: &(dyn std::error::Error + 'static), hint: &str) -> Self {
        Self::Cluster { message: with_causes(error), hint: Some(hint.to_owned()) }
    }
}

/// A client for a context of the kubeconfig; by default for the current context, or for the cluster in which the program
/// runs.
async fn connect(context: Option<&str>) -> Result<Client, Error> {
    let hint = "is there a kubeconfig, at `$KUBECONFIG` or `~/.kube/config`, with this context?";
    let config = match context {
        None => Config::infer().await.map_err(|error| Error::cluster(&error, hint))?,
        Some(context) => {
            let context = Some(context.to_owned());
            let options = KubeConfigOptions { context, ..KubeConfigOptions::default() };
            let config = Config::from_kubeconfig(&options).await;
            config.map_err(|error| Error::cluster(&error, hint))?
        }
    };
    Ok(Client::try_from(config).map_err(client::Error::from)?)
}

/// Runs the work until it ends. It handles Ctrl-C itself.
fn run_to_end(work: impl Future<Output = Result<Outcome, Error>>) -> Result<Outcome, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(Error::Output)?.block_on(work)
}
