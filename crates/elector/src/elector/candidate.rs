//! Our candidate in a coordinated election: it is created, renewed when it is pinged, and deleted at the end.

use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::AnyVersion;
use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1beta1::LeaseCandidate;

use super::lane::Lane;
use super::record;
use super::server_clock::ServerClock;
use super::timing::Timing;
use crate::{Answer, CallId, CandidateSettings, Monotonic, Now, Settings, Verb};

/// The time between two renewals without a ping. Servers count a candidate for 30 minutes.
const UNASKED: Duration = Duration::from_secs(5 * 60);

/// Keeps our candidate on the server.
#[derive(Clone, Debug)]
pub(super) struct Keeper {
    name: Arc<str>,
    /// Our candidate in the newest version, without its times.
    own: LeaseCandidate,
    timeout: Duration,
    retry_period: Duration,
    pub(super) clock: ServerClock,
    /// The version in which the candidate is kept, or which is tried.
    pub(super) version: LeaseCandidateVersion,
    /// The candidate as it was last seen.
    there: Option<AnyLeaseCandidate>,
    /// The time of the last ping.
    pinged: Option<MicroTime>,
    /// The time of the next renewal without a ping.
    renew_at: Monotonic,
    todo: Todo,
    /// True if the candidate is to be deleted.
    leaving: bool,
    /// True if the candidate is deleted.
    pub(super) gone: bool,
    /// True if the server serves no version of the API.
    pub(super) not_served: bool,
    lane: Lane<Todo>,
}

/// The next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Todo {
    Create,
    Read,
    Renew,
    Delete,
}

impl Keeper {
    pub(super) fn new(
        (settings, candidate): (&Settings, &CandidateSettings),
        clock: ServerClock,
        now: Monotonic,
    ) -> Self {
        Self {
            name: settings.identity.as_str().into(),
            own: candidate.object(settings),
            timeout: Timing::new(settings, record::SERVER_DURATION).timeout,
            retry_period: settings.retry_period,
            clock,
            version: LeaseCandidateVersion::V1beta1,
            there: None,
            pinged: None,
            renew_at: now,
            todo: Todo::Create,
            leaving: false,
            gone: false,
            not_served: false,
            lane: Lane::new(now),
        }
    }

    /// Deletes the candidate.
    pub(super) fn leave(&mut self, now: Monotonic) {
        if !self.leaving {
            self.leaving = true;
            self.next(Todo::Delete, now);
        }
    }

    pub(super) fn wake_up(&self) -> Option<Monotonic> {
        (!self.gone).then(|| self.lane.wake_up())
    }

    /// The next request, if one is due.
    pub(super) fn poll(&mut self, id: CallId, now: Now) -> Option<Verb> {
        if self.lane.expire(now.monotonic).is_some() {
            self.lane.at(self.later(now.monotonic));
        }
        if self.gone || !self.lane.is_due(now.monotonic) {
            return None;
        }
        let verb = match self.todo {
            Todo::Create => Verb::CreateCandidate(self.object(None, now)),
            Todo::Read => Verb::ReadCandidate(self.version, self.name.clone()),
            Todo::Renew => Verb::ReplaceCandidate(self.object(self.there.as_ref(), now)),
            Todo::Delete => Verb::DeleteCandidate(self.version, self.name.clone()),
        };
        self.lane.send(id, self.todo, now.monotonic, self.timeout);
        Some(verb)
    }

    /// Our candidate in the version that is served, with the metadata that others wrote.
    fn object(&self, there: Option<&AnyLeaseCandidate>, now: Now) -> Box<AnyLeaseCandidate> {
        let time = self.clock.show(now);
        let mut own = self.own.clone();
        own.spec.renew_time = Some(self.pinged.map_or(time, |pinged| time.max(pinged)));
        if let Some(there) = there {
            own.metadata = there.metadata().clone();
            own.spec.ping_time = there.ping_time().copied();
        }
        Box::new(AnyLeaseCandidate::from(own).convert_to(self.version).0)
    }

    /// Takes an answer. Says whether it was for the candidate.
    pub(super) fn receive(&mut self, id: CallId, answer: &Answer, now: Now) -> bool {
        let Some(under_way) = self.lane.receive(id) else {
            return false;
        };
        self.not_served = false;
        match (under_way.what, answer) {
            (Todo::Delete, Answer::Deleted | Answer::NotFound | Answer::NotServed) => {
                self.gone = true;
            }
            (todo, Answer::Candidate(candidate)) => {
                if todo != Todo::Read {
                    self.renew_at = now.monotonic.after(UNASKED);
                }
                self.note_ping(candidate, now);
                self.there = Some((**candidate).clone());
                self.decide(now.monotonic);
            }
            (_, Answer::Failed(error)) => {
                let asked = now.monotonic.after(error.retry_after.unwrap_or_default());
                self.lane.at(self.later(now.monotonic).max(asked));
            }
            _ if self.leaving => self.hurry(Todo::Delete, now.monotonic),
            (_, Answer::Conflict) => self.hurry(Todo::Read, now.monotonic),
            (_, Answer::NotFound) => self.hurry(Todo::Create, now.monotonic),
            (_, Answer::NotServed) => self.try_next_version(now.monotonic),
            _ => self.lane.at(self.later(now.monotonic)),
        }
        true
    }

    fn later(&self, now: Monotonic) -> Monotonic {
        now.after(self.retry_period)
    }

    fn next(&mut self, todo: Todo, at: Monotonic) {
        self.todo = todo;
        self.lane.at(at);
    }

    fn hurry(&mut self, todo: Todo, now: Monotonic) {
        self.todo = todo;
        self.lane.hurry(now, self.later(now));
    }

    /// Tries the version before this one; after the oldest, the newest again.
    fn try_next_version(&mut self, now: Monotonic) {
        let before = |version: &&LeaseCandidateVersion| **version < self.version;
        let next = LeaseCandidateVersion::ALL.iter().rev().find(before).copied();
        self.there = None;
        self.not_served = next.is_none();
        self.version = next.unwrap_or(LeaseCandidateVersion::V1beta1);
        let at = if self.not_served { self.later(now) } else { now };
        self.next(Todo::Create, at);
    }

    fn note_ping(&mut self, candidate: &AnyLeaseCandidate, now: Now) {
        let ping = candidate.ping_time().copied();
        if let Some(ping) = ping.filter(|_| ping > self.pinged) {
            self.clock.at_least(ping, now);
            self.pinged = Some(ping);
        }
    }

    /// Decides between renewing and reading, by the candidate as it is there.
    fn decide(&mut self, now: Monotonic) {
        let renewed = self.there.as_ref().and_then(AnyLeaseCandidate::renew_time);
        let asked = self.pinged.as_ref() > renewed;
        if self.leaving {
            self.next(Todo::Delete, now);
        } else if asked || self.renew_at <= now {
            self.next(Todo::Renew, now);
        } else {
            self.next(Todo::Read, self.later(now).min(self.renew_at));
        }
    }

    /// Takes note of the candidate in a watch.
    pub(super) fn saw(&mut self, candidate: Option<AnyLeaseCandidate>, now: Now) {
        match candidate {
            _ if self.leaving => {}
            None => self.next(Todo::Read, now.monotonic),
            Some(candidate) => {
                self.note_ping(&candidate, now);
                if self.lane.is_idle() && self.there.is_some() {
                    self.there = Some(candidate);
                    self.decide(now.monotonic);
                }
            }
        }
    }
}
