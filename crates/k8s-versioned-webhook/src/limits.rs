//! The bounds of a server.

use std::sync::Arc;
use std::thread::available_parallelism;
use std::time::Duration;

use tokio::sync::Semaphore;

/// The longest time that is waited for anything. A clock cannot hold the end of every [`Duration`].
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);

/// The bounds of a server. The defaults fit API servers, which wait 30 seconds for an answer. A server takes a count of zero as one, and
/// a time of more than a year as a year.
///
/// ```
/// use k8s_versioned_webhook::Limits;
///
/// let mut limits = Limits::default();
/// limits.body_bytes = 8 << 20;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Connections that are open at a time: 512. Later ones wait until one ends.
    pub connections: usize,
    /// Bytes of the head of a request: 16 KiB. A larger head is answered with 431.
    pub head_bytes: usize,
    /// Bytes of a body: 32 MiB. A larger one is answered with 413. An API server sends all objects of a list in one review.
    pub body_bytes: usize,
    /// Bytes up to which a review is small: 256 KiB. `connections` times this is the most memory of small bodies.
    pub small_body_bytes: usize,
    /// Small reviews that are converted at a time: one for each processor, at least two.
    pub small_reviews: usize,
    /// Large reviews that are converted and sent at a time: one for each two processors. A review takes up to about 25 times
    /// the bytes of its body, so this, `body_bytes` and the memory of the container belong together. The bodies of large reviews
    /// that arrive or wait take at most this times `body_bytes`, and one body more.
    pub large_reviews: usize,
    /// The time from the connection to the end of the TLS handshake, and from there to the first request: 10 seconds each.
    pub handshake_time: Duration,
    /// The time from an answer to the head of the next request: 120 seconds, more than the 90 seconds after which API servers close the
    /// connection themselves.
    pub idle_time: Duration,
    /// The time from the head of a request until its conversion begins: 30 seconds. A body that is late is answered with 408. A review for
    /// which there is no permit or no memory is answered with 503.
    pub request_time: Duration,
    /// The time to send an answer: 30 seconds. After that the connection is closed.
    pub answer_time: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        let processors = available_parallelism().map_or(1, usize::from);
        Self {
            connections: 512,
            head_bytes: 16 << 10,
            body_bytes: 32 << 20,
            small_body_bytes: 256 << 10,
            small_reviews: processors.max(2),
            large_reviews: processors.div_ceil(2),
            handshake_time: Duration::from_secs(10),
            idle_time: Duration::from_secs(120),
            request_time: Duration::from_secs(30),
            answer_time: Duration::from_secs(30),
        }
    }
}

impl Limits {
    /// The bounds that a server can keep.
    pub(crate) fn kept(self) -> Self {
        let time = |time: Duration| time.min(LONGEST);
        Self {
            handshake_time: time(self.handshake_time),
            idle_time: time(self.idle_time),
            request_time: time(self.request_time),
            answer_time: time(self.answer_time),
            ..self
        }
    }
}

/// A semaphore of `count` permits, at least one.
pub(crate) fn permits(count: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(count.clamp(1, Semaphore::MAX_PERMITS)))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Limits, permits};

    #[test]
    fn no_bound_ends_the_server() {
        let limits = Limits { request_time: Duration::MAX, ..Limits::default() }.kept();
        assert!(Instant::now().checked_add(limits.request_time).is_some());
        assert_eq!([0, 7].map(|count| permits(count).available_permits()), [1, 7]);
        assert!(permits(usize::MAX).available_permits() > 1_000_000);
    }
}
