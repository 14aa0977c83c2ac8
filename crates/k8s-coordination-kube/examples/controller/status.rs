//! `/healthz` and `/metrics`.

use std::convert::Infallible;
use std::io;

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use k8s_coordination_kube::lead::{Handle, LeadMetrics};
use tokio::net::TcpListener;

/// Serves both at the address in the variable `LISTEN`, by default port 8080.
pub(crate) async fn serve(driver: Handle) -> io::Result<()> {
    let address = std::env::var("LISTEN").unwrap_or("0.0.0.0:8080".to_owned());
    let listener = TcpListener::bind(address).await?;
    tracing::info!("listens on {}", listener.local_addr()?);
    tokio::spawn(async move {
        loop {
            let Ok((connection, _)) = listener.accept().await else {
                tokio::time::sleep(std::time::Duration::from_secs(1)).await; // Too many open files?
                continue;
            };
            let driver = driver.clone();
            let answer = service_fn(move |request: Request<Incoming>| {
                let (status, text) = answer(request.uri().path(), &driver);
                let mut response = Response::new(Full::new(Bytes::from(text)));
                *response.status_mut() = status;
                async { Ok::<_, Infallible>(response) }
            });
            tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(connection), answer));
        }
    });
    Ok(())
}

/// The answer of this driver at a path.
pub(crate) fn answer(path: &str, driver: &Handle) -> (StatusCode, String) {
    match path {
        "/healthz" => {
            let health = driver.health();
            let failed = StatusCode::INTERNAL_SERVER_ERROR;
            (if health.is_alive() { StatusCode::OK } else { failed }, format!("{health}\n"))
        }
        "/metrics" => (StatusCode::OK, LeadMetrics::to_text(&[driver.metrics()])),
        _ => (StatusCode::NOT_FOUND, String::new()),
    }
}
