//! The server behind the proxy: at an address without TLS, or the cluster of a context over TLS.

use std::error::Error;

use bytes::Bytes;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::header::CONTENT_TYPE;
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::{Options, ServerAddress};
use crate::cluster::{is_alert, names_https};

/// The most bytes of an answer that says why a server refuses a request without TLS.
const LIMIT: usize = 1 << 16;

/// The reason why a server does not answer, or why its answer ends early.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// The body of an answer, as it comes.
pub(crate) type Answer = UnsyncBoxBody<Bytes, Failure>;

/// A server.
pub(crate) enum Upstream {
    /// One that speaks HTTP without TLS, such as `kubectl proxy`.
    Plain(ServerAddress),
    /// The cluster of a context of the kubeconfig, with its credentials.
    Cluster(Box<kube::Client>),
}

impl Upstream {
    /// The server that the options name.
    pub(crate) async fn new(options: &Options) -> Result<Self, Failure> {
        if let Some(context) = options.context.clone() {
            let context = Some(context);
            let options = kube::config::KubeConfigOptions { context, ..Default::default() };
            let mut config = kube::Config::from_kubeconfig(&options).await?;
            // The client panics on an address without one.
            if config.cluster_url.scheme().is_none() {
                let address = &config.cluster_url;
                return Err(
                    format!("the server of the context, `{address}`, has no `https://`").into()
                );
            }
            // Each request that was recorded is one that was sent.
            config.default_retry = false;
            return Ok(Self::Cluster(Box::new(kube::Client::try_from(config)?)));
        }
        Ok(Self::Plain(options.server.clone()))
    }

    /// Sends a request.
    pub(crate) async fn send(&self, head: Parts, body: Bytes) -> Result<Response<Answer>, Failure> {
        match self {
            Self::Plain(server) => {
                send_plain(server, Request::from_parts(head, Full::new(body))).await
            }
            Self::Cluster(client) => {
                let mut head = head;
                // The client names the server, and has the credentials.
                head.headers.remove(hyper::header::HOST);
                head.headers.remove(hyper::header::AUTHORIZATION);
                let request = Request::from_parts(head, kube::client::Body::from(body));
                let response = client.send(request).await?;
                Ok(response.map(|body| body.map_err(Failure::from).boxed_unsync()))
            }
        }
    }
}

/// Sends a request without TLS.
async fn send_plain(
    server: &ServerAddress,
    request: Request<Full<Bytes>>,
) -> Result<Response<Answer>, Failure> {
    let needs_tls = || {
        let server = server.as_str();
        format!(
            "{server} speaks TLS: `--context` reaches it with credentials, or use `kubectl proxy`"
        )
    };
    let stream = TcpStream::connect(server.as_str()).await?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await?;
    tokio::spawn(connection);
    let response = sender.send_request(request).await;
    let response = response.map_err(|error| {
        if is_alert(&error) { needs_tls().into() } else { Failure::from(error) }
    })?;
    let (head, body) = response.into_parts();
    let of_type = head.headers.get(CONTENT_TYPE).and_then(|of_type| of_type.to_str().ok());
    // API servers answer in JSON or protobuf.
    let is_of_api = of_type.is_some_and(|of_type| of_type.starts_with("application/"));
    if head.status != StatusCode::BAD_REQUEST || is_of_api {
        return Ok(Response::from_parts(head, body.map_err(Failure::from).boxed_unsync()));
    }
    let body = Limited::new(body, LIMIT).collect().await?.to_bytes();
    if names_https(&body) {
        return Err(needs_tls().into());
    }
    let body = Full::new(body).map_err(|never| match never {});
    Ok(Response::from_parts(head, body.boxed_unsync()))
}
