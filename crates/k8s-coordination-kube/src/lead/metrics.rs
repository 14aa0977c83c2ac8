//! The counters of a driver.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Debug, Default)]
pub(super) struct Counter(AtomicU64);

impl Counter {
    pub(super) fn add_one(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The counters of a driver since its start. They only grow.
#[derive(Debug, Default)]
pub struct Metrics {
    pub(super) requests: Counter,
    pub(super) failures: Counter,
    pub(super) terms: Counter,
    pub(super) aborted: Counter,
}

impl Metrics {
    /// The requests that were sent, without watches.
    pub fn requests(&self) -> u64 {
        self.requests.get()
    }

    /// The requests that failed: without an answer, or refused for another reason than a conflict.
    pub fn failures(&self) -> u64 {
        self.failures.get()
    }

    /// The terms in which this process led.
    pub fn terms(&self) -> u64 {
        self.terms.get()
    }

    /// The terms in which the work did not stop in time, so that the driver aborted it.
    pub fn aborted(&self) -> u64 {
        self.aborted.get()
    }
}
