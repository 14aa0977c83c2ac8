//! The record as it was last seen, and the time of its last change by our clock.

use std::time::Duration;

use k8s_coordination::v1::{Lease, LeaseSpec};

use super::record::{Mark, duration, transitions};
use crate::{Monotonic, Settings};

/// The record as it was last seen.
///
/// Only our monotonic clock counts. The times in the record come from other clocks: a new one shows only that the record
/// has changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Observed {
    /// The Lease as it was last seen.
    lease: Option<Lease>,
    /// Whether our last request read or wrote the Lease, so that a write may rest on it.
    fresh: bool,
    /// The time at which the record was first seen as it is.
    since: Monotonic,
    /// The time after `since` in which no other process takes the Lease.
    valid_for: Duration,
    /// The longest duration that a record was seen to have.
    longest: Duration,
    /// The last record that was seen without a holder.
    released: Option<Mark>,
    /// Whether another process was seen to hold it.
    others: bool,
    /// The transitions in the last record.
    transitions: Option<i32>,
}

impl Observed {
    pub(super) fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }

    /// The Lease on which a write may rest.
    pub(super) fn fresh(&self) -> Option<&Lease> {
        self.lease().filter(|_| self.fresh)
    }

    /// Returns `true` if our last request read or wrote the Lease, or found that it does not exist.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Makes the elector read the Lease again before a write: it may have changed.
    pub(super) fn mark_stale(&mut self) {
        self.fresh = false;
    }

    /// Takes the Lease, or `None` if it does not exist. A change of its metadata, such as a label, does not change the record.
    pub(super) fn observe(&mut self, lease: Option<Lease>, settings: &Settings, now: Monotonic) {
        if self.lease.as_ref().map(record) != lease.as_ref().map(record) {
            self.since = now;
            self.valid_for = Duration::ZERO;
            if let Some(lease) = &lease {
                self.note(lease, settings);
            }
        }
        self.lease = lease;
        self.fresh = true;
    }

    fn note(&mut self, lease: &Lease, settings: &Settings) {
        let duration = duration(lease).unwrap_or(settings.lease_duration);
        self.longest = self.longest.max(duration);
        self.transitions = Some(transitions(lease));
        if let Some(holder) = lease.spec.holder() {
            self.valid_for = duration;
            self.others |= holder != settings.identity;
        } else {
            self.released = Some(Mark::new(lease));
        }
    }

    /// The time from which the Lease may be taken if its holder does not renew it.
    pub(super) fn free_from(&self) -> Monotonic {
        self.since.after(self.valid_for)
    }

    /// The time from which the holder that the server elected may lead.
    ///
    /// The server decides by wall clocks, so the former leader may still lead: one duration later its term is over. There is
    /// no wait if no process led before, or if the last term is known to be over.
    pub(super) fn lead_from(
        &self,
        over: Option<&Mark>,
        settings: &Settings,
        now: Monotonic,
    ) -> Monotonic {
        let Some(lease) = &self.lease else {
            return now;
        };
        let first = transitions(lease) == 0 && !self.others && !settings.wait_for_absent;
        let mut known = over.into_iter().chain(&self.released);
        if first || known.any(|mark| mark.is_last_counted(lease)) {
            now
        } else {
            self.since.after(self.longest)
        }
    }

    /// The time between creating the Lease and leading. The holder of a deleted Lease may lead for as long as the Lease would
    /// have been valid.
    pub(super) fn wait_after_creation(&self, settings: &Settings) -> Duration {
        if self.transitions.is_some() || settings.wait_for_absent {
            self.longest.max(settings.lease_duration)
        } else {
            Duration::ZERO
        }
    }

    /// The transitions of a Lease to create.
    pub(super) fn next_transitions(&self) -> i32 {
        self.transitions.map_or(0, |count| count.saturating_add(1))
    }
}

/// What the record is, with all digits of its times.
fn record(lease: &Lease) -> (&LeaseSpec, Option<&str>) {
    (&lease.spec, lease.metadata.uid.as_deref())
}
