//! Retrying: when the next attempt begins after a failed one, with a random delay for those that wait to lead.

use super::machine::LeaderElector;
use super::phase::Phase;
use crate::{CallError, Monotonic};

impl LeaderElector {
    /// The time of the next attempt after a failed attempt.
    pub(super) fn retry_at(&mut self, sent: Monotonic, now: Monotonic) -> Monotonic {
        let period = self.timing().retry_period;
        if !matches!(self.phase, Phase::Following) {
            return sent.after(period).max(now);
        }
        // Longer by up to 1.2 times the period, so that processes do not send their requests at the same times.
        let longer = period.saturating_mul(self.rng.u32(..=1_200)) / 1_000;
        let next = now.after(period.saturating_add(longer));
        let free = self.observed.free_from();
        if now < free && !self.is_coordinated() { next.min(free) } else { next }
    }

    /// Counts a failure that is not an [`ElectorAnswer::Failed`], and plans the next attempt.
    pub(super) fn fail(&mut self, error: CallError, sent: Monotonic, now: Monotonic) {
        self.failed(&error, sent, now);
        self.slot.count(Some(error));
    }

    /// Plans the next attempt after a failure.
    pub(super) fn failed(&mut self, error: &CallError, sent: Monotonic, now: Monotonic) {
        self.observed.mark_stale();
        let mut next = self.retry_at(sent, now);
        if let Some(asked) = error.retry_after {
            next = next.max(now.after(asked));
            if let Some(holding) = self.holding() {
                // One more attempt before the renew deadline.
                let last = now.after(holding.deadline().since(now) / 2);
                next = next.min(last.max(now.after(holding.timing.retry_period)));
            }
        }
        self.slot.back_off(next);
    }
}
