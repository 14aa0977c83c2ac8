//! A lane of requests: at most one is under way.

use std::time::Duration;

use crate::{CallError, CallId, Monotonic};

/// The request under way, and the time of the next one.
#[derive(Clone, Debug)]
pub(super) struct Lane<W> {
    under_way: Option<UnderWay<W>>,
    /// The time at which the next request is due.
    pub(super) next: Monotonic,
    /// Whether the latest request was hurried.
    hurried: bool,
    /// The number of requests that have failed since the last success, and the last error.
    pub(super) failures: (u32, Option<CallError>),
}

/// A request that was sent and not answered yet.
#[derive(Clone, Debug)]
pub(super) struct UnderWay<W> {
    id: CallId,
    /// The purpose.
    pub(super) what: W,
    /// The time at which it was sent.
    pub(super) sent: Monotonic,
    until: Monotonic,
}

impl<W> Lane<W> {
    pub(super) fn new(next: Monotonic) -> Self {
        Self { under_way: None, next, hurried: false, failures: (0, None) }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_none()
    }

    pub(super) fn is_due(&self, now: Monotonic) -> bool {
        self.is_idle() && self.next <= now
    }

    pub(super) fn send(&mut self, id: CallId, what: W, sent: Monotonic, timeout: Duration) {
        let until = sent.after(timeout);
        self.under_way = Some(UnderWay { id, what, sent, until });
    }

    /// Takes the answer to the request under way; `None` if it is the answer to another one.
    pub(super) fn receive(&mut self, id: CallId) -> Option<UnderWay<W>> {
        self.under_way.take_if(|under_way| under_way.id == id)
    }

    /// Takes the request under way if its answer is late.
    pub(super) fn expire(&mut self, now: Monotonic) -> Option<UnderWay<W>> {
        self.under_way.take_if(|under_way| under_way.until <= now)
    }

    /// The time of the next request, or the end of the wait for an answer.
    pub(super) fn wake_up(&self) -> Monotonic {
        self.under_way.as_ref().map_or(self.next, |under_way| under_way.until)
    }

    /// Counts the failures since the last success.
    pub(super) fn count(&mut self, error: Option<CallError>) {
        let failures = error.as_ref().map_or(0, |_| self.failures.0.saturating_add(1));
        self.failures = (failures, error);
    }

    /// Sets the time of the next request.
    pub(super) fn at(&mut self, next: Monotonic) {
        self.next = next;
        self.hurried = false;
    }

    /// Makes the next request due now; at the other time if the last one was hurried, too.
    pub(super) fn hurry(&mut self, now: Monotonic, otherwise: Monotonic) {
        self.next = if self.hurried { otherwise } else { now };
        self.hurried = !self.hurried;
    }
}
