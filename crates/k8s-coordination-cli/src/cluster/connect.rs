//! The client of a cluster, by a context of the kubeconfig.

use std::time::Duration;

use k8s_coordination_kube::client::{self, with_causes};
use k8s_versioned_terminal::kubeconfig::{ConfigError, of_context};
use kube::client::ClientBuilder;
use kube::{Client, Config};
use tower::buffer::BufferLayer;
use tower::retry::RetryLayer;

use super::limits::Limits;
use super::requests::{Requests, context_name};
use super::retries::Retries;
use crate::Error;

/// The number of requests that can wait in the client. A command sends fewer at once.
const CONCURRENT: usize = 16;

/// A client for a context of the kubeconfig, by default for the current context, or for the cluster in which the program
/// runs; and the names of its requests for errors. Its requests fail after so many seconds without a byte from the API server;
/// 0 waits forever.
pub(super) async fn connect(
    context: Option<&str>,
    request_timeout: u32,
) -> Result<(Client, Requests), Error> {
    let patience = (request_timeout > 0).then(|| Duration::from_secs(request_timeout.into()));
    let config = configuration(context).await;
    let config = config.map_err(|error| error.of_cluster(&context_name(context)))?;
    let requests = Requests::new(context, &config);
    let client = client_of(config, patience, &requests).map_err(|error| requests.name(error))?;
    Ok((client, requests))
}

fn client_of(
    mut config: Config,
    patience: Option<Duration>,
    requests: &Requests,
) -> Result<Client, Error> {
    if let Some(patience) = patience {
        config.connect_timeout = Some(patience);
        config.read_timeout = Some(patience);
        // Without this the time for which a connection was idle counts.
        config.reset_reader_on_write = true;
        // The client would wait as long as `Retry-After` says, and 15 times.
        config.default_retry = false;
    }
    let builder = ClientBuilder::try_from(config).map_err(client::Error::from)?;
    let builder = builder.with_layer(&Limits::new(patience));
    let Some(patience) = patience else {
        return Ok(builder.with_layer(requests).build());
    };
    let retries = RetryLayer::new(Retries::new(patience));
    let builder = builder.with_layer(&BufferLayer::new(CONCURRENT)).with_layer(&retries);
    Ok(builder.with_layer(requests).build())
}

pub(super) async fn configuration(context: Option<&str>) -> Result<Config, Error> {
    let hint = "is there a kubeconfig, at `$KUBECONFIG` or `~/.kube/config`, with this context?";
    of_context(context).await.map_err(|error| match error {
        ConfigError::NoContext(_) | ConfigError::Kubeconfig(_) => Error::cluster(&error, hint),
        error => Error::Cluster { message: with_causes(&error), hint: None },
    })
}
