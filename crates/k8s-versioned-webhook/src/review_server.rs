//! The server of the webhook.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use std::{fmt, io};

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use hyper::body::{Body as _, Incoming};
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::server::graceful::Watcher;
use k8s_versioned::conversion::review::Webhook;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::server::TlsStream;

use crate::limits::permits;
use crate::response::{closing, response};
use crate::{Certificates, Drain, Limits, Metrics, connections, refusals};

/// The bytes of the reason in a log line: a review can fail with a reason for each of thousands of objects.
const LONGEST_REASON: usize = 1000;

/// An HTTPS server that answers API servers at one path.
pub struct WebhookServer {
    webhook: Arc<Webhook>,
    certificates: Certificates,
    path: String,
    admission_path: String,
    limits: Limits,
    turns: Turns,
    metrics: Metrics,
}

/// What a request asks for.
#[derive(Clone, Copy)]
enum Review {
    Conversion,
    Admission,
}

impl Review {
    const fn name(self) -> &'static str {
        match self {
            Self::Conversion => "a ConversionReview",
            Self::Admission => "an AdmissionReview",
        }
    }
}

/// The reviews that may be converted now.
struct Turns {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Turns {
    fn new(limits: &Limits) -> Self {
        let [small, large] = [limits.small_reviews, limits.large_reviews].map(permits);
        Self { small, large }
    }
}

impl fmt::Debug for WebhookServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WebhookServer")
            .field("webhook", &self.webhook)
            .field("path", &self.path)
            .field("admission_path", &self.admission_path)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl WebhookServer {
    /// A server that converts at the path `/convert`, and admits objects at `/admit`: see [`Webhook::admit`].
    pub fn new(webhook: Webhook, certificates: Certificates) -> Self {
        let limits = Limits::default();
        Self {
            webhook: Arc::new(webhook),
            path: "/convert".to_owned(),
            admission_path: "/admit".to_owned(),
            turns: Turns::new(&limits),
            limits,
            metrics: Metrics::new(certificates.figures()),
            certificates,
        }
    }

    /// Sets the path, which the definition names.
    #[must_use]
    pub fn with_path(self, path: impl Into<String>) -> Self {
        Self { path: path.into(), ..self }
    }

    /// Sets the path of the admission side, which a `ValidatingWebhookConfiguration` names.
    #[must_use]
    pub fn with_admission_path(self, path: impl Into<String>) -> Self {
        Self { admission_path: path.into(), ..self }
    }

    /// Sets the bounds.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        let limits = limits.kept();
        Self { turns: Turns::new(&limits), limits, ..self }
    }

    /// The metrics of this server.
    pub fn metrics(&self) -> Metrics {
        self.metrics.clone()
    }

    /// Answers until `drain` closes the listener and the last request is answered.
    ///
    /// A failed TLS handshake and a review that is refused are warnings of `tracing`; a connection that breaks is a debug line.
    pub async fn serve(self, listener: TcpListener, drain: Drain) {
        let server = Arc::new(self);
        connections::accept(listener, &server.limits, &drain, |stream, peer, watcher| {
            let (server, drain) = (Arc::clone(&server), drain.clone());
            async move { server.connection(stream, peer, watcher, &drain).await }
        })
        .await;
    }

    async fn connection(
        &self,
        stream: TcpStream,
        peer: SocketAddr,
        watcher: Watcher,
        drain: &Drain,
    ) {
        let Some(stream) = self.handshake(stream, peer).await else { return };
        let answer = |request| async {
            let response = self.answer(request).await;
            self.metrics.answered(response.status());
            if drain.has_begun() { closing(response) } else { response }
        };
        connections::serve(stream, &self.limits, watcher, answer).await;
    }

    async fn handshake(&self, stream: TcpStream, peer: SocketAddr) -> Option<TlsStream<TcpStream>> {
        // Answers are written as a whole.
        let _ = stream.set_nodelay(true);
        let accepted =
            timeout(self.limits.handshake_time, self.certificates.acceptor().accept(stream)).await;
        match accepted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())) {
            Ok(stream) => Some(stream),
            // Probes of load balancers connect and say nothing.
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                tracing::debug!(%peer, "a connection ended before its TLS handshake");
                None
            }
            Err(error) => {
                self.metrics.handshake_failed();
                tracing::warn!(%peer, %error, "a TLS handshake failed");
                None
            }
        }
    }

    async fn answer(&self, request: Request<Incoming>) -> Response<Full<Bytes>> {
        let of = match request.uri().path() {
            path if path == self.path => Review::Conversion,
            path if path == self.admission_path => Review::Admission,
            _ => return refusals::elsewhere(&self.path),
        };
        if request.method() != Method::POST {
            return refusals::not_post(of.name());
        }
        self.review(of, request.into_body()).await.unwrap_or_else(|refused| refused)
    }

    /// Reads a review and converts it when its turn comes. The error is the answer to one that is not converted.
    async fn review(
        &self,
        of: Review,
        body: Incoming,
    ) -> Result<Response<Full<Bytes>>, Response<Full<Bytes>>> {
        let limits = &self.limits;
        let size = body.size_hint();
        if size.lower() > u64::try_from(limits.body_bytes).unwrap_or(u64::MAX) {
            return Err(refusals::too_large(limits.body_bytes));
        }
        // A body whose size is not stated can have any size.
        let small = u64::try_from(limits.small_body_bytes).unwrap_or(u64::MAX);
        let is_large = size.exact().is_none_or(|bytes| bytes > small);
        let until = Instant::now() + limits.request_time;
        let (turn, body) = if is_large {
            let turn = turn(&self.turns.large, until).await?;
            (turn, self.read(body, until).await?)
        } else {
            let body = self.read(body, until).await?;
            (turn(&self.turns.small, until).await?, body)
        };
        let (answer, turn) = self.convert((of, body), turn).await?;
        // The memory of a large review is in use until its answer is sent.
        let turn = is_large.then_some(turn);
        let answer = Bytes::from_owner(HeldAnswer { answer, _turn: turn });
        // The status is 200 also if the conversion failed: the answer says so itself.
        Ok(response(StatusCode::OK, "application/json", answer))
    }

    async fn read(&self, body: Incoming, until: Instant) -> Result<Bytes, Response<Full<Bytes>>> {
        let body = Limited::new(body, self.limits.body_bytes).collect();
        match timeout_at(until, body).await {
            Ok(Ok(body)) => Ok(body.to_bytes()),
            Ok(Err(error)) if error.is::<LengthLimitError>() => {
                Err(refusals::too_large(self.limits.body_bytes))
            }
            Ok(Err(error)) => Err(refusals::malformed(error.to_string())),
            Err(_) => Err(refusals::late_body()),
        }
    }

    /// Converts on a thread of its own, which keeps the turn also if the client goes away.
    async fn convert(
        &self,
        (of, body): (Review, Bytes),
        turn: OwnedSemaphorePermit,
    ) -> Result<(Vec<u8>, OwnedSemaphorePermit), Response<Full<Bytes>>> {
        let (webhook, metrics) = (Arc::clone(&self.webhook), self.metrics.clone());
        let converting = spawn_blocking(move || {
            let begin = Instant::now();
            let answer = match of {
                Review::Conversion => answer(&webhook, &metrics, &body, || begin.elapsed()),
                Review::Admission => admit(&webhook, &body),
            };
            drop(body);
            (answer, turn)
        });
        let (answer, turn) = converting.await.map_err(|error| {
            tracing::error!(%error, "a step of the conversion panicked");
            refusals::panicked()
        })?;
        Ok((answer.map_err(refusals::malformed)?, turn))
    }
}

/// The turn of a review: an error if it does not come in time.
async fn turn(
    turns: &Arc<Semaphore>,
    until: Instant,
) -> Result<OwnedSemaphorePermit, Response<Full<Bytes>>> {
    let turn = timeout_at(until, Arc::clone(turns).acquire_owned()).await;
    // The semaphore is never closed.
    turn.ok().and_then(Result::ok).ok_or_else(|| {
        tracing::warn!("a review was not converted: others take too long");
        refusals::too_busy()
    })
}

/// The body of the answer to a review; the error says why it is not a review.
fn answer(
    webhook: &Webhook,
    metrics: &Metrics,
    body: &[u8],
    time: impl Fn() -> Duration,
) -> Result<Vec<u8>, String> {
    let reviewed = webhook.answer(body).map_err(|error| error.to_string())?;
    if let Some(failure) = &reviewed.failure {
        let end = (0..=LONGEST_REASON).rev().find(|end| failure.is_char_boundary(*end));
        let (shown, _) = failure.split_at_checked(end.unwrap_or_default()).unwrap_or((failure, ""));
        tracing::warn!(reason = shown, bytes = failure.len(), "objects were not converted");
    }
    metrics.reviewed(reviewed.pairs, time());
    Ok(reviewed.answer)
}

/// The body of the answer to a review before an object is stored; the error says why it is not a review.
fn admit(webhook: &Webhook, body: &[u8]) -> Result<Vec<u8>, String> {
    let admitted = webhook.admit(body).map_err(|error| error.to_string())?;
    if let Some(reason) = &admitted.refusal {
        tracing::warn!(%reason, "an object was refused");
    }
    Ok(admitted.answer)
}

/// An answer that keeps the turn of its review until it is sent.
struct HeldAnswer {
    answer: Vec<u8>,
    _turn: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}
