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
use k8s_versioned::text::floor_char_boundary;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_rustls::server::TlsStream;

use crate::body_memory::{BodyMemory, BodyShare};
use crate::limits::permits;
use crate::refusals::Refused;
use crate::response::{closing, response};
use crate::{Certificates, Drain, Limits, WebhookMetrics, connections};

/// The most bytes of a reason in a log line: a review can fail with a reason for each of its thousands of objects.
const LONGEST_REASON: usize = 1000;

/// An HTTPS server that answers API servers at one path.
pub struct WebhookServer {
    webhook: Arc<Webhook>,
    certificates: Certificates,
    path: String,
    admission_path: String,
    limits: Limits,
    permits: Permits,
    memory: BodyMemory,
    metrics: WebhookMetrics,
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
struct Permits {
    small: Arc<Semaphore>,
    large: Arc<Semaphore>,
}

impl Permits {
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
            permits: Permits::new(&limits),
            memory: BodyMemory::new(&limits),
            limits,
            metrics: WebhookMetrics::new(certificates.figures()),
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
        let (permits, memory) = (Permits::new(&limits), BodyMemory::new(&limits));
        Self { limits, permits, memory, ..self }
    }

    /// The metrics of this server.
    pub fn metrics(&self) -> WebhookMetrics {
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
        match self.review(request).await {
            // The status is 200 also if the conversion failed: the answer says so itself.
            Ok(answer) => response(StatusCode::OK, "application/json", Bytes::from_owner(answer)),
            Err(refused) => refused.into_response(),
        }
    }

    /// Reads a review, and converts it when there is a permit.
    async fn review(&self, request: Request<Incoming>) -> Result<HeldAnswer, Refused> {
        let kind = match request.uri().path() {
            path if path == self.path => Review::Conversion,
            path if path == self.admission_path => Review::Admission,
            _ => {
                let paths = [&self.path, &self.admission_path];
                return Err(Refused::Elsewhere(paths.map(String::clone)));
            }
        };
        if request.method() != Method::POST {
            return Err(Refused::NotPost(kind.name()));
        }
        let until = Instant::now() + self.limits.request_time;
        let body = self.read(request.into_body(), until).await?;
        let is_large = body.bytes.len() > self.limits.small_body_bytes;
        let permits = if is_large { &self.permits.large } else { &self.permits.small };
        let permit = permit(permits, until).await?;
        let (answer, permit) = self.convert(kind, body, permit).await?;
        // The memory of a large review is in use until its answer is sent.
        Ok(HeldAnswer { answer, _permit: is_large.then_some(permit) })
    }

    /// Reads a body. One that gets large waits for memory, and no body has a permit to convert before it is complete.
    async fn read(&self, body: Incoming, until: Instant) -> Result<ReadBody, Refused> {
        let most = self.limits.body_bytes;
        if body.size_hint().lower() > u64::try_from(most).unwrap_or(u64::MAX) {
            return Err(Refused::TooLarge(most));
        }
        let mut body = Limited::new(body, most);
        let (mut bytes, mut share) = (Vec::new(), BodyShare::default());
        loop {
            let data = match timeout_at(until, body.frame()).await {
                Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
                Ok(Some(Err(error))) if error.is::<LengthLimitError>() => {
                    return Err(Refused::TooLarge(most));
                }
                Ok(Some(Err(error))) => return Err(Refused::Malformed(error.to_string())),
                Ok(None) => return Ok(ReadBody { bytes, _share: share }),
                Err(_) => return Err(Refused::LateBody),
            };
            bytes.extend_from_slice(&data);
            if bytes.len() > self.limits.small_body_bytes {
                let growth = timeout_at(until, self.memory.grow(&mut share, bytes.len())).await;
                growth.ok().and_then(Result::ok).ok_or_else(busy)?;
            }
        }
    }

    /// Converts on a thread of its own, which keeps the permit also if the client goes away.
    async fn convert(
        &self,
        kind: Review,
        body: ReadBody,
        permit: OwnedSemaphorePermit,
    ) -> Result<(Vec<u8>, OwnedSemaphorePermit), Refused> {
        let (webhook, metrics) = (Arc::clone(&self.webhook), self.metrics.clone());
        let converting = spawn_blocking(move || {
            let begin = Instant::now();
            let answer = match kind {
                Review::Conversion => answer(&webhook, &metrics, &body.bytes, || begin.elapsed()),
                Review::Admission => admit(&webhook, &body.bytes),
            };
            drop(body);
            (answer, permit)
        });
        let (answer, permit) = converting.await.map_err(|error| {
            tracing::error!(%error, "a step of the conversion panicked");
            Refused::Panicked
        })?;
        Ok((answer.map_err(Refused::Malformed)?, permit))
    }
}

/// A complete body, with its share of the memory.
struct ReadBody {
    bytes: Vec<u8>,
    _share: BodyShare,
}

/// The permit for a review: an error if there is none in time.
async fn permit(permits: &Arc<Semaphore>, until: Instant) -> Result<OwnedSemaphorePermit, Refused> {
    let permit = timeout_at(until, Arc::clone(permits).acquire_owned()).await;
    // The semaphore is never closed.
    permit.ok().and_then(Result::ok).ok_or_else(busy)
}

fn busy() -> Refused {
    tracing::warn!("a review was not converted: others take too long");
    Refused::Busy
}

/// The body of the answer to a review; the error says why it is not a review.
fn answer(
    webhook: &Webhook,
    metrics: &WebhookMetrics,
    body: &[u8],
    time: impl Fn() -> Duration,
) -> Result<Vec<u8>, String> {
    let reviewed = webhook.answer(body).map_err(|error| error.to_string())?;
    if let Some(failure) = &reviewed.failure {
        let end = floor_char_boundary(failure, LONGEST_REASON);
        tracing::warn!(
            reason = failure.get(..end),
            bytes = failure.len(),
            "objects were not converted"
        );
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

/// An answer that keeps the permit of its review until it is sent.
struct HeldAnswer {
    answer: Vec<u8>,
    _permit: Option<OwnedSemaphorePermit>,
}

impl AsRef<[u8]> for HeldAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}
