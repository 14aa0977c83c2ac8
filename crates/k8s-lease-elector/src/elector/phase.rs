//! The phases of an elector, and its data in each.

use std::time::Duration;

use super::record::Mark;
use super::timing::Timing;
use crate::{Monotonic, State, StopCause, Term};

#[derive(Clone, Debug)]
pub(super) enum Phase {
    /// The elector does not hold the Lease. It takes it when it is free, or when the server elects us.
    Following,
    /// The elector holds the Lease.
    Holding(Box<Holding>),
    /// The work has stopped: the elector tries to release the Lease until this time.
    Releasing(Monotonic),
    Finished,
}

/// The purpose of a request.
#[derive(Clone, Debug)]
pub(super) enum Purpose {
    Read,
    /// Finds out whether the server keeps `strategy`.
    Probe,
    /// Finds out whether the preferred holder is a candidate.
    CheckPreferred(String),
    Claim,
    Renew,
    Release,
}

/// An attempt to take the Lease. It identifies a record as ours if the answer was lost.
#[derive(Clone, Debug)]
pub(super) struct Claim {
    pub(super) mark: Mark,
    /// The earliest time at which we lead if the attempt succeeds.
    pub(super) from: Monotonic,
    /// The shortest time between the answer to the attempt and the beginning of the term.
    pub(super) wait: Duration,
}

/// The state of an elector that holds the Lease.
#[derive(Clone, Debug)]
pub(super) struct Holding {
    pub(super) term: Term,
    /// The attempt that took the Lease, with the earliest time at which its term begins.
    pub(super) claim: Claim,
    /// Whether the term has begun: the work may run.
    pub(super) begun: bool,
    /// The time at which the last successful write was sent.
    pub(super) renewed: Monotonic,
    pub(super) timing: Timing,
    /// The reason why the work is being stopped, if it is.
    pub(super) stopping: Option<StopCause>,
    /// Whether a read since the last renewal found that the preferred holder is not a candidate.
    pub(super) preferred_is_absent: bool,
}

impl Holding {
    pub(super) fn deadline(&self) -> Monotonic {
        self.renewed.after(self.timing.renew_deadline)
    }

    /// Returns `true` if the term was not renewed in time.
    pub(super) fn is_late(&self, now: Monotonic) -> bool {
        !self.term.holds(now) || self.deadline() <= now
    }

    /// Returns `true` if the work is stopped while the Lease is still ours.
    pub(super) fn steps_down(&self) -> bool {
        self.stopping.as_ref().is_some_and(StopCause::is_voluntary)
    }

    /// Returns `true` if the Lease is still to be renewed.
    pub(super) fn renews(&self, now: Monotonic) -> bool {
        (self.stopping.is_none() || self.steps_down()) && self.term.holds(now)
    }

    /// The time at which the state changes without an event.
    pub(super) fn next_change(&self) -> Monotonic {
        match &self.stopping {
            Some(_) => self.term.valid_until(),
            None if self.begun => self.deadline(),
            None => self.claim.from.min(self.deadline()),
        }
    }

    pub(super) fn state(&self, now: Monotonic) -> State {
        let term = self.term.clone();
        match &self.stopping {
            Some(cause) => State::Stopping(term, cause.clone()),
            None if self.is_late(now) => State::Stopping(term, StopCause::RenewDeadline),
            None => State::Leading(term),
        }
    }
}
