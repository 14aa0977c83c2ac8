//! The participants of a simulation: the elector, or a model of another protocol.

use k8s_lease_elector::k8s_coordination::v1::LeaseSpec;
use k8s_lease_elector::{
    Answer, CallId, Event, FencingToken, LeaderElector, Monotonic, Now, State, Step, Verb,
};

use super::schedule::Schedule;

/// A request to the server.
#[derive(Clone, Debug)]
pub(crate) enum Sent {
    Verb(Verb),
    /// A merge patch of the Lease's spec, which other protocols use.
    Patch(Box<LeaseSpec>),
}

/// The number that a participant gives a request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Id {
    Elector(CallId),
    Other(u64),
}

/// The next step of a participant.
pub(crate) enum Next {
    Send(Id, Sent),
    Wait(Monotonic),
    Finished,
}

/// The work of a participant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    None,
    Run(Option<FencingToken>),
    Stop,
}

/// One life of a process.
pub(crate) trait Participant {
    /// True if it waits for the end of its work, whatever happens.
    const WAITS: bool;

    fn start(schedule: &Schedule, process: usize, life: u64, now: Now) -> Self;
    fn next(&mut self, now: Now) -> Next;
    fn answer(&mut self, id: Id, answer: Answer, now: Now);
    /// Anything but an answer.
    fn event(&mut self, event: Event, now: Now);
    fn work(&self) -> Work;
    /// True if it believes to lead while its work runs.
    fn believes(&self, now: Monotonic) -> bool;
    /// True if it has given the Lease back.
    fn is_released(&self) -> bool;
}

/// The elector, with the term that its work looks at.
pub(crate) struct Ours {
    elector: LeaderElector,
    /// The state after the last poll.
    state: State,
}

impl Participant for Ours {
    const WAITS: bool = true;

    fn start(schedule: &Schedule, process: usize, life: u64, now: Now) -> Self {
        let elector = LeaderElector::new(schedule.settings(process, life), now).unwrap();
        let state = elector.state(now.monotonic);
        Self { elector, state }
    }

    fn next(&mut self, now: Now) -> Next {
        let step = self.elector.poll(now);
        if !matches!(step, Step::Send(_)) {
            self.state = self.elector.state(now.monotonic);
        }
        match step {
            Step::Send(call) => Next::Send(Id::Elector(call.id), Sent::Verb(call.request.verb)),
            Step::Wait(until) => Next::Wait(until),
            _ => Next::Finished,
        }
    }

    fn answer(&mut self, id: Id, answer: Answer, now: Now) {
        if let Id::Elector(id) = id {
            self.elector.handle(Event::Answered(id, answer), now);
        }
    }

    fn event(&mut self, event: Event, now: Now) {
        self.elector.handle(event, now);
    }

    fn work(&self) -> Work {
        match &self.state {
            State::Leading(term) => Work::Run(Some(term.token().clone())),
            State::Stopping(..) => Work::Stop,
            _ => Work::None,
        }
    }

    fn believes(&self, now: Monotonic) -> bool {
        match &self.state {
            State::Leading(term) | State::Stopping(term, _) => term.holds(now),
            _ => false,
        }
    }

    fn is_released(&self) -> bool {
        matches!(self.state, State::Released)
    }
}
