//! Releasing: the work stops, then the elector releases the Lease.

use std::time::Duration;

use super::machine::LeaderElector;
use super::phase::{Phase, Purpose};
use super::record;
use crate::{ElectorVerb, Monotonic, Now, StopCause};

impl LeaderElector {
    /// Stops the work.
    pub(super) fn stop(&mut self, cause: StopCause, now: Monotonic) {
        let Phase::Holding(holding) = &mut self.phase else {
            return;
        };
        let lost = matches!(cause, StopCause::Taken(_) | StopCause::Deleted);
        if lost || !holding.begun {
            holding.term.end();
        }
        if !holding.begun {
            // The former leader may still lead: the claim keeps the earliest time at which we may.
            self.claim = Some(holding.claim.clone());
            self.follow(now);
        } else if lost || holding.stopping.is_none() {
            holding.stopping = Some(cause);
        }
    }

    /// Ends the term: its work has stopped.
    pub(super) fn work_stopped(&mut self, now: Monotonic) {
        let Some(holding) = self.holding().filter(|holding| holding.stopping.is_some()) else {
            return;
        };
        holding.term.end();
        let (over, steps_down) = (holding.claim.mark.clone(), holding.steps_down());
        self.last_term = Some(over);
        if steps_down {
            self.release(now);
        } else {
            self.follow(now);
        }
    }

    /// Follows again: the elector does not hold the Lease any more.
    fn follow(&mut self, now: Monotonic) {
        self.observed.mark_stale();
        if self.shutting_down || self.steps_down_for.is_some() {
            self.release(now);
        } else {
            self.phase = Phase::Following;
            self.slot.restart(now);
        }
    }

    pub(super) fn shut_down(&mut self, cause: StopCause, now: Monotonic) {
        self.shutting_down = true;
        self.stop_or_release(cause, now);
    }

    /// Gives the Lease back, then follows for this time. A follower only follows.
    pub(super) fn step_down(&mut self, rest: Duration, now: Monotonic) {
        self.steps_down_for = Some(rest);
        self.stop_or_release(StopCause::StepDown, now);
    }

    fn stop_or_release(&mut self, cause: StopCause, now: Monotonic) {
        match &self.phase {
            Phase::Following => self.release(now),
            Phase::Holding(_) => self.stop(cause, now),
            Phase::Releasing(_) | Phase::Finished => {}
        }
    }

    fn release(&mut self, now: Monotonic) {
        let deadline = self.timing().renew_deadline;
        self.phase = Phase::Releasing(now.after(deadline));
        self.slot.restart(now);
        self.check_release(now);
    }

    /// The next request of the release.
    pub(super) fn release_request(&self, now: Now) -> (Purpose, ElectorVerb) {
        match self.observed.fresh() {
            Some(lease) => {
                let lease = record::released(lease.clone(), self.wall(now));
                (Purpose::Release, ElectorVerb::ReplaceLease(lease.into()))
            }
            None => self.read(),
        }
    }

    /// Ends the release when nothing is left to release, or the time is over.
    pub(super) fn check_release(&mut self, now: Monotonic) {
        let Phase::Releasing(until) = self.phase else {
            return;
        };
        let done = !self.may_be_ours(now) && self.slot.is_idle() && !self.has_candidate_to_delete();
        if done || until <= now {
            self.claim = None;
            self.observed.mark_stale();
            if self.shutting_down {
                self.phase = Phase::Finished;
            } else {
                self.phase = Phase::Following;
                self.slot.schedule(now.after(self.timing().retry_period));
                if let Some(rest) = self.steps_down_for.take() {
                    self.follows_until = now.after(rest);
                }
            }
        }
    }

    /// Returns `true` if the elector releases the Lease to contend no more, or not for a while.
    pub(super) fn gives_up(&self) -> bool {
        let ends = self.shutting_down || self.steps_down_for.is_some();
        ends && matches!(self.phase, Phase::Releasing(_) | Phase::Finished)
    }

    /// Returns `true` if our candidate has to be deleted first. It is deleted before the Lease is released, so that the
    /// server does not elect it again.
    pub(super) fn has_candidate_to_delete(&self) -> bool {
        self.gives_up()
            && self.registration.as_ref().is_some_and(|registration| !registration.deleted)
    }

    /// Returns `true` if the Lease may be in our name, and may be released. A Lease without a holder tells other processes that all
    /// terms are over, so it is not released before its term begins.
    pub(super) fn may_be_ours(&self, now: Monotonic) -> bool {
        let claim = self.claim.as_ref();
        claim.is_some_and(|claim| claim.from <= now && claim.wait.is_zero()) || self.is_left_over()
    }
}
