//! The times within which a process leads.

use super::fault::{LONGEST_DELAY, LONGEST_RETRY_AFTER};
use super::{DRIFT, Kind, LONGEST_STOP, Schedule, Times};
use testing::server::{Micros, SECOND};

/// The longest time that a message takes without a fault.
pub(crate) const LATENCY: Micros = 30_000;

/// A time on a slow clock, in true time.
fn slow(time: Micros) -> Micros {
    time * u64::from(1_000_000 + 2 * DRIFT) / 1_000_000
}

impl Times {
    /// The longest wait for an answer.
    fn timeout(self) -> Micros {
        (self.renew_deadline / 2).max(SECOND)
    }

    /// The longest time between two attempts.
    fn period(self) -> Micros {
        self.retry_period * 11 / 5
    }
}

impl Schedule {
    /// The longest of these times of all processes.
    fn longest(&self, time: impl Fn(Times) -> Micros) -> Micros {
        self.processes.iter().map(|setup| time(setup.times)).fold(0, Micros::max)
    }

    /// The longest time between two attempts if the server asks to wait.
    fn longest_period(&self) -> Micros {
        self.longest(Times::period).max(LONGEST_RETRY_AFTER * SECOND)
    }

    /// The longest time until a process that steps down contends again: its work stops, it releases the Lease, it rests.
    pub(crate) fn longest_rest(&self) -> Micros {
        let rests = self.faults.iter().filter_map(|fault| match fault.kind {
            Kind::StepDown(rest) => Some(rest),
            _ => None,
        });
        let longest = rests.max().map(|rest| self.releases_within() + rest);
        slow(longest.unwrap_or_default())
    }

    /// Returns `true` if the bounds hold. A server whose clock jumps can elect a candidate that is gone, or ignore one that runs.
    pub(crate) fn has_bounds(&self) -> bool {
        let jumps = self.faults.iter().any(|fault| matches!(fault.kind, Kind::ServerJump(_)));
        !(self.elects() && jumps)
    }

    /// The time of calm after which late requests, lost requests and waits have no effect any more.
    pub(crate) fn quiet_after(&self) -> Micros {
        LONGEST_DELAY + self.longest(Times::timeout) + self.longest_period()
    }

    /// The time within which a process leads after the calm began. Its parts, in the order in which they can add up:
    ///
    /// 1. A request that was delayed reaches the server, and looks like a renewal.
    /// 2. The process stops waiting for the answer to a lost request.
    /// 3. The next attempt waits for its period, or for as long as the server asked.
    /// 4. The work of an earlier term stops.
    /// 5. The Lease runs out by a slow clock.
    /// 6. A process reads and takes the Lease; once more if another process was faster and gave it back.
    pub(crate) fn leads_within(&self) -> Micros {
        let attempt = slow(self.longest(Times::timeout) + self.longest_period());
        let duration = slow(self.longest(|times| times.lease_duration));
        let plain = LONGEST_DELAY + attempt + duration + LONGEST_STOP + 8 * LATENCY;
        if self.elects() {
            // The server waits for the Lease to run out, looks every 5 s, and waits for answers to pings twice 5 s.
            // Then the holder waits until the former term is certainly over.
            plain + slow(self.longest_period()) + 25 * SECOND
        } else if self.coordinated {
            // Each process first asks whether the server elects, and then for each version of the candidates.
            plain + attempt + 8 * LATENCY
        } else {
            plain
        }
    }

    /// The time within which the leader releases the Lease.
    pub(crate) fn releases_within(&self) -> Micros {
        LONGEST_STOP + self.longest(|times| times.renew_deadline) + SECOND
    }

    /// The time within which another one leads after a release, if there is another one.
    pub(crate) fn hands_over_within(&self) -> Micros {
        let plain = slow(self.longest(Times::period)) + 6 * LATENCY;
        if self.elects() {
            let duration = self.longest(|times| times.lease_duration);
            plain + LONGEST_RETRY_AFTER * SECOND + 15 * SECOND + duration
        } else {
            plain
        }
    }
}
