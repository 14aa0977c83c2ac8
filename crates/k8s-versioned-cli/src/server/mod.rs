//! An API server at an address, over TLS and with credentials if the address asks for them.
//!
//! A command reads a few documents or passes a few requests on. The client `kube` can do that, too, but it is half of what
//! `cargo install` compiled: the types of all built-in kinds, two more YAML and JSON path readers, and the layers of a client
//! that lives as long as a controller.

mod credentials;
mod io;
mod kubeconfig;
mod tls;

use std::error::Error;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::{AUTHORIZATION, HOST, HeaderName, HeaderValue, InvalidHeaderValue};
use hyper::http::uri::{PathAndQuery, Scheme};
use hyper::{Request, Response, Uri};
use tokio::net::TcpStream;

use credentials::Credentials;
pub(crate) use io::Io;
pub(crate) use kubeconfig::KubeconfigError;
pub(crate) use tls::Distrust;
use tls::Tls;

/// The time in which a connection must be made.
const CONNECT: Duration = Duration::from_secs(30);

/// The reason why a server does not answer, or why its answer ends early.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// An API server.
pub(crate) struct Server {
    host: String,
    port: u16,
    /// The value of the header `host`.
    authority: HeaderValue,
    /// The path before the paths of the API, without a slash at the end.
    prefix: String,
    tls: Option<Tls>,
    credentials: Credentials,
    /// Headers of each request: who to act as.
    headers: Vec<(HeaderName, HeaderValue)>,
}

/// The reason why a server cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerError {
    /// The address is not a URL.
    #[error(transparent)]
    Address(#[from] hyper::http::uri::InvalidUri),
    /// The address has no scheme.
    #[error("`{0}`: the address has no `http://` or `https://`")]
    Scheme(Uri),
    /// A header cannot have the value.
    #[error("the {0} cannot be sent in a header: {1}")]
    Header(&'static str, InvalidHeaderValue),
    /// The certificates or keys cannot be used.
    #[error(transparent)]
    Tls(#[from] tls::TlsError),
    /// The kubeconfig cannot be used.
    #[error(transparent)]
    Kubeconfig(#[from] KubeconfigError),
    /// A plugin gives no credentials.
    #[error(transparent)]
    Credentials(#[from] credentials::CredentialsError),
}

impl Server {
    /// The server at an address that needs no credentials.
    pub(crate) fn at(address: &str) -> Result<Self, ServerError> {
        Self::new(address, kubeconfig::Access::default())
    }

    /// The cluster of a context of the kubeconfig, with its credentials. A plugin for them runs at once.
    pub(crate) fn of_context(context: &str) -> Result<Self, ServerError> {
        let access = kubeconfig::Access::of_context(context)?;
        let address = access.server.clone();
        Self::new(&address, access)
    }

    fn new(address: &str, access: kubeconfig::Access) -> Result<Self, ServerError> {
        let uri: Uri = address.parse()?;
        let is_tls = uri.scheme() == Some(&Scheme::HTTPS);
        let Some(host) = uri.host().filter(|_| is_tls || uri.scheme() == Some(&Scheme::HTTP))
        else {
            return Err(ServerError::Scheme(uri));
        };
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let authority = uri.authority().map(|authority| {
            // Without the name of a user.
            let authority = authority.as_str();
            authority.rsplit_once('@').map_or(authority, |(_, host)| host)
        });
        let authority = HeaderValue::from_str(authority.unwrap_or_default());
        let (credentials, identity) = Credentials::new(access.user)?;
        let tls = is_tls.then(|| Tls::new(&host, &access.trust, identity)).transpose()?;
        Ok(Self {
            authority: authority.map_err(|error| ServerError::Header("host", error))?,
            port: uri.port_u16().unwrap_or(if is_tls { 443 } else { 80 }),
            prefix: uri.path().trim_end_matches('/').to_owned(),
            headers: access.headers,
            host,
            tls,
            credentials,
        })
    }

    /// The host and the port.
    pub(crate) fn address(&self) -> &str {
        self.authority.to_str().unwrap_or(&self.host)
    }

    /// Returns `true` if the address is one without TLS.
    pub(crate) fn is_plain(&self) -> bool {
        self.tls.is_none()
    }

    /// A connection for requests one after the other.
    pub(crate) async fn connect(&self) -> Result<SendRequest<Full<Bytes>>, Failure> {
        tokio::time::timeout(CONNECT, async {
            let stream = TcpStream::connect((self.host.as_str(), self.port)).await?;
            // A request is written at once.
            stream.set_nodelay(true)?;
            let stream = match &self.tls {
                Some(tls) => Io::new(tls.connect(stream).await.map_err(explained)?),
                None => Io::new(stream),
            };
            let (sender, connection) = http1::handshake(stream).await?;
            tokio::spawn(connection);
            Ok(sender)
        })
        .await?
    }

    /// Sends a request with the credentials. Its address is the path alone.
    pub(crate) async fn send(
        &self,
        connection: &mut SendRequest<Full<Bytes>>,
        mut request: Request<Full<Bytes>>,
    ) -> Result<Response<Incoming>, Failure> {
        let path = request.uri().path_and_query().map_or("/", PathAndQuery::as_str);
        *request.uri_mut() = format!("{}{path}", self.prefix).parse()?;
        let headers = request.headers_mut();
        headers.insert(HOST, self.authority.clone());
        if let Some(value) = self.credentials.header().await? {
            headers.insert(AUTHORIZATION, value);
        }
        for (name, value) in &self.headers {
            headers.append(name, value.clone());
        }
        // A server can refuse the certificate of the client when the handshake is over.
        connection.send_request(request).await.map_err(explained)
    }
}

/// A failure with the advice about certificates, if they are the reason.
fn explained(failure: impl Into<Failure>) -> Failure {
    let failure = failure.into();
    Distrust::from_failure(&*failure).map_or(failure, Failure::from)
}

/// Returns `true` if the answer of a server is not HTTP: one that speaks TLS alone can send an alert.
pub(crate) fn is_alert(error: &(dyn Error + 'static)) -> bool {
    let mut causes = std::iter::successors(Some(error), |&error| error.source());
    causes.any(|error| error.to_string().contains("invalid HTTP version"))
}

/// Returns `true` for the answer of a server in Go, or of nginx, to a request without TLS.
pub(crate) fn names_https(body: &[u8]) -> bool {
    let text = String::from_utf8_lossy(body);
    text.contains("HTTP request to an HTTPS server") || text.contains("sent to HTTPS port")
}
