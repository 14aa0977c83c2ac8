//! A connection whose answers have a bounded time.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Sleep, sleep};

/// A connection that fails if written bytes are not all sent within a time. A client that reads one byte now and then would keep
/// an answer in memory for ever.
pub(crate) struct AnswerTime<C> {
    connection: C,
    limit: Duration,
    /// When the bytes have to be sent, if some are waiting.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<C> AnswerTime<C> {
    pub(crate) const fn new(connection: C, limit: Duration) -> Self {
        Self { connection, limit, deadline: None }
    }

    /// An operation that waits for the client has until the deadline, which the first of them sets.
    fn bounded<T>(
        &mut self,
        context: &mut Context<'_>,
        operation: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if operation.is_pending() {
            let limit = self.limit;
            let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(limit)));
            if deadline.as_mut().poll(context).is_ready() {
                let message = "the client does not read the answer";
                return Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, message)));
            }
        }
        operation
    }
}

impl<C: AsyncRead + Unpin> AsyncRead for AnswerTime<C> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.connection).poll_read(context, buffer)
    }
}

impl<C: AsyncWrite + Unpin> AsyncWrite for AnswerTime<C> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.connection).poll_write(context, bytes);
        self.bounded(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.connection).poll_write_vectored(context, buffers);
        self.bounded(context, written)
    }

    // If this were false, `hyper` would copy the answer and drop it, and its permit, before it is sent.
    fn is_write_vectored(&self) -> bool {
        self.connection.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.connection).poll_flush(context);
        if flushed.is_ready() {
            self.deadline = None;
        }
        self.bounded(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.connection).poll_shutdown(context);
        self.bounded(context, ended)
    }
}
