//! A slot of requests: at most one is under way.

use std::time::Duration;

use crate::{CallError, CallId, Monotonic};

/// The request under way, and the time of the next one.
#[derive(Clone, Debug)]
pub(super) struct RequestSlot<W> {
    under_way: Option<UnderWay<W>>,
    /// The time at which the next request is due.
    pub(super) next: Monotonic,
    /// The time until which the slot waits after its last failure. Events do not shorten it.
    backs_off_until: Monotonic,
    /// Whether the latest request was hurried.
    hurried: bool,
    pub(super) failures: Failures,
}

/// The requests that failed since the last success.
#[derive(Clone, Debug, Default)]
pub(super) struct Failures {
    pub(super) count: u32,
    pub(super) last_error: Option<CallError>,
}

/// A request that was sent and not answered yet.
#[derive(Clone, Debug)]
pub(super) struct UnderWay<W> {
    id: CallId,
    pub(super) purpose: W,
    /// The time at which it was sent.
    pub(super) sent: Monotonic,
    until: Monotonic,
}

impl<W> RequestSlot<W> {
    pub(super) fn new(next: Monotonic) -> Self {
        Self {
            under_way: None,
            next,
            backs_off_until: Monotonic::default(),
            hurried: false,
            failures: Failures::default(),
        }
    }

    pub(super) fn is_idle(&self) -> bool {
        self.under_way.is_none()
    }

    pub(super) fn is_due(&self, now: Monotonic) -> bool {
        self.is_idle() && self.next <= now
    }

    pub(super) fn send(&mut self, id: CallId, purpose: W, sent: Monotonic, timeout: Duration) {
        let until = sent.after(timeout);
        self.under_way = Some(UnderWay { id, purpose, sent, until });
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
        let count = error.as_ref().map_or(0, |_| self.failures.count.saturating_add(1));
        self.failures = Failures { count, last_error: error };
    }

    /// Sets the time of the next request, at the earliest when the slot has backed off.
    pub(super) fn schedule(&mut self, next: Monotonic) {
        self.next = next.max(self.backs_off_until);
        self.hurried = false;
    }

    /// Makes the next request due at this time after a failure. No event makes it due earlier: it can be the event of our
    /// own write whose answer was lost.
    pub(super) fn back_off(&mut self, until: Monotonic) {
        self.backs_off_until = until;
        self.schedule(until);
    }

    /// Makes the next request due now, as an event asks, or when the slot has backed off.
    pub(super) fn make_due(&mut self, now: Monotonic) {
        self.next = now.max(self.backs_off_until);
    }

    /// Makes the next request due now: it has another purpose than the requests that failed.
    pub(super) fn restart(&mut self, now: Monotonic) {
        self.backs_off_until = now;
        self.schedule(now);
    }

    /// Makes the next request due now; if the last request was also hurried, at the other time.
    pub(super) fn retry_at_once_or(&mut self, now: Monotonic, otherwise: Monotonic) {
        if self.hurried {
            self.back_off(otherwise);
        } else {
            self.next = now;
            self.hurried = true;
        }
    }
}
