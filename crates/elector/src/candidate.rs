//! Our candidate in a coordinated election: it is kept there, answers pings, and goes at the end.

use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::k8s_versioned::MicroTime;

use crate::lane::Lane;
use crate::request::{Answer, CallId, Verb};
use crate::time::ServerClock;
use crate::{Monotonic, Now, Settings, record};

/// How often a candidate gives a sign of life without being asked. Servers count it for 30 minutes.
const UNASKED: Duration = Duration::from_secs(5 * 60);

/// By how much the time of a sign of life may differ from the server's clock.
const DIFFERENCE: Duration = Duration::from_secs(2);

/// Keeps our candidate.
#[derive(Clone, Debug)]
pub(crate) struct Keeper {
    name: Arc<str>,
    /// The version in which the candidate is kept, or which is tried.
    version: LeaseCandidateVersion,
    presence: Presence,
    /// The candidate as it was last seen.
    there: Option<AnyLeaseCandidate>,
    /// The last ping.
    pinged: Option<MicroTime>,
    /// When to give a sign of life without being asked.
    renew_at: Monotonic,
    /// What to do next.
    todo: Todo,
    leaving: bool,
    lane: Lane<Todo>,
}

/// Whether the server has our candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Presence {
    /// It never had.
    Never,
    /// It may have.
    Maybe,
    /// It has it no more, or it has no such API.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Todo {
    Create,
    Read,
    Renew,
    Delete,
}

impl Keeper {
    pub(crate) fn new(settings: &Settings, now: Monotonic) -> Self {
        Self {
            name: settings.identity.as_str().into(),
            version: LeaseCandidateVersion::V1beta1,
            presence: Presence::Never,
            there: None,
            pinged: None,
            renew_at: now,
            todo: Todo::Create,
            leaving: false,
            lane: Lane::new(now),
        }
    }

    /// The version in which the candidate is kept, or which is tried.
    pub(crate) fn version(&self) -> LeaseCandidateVersion {
        self.version
    }

    /// Whether the server has our candidate no more, or never had.
    pub(crate) fn is_gone(&self) -> bool {
        self.presence == Presence::Gone
    }

    /// The candidate is to be deleted.
    pub(crate) fn leave(&mut self, now: Monotonic) {
        if !self.leaving {
            self.leaving = true;
            self.lane.at(now);
        }
        if self.presence == Presence::Never && self.lane.is_idle() {
            self.presence = Presence::Gone;
        }
    }

    pub(crate) fn wake_up(&self) -> Option<Monotonic> {
        (!self.is_gone()).then(|| self.lane.wake_up())
    }

    /// The next request, if one is due.
    pub(crate) fn poll(
        &mut self,
        id: CallId,
        settings: &Settings,
        clock: &ServerClock,
        now: Now,
    ) -> Option<Verb> {
        if self.lane.expire(now.monotonic).is_some() {
            self.lane.at(now.monotonic.after(settings.retry_period));
        }
        if self.is_gone() || !self.lane.is_due(now.monotonic) {
            return None;
        }
        let todo = if self.leaving {
            Todo::Delete
        } else {
            self.todo
        };
        let verb = self.verb(todo, settings, clock, now)?;
        let timeout = settings.timing(record::SERVER_DURATION).timeout;
        self.lane.send(id, todo, now.monotonic, timeout);
        Some(verb)
    }

    fn verb(
        &mut self,
        todo: Todo,
        settings: &Settings,
        clock: &ServerClock,
        now: Now,
    ) -> Option<Verb> {
        let candidate = settings.candidate.as_ref()?;
        let time = clock.show(now);
        let time = self.pinged.map_or(time, |pinged| time.max(pinged));
        let object = |there| {
            let object = record::candidate((settings, candidate), self.version, there, time);
            Box::new(object)
        };
        Some(match todo {
            Todo::Create => {
                let object = object(None);
                self.presence = Presence::Maybe;
                Verb::CreateCandidate(object)
            }
            Todo::Read => Verb::ReadCandidate(self.version, self.name.clone()),
            Todo::Renew => Verb::ReplaceCandidate(object(self.there.as_ref())),
            Todo::Delete => Verb::DeleteCandidate(self.version, self.name.clone()),
        })
    }

    /// Takes an answer, if it is for us.
    ///
    /// `Err` says that the server serves no version of the API.
    pub(crate) fn receive(
        &mut self,
        id: CallId,
        answer: &Answer,
        settings: &Settings,
        clock: &mut ServerClock,
        now: Now,
    ) -> Option<Result<(), NotServed>> {
        let under_way = self.lane.receive(id)?;
        let (todo, sent) = (under_way.what, under_way.sent);
        let later = now.monotonic.after(settings.retry_period);
        match (todo, answer) {
            (Todo::Delete, Answer::Deleted | Answer::NotFound | Answer::NotServed) => {
                self.presence = Presence::Gone;
            }
            (_, Answer::NotServed) if self.leaving => self.presence = Presence::Gone,
            (_, Answer::Candidate(candidate)) => {
                self.written((todo, sent), candidate, clock, now);
                self.there = Some((**candidate).clone());
                self.look(settings, now);
            }
            (Todo::Create, Answer::Conflict) => {
                self.there = None;
                self.then(Todo::Read, now.monotonic, later);
            }
            (_, Answer::Conflict) => self.then(Todo::Read, now.monotonic, later),
            (Todo::Read | Todo::Renew, Answer::NotFound) => {
                self.then(Todo::Create, now.monotonic, later);
            }
            (Todo::Create | Todo::Read | Todo::Renew, Answer::NotServed) => {
                return Some(self.next_version(later, now.monotonic));
            }
            _ => self.lane.at(later),
        }
        Some(Ok(()))
    }

    fn then(&mut self, todo: Todo, now: Monotonic, otherwise: Monotonic) {
        self.todo = todo;
        self.lane.hurry(now, otherwise);
    }

    /// Tries the version before this one; from the newest again after the oldest.
    fn next_version(&mut self, later: Monotonic, now: Monotonic) -> Result<(), NotServed> {
        let before = |version: &&LeaseCandidateVersion| **version < self.version;
        let next = LeaseCandidateVersion::ALL.iter().rev().find(before);
        self.todo = Todo::Create;
        self.there = None;
        self.version = next.copied().unwrap_or(LeaseCandidateVersion::V1beta1);
        self.lane.at(if next.is_some() { now } else { later });
        next.map_or(Err(NotServed), |_| Ok(()))
    }

    /// Takes note of what the server wrote into an answer.
    fn written(
        &mut self,
        (todo, sent): (Todo, Monotonic),
        candidate: &AnyLeaseCandidate,
        clock: &mut ServerClock,
        now: Now,
    ) {
        if todo == Todo::Create {
            clock.set(candidate.metadata().creation_timestamp, sent);
        }
        if todo != Todo::Read {
            let renewed = candidate.renew_time().copied();
            let apart = renewed.is_none_or(|renewed| apart(renewed, clock.show(now)) > DIFFERENCE);
            let next = if apart { Duration::ZERO } else { UNASKED };
            self.renew_at = now.monotonic.after(next);
        }
        self.note_ping(candidate, clock, now);
    }

    /// Takes note of a ping.
    fn note_ping(&mut self, candidate: &AnyLeaseCandidate, clock: &mut ServerClock, now: Now) {
        let ping = candidate.ping_time().copied();
        if let Some(ping) = ping.filter(|_| ping > self.pinged) {
            clock.at_least(ping, now);
            self.pinged = Some(ping);
        }
    }

    /// Decides what comes next, from what is there.
    fn look(&mut self, settings: &Settings, now: Now) {
        let renewed = self.there.as_ref().and_then(AnyLeaseCandidate::renew_time);
        let asked = self.pinged.as_ref() > renewed;
        if self.leaving {
            self.lane.at(now.monotonic);
        } else if asked || self.renew_at <= now.monotonic {
            self.todo = Todo::Renew;
            self.lane.at(now.monotonic);
        } else {
            self.todo = Todo::Read;
            let next = now.monotonic.after(settings.retry_period);
            self.lane.at(next.min(self.renew_at));
        }
    }

    /// Takes note of what a watch saw.
    pub(crate) fn saw(
        &mut self,
        candidate: Option<AnyLeaseCandidate>,
        settings: &Settings,
        clock: &mut ServerClock,
        now: Now,
    ) {
        if self.leaving {
            return;
        }
        let Some(candidate) = candidate else {
            self.todo = Todo::Read;
            self.lane.at(now.monotonic);
            return;
        };
        self.note_ping(&candidate, clock, now);
        if self.lane.is_idle() && self.there.is_some() {
            self.there = Some(candidate);
            self.look(settings, now);
        }
    }
}

/// The server serves no version of the candidate's API.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NotServed;

fn apart(one: MicroTime, other: MicroTime) -> Duration {
    one.duration_since(other).unsigned_abs()
}
