//! Responses that are recorded while they pass.

use std::io::{self, Write as _};
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use hyper::http::response;
use k8s_versioned_conformance::recordings::{RecordedRequest, Sets};

use super::from_http;
use super::limits::RECORDED_ANSWER;
use super::upstream::Answer;

/// An exchange that is written to its folder once its answer has passed.
pub(crate) struct Pending {
    pub(crate) sets: Arc<Sets>,
    pub(crate) folder: PathBuf,
    pub(crate) name: String,
    pub(crate) request: RecordedRequest,
    pub(crate) head: response::Parts,
}

/// The body of a response. It is recorded when it ends, or when the client disconnects.
pub(crate) struct Tee {
    inner: Answer,
    pending: Option<Pending>,
    seen: Vec<u8>,
    whole: bool,
}

impl Tee {
    pub(crate) fn new(inner: Answer, pending: Option<Pending>) -> Self {
        Self { inner, pending, seen: Vec::new(), whole: false }
    }
}

impl Body for Tee {
    type Data = Bytes;
    type Error = kube::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, kube::Error>>> {
        let polled = Pin::new(&mut self.inner).poll_frame(context);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                let data = frame.data_ref().filter(|_| self.pending.is_some());
                if let Some(data) = data {
                    let room = RECORDED_ANSWER.saturating_sub(self.seen.len());
                    let kept = data.get(..room.min(data.len())).unwrap_or_default();
                    self.seen.extend_from_slice(kept);
                }
                // A body of known length is not polled again after its last frame.
                self.whole = self.inner.is_end_stream();
            }
            Poll::Ready(None) => self.whole = true,
            Poll::Ready(Some(Err(_))) | Poll::Pending => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Drop for Tee {
    fn drop(&mut self) {
        let Some(pending) = self.pending.take() else {
            return;
        };
        let whole = self.whole || self.inner.is_end_stream();
        let message = write(pending, &self.seen, whole);
        // A closed standard error must not stop the recorder.
        let _ = writeln!(io::stderr(), "{message}");
    }
}

/// Writes the exchange, and returns a message for the log.
fn write(pending: Pending, seen: &[u8], whole: bool) -> String {
    let Pending { sets, folder, name, request, head } = pending;
    let exchange = match from_http::answer(request, &head, seen, whole) {
        Ok(exchange) => exchange,
        Err(reason) => return format!("not recorded: {name}: {reason}"),
    };
    match sets.write(&folder, &name, &exchange) {
        Ok(path) => format!("recorded: {}", path.display()),
        Err(error) => format!("not recorded: {name}: {error}"),
    }
}
