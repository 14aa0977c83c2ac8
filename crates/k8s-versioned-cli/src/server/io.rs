//! A stream of `tokio` as `hyper` reads and writes it.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// The most bytes that are read at once.
const CHUNK: usize = 16 * 1024;

/// A stream, with TLS or without: `hyper` is compiled once for both. `hyper-util` has the same without the copy of what is read,
/// which needs `unsafe`.
pub(crate) struct Io(Box<dyn Stream>);

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

impl Io {
    pub(crate) fn new(stream: impl AsyncRead + AsyncWrite + Send + Unpin + 'static) -> Self {
        Self(Box::new(stream))
    }
}

impl Read for Io {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        mut into: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut chunk = [0; CHUNK];
        let room = chunk.len().min(into.remaining());
        let mut read = ReadBuf::new(chunk.get_mut(..room).unwrap_or_default());
        ready!(Pin::new(&mut self.0).poll_read(context, &mut read))?;
        into.put_slice(read.filled());
        Poll::Ready(Ok(()))
    }
}

impl Write for Io {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(context)
    }
}
