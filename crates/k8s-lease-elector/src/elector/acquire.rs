//! Acquiring: the attempts of an elector that does not hold the Lease.

use std::time::Duration;

use k8s_coordination::v1::Lease;

use super::machine::LeaderElector;
use super::phase::{Claim, Holding, Phase};
use super::record::{self, Mark};
use super::timing::Timing;
use crate::{ElectorVerb, Monotonic, Now, Term};

impl LeaderElector {
    /// Returns `true` if we may take the Lease now. In a coordinated election the server has to name us first.
    pub(super) fn may_claim(&self, now: Monotonic) -> bool {
        if now < self.follows_until {
            false
        } else if self.is_coordinated() {
            self.observed.lease().is_some_and(|lease| self.is_ours(lease))
        } else {
            self.observed.free_from() <= now || self.is_known_ours()
        }
    }

    /// Returns `true` if our last attempt or our last term wrote the record. Our name is not enough: another process
    /// may have it.
    pub(super) fn is_known_ours(&self) -> bool {
        self.is_claimed() || self.is_left_over()
    }

    /// Returns `true` if our last attempt wrote the record.
    fn is_claimed(&self) -> bool {
        let claim = self.claim.as_ref().zip(self.observed.lease());
        claim.is_some_and(|(claim, lease)| self.is_ours(lease) && claim.mark.is_on(lease))
    }

    /// Returns `true` if our last term wrote the record.
    pub(super) fn is_left_over(&self) -> bool {
        let ended = self.last_term.as_ref().zip(self.observed.lease());
        ended.is_some_and(|(term, lease)| self.is_ours(lease) && term.is_on(lease))
    }

    /// Notes that another process renews a Lease in our name while we only read it. In a coordinated election the server
    /// also writes such times.
    pub(super) fn detect_shared_identity(&mut self, lease: Option<&Lease>) {
        let follows = matches!(self.phase, Phase::Following) && !self.is_coordinated();
        let Some((old, new)) = self.observed.lease().zip(lease).filter(|_| follows) else {
            return;
        };
        let ours = self.is_ours(old) && self.is_ours(new);
        let renewed = new.spec.renew_time > old.spec.renew_time.max(self.last_written);
        self.identity_is_shared |= ours && renewed;
    }

    /// The write that takes the Lease.
    pub(super) fn claim(&mut self, now: Now) -> ElectorVerb {
        let wall = self.wall(now);
        let (mut from, mut wait) = (now.monotonic, Duration::ZERO);
        let mut lease = match self.observed.lease().cloned() {
            None => {
                wait = self.observed.wait_after_creation(&self.settings);
                record::created(&self.settings, wall, self.observed.next_transitions())
            }
            Some(lease) => {
                let duration = self.duration(&lease);
                if self.is_claimed() {
                    return ElectorVerb::ReplaceLease(
                        record::renewed(lease, duration, wall).into(),
                    );
                }
                if self.is_coordinated() {
                    from = self.observed.lead_from(self.last_term.as_ref(), &self.settings, from);
                }
                record::taken(lease, &self.settings.identity, duration, wall)
            }
        };
        // The server may still get an earlier attempt on the same record: both are one claim.
        let claim = self.claim.take().filter(|claim| claim.mark.is_same_attempt(&lease));
        let claim = claim.unwrap_or_else(|| Claim { mark: Mark::new(&lease), from, wait });
        claim.mark.put_on(&mut lease);
        self.claim = Some(claim);
        if lease.metadata.resource_version.is_none() {
            ElectorVerb::CreateLease(lease.into())
        } else {
            ElectorVerb::ReplaceLease(lease.into())
        }
    }

    /// Holds the Lease, unless the answer comes too late.
    pub(super) fn claimed(&mut self, lease: Lease, sent: Monotonic, now: Monotonic) {
        let (token, mark) = (record::token(&lease), Mark::new(&lease));
        let timing = Timing::for_record(&self.settings, &lease);
        let until = sent.after(timing.validity);
        self.observed.observe(Some(lease), &self.settings, now);
        let in_time = matches!(self.phase, Phase::Following) && now < until && self.is_claimed();
        let Some(mut claim) = self.claim.take_if(|_| in_time) else {
            self.observed.mark_stale();
            return;
        };
        self.identity_is_shared = false;
        claim.from = claim.from.max(now.after(claim.wait));
        claim.wait = Duration::ZERO;
        claim.mark = mark;
        self.phase = Phase::Holding(Box::new(Holding {
            term: Term::new(token, until),
            claim,
            begun: false,
            renewed: sent,
            timing,
            stopping: None,
            preferred_is_absent: false,
        }));
        self.slot.schedule(sent.after(timing.retry_period).max(now));
    }
}
