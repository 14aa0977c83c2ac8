//! An API server.

use std::error::Error;
use std::iter::successors;
use std::time::Duration;

use bytes::Bytes;
use hyper::{Request, Response};
use hyper_util::client::legacy;
use k8s_versioned_terminal::kubeconfig::{ConfigError, at, of_context};
use kube::client::Body;
use kube::{Client, Config};

use super::distrust::Distrust;
use crate::text::errors::with_causes;

/// The time in which a connection must be made.
const CONNECT: Duration = Duration::from_secs(30);

/// The time in which a plugin must give credentials. People may have to log in.
const CREDENTIALS: Duration = Duration::from_secs(120);

/// The reason why a server does not answer, or why its answer ends early.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The body of an answer, as it comes.
pub(crate) type Answer = Body;

/// An API server.
pub(crate) struct Server {
    client: Client,
    /// The host and the port.
    address: String,
    is_plain: bool,
}

/// The reason why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// The address or the kubeconfig cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The certificates, the keys or the credentials cannot be used.
    #[error("{0}")]
    Client(Failure),
    /// A plugin gives no credentials in time.
    #[error("the plugin of the user gives no credentials in {} seconds", CREDENTIALS.as_secs())]
    Slow,
}

impl Server {
    /// The server at an address that needs no credentials.
    pub(crate) async fn at(address: &str) -> Result<Self, ServerError> {
        Self::new(at(address)?).await
    }

    /// The cluster of a context of the kubeconfig, with its credentials. A plugin for them runs at once.
    pub(crate) async fn of_context(context: &str) -> Result<Self, ServerError> {
        Self::new(of_context(Some(context)).await?).await
    }

    async fn new(mut config: Config) -> Result<Self, ServerError> {
        config.connect_timeout = Some(CONNECT);
        // A watch may be silent for long; who reads an answer as a whole has a limit of its own.
        config.read_timeout = None;
        // Refusals are passed on.
        config.default_retry = false;
        let url = &config.cluster_url;
        let address = url.authority().map(ToString::to_string).unwrap_or_default();
        let is_plain = url.scheme_str() != Some("https");
        // The plugin of a user blocks.
        let client = tokio::task::spawn_blocking(|| Client::try_from(config));
        let client = tokio::time::timeout(CREDENTIALS, client).await;
        let client = client.map_err(|_| ServerError::Slow)?;
        let client = client.map_err(|error| ServerError::Client(error.into()))?;
        let client = client.map_err(|error| ServerError::Client(explained(&error)))?;
        Ok(Self { client, address, is_plain })
    }

    /// The host and the port.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns `true` if the address is one without TLS.
    pub(crate) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Sends a request with the credentials. Its address is only a path.
    pub(crate) async fn send(&self, request: Request<Bytes>) -> Result<Response<Answer>, Failure> {
        let response = self.client.send(request.map(Body::from)).await;
        response.map_err(|error| explained(&error))
    }
}

/// A failure without the names of layers of the client; if certificates are the reason, with the advice about them.
fn explained(error: &kube::Error) -> Failure {
    if let Some(distrust) = Distrust::among(error) {
        return distrust.into();
    }
    let is_layer =
        |cause: &&(dyn Error + 'static)| cause.is::<kube::Error>() || cause.is::<legacy::Error>();
    let mut causes = successors(Some(error as &(dyn Error + 'static)), |&cause| cause.source());
    match causes.find(|cause| !is_layer(cause)) {
        Some(cause) => with_causes(cause).into(),
        None => error.to_string().into(),
    }
}

/// Returns `true` if the answer of a server is not HTTP: a server that speaks only TLS can send an alert.
pub(crate) fn is_alert(error: &(dyn Error + 'static)) -> bool {
    let mut causes = successors(Some(error), |&error| error.source());
    causes.any(|error| error.to_string().contains("invalid HTTP version"))
}

/// Returns `true` for the answer of a server in Go, or of nginx, to a request without TLS.
pub(crate) fn names_https(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    text.contains("HTTP request to an HTTPS server") || text.contains("sent to HTTPS port")
}
