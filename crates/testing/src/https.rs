//! A client over TLS, as an API server has it for webhooks: a connection carries several requests, one after another.

use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper::client::conn::http1::{self, SendRequest};
use hyper::header::CONNECTION;
use hyper::{Request, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring::default_provider;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

/// The files of a certificate for 127.0.0.1 and its key. The key is only for tests.
pub fn files() -> [PathBuf; 2] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/tls");
    ["server.pem", "server.key"].map(|name| folder.join(name))
}

/// The authority of the certificate in [`files`].
pub fn authority() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(include_bytes!("tls/ca.pem")).unwrap()
}

/// A connection over TLS, without HTTP.
///
/// # Errors
/// The server is not there, or its certificate is not trusted.
pub async fn stream(
    address: SocketAddr,
    trusted: &CertificateDer<'static>,
) -> io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let config = ClientConfig::builder_with_provider(Arc::new(default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    // Systems give connections buffers of very different sizes: of their own accord up to tens of megabytes.
    let socket = TcpSocket::new_v4()?;
    socket.set_recv_buffer_size(RECEIVED)?;
    let stream = socket.connect(address).await?;
    TlsConnector::from(Arc::new(config)).connect(ServerName::from(address.ip()), stream).await
}

/// The bytes that a connection receives before a client reads them.
const RECEIVED: u32 = 128 * 1024;

/// A connection that trusts the authority of the tests.
#[derive(Debug)]
pub struct Client {
    sender: SendRequest<Full<Bytes>>,
    /// The server asked to send the next request over another connection.
    pub is_closing: bool,
}

impl Client {
    /// Connects.
    ///
    /// # Errors
    /// The server is not there, or its certificate is not trusted.
    pub async fn connect(address: SocketAddr) -> io::Result<Self> {
        let stream = TokioIo::new(stream(address, &authority()).await?);
        let (sender, connection) = http1::handshake(stream).await.map_err(io::Error::other)?;
        tokio::spawn(connection);
        Ok(Self { sender, is_closing: false })
    }

    /// Sends a body with POST.
    ///
    /// # Errors
    /// The connection ends before the answer.
    pub async fn post(&mut self, path: &str, body: Bytes) -> hyper::Result<(StatusCode, Bytes)> {
        let request = Request::post(path).header("content-type", "application/json");
        let request = request.header("host", "webhook").body(Full::new(body)).unwrap();
        self.sender.ready().await?;
        let response = self.sender.send_request(request).await?;
        let status = response.status();
        self.is_closing =
            response.headers().get(CONNECTION).is_some_and(|header| header == "close");
        Ok((status, response.into_body().collect().await?.to_bytes()))
    }
}

/// The status and the body of a page without TLS; `None` if the server is not there.
pub async fn page(address: SocketAddr, path: &str) -> Option<(StatusCode, String)> {
    let stream = TokioIo::new(TcpStream::connect(address).await.ok()?);
    let (mut sender, connection) = http1::handshake(stream).await.ok()?;
    tokio::spawn(connection);
    let request = Request::get(path).header("host", "status").body(Full::<Bytes>::default());
    let response = sender.send_request(request.unwrap()).await.ok()?;
    let status = response.status();
    let body = response.into_body().collect().await.ok()?.to_bytes();
    Some((status, String::from_utf8(body.to_vec()).unwrap()))
}
