//! The most that a cluster may send, and how long: a list is in memory at once.

use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use bytes::Bytes;
use http_body::{Body, Frame, SizeHint};
use k8s_coordination::requests::http::{Request, Response};
use tower::{BoxError, Layer, Service};

/// The most bytes of a list, over all of its pages, and of a watch, which then begins again.
const MOST: u64 = 256 << 20;

/// The time for a list, as a multiple of the time without a byte.
const TIMES: u32 = 20;

/// The reason why an answer is not read to its end.
#[derive(Debug, thiserror::Error)]
enum Exceeded {
    #[error("the server sends more than {MOST} bytes")]
    Bytes,
    #[error("the server is not done after {} seconds", .0.as_secs())]
    Time(Duration),
}

/// What is left for a list, or for a watch.
#[derive(Clone, Debug)]
struct Budget {
    bytes: Arc<AtomicU64>,
    since: Instant,
    /// `None` for a watch, which never ends.
    time: Option<Duration>,
}

/// Limits the answers to requests.
#[derive(Clone, Debug)]
pub(super) struct Limits {
    /// The time for a list; `None` without an end.
    time: Option<Duration>,
    /// The budget of the list whose pages are read.
    list: Arc<Mutex<Option<Budget>>>,
}

impl Limits {
    /// The limits of a command that waits so long for a byte, or forever.
    pub(super) fn new(patience: Option<Duration>) -> Self {
        Self { time: patience.map(|patience| patience * TIMES), list: Arc::default() }
    }

    fn budget(&self, query: &str) -> Budget {
        let has = |name: &str| query.split('&').any(|query| query.split('=').next() == Some(name));
        let mut list = self.list.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(budget) = list.as_ref().filter(|_| has("continue")) {
            return budget.clone();
        }
        let is_watch = has("watch");
        let time = self.time.filter(|_| !is_watch);
        let budget = Budget { bytes: Arc::new(MOST.into()), since: Instant::now(), time };
        if !is_watch {
            *list = Some(budget.clone());
        }
        budget
    }
}

impl<S> Layer<S> for Limits {
    type Service = Limited<S>;

    fn layer(&self, inner: S) -> Limited<S> {
        Limited { inner, limits: self.clone() }
    }
}

/// A service whose answers are limited.
#[derive(Clone, Debug)]
pub(super) struct Limited<S> {
    inner: S,
    limits: Limits,
}

impl<S, A, B> Service<Request<A>> for Limited<S>
where
    S: Service<Request<A>, Response = Response<B>>,
    S::Future: Send + 'static,
{
    type Response = Response<LimitedBody<B>>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, Self::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: Request<A>) -> Self::Future {
        let budget = self.limits.budget(request.uri().query().unwrap_or_default());
        let answer = self.inner.call(request);
        Box::pin(async move { Ok(answer.await?.map(|inner| LimitedBody { inner, budget })) })
    }
}

/// A body that ends with an error where its budget does.
#[derive(Debug)]
pub(super) struct LimitedBody<B> {
    inner: B,
    budget: Budget,
}

impl<B> Body for LimitedBody<B>
where
    B: Body<Data = Bytes> + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        let Poll::Ready(frame) = Pin::new(&mut self.inner).poll_frame(context) else {
            return Poll::Pending;
        };
        let Some(frame) = frame else { return Poll::Ready(None) };
        let frame = frame.map_err(Into::into).and_then(|frame| self.budget.take(frame));
        Poll::Ready(Some(frame))
    }

    fn is_end_stream(&self) -> bool {
        self.inner.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.inner.size_hint()
    }
}

impl Budget {
    fn take(&self, frame: Frame<Bytes>) -> Result<Frame<Bytes>, BoxError> {
        let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
        let left = |left: u64| left.checked_sub(bytes);
        if self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, left).is_err() {
            return Err(Exceeded::Bytes.into());
        }
        match self.time.filter(|time| self.since.elapsed() > *time) {
            Some(time) => Err(Exceeded::Time(time).into()),
            None => Ok(frame),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_share_what_is_left() {
        let limits = Limits::new(Some(Duration::from_secs(30)));
        let frame = |size: usize| Frame::data(Bytes::from(vec![0; size]));
        let half = usize::try_from(MOST / 2).unwrap();
        assert!(limits.budget("limit=500").take(frame(half)).is_ok());
        assert!(limits.budget("limit=500&continue=a").take(frame(half)).is_ok());
        let watch = limits.budget("watch=true");
        assert!(watch.time.is_none() && watch.take(frame(1)).is_ok());
        let error = limits.budget("continue=b").take(frame(1)).unwrap_err();
        assert_eq!(error.to_string(), "the server sends more than 268435456 bytes");
        // Another list.
        let mut next = limits.budget("limit=500");
        assert!(next.take(frame(1)).is_ok());
        next.time = Some(Duration::ZERO);
        assert!(next.take(frame(1)).unwrap_err().to_string().starts_with("the server is not done"));
    }
}
