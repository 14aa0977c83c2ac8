//! A term of leadership: the guard for the work, and the fencing token for its writes.

use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};
use std::time::Duration;

use crate::{FencingToken, Monotonic};

/// The time for which one process leads: from taking the Lease until losing or releasing it.
///
/// A clone is the same term: it sees every renewal, and the end. Terms are equal if their tokens are. Call [`holds`](Self::holds) before each step that
/// only a leader may take.
#[derive(Clone, Debug)]
pub struct Term {
    token: FencingToken,
    /// The end, in microseconds since the start of the clock; 0 when the term is over.
    until: Arc<AtomicU64>,
}

impl PartialEq for Term {
    fn eq(&self, other: &Self) -> bool {
        self.token == other.token
    }
}

impl Eq for Term {}

impl Term {
    pub(crate) fn new(token: FencingToken, until: Monotonic) -> Self {
        let until = Arc::new(AtomicU64::new(micros(until)));
        Self { token, until }
    }

    /// Returns `true` if the term still holds: no other process that follows the rules leads at this time.
    pub fn holds(&self, now: Monotonic) -> bool {
        now < self.valid_until()
    }

    /// The end of the term unless the Lease is renewed. When the term is over, the start of the clock.
    pub fn valid_until(&self) -> Monotonic {
        let until = self.until.load(atomic::Ordering::Acquire);
        Monotonic::since_start(Duration::from_micros(until))
    }

    /// The fencing token, which names the term.
    pub fn token(&self) -> &FencingToken {
        &self.token
    }

    pub(crate) fn extend(&self, until: Monotonic) {
        self.until.store(micros(until), atomic::Ordering::Release);
    }

    pub(crate) fn end(&self) {
        self.until.store(0, atomic::Ordering::Release);
    }
}

fn micros(time: Monotonic) -> u64 {
    u64::try_from(time.passed().as_micros()).unwrap_or(u64::MAX)
}
