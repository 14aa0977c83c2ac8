//! The webhook as a program: it serves HTTPS with a certificate and a key.

use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

use example_webhook::server::{serve, webhook};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::pem::PemObject as _;
use tokio_rustls::rustls::pki_types::{CertificateDer, PrivateKeyDer};

const USAGE: &str = "usage: example-webhook ADDRESS CERTIFICATE KEY";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(address), Some(certificate), Some(key)) = (args.next(), args.next(), args.next())
    else {
        return Err(USAGE.into());
    };
    let certificates =
        CertificateDer::pem_file_iter(certificate)?.collect::<Result<Vec<_>, _>>()?;
    let key = PrivateKeyDer::from_pem_file(key)?;
    let config = ServerConfig::builder().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(config.with_single_cert(certificates, key)?));
    let (listener, webhook) = (TcpListener::bind(address).await?, Arc::new(webhook()));
    eprintln!("listening on {}", listener.local_addr()?);
    loop {
        let Ok((connection, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_secs(1)).await; // Too many open files?
            continue;
        };
        let (acceptor, webhook) = (acceptor.clone(), Arc::clone(&webhook));
        tokio::spawn(async move {
            // A connection that breaks is the client's business: the next one is served.
            if let Ok(connection) = acceptor.accept(connection).await
                && let Err(error) = serve(connection, &webhook).await
            {
                eprintln!("{error}");
            }
        });
    }
}
