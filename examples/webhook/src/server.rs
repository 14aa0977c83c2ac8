//! The servers of the webhook: its kinds, on the ports of an API server and of the kubelet.

use std::io;
use std::path::Path;
use std::time::Duration;

use k8s_versioned::conversion::review::Webhook;
use k8s_versioned_webhook::{
    CertificateError, Certificates, Drain, Limits, StatusServer, WebhookServer,
};
use tokio::net::TcpListener;

use crate::Kinds;

/// How often the files of the certificate are read.
const PERIOD: Duration = Duration::from_secs(10);

/// The webhook: the kinds that it converts.
pub fn webhook() -> Webhook {
    Webhook::of::<Kinds>()
}

/// A server with a certificate and its key, both in PEM.
///
/// # Errors
/// The files cannot be read, or are not a certificate and its key.
pub fn server(certificate: &Path, key: &Path) -> Result<WebhookServer, CertificateError> {
    let certificates = Certificates::watch(certificate, key, PERIOD)?;
    Ok(WebhookServer::new(webhook(), certificates).with_limits(Limits::default()))
}

/// Serves `/convert` on one port and the state of the process on the other, until SIGTERM and the last answer.
///
/// # Errors
/// The operating system refuses to report signals.
pub async fn serve(
    server: WebhookServer,
    reviews: TcpListener,
    status: TcpListener,
    drain: Drain,
) -> io::Result<()> {
    let terminated = terminated()?;
    let metrics = server.metrics();
    let answers = StatusServer::new(&drain).with_metrics(move || metrics.to_text());
    tokio::spawn(answers.serve(status));
    let serving = tokio::spawn(server.serve(reviews, drain.clone()));
    terminated.await;
    drain.begin().await;
    serving.await.map_err(io::Error::other)
}

/// SIGTERM, as from the kubelet.
#[cfg(unix)]
fn terminated() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        terminate.recv().await;
    })
}

/// Ctrl-C.
#[cfg(not(unix))]
fn terminated() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
