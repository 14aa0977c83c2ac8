//! Connections: how many, for how long, and how they end.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::Duration;
use std::{future, io};

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
use tokio::sync::OwnedSemaphorePermit;
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
    let open = permits(limits.connections);
    let graceful = GracefulShutdown::new();
    let start = |permit: OwnedSemaphorePermit, (stream, peer): (TcpStream, SocketAddr)| {
        let serving = serve(stream, peer, graceful.watcher());
        tokio::spawn(async move {
            serving.await;
            drop(permit);
        });
    };
    loop {
        let next = async {
            let permit = Arc::clone(&open).acquire_owned().await.map_err(io::Error::other)?;
            Ok::<_, io::Error>((permit, listener.accept().await?))
        };
        tokio::select! {
            accepted = next => match accepted {
                Ok((permit, connection)) => start(permit, connection),
                Err(error) => {
                    tracing::warn!(%error, "a connection was not accepted");
                    sleep(PAUSE).await;
                }
            },
            () = drain.closed() => break,
        }
    }
    // Clients that the kernel has connected already may have sent a request.
    for _ in 0..QUEUED {
        let Ok(permit) = Arc::clone(&open).try_acquire_owned() else { break };
        let queued = future::poll_fn(|context| Poll::Ready(listener.poll_accept(context))).await;
        let Poll::Ready(Ok(connection)) = queued else { break };
        start(permit, connection);
    }
    drop(listener);
    if timeout(drain.finish(), graceful.shutdown()).await.is_err() {
        tracing::warn!("the time to finish is over: requests under way are not waited for");
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
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.idle_time)
        .max_header_size(limits.head_bytes)
        .serve_connection(connection, service);
    let mut served = pin!(watcher.watch(served));
    let ended = tokio::select! {
        ended = &mut served => ended,
        () = sleep(limits.handshake_time) => {
            if !is_used.load(Ordering::Relaxed) {
                tracing::debug!("a connection without a request is closed");
                return;
            }
            served.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection broke");
    }
}
