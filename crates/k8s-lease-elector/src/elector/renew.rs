//! Renewing: the elector holds the Lease, and leads once its term has begun.

use k8s_coordination::v1::Lease;

use super::machine::LeaderElector;
use super::phase::{Holding, Phase, Purpose};
use super::record;
use super::timing::Timing;
use crate::{ElectorVerb, Monotonic, Now, StopCause};

impl LeaderElector {
    /// Ends a term that was not renewed in time.
    pub(super) fn check_term(&mut self, now: Monotonic) {
        let late = |holding: &Holding| holding.stopping.is_none() && holding.is_late(now);
        if self.holding().is_some_and(late) {
            self.stop(StopCause::RenewDeadline, now);
        }
    }

    /// The next request of the holder.
    pub(super) fn renewal(&self, holding: &Holding, now: Now) -> (Purpose, ElectorVerb) {
        let Some(lease) = self.observed.fresh() else {
            return self.read();
        };
        let preferred = self.preferred(lease).filter(|_| {
            holding.begun && holding.stopping.is_none() && !holding.preferred_is_absent
        });
        if let (Some(preferred), Some(version)) = (preferred, self.candidate_version()) {
            let verb = ElectorVerb::ReadCandidate(version, preferred.into());
            return (Purpose::CheckPreferred(preferred.to_owned()), verb);
        }
        let lease = record::renewed(lease.clone(), self.duration(lease), self.wall(now));
        (Purpose::Renew, ElectorVerb::ReplaceLease(lease.into()))
    }

    /// Extends the term by the record that the renewal wrote.
    ///
    /// Other processes wait for the duration in the record. client-go writes its own with each renewal, so its record never
    /// says less than it holds. In a coordinated election this elector writes back the duration that the server, or another
    /// client, chose: then the term has to follow the record, or it could outlast a record that was shortened.
    pub(super) fn renewed(&mut self, lease: Lease, sent: Monotonic, now: Monotonic) {
        let timing = Timing::for_record(&self.settings, &lease);
        self.observed.observe(Some(lease), &self.settings, now);
        let Phase::Holding(holding) = &self.phase else {
            self.observed.mark_stale();
            return;
        };
        if let Some(cause) = self.lost(holding) {
            self.stop(cause, now);
        } else if let Phase::Holding(holding) = &mut self.phase
            && holding.renews(now)
        {
            holding.term.extend(sent.after(timing.validity));
            holding.renewed = sent;
            holding.timing = timing;
            holding.preferred_is_absent = false;
            let next = sent.after(timing.retry_period).max(now);
            self.slot.schedule(next);
        }
    }

    /// Shortens the term if another client has shortened the record since our last write. A longer record extends nothing:
    /// only a renewal does.
    pub(super) fn keep_to_record(&mut self) {
        if let (Phase::Holding(holding), Some(lease)) = (&mut self.phase, self.observed.lease()) {
            holding.timing = Timing::for_record(&self.settings, lease);
            let until = holding.renewed.after(holding.timing.validity);
            holding.term.extend(until.min(holding.term.valid_until()));
        }
    }

    /// The reason why our term no longer holds the record; `None` if it still does.
    pub(super) fn lost(&self, holding: &Holding) -> Option<StopCause> {
        match self.observed.lease() {
            None => Some(StopCause::Deleted),
            Some(lease) if self.is_of(holding, lease) => None,
            Some(lease) => Some(StopCause::Taken(lease.spec.holder().map(str::to_owned))),
        }
    }

    /// Returns `true` if a watch saw a Lease that is not of our term, or that asks us to step down for another process
    /// than the Lease that we know: each renewal looks for that one, and is itself an event of the watch.
    pub(super) fn is_news(&self, holding: &Holding, lease: Option<Lease>) -> bool {
        let known = self.observed.lease().and_then(|known| self.preferred(known));
        lease.is_none_or(|lease| {
            let preferred = self.preferred(&lease);
            !self.is_of(holding, &lease) || (preferred.is_some() && preferred != known)
        })
    }

    fn is_of(&self, holding: &Holding, lease: &Lease) -> bool {
        self.is_ours(lease) && holding.claim.mark.is_on(lease)
    }
}
