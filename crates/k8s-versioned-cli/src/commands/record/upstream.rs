//! The server behind the proxy: at an address without TLS, or the cluster of a context over TLS.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Limited};
use hyper::header::{AUTHORIZATION, CONTENT_TYPE, HOST};
use hyper::http::request::Parts;
use hyper::{Request, Response, StatusCode};

use super::{RecordArgs, limits};
pub(crate) use crate::cluster::{Answer, Failure};
use crate::cluster::{Server, is_alert, names_https};

/// A server that speaks HTTP without TLS, such as `kubectl proxy`, or the cluster of a context with its credentials.
pub(crate) struct Upstream {
    server: Server,
    /// Whether the credentials of a client are passed on: the server has none of its own.
    passes_credentials: bool,
}

impl Upstream {
    /// The server that the options name.
    pub(crate) async fn new(options: &RecordArgs) -> Result<Self, Failure> {
        let passes_credentials = options.context.is_none();
        let server = match &options.context {
            Some(context) => Server::of_context(context).await?,
            None => Server::at(&format!("http://{}", options.server.as_str())).await?,
        };
        Ok(Self { server, passes_credentials })
    }

    /// Sends a request.
    pub(crate) async fn send(
        &self,
        mut head: Parts,
        body: Bytes,
    ) -> Result<Response<Answer>, Failure> {
        if !self.passes_credentials {
            head.headers.remove(AUTHORIZATION);
        }
        // The name of the recorder is not the name of the server.
        head.headers.remove(HOST);
        let response = self.server.send(Request::from_parts(head, body)).await;
        if !self.server.is_plain() {
            return response;
        }
        let response =
            response.map_err(|error| if is_alert(&*error) { self.needs_tls() } else { error })?;
        let (head, body) = response.into_parts();
        let of_type = head.headers.get(CONTENT_TYPE).and_then(|of_type| of_type.to_str().ok());
        // API servers answer in JSON or protobuf.
        let is_of_api = of_type.is_some_and(|of_type| of_type.starts_with("application/"));
        if head.status != StatusCode::BAD_REQUEST || is_of_api {
            return Ok(Response::from_parts(head, body));
        }
        let body = Limited::new(body, limits::REFUSAL).collect().await?.to_bytes();
        if names_https(&body) {
            return Err(self.needs_tls());
        }
        Ok(Response::from_parts(head, Answer::from(body)))
    }

    fn needs_tls(&self) -> Failure {
        let server = self.server.address();
        format!(
            "{server} speaks TLS: `--context` reaches it with credentials, or use `kubectl proxy`"
        )
        .into()
    }
}
