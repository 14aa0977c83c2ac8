//! The HTTPS server of a conversion webhook.
//!
//! A [`WebhookServer`] answers API servers with a [`Webhook`](k8s_versioned::conversion::review::Webhook); a [`StatusServer`] answers
//! the kubelet and Prometheus. A [`Drain`] ends both: readiness first, then the listener, and requests in progress are answered.
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use backup_types::Kinds;
//! use k8s_versioned::conversion::review::Webhook;
//! use k8s_versioned_webhook::{Certificates, Drain, StatusServer, WebhookServer};
//! use tokio::net::TcpListener;
//!
//! # async fn terminated() {}
//! # async fn run() -> Result<(), Box<dyn std::error::Error>> {
//! let folder = std::path::Path::new("/certificates");
//! let (certificate, key) = (folder.join("tls.crt"), folder.join("tls.key"));
//! let certificates = Certificates::watch(certificate, key, Duration::from_secs(10))?;
//! let server = WebhookServer::new(Webhook::of::<Kinds>(), certificates);
//!
//! let drain = Drain::new(Duration::from_secs(5), Duration::from_secs(30));
//! let metrics = server.metrics();
//! let status = StatusServer::new(&drain).with_metrics(move || metrics.to_text());
//! tokio::spawn(status.serve(TcpListener::bind("0.0.0.0:8080").await?));
//!
//! let serving = tokio::spawn(server.serve(TcpListener::bind("0.0.0.0:8443").await?, drain.clone()));
//! terminated().await; // Until SIGTERM.
//! drain.begin().await;
//! serving.await?;
//! # Ok(())
//! # }
//! ```
//!
//! # What is bounded
//!
//! Every client that reaches the port can send anything. [`Limits`] has the bounds: of connections, of the bytes of a head and of a
//! body, of the reviews that are converted at a time, and of the time that each part of an exchange takes.
//!
//! A review is converted on a thread of its own, and never on the threads that read and write. Reviews up to
//! [`Limits::small_body_bytes`] have their threads; larger ones wait for each other. So a list of 20,000 objects does not delay the
//! conversion of single objects. A body takes memory as it arrives, and a permit to convert when it is complete: a client that
//! sends slowly costs its connection and what it has sent, and delays no review.
//!
//! # How a pod ends
//!
//! Kubernetes sends SIGTERM while Services still have the pod. [`Drain::begin`] therefore makes the pod unready first, asks clients
//! to connect elsewhere (`Connection: close`), and goes on answering. Then the listener closes, and requests under way are
//! answered.

// docs.rs labels each item with the feature that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer_time;
mod body_memory;
mod certificates;
mod connections;
mod drain;
mod limits;
mod metrics;
mod probes;
mod refusals;
mod response;
mod review_server;

pub use certificates::{CertificateError, Certificates};
pub use drain::Drain;
pub use limits::Limits;
pub use metrics::WebhookMetrics;
pub use probes::StatusServer;
pub use review_server::WebhookServer;
