//! The record as it was observed, and by our clock when it was last seen to change.

use std::time::Duration;

use k8s_coordination::v1::Lease;

use super::record;
use crate::{FencingToken, Monotonic, Settings};

/// The record as it was observed.
///
/// Only our monotonic clock counts. The times in the record are those of other clocks: a new one shows that the record
/// changed, and nothing else.
#[derive(Clone, Debug, Default)]
pub(super) struct Observed {
    /// The Lease as it was last seen.
    lease: Option<Lease>,
    /// True if the Lease was read or written by our last request, so that a write may rest on it.
    fresh: bool,
    /// The time at which the record was first seen as it is.
    since: Monotonic,
    /// The time from then for which the others leave it alone.
    valid_for: Duration,
    /// The longest duration that a record was seen to have.
    longest: Duration,
    /// The last record that was seen without a holder.
    released: Option<FencingToken>,
    /// True if somebody else was seen to hold it.
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

    /// True if the Lease, or its absence, was read or written by our last request.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// The Lease may have changed: it is to be read again before a write.
    pub(super) fn doubt(&mut self) {
        self.fresh = false;
    }

    /// Takes note of the Lease, or that there is none. A change of labels and the like does not change the record.
    pub(super) fn see(&mut self, lease: Option<Lease>, settings: &Settings, now: Monotonic) {
        if !is_same(self.lease.as_ref(), lease.as_ref()) {
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
        let duration = record::duration(lease).unwrap_or(settings.lease_duration);
        self.longest = self.longest.max(duration);
        self.transitions = Some(record::transitions(lease));
        if let Some(holder) = record::holder(lease) {
            self.valid_for = duration;
            self.others |= holder != settings.identity;
        } else {
            self.released = Some(record::token(lease));
        }
    }

    /// The time from which a Lease that nobody renews may be taken.
    pub(super) fn free_from(&self) -> Monotonic {
        self.since.after(self.valid_for)
    }

    /// The time from which the one whom the server elected may lead.
    ///
    /// The server judges by wall clocks, so the leader before may not know yet that the Lease has passed on: one duration
    /// later it does. There is no wait if nobody led before, or if the last term is known to be over.
    pub(super) fn lead_from(
        &self,
        over: Option<&FencingToken>,
        settings: &Settings,
        now: Monotonic,
    ) -> Monotonic {
        let Some(lease) = &self.lease else {
            return now;
        };
        let first = record::transitions(lease) == 0 && !self.others && !settings.wait_for_absent;
        let mut known = over.into_iter().chain(&self.released);
        if first || known.any(|token| record::is_about(lease, token)) {
            now
        } else {
            self.since.after(self.longest)
        }
    }

    /// The time for which the one who creates the Lease waits before it leads. The holder of a Lease that was deleted
    /// believes in it for as long as it would have been valid.
    pub(super) fn wait_after_creation(&self, settings: &Settings) -> Duration {
        if self.transitions.is_some() || settings.wait_for_absent {
            self.longest.max(settings.lease_duration)
        } else {
            Duration::ZERO
        }
    }

    /// The transitions of a Lease that has to be created.
    pub(super) fn next_transitions(&self) -> i32 {
        self.transitions.map_or(0, |count| count.saturating_add(1))
    }
}

/// True if two records are the same, to the last digit of their times.
fn is_same(old: Option<&Lease>, new: Option<&Lease>) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => old.spec == new.spec && old.metadata.uid == new.metadata.uid,
        _ => false,
    }
}
