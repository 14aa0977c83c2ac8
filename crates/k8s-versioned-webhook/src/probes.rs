//! Answers for the kubelet and Prometheus.

use std::fmt::{self, Write as _};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::{Method, Response, StatusCode};
use tokio::net::TcpListener;

use crate::response::{response, text};
use crate::{Drain, Limits, connections};

/// The media type of metrics.
const METRICS: &str = "text/plain; version=0.0.4; charset=utf-8";

/// An HTTP server without TLS for `/healthz`, `/readyz` and `/metrics`.
///
/// `/readyz` is 503 once the [`Drain`] has begun. Checks and metrics of the program add to it. The server answers until the process
/// ends, also while the others drain.
pub struct StatusServer {
    drain: Drain,
    alive: Vec<Check>,
    ready: Vec<Check>,
    metrics: Vec<Box<dyn Fn() -> String + Send + Sync>>,
    limits: Limits,
}

struct Check {
    name: &'static str,
    run: Box<dyn Fn() -> Result<(), String> + Send + Sync>,
}

impl fmt::Debug for StatusServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = |checks: &[Check]| checks.iter().map(|check| check.name).collect::<Vec<_>>();
        f.debug_struct("StatusServer")
            .field("alive", &names(&self.alive))
            .field("ready", &names(&self.ready))
            .finish_non_exhaustive()
    }
}

impl StatusServer {
    /// A server whose process is alive, and ready until `drain` begins.
    pub fn new(drain: &Drain) -> Self {
        let idle_time = Duration::from_secs(60);
        let limits = Limits { connections: 64, idle_time, ..Limits::default() };
        let (drain, alive, ready) = (drain.clone(), Vec::new(), Vec::new());
        Self { drain, alive, ready, metrics: Vec::new(), limits }
    }

    /// Adds a check of `/healthz`. Its error is the reason why the kubelet should start the container again, so it is for a process
    /// that hangs, never for a server that cannot be reached.
    #[must_use]
    pub fn with_liveness(
        mut self,
        name: &'static str,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.alive.push(Check { name, run: Box::new(check) });
        self
    }

    /// Adds a check of `/readyz`. Its error is the reason why Services should leave the pod out for now.
    #[must_use]
    pub fn with_readiness(
        mut self,
        name: &'static str,
        check: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) -> Self {
        self.ready.push(Check { name, run: Box::new(check) });
        self
    }

    /// Adds a text to `/metrics`, in the format of Prometheus.
    #[must_use]
    pub fn with_metrics(mut self, metrics: impl Fn() -> String + Send + Sync + 'static) -> Self {
        self.metrics.push(Box::new(metrics));
        self
    }

    /// Answers until the process ends: run it in a task of its own.
    pub async fn serve(self, listener: TcpListener) {
        let (server, never) = (Arc::new(self), Drain::new(Duration::ZERO, Duration::ZERO));
        connections::accept(listener, &server.limits, &never, |stream, _, watcher| {
            let server = Arc::clone(&server);
            async move {
                let answer = |request: hyper::Request<_>| {
                    let response = server.answer(request.method(), request.uri().path());
                    async { response }
                };
                connections::serve(stream, &server.limits, watcher, answer).await;
            }
        })
        .await;
    }

    fn answer(&self, method: &Method, path: &str) -> Response<Full<Bytes>> {
        if method != Method::GET && method != Method::HEAD {
            return text(StatusCode::METHOD_NOT_ALLOWED, "GET only");
        }
        match path {
            "/healthz" | "/livez" => checked(&self.alive, None),
            "/readyz" => checked(&self.ready, self.drain.has_begun().then_some("the process ends")),
            "/metrics" => {
                let metrics: String = self.metrics.iter().map(|metrics| metrics()).collect();
                response(StatusCode::OK, METRICS, metrics)
            }
            _ => text(StatusCode::NOT_FOUND, "there are /healthz, /readyz and /metrics"),
        }
    }
}

/// One line for each check, and for what is wrong without any.
fn checked(checks: &[Check], wrong: Option<&str>) -> Response<Full<Bytes>> {
    let mut lines = String::new();
    // Writing to a string does not fail.
    let mut failed = wrong.is_some_and(|reason| writeln!(lines, "{reason}").is_ok());
    for Check { name, run } in checks {
        let _ = match run() {
            Ok(()) => writeln!(lines, "{name}: ok"),
            Err(reason) => {
                failed = true;
                writeln!(lines, "{name}: {reason}")
            }
        };
    }
    let status = if failed { StatusCode::SERVICE_UNAVAILABLE } else { StatusCode::OK };
    text(status, if lines.is_empty() { "ok\n".to_owned() } else { lines })
}
