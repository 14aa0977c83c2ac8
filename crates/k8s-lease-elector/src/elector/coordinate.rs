//! Coordinated election: the check that the server has it, and the preferred holder.

use k8s_coordination::v1::Lease;

use super::candidate::Keeper;
use super::server_clock::ServerClock;
use super::{LeaderElector, Phase, record};
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
            Answer::Lease(_) => {
                self.fail(CallError::new("the server has no coordinated election"), sent, now);
            }
            Answer::NotFound => self.fail(CallError::no_namespace(), sent, now),
            Answer::Failed(error) => self.failed(&error, sent, now),
            _ => self.fail(CallError::other_answer(), sent, now),
        }
    }

    /// Falls back to plain election if the server serves no version of the candidates' API.
    pub(super) fn check_served(&mut self) {
        let candidate = self.settings.candidate.as_ref();
        let Some(keeper) = self.keeper.as_mut().filter(|keeper| keeper.not_served) else {
            return;
        };
        if candidate.is_some_and(|candidate| candidate.fall_back) {
            self.keeper = None;
        } else {
            let error = CallError::new("the server serves no version of LeaseCandidate");
            keeper.count(Some(error));
        }
    }

    /// Deletes our candidate while the elector does not contend, so that the server does not elect it, and creates it
    /// again afterwards.
    pub(super) fn move_candidate(&mut self, now: Monotonic) {
        let is_away = self.gives_up() || now < self.rests_until;
        match &mut self.keeper {
            Some(keeper) if is_away => keeper.leave(now),
            Some(keeper) => keeper.come_back(now),
            None => {}
        }
    }

    /// The preferred holder, if it is another candidate.
    pub(super) fn preferred<'a>(&self, lease: &'a Lease) -> Option<&'a str> {
        let preferred = record::preferred_holder(lease).filter(|_| self.is_coordinated());
        preferred.filter(|preferred| *preferred != self.settings.identity)
    }

    /// Steps down for the preferred holder, unless it is not a candidate: then the election would stall.
    pub(super) fn looked(&mut self, preferred: String, answer: &Answer, now: Monotonic) {
        match (&mut self.phase, answer) {
            (Phase::Holding(holding), Answer::NotFound | Answer::NotServed) => holding.alone = true,
            _ => self.stop(Cause::Preferred(preferred), now),
        }
    }
}
