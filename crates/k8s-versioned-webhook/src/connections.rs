//! Connections: how many, for how long, and how they end.

use std::convert::Infallible;
use std::future;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{AcquireError, OwnedSemaphorePermit, Semaphore};
use tokio::time::{sleep, timeout};

use crate::answer_time::AnswerTime;
use crate::limits::permits;
use crate::{Drain, Limits};

/// After a connection could not be accepted, as with too many open files.
const PAUSE: Duration = Duration::from_millis(100);

/// The connections that a closing listener may still hold: more than a kernel queues.
const QUEUED: usize = 4096;

/// Accepts connections until the listener closes, each in a task of its own, and waits until the last has ended.
pub(crate) async fn accept<F>(
    listener: TcpListener,
    limits: &Limits,
    drain: &Drain,
    serve: impl Fn(TcpStream, SocketAddr, Watcher) -> F,
) where
    F: Future<Output = ()> + Send + 'static,
{
    let (open, graceful) = (permits(limits.connections), GracefulShutdown::new());
    let connections = Connections { open, graceful, serve };
    tokio::select! {
        () = connections.accept(&listener) => {}
        () = drain.wait_closed() => {}
    }
    connections.accept_queued(listener).await;
    if timeout(drain.finish_time(), connections.graceful.shutdown()).await.is_err() {
        tracing::warn!("the time to finish is over: requests under way are not waited for");
    }
}

/// The connections of a listener.
struct Connections<S> {
    /// A permit for each connection that may be open.
    open: Arc<Semaphore>,
    graceful: GracefulShutdown,
    serve: S,
}

impl<F, S> Connections<S>
where
    F: Future<Output = ()> + Send + 'static,
    S: Fn(TcpStream, SocketAddr, Watcher) -> F,
{
    /// Accepts connections for ever, while there are permits.
    async fn accept(&self, listener: &TcpListener) {
        // The semaphore is never closed.
        while let Ok(permit) = Arc::clone(&self.open).acquire_owned().await {
            match listener.accept().await {
                Ok(connection) => self.start(connection, future::ready(Ok(permit))),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Accepts the clients that the kernel has connected already: they may have sent a request. Each is served when there is a
    /// permit: idle connections end at the shutdown.
    async fn accept_queued(&self, listener: TcpListener) {
        for _ in 0..QUEUED {
            let queued = future::poll_fn(|context| Poll::Ready(listener.poll_accept(context)));
            let Poll::Ready(Ok(connection)) = queued.await else { break };
            self.start(connection, Arc::clone(&self.open).acquire_owned());
        }
    }

    /// Serves a connection once there is a permit. The shutdown waits for it from now on.
    fn start(
        &self,
        (stream, peer): (TcpStream, SocketAddr),
        permit: impl Future<Output = Result<OwnedSemaphorePermit, AcquireError>> + Send + 'static,
    ) {
        let serving = (self.serve)(stream, peer, self.graceful.watcher());
        tokio::spawn(async move {
            let permit = permit.await;
            serving.await;
            drop(permit);
        });
    }
}

/// Serves HTTP on a connection until it ends.
pub(crate) async fn serve<C, H, F>(connection: C, limits: &Limits, watcher: Watcher, handler: H)
where
    C: AsyncRead + AsyncWrite + Unpin + 'static,
    H: Fn(Request<Incoming>) -> F,
    F: Future<Output = Response<Full<Bytes>>>,
{
    let is_used = AtomicBool::new(false);
    let service = service_fn(|request| {
        is_used.store(true, Ordering::Relaxed);
        let response = handler(request);
        async { Ok::<_, Infallible>(response.await) }
    });
    let connection = TokioIo::new(AnswerTime::new(connection, limits.answer_time));
    // Hyper's time for a head begins with the answer before, so that it is the time for which a connection may be idle.
    let mut served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_time)
        .max_header_size(limits.head_bytes)
        .serve_connection(connection, service);
    // A shutdown closes a connection without a request at once, and the request may be under way.
    let until_first_request =
        future::poll_fn(|context| match Pin::new(&mut served).poll(context) {
            Poll::Pending if is_used.load(Ordering::Relaxed) => Poll::Ready(None),
            polled => polled.map(Some),
        });
    let ended = match timeout(limits.handshake_time, until_first_request).await {
        Ok(Some(ended)) => ended,
        Ok(None) => watcher.watch(served).await,
        Err(_) => {
            tracing::debug!("a connection without a request is closed");
            return;
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
