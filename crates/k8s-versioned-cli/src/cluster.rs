//! The documents of a cluster, over TLS with the credentials of a kubeconfig, or from `kubectl proxy`.

use std::error::Error as StdError;
use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use kube::client::Body;
use kube::config::KubeConfigOptions;
use kube::{Client, Config};
use tokio::runtime::Runtime;

use crate::Error;
use crate::fetch::LIMIT;

/// The time in which an answer must be complete.
const TIMEOUT: Duration = Duration::from_secs(120);

/// An API server.
pub(crate) struct Cluster {
    /// The context or the address, as messages name it.
    pub(crate) name: String,
    client: Client,
    runtime: Runtime,
}

impl Cluster {
    /// The cluster of a context of the kubeconfig.
    pub(crate) fn of_context(context: &str) -> Result<Self, Error> {
        let options =
            KubeConfigOptions { context: Some(context.to_owned()), ..KubeConfigOptions::default() };
        let hint = "is there a kubeconfig, at `$KUBECONFIG` or `~/.kube/config`, with this context?";
        let failed = |error: &dyn StdError| failed(context, error, hint);
        Self::connect(context, async {
            Config::from_kubeconfig(&options).await.map_err(|error| failed(&error))
        })
    }

    /// The server at an address that needs no credentials, such as that of `kubectl proxy`.
    pub(crate) fn at(address: &str) -> Result<Self, Error> {
        let uri = address.parse().map_err(|error| {
            failed(address, &error, "write an address such as `http://127.0.0.1:8001`")
        });
        Self::connect(address, async { Ok(Config::new(uri?)) })
    }

    fn connect(
        name: &str,
        config: impl Future<Output = Result<Config, Error>>,
    ) -> Result<Self, Error> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| failed(name, &error, ""))?;
        let client = runtime.block_on(async {
            let config = config.await?;
            Client::try_from(config).map_err(|error| failed(name, &error, ""))
        })?;
        Ok(Self { name: name.to_owned(), client, runtime })
    }

    /// The body at a path. It is bounded in size and time, and no redirect is followed.
    pub(crate) fn get(&self, path: &str) -> Result<Vec<u8>, Error> {
        let refused = |error: &dyn StdError| {
            let hint = "does the server run, and does `kubectl proxy` if this is its address?";
            failed(&format!("{}{path}", self.name), error, hint)
        };
        let request = http::Request::get(path).header("accept", "application/json");
        let request = request.body(Body::empty()).map_err(|error| refused(&error))?;
        let answer = async {
            let response = self.client.send(request).await.map_err(|error| refused(&error))?;
            let status = response.status();
            let body = Limited::new(response.into_body(), LIMIT).collect().await;
            let body = body.map_err(|error| refused(&*error))?.to_bytes();
            if status.is_success() {
                return Ok(body.to_vec());
            }
            Err(Error::Refusal(format!("{}{path}: the server answers {status}", self.name)))
        };
        self.runtime.block_on(async {
            let answer = tokio::time::timeout(TIMEOUT, answer).await;
            answer.unwrap_or_else(|error| Err(refused(&error)))
        })
    }
}

fn failed(what: &str, error: &dyn StdError, hint: &str) -> Error {
    let mut parts = vec![what.to_owned(), error.to_string()];
    let mut cause = error.source();
    while let Some(source) = cause {
        parts.push(source.to_string());
        cause = source.source();
    }
    let message = parts.join(": ");
    Error::Refusal(if hint.is_empty() { message } else { format!("{message}; {hint}") })
}
