//! An API server over TLS on this machine, and a kubeconfig that knows its authority. The key is for tests alone.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::{fs, thread};

use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// The context of the kubeconfig that knows the authority of the server. It is the current one.
pub const CONTEXT: &str = "test";

/// The context whose authority is none that signed for the server.
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
    let key = PrivateKeyDer::from_pem_slice(include_bytes!("tls/server.key")).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key)
        .unwrap();
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    write_kubeconfig(kubeconfig, &listener.local_addr().unwrap().to_string());
    thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            // A client that does not know the authority ends the connection.
            let _ = answer(&mut stream);
            stream.conn.send_close_notify();
            let _ = stream.flush();
        }
    });
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
