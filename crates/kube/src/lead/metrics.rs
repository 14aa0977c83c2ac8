//! The counters of a driver.

use std::sync::atomic::{AtomicU64, Ordering};

/// The counters of a driver since its start. They only grow.
#[derive(Debug, Default)]
pub struct Metrics {
    requests: AtomicU64,
    failures: AtomicU64,
    terms: AtomicU64,
    aborted: AtomicU64,
}

impl Metrics {
    /// Requests that were sent, without watches.
    pub fn requests(&self) -> u64 {
        self.requests.load(Ordering::Relaxed)
    }

    /// Requests that failed: without an answer, or refused for another reason than a conflict.
    pub fn failures(&self) -> u64 {
        self.failures.load(Ordering::Relaxed)
    }

    /// Terms in which this process led.
    pub fn terms(&self) -> u64 {
        self.terms.load(Ordering::Relaxed)
    }

    /// Terms at whose end the work had not stopped, so that it was aborted.
    pub fn aborted(&self) -> u64 {
        self.aborted.load(Ordering::Relaxed)
    }

    pub(super) fn count_request(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_failure(&self) {
        self.failures.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_term(&self) {
        self.terms.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn count_aborted(&self, aborted: bool) {
        self.aborted.fetch_add(aborted.into(), Ordering::Relaxed);
    }
}
