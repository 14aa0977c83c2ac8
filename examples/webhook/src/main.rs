//! The webhook as a program: it serves HTTPS with a certificate and a key.

use std::error::Error;
use std::path::Path;
use std::time::Duration;

use example_webhook::server::{serve, server};
use k8s_versioned_webhook::Drain;
use tokio::net::TcpListener;

/// It gives the memory of a large review back.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

const USAGE: &str =
    "usage: example-webhook ADDRESS STATUS-ADDRESS CERTIFICATE KEY [NOTICE-SECONDS]";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    tracing_subscriber::fmt().with_writer(std::io::stderr).with_ansi(false).init();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [address, status, certificate, key, rest @ ..] = &*arguments else {
        return Err(USAGE.into());
    };
    // The time in which Services forget a pod that is not ready.
    let notice = rest.first().map_or(Ok(5.0), |seconds| seconds.parse())?;
    let drain = Drain::new(Duration::try_from_secs_f64(notice)?, Duration::from_secs(30));
    let server = server(Path::new(certificate), Path::new(key))?;
    let (reviews, status) = (TcpListener::bind(address).await?, TcpListener::bind(status).await?);
    eprintln!("listening on {} and {}", reviews.local_addr()?, status.local_addr()?);
    Ok(serve(server, reviews, status, drain).await?)
}
