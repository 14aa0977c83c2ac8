//! Retrying: when the next attempt begins after a failed one, with a random delay for those that wait to lead.

use super::LeaderElector;
use super::phase::Phase;
use crate::Monotonic;

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
}
