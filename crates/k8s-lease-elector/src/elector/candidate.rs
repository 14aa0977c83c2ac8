//! Our candidate in a coordinated election: the elector creates it, renews it when it is pinged, and deletes it at the end.

use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion, LeaseCandidateVersion};
use k8s_coordination::meta::v1::MicroTime;

use super::server_clock::ServerClock;
use super::slot::RequestSlot;
use crate::settings::NewestCandidate;
use crate::{
    CallError, CallId, CandidateSettings, ElectorAnswer, ElectorVerb, Monotonic, Now, Settings,
};

/// The time between two renewals without a ping. Servers ignore a candidate 30 minutes after its last renewal.
const RENEW_PERIOD: Duration = Duration::from_secs(5 * 60);

/// Keeps our candidate on the server.
#[derive(Clone, Debug)]
pub(super) struct CandidateRegistration {
    name: Arc<str>,
    /// Our candidate in the newest version, without its times.
    own: NewestCandidate,
    retry_period: Duration,
    pub(super) clock: ServerClock,
    /// The version of the stored candidate, or the version to try.
    version: LeaseCandidateVersion,
    /// The stored candidate as it was last seen.
    stored: Option<AnyLeaseCandidate>,
    /// The time of the last ping.
    pinged: Option<MicroTime>,
    /// The time of the next renewal without a ping.
    renew_at: Monotonic,
    todo: Todo,
    /// The other Lease of which the stored candidate with our name is: its elector renews and deletes it.
    other_lease: Option<String>,
    /// Whether the candidate is taken away: the elector shuts down, or steps down.
    leaving: bool,
    /// Whether the candidate is deleted.
    pub(super) deleted: bool,
    /// Whether the server has served a version of the API.
    pub(super) served: bool,
    pub(super) search: Search,
    pub(super) slot: RequestSlot<Todo>,
}

/// The search for a version of the API that the server serves, from the newest to the oldest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Search {
    UnderWay,
    Found,
    /// The server serves no version.
    NothingServed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Todo {
    Create,
    Read,
    Renew,
    Delete,
}

impl CandidateRegistration {
    pub(super) fn new(
        settings: &Settings,
        candidate: &CandidateSettings,
        clock: ServerClock,
        now: Monotonic,
    ) -> Self {
        Self {
            name: settings.identity.as_str().into(),
            own: candidate.object(settings),
            retry_period: settings.retry_period,
            clock,
            version: LeaseCandidateVersion::NEWEST,
            stored: None,
            pinged: None,
            renew_at: now,
            todo: Todo::Create,
            other_lease: None,
            leaving: false,
            deleted: false,
            served: false,
            search: Search::UnderWay,
            slot: RequestSlot::new(now),
        }
    }

    /// Deletes the candidate.
    pub(super) fn delete(&mut self, now: Monotonic) {
        if !self.leaving {
            self.leaving = true;
            self.slot.restart(now);
            self.next(Todo::Delete, now);
            self.deleted = self.other_lease.is_some();
        }
    }

    /// Creates the candidate again after [`delete`](Self::delete).
    pub(super) fn rejoin(&mut self, now: Monotonic) {
        if self.leaving {
            (self.leaving, self.deleted, self.stored) = (false, false, None);
            self.slot.restart(now);
            self.next(Todo::Create, now);
        }
    }

    /// The version in which the server has answered.
    pub(super) fn served_version(&self) -> Option<LeaseCandidateVersion> {
        (self.search == Search::Found).then_some(self.version)
    }

    /// Whether the server has the candidate, and keeps it.
    pub(super) fn is_stored(&self) -> bool {
        self.stored.is_some() && !self.leaving
    }

    pub(super) fn wake_up(&self) -> Option<Monotonic> {
        (!self.deleted).then(|| self.slot.wake_up())
    }

    /// Gives up the request under way if its answer is late.
    pub(super) fn expire(&mut self, now: Monotonic) {
        if self.slot.expire(now).is_some() {
            self.slot.back_off(self.retry_at(now));
            self.slot.count(Some(CallError::late()));
        }
    }

    /// The next request, if one is due.
    pub(super) fn poll(&mut self, id: CallId, now: Now, timeout: Duration) -> Option<ElectorVerb> {
        if self.deleted || !self.slot.is_due(now.monotonic) {
            return None;
        }
        let verb = match self.todo {
            Todo::Create => ElectorVerb::CreateCandidate(self.object(None, now)),
            Todo::Read => ElectorVerb::ReadCandidate(self.version, self.name.clone()),
            Todo::Renew => ElectorVerb::ReplaceCandidate(self.object(self.stored.as_ref(), now)),
            Todo::Delete => ElectorVerb::DeleteCandidate(self.version, self.name.clone()),
        };
        self.slot.send(id, self.todo, now.monotonic, timeout);
        Some(verb)
    }

    /// Our candidate in the version that is served, with the metadata and the ping of the stored candidate.
    fn object(&self, stored: Option<&AnyLeaseCandidate>, now: Now) -> Box<AnyLeaseCandidate> {
        let time = self.clock.show(now);
        let mut own = self.own.clone();
        own.spec.renew_time = Some(self.pinged.map_or(time, |pinged| time.max(pinged)));
        if let Some(stored) = stored {
            own.metadata = stored.metadata().clone();
            own.spec.ping_time = stored.ping_time().copied();
        }
        Box::new(AnyLeaseCandidate::from(own).convert_to(self.version).0)
    }

    /// The error of an answer with a candidate of another Lease. The name of a candidate is the identity, so two electors of one
    /// process with one identity have one candidate.
    pub(super) fn check_lease(&mut self, answer: &ElectorAnswer) -> Option<CallError> {
        let ElectorAnswer::Candidate(candidate) = answer else { return None };
        // The elector also reads the candidate of the preferred holder.
        candidate.metadata().name.as_deref().filter(|name| *name == &*self.name)?;
        let (found, wanted) = (candidate.lease_name(), &*self.own.spec.lease_name);
        self.other_lease = Some(found.to_owned()).filter(|found| found != wanted);
        self.other_lease.as_ref().map(|found| {
            let name = &self.name;
            let message = format!("the candidate `{name}` is of the Lease `{found}`, not of `{wanted}`");
            CallError::new(message).with_hint(
                "give each elector of a process an identity of its own, such as the name of the pod with the name of the Lease",
            )
        })
    }

    /// Takes an answer. Returns `true` if it answers the request under way.
    pub(super) fn receive(&mut self, id: CallId, answer: &ElectorAnswer, now: Now) -> bool {
        let Some(under_way) = self.slot.receive(id) else {
            return false;
        };
        if self.search == Search::NothingServed {
            self.search = Search::UnderWay;
        }
        if !matches!(answer, ElectorAnswer::NotServed | ElectorAnswer::Failed(_)) {
            (self.served, self.search) = (true, Search::Found);
        }
        match (under_way.purpose, answer) {
            (Todo::Delete, ElectorAnswer::Deleted | ElectorAnswer::NotFound) => {
                // If the candidate has come back since, it is created at once.
                self.deleted = self.leaving;
            }
            (todo, ElectorAnswer::Candidate(candidate)) => {
                if todo != Todo::Read {
                    self.renew_at = now.monotonic.after(RENEW_PERIOD);
                }
                self.note_ping(candidate, now);
                self.stored = Some((**candidate).clone());
                self.decide(now.monotonic);
            }
            (_, ElectorAnswer::Failed(error)) => {
                let asked = now.monotonic.after(error.retry_after.unwrap_or_default());
                self.slot.back_off(self.retry_at(now.monotonic).max(asked));
            }
            (_, ElectorAnswer::NotServed) => self.try_next_version(now.monotonic),
            _ if self.leaving => self.retry_at_once_or(Todo::Delete, now.monotonic),
            (_, ElectorAnswer::Conflict) => self.retry_at_once_or(Todo::Read, now.monotonic),
            (_, ElectorAnswer::NotFound) => self.retry_at_once_or(Todo::Create, now.monotonic),
            _ => self.slot.back_off(self.retry_at(now.monotonic)),
        }
        true
    }

    fn retry_at(&self, now: Monotonic) -> Monotonic {
        now.after(self.retry_period)
    }

    fn next(&mut self, todo: Todo, at: Monotonic) {
        self.todo = todo;
        self.slot.schedule(at);
    }

    fn retry_at_once_or(&mut self, todo: Todo, now: Monotonic) {
        self.todo = todo;
        self.slot.retry_at_once_or(now, self.retry_at(now));
    }

    /// Tries all versions from the newest to the oldest. An updated server can have a newer one.
    fn try_next_version(&mut self, now: Monotonic) {
        let begins = self.search == Search::Found;
        let is_next = |version: &&LeaseCandidateVersion| {
            **version < self.version || (begins && **version > self.version)
        };
        let next = LeaseCandidateVersion::ALL.iter().rev().find(is_next).copied();
        self.stored = None;
        self.version = next.unwrap_or(LeaseCandidateVersion::NEWEST);
        self.search = if next.is_some() { Search::UnderWay } else { Search::NothingServed };
        // No request can delete a candidate that no version serves, and no server elects it.
        self.deleted = self.leaving && next.is_none();
        let at = if next.is_some() { now } else { self.retry_at(now) };
        self.next(if self.leaving { Todo::Delete } else { Todo::Create }, at);
    }

    fn note_ping(&mut self, candidate: &AnyLeaseCandidate, now: Now) {
        let ping = candidate.ping_time().copied();
        if let Some(ping) = ping.filter(|_| ping > self.pinged) {
            self.clock.at_least(ping, now);
            self.pinged = Some(ping);
        }
    }

    /// Decides between renewing and reading, by the stored candidate.
    fn decide(&mut self, now: Monotonic) {
        let renewed = self.stored.as_ref().and_then(AnyLeaseCandidate::renew_time);
        let unanswered = self.pinged.as_ref() > renewed;
        if self.leaving {
            self.next(Todo::Delete, now);
        } else if unanswered || self.renew_at <= now {
            self.next(Todo::Renew, now);
        } else {
            self.next(Todo::Read, self.retry_at(now).min(self.renew_at));
        }
    }

    /// Takes the candidate that a watch saw.
    pub(super) fn on_watch(&mut self, candidate: Option<AnyLeaseCandidate>, now: Now) {
        match candidate {
            _ if self.leaving || self.other_lease.is_some() => {}
            None => self.next(Todo::Read, now.monotonic),
            Some(candidate) => {
                self.note_ping(&candidate, now);
                if self.slot.is_idle() && self.stored.is_some() {
                    self.stored = Some(candidate);
                    self.decide(now.monotonic);
                }
            }
        }
    }
}
