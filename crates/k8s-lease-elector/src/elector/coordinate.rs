//! Coordinated election: the check that the server has it, and the preferred holder.

use k8s_coordination::v1::Lease;

use super::candidate::Keeper;
use super::server_clock::ServerClock;
use super::{LeaderElector, NO_NAMESPACE, OTHER_ANSWER, Phase, record};
use crate::{Answer, CallError, Cause, Monotonic, Now};

impl LeaderElector {
    /// A Lease with a strategy, to create with a dry run. A server with the feature gate off drops the `strategy`.
    pub(super) fn trial(&self, now: Now) -> Lease {
        let mut lease = record::created(&self.settings, now.wall, 0);
        lease.metadata.name = None;
        lease.metadata.generate_name = Some(format!("{}-", self.lease_name));
        let candidate = self.settings.candidate.as_ref();
        lease.spec.strategy = candidate.map(|candidate| candidate.strategy.clone());
        lease
    }

    /// Takes the answer to [`trial`](Self::trial). After an error the elector tries again.
    pub(super) fn tried(&mut self, answer: Answer, sent: Monotonic, now: Monotonic) {
        let Some(candidate) = &self.settings.candidate else {
            return;
        };
        match answer {
            Answer::Lease(lease) if lease.spec.strategy.is_some() => {
                let clock = ServerClock::new(lease.metadata.creation_timestamp, sent);
                self.keeper = Some(Keeper::new((&self.settings, candidate), clock, now));
                self.tries = false;
            }
            Answer::Lease(_) if candidate.fall_back => self.tries = false,
            Answer::Lease(_) => self.fail("the server has no coordinated election", sent, now),
            Answer::NotFound => self.fail(NO_NAMESPACE, sent, now),
            Answer::Failed(error) => self.failed(&error, sent, now),
            _ => self.fail(OTHER_ANSWER, sent, now),
        }
    }

    /// Falls back to plain election if the server serves no version of the candidates' API.
    pub(super) fn check_served(&mut self) {
        if self.keeper.as_ref().is_some_and(|keeper| keeper.not_served) {
            let candidate = self.settings.candidate.as_ref();
            if candidate.is_some_and(|candidate| candidate.fall_back) {
                self.keeper = None;
            } else {
                let error = CallError::new("the server serves no version of LeaseCandidate");
                self.count(Some(error));
            }
        }
    }

    /// The preferred holder, if it is another candidate.
    pub(super) fn preferred<'a>(&self, lease: &'a Lease) -> Option<&'a str> {
        let preferred = record::preferred_holder(lease).filter(|_| self.is_coordinated());
        preferred.filter(|preferred| *preferred != self.settings.identity)
    }

    /// Steps down for the preferred holder, unless it is no candidate: then the election would stall.
    pub(super) fn looked(&mut self, preferred: String, answer: &Answer, now: Monotonic) {
        match (&mut self.phase, answer) {
            (Phase::Holding(holding), Answer::NotFound | Answer::NotServed) => holding.alone = true,
            _ => self.stop(Cause::Preferred(preferred), now),
        }
    }
}
