//! An API server over TLS on this machine, and a kubeconfig that knows its authority. The key is only for tests.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ConfigBuilder, ServerConfig, ServerConnection, StreamOwned, WantsVerifier};

/// The context of the kubeconfig that knows the authority of the server. It is the current one.
pub const CONTEXT: &str = "test";

/// The context whose authority did not sign for the server.
pub const UNTRUSTED_CONTEXT: &str = "stranger";

/// The token that the contexts have.
pub const TOKEN: &str = "token-of-the-test";

/// A connection over TLS.
pub trait Connection: Read + Write {}

impl<T: Read + Write> Connection for T {}

/// Serves connections with a function, and writes a kubeconfig with the contexts to a file.
pub fn serve(
    kubeconfig: &Path,
    answer: impl Fn(&mut dyn Connection) -> std::io::Result<()> + Send + 'static,
) {
    let certificate = CertificateDer::from_pem_slice(include_bytes!("tls/server.pem")).unwrap();
    let config = builder().with_no_client_auth().with_single_cert(vec![certificate], key());
    let config = config.unwrap();
    write_kubeconfig(kubeconfig, &serve_as(config, answer).to_string());
}

/// Serves connections of a server with other certificates, and returns its address.
pub fn serve_as(
    config: ServerConfig,
    answer: impl Fn(&mut dyn Connection) -> std::io::Result<()> + Send + 'static,
) -> SocketAddr {
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            // A client that does not know the authority ends the connection.
            let _ = answer(&mut stream);
            stream.conn.send_close_notify();
            let _ = stream.flush();
            end(stream.sock);
        }
    });
    address
}

/// Ends a connection. What is not read would let the system take back what is sent, such as the alert about a client.
fn end(mut stream: TcpStream) {
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    let _ = std::io::copy(&mut stream, &mut std::io::sink());
}

/// The key of the server.
pub fn key() -> PrivateKeyDer<'static> {
    PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).unwrap()
}

/// A certificate of version 1 with the key of the server.
pub fn old_certificate() -> CertificateDer<'static> {
    CertificateDer::from_pem_slice(include_bytes!("tls/old.pem")).unwrap()
}

/// The first step of the configuration of a server.
pub fn builder() -> ConfigBuilder<ServerConfig, WantsVerifier> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    ServerConfig::builder_with_provider(provider).with_safe_default_protocol_versions().unwrap()
}

fn write_kubeconfig(path: &Path, address: &str) {
    let folder = path.parent().unwrap();
    let authority = folder.join("ca.pem");
    fs::write(&authority, include_str!("tls/ca.pem")).unwrap();
    let authority = authority.display();
    let text = format!(
        "apiVersion: v1\nkind: Config\nclusters:\n\
         - {{name: known, cluster: {{server: 'https://{address}', certificate-authority: '{authority}'}}}}\n\
         - {{name: unknown, cluster: {{server: 'https://{address}'}}}}\n\
         users:\n- {{name: anna, user: {{token: {TOKEN}}}}}\n\
         contexts:\n- {{name: {CONTEXT}, context: {{cluster: known, user: anna}}}}\n\
         - {{name: {UNTRUSTED_CONTEXT}, context: {{cluster: unknown, user: anna}}}}\n\
         current-context: {CONTEXT}\n"
    );
    fs::write(path, text).unwrap();
}
