//! A term of leadership: the guard for the work, and the fencing token for its writes.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{self, AtomicU64};
use std::time::Duration;

use crate::Monotonic;

/// The time for which one process leads: from taking the Lease until losing it or giving it back.
///
/// A clone is the same term: it sees every renewal, and the end. Call [`holds`](Self::holds) before each step that
/// only a leader may take.
#[derive(Clone, Debug)]
pub struct Term {
    token: FencingToken,
    /// The end, in microseconds since the start of the clock; 0 when the term is over.
    until: Arc<AtomicU64>,
}

impl Term {
    pub(crate) fn new(token: FencingToken, until: Monotonic) -> Self {
        let until = Arc::new(AtomicU64::new(micros(until)));
        Self { token, until }
    }

    /// Returns `true` if leading still holds: no other process that keeps the rules leads at this time.
    pub fn holds(&self, now: Monotonic) -> bool {
        now < self.valid_until()
    }

    /// The end of the term unless the Lease is renewed; the start of the clock when the term is over.
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

/// The name of a term, which no other term has: the Lease's `metadata.uid` and `spec.leaseTransitions`.
///
/// Send it along with every write, and let the receiver refuse a token that is older than one that it has seen. That
/// stops a process that was suspended between a check of its term and the write, and no longer leads.
///
/// Tokens of one Lease object are ordered. A Lease that was deleted and created again has another `uid`: such tokens
/// cannot be compared, and `partial_cmp` says so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FencingToken {
    /// `metadata.uid` of the Lease.
    pub uid: Arc<str>,
    /// `spec.leaseTransitions` of the Lease in this term.
    pub transitions: i32,
}

impl PartialOrd for FencingToken {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        (self.uid == other.uid).then(|| self.transitions.cmp(&other.transitions))
    }
}

impl fmt::Display for FencingToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.uid, self.transitions)
    }
}
