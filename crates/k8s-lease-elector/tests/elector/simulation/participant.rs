//! One life of a process: the elector, and a driver that can break a rule.

use std::time::Duration;

use jiff::SignedDuration;
use k8s_lease_elector::k8s_coordination::meta::v1::MicroTime;
use k8s_lease_elector::k8s_coordination::v1::LeaseSpec;
use k8s_lease_elector::{
    CallId, ElectorAnswer, ElectorEvent, ElectorVerb, FencingToken, LeaderElector, Monotonic, Now,
    State, Step, StopCause, Term,
};

use super::schedule::Schedule;

/// A rule that a driver breaks.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Broken {
    /// It writes with a merge patch, without a `resourceVersion`.
    MergePatch,
    /// It decides by its wall clock and by the `renewTime` of another machine.
    WallClock,
    /// It releases the Lease, waits for the answer, and only then tells the work to stop.
    ReleaseFirst,
    /// It counts the term from the time of the answer.
    FromTheAnswer,
    /// Its token is the number of terms in the Lease, and not its `resourceVersion`.
    CountedToken,
}

/// The work of a participant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Work {
    None,
    Run(FencingToken),
    Stop,
}

/// A change of an elector's state: before and after, and the cause if the work stops.
pub(crate) type Change = (&'static str, &'static str, Option<&'static str>);

/// The time after the end of a term in which the work may still be found to run.
const GRACE: Duration = Duration::from_millis(5_001);

/// The elector of a process, and its driver.
pub(crate) struct Participant {
    elector: LeaderElector,
    identity: String,
    broken: Option<Broken>,
    /// The state after the last poll.
    state: State,
    /// The change of the state at the last poll, until someone takes it.
    change: Option<Change>,
    /// The last write, and the time at which it was sent.
    sent: Option<(CallId, Monotonic)>,
    /// The time that the last write took. With [`Broken::FromTheAnswer`] the driver believes in the term for this time longer.
    took: Duration,
    /// The term whose work still runs, and its end. With [`Broken::ReleaseFirst`] the elector has left that term.
    left: Option<(Term, Monotonic)>,
    /// The end of the last term by its renewals.
    until: Monotonic,
    /// The number of terms in the last Lease.
    transitions: i32,
}

impl Participant {
    pub(crate) fn start(
        schedule: &Schedule,
        broken: Option<Broken>,
        process: usize,
        life: u64,
        now: Now,
    ) -> Self {
        let settings = schedule.settings(process, life);
        let identity = settings.identity.clone();
        let elector = LeaderElector::new(settings, now).unwrap();
        let state = elector.state(now.monotonic);
        Self {
            elector,
            identity,
            broken,
            state,
            change: None,
            sent: None,
            took: Duration::ZERO,
            left: None,
            until: now.monotonic,
            transitions: 0,
        }
    }

    pub(crate) fn next(&mut self, now: Now) -> Step {
        if self.broken == Some(Broken::ReleaseFirst)
            && let State::Stopping(term, StopCause::ShutDown | StopCause::StepDown) =
                self.elector.state(now.monotonic)
        {
            let until = term.valid_until();
            self.left = Some((term, until));
            self.elector.handle(ElectorEvent::WorkStopped, now);
        }
        let step = self.elector.poll(now);
        if let Step::Send(call) = &step {
            if matches!(
                call.request.verb,
                ElectorVerb::CreateLease(_) | ElectorVerb::ReplaceLease(_)
            ) {
                self.sent = Some((call.id, now.monotonic));
            }
        } else {
            let before = std::mem::replace(&mut self.state, self.elector.state(now.monotonic));
            let (before, (after, cause)) = (named(&before).0, named(&self.state));
            self.change = (before != after).then_some((before, after, cause));
            if let State::Leading(term) | State::Stopping(term, _) = &self.state {
                self.until = self.until.max(term.valid_until());
            }
        }
        step
    }

    /// Takes the change of the state at the last poll.
    pub(crate) fn take_change(&mut self) -> Option<Change> {
        self.change.take()
    }

    pub(crate) fn answer(&mut self, id: CallId, mut answer: ElectorAnswer, now: Now) {
        if let Some((_, sent)) = self.sent.take_if(|(call, _)| *call == id) {
            self.took = now.monotonic.since(sent);
        }
        if let ElectorAnswer::Lease(lease) = &answer {
            self.transitions = lease.spec.lease_transitions.unwrap_or_default();
        }
        if let ElectorAnswer::Lease(lease) = &mut answer
            && self.broken == Some(Broken::WallClock)
            && lease.spec.holder_identity.as_ref() != Some(&self.identity)
            && is_over(&lease.spec, now.wall)
        {
            lease.spec.holder_identity = None;
        }
        self.elector.handle(ElectorEvent::Answered(id, answer), now);
    }

    /// Takes an event that is not an answer.
    pub(crate) fn event(&mut self, event: ElectorEvent, now: Now) {
        if matches!(event, ElectorEvent::WorkStopped) {
            self.left = None;
        }
        self.elector.handle(event, now);
    }

    pub(crate) fn work(&self) -> Work {
        match (&self.state, &self.left) {
            (State::Released, Some(_)) | (State::Stopping(..), _) => Work::Stop,
            (State::Leading(term), _) | (_, Some((term, _))) => Work::Run(self.token(term)),
            _ => Work::None,
        }
    }

    fn token(&self, term: &Term) -> FencingToken {
        if self.broken == Some(Broken::CountedToken) {
            counted(&term.token().uid, self.transitions)
        } else {
            term.token().clone()
        }
    }

    /// Returns `true` if it believes that it leads, while its work runs.
    pub(crate) fn believes(&self, now: Monotonic) -> bool {
        match (&self.state, &self.left) {
            (_, Some((_, until))) => now < *until,
            (State::Leading(term) | State::Stopping(term, _), None) => {
                let late = self.broken == Some(Broken::FromTheAnswer);
                term.holds(now) || late && now < term.valid_until().after(self.took)
            }
            _ => false,
        }
    }

    /// Returns `true` if it follows, and no work runs.
    pub(crate) fn follows(&self) -> bool {
        matches!(self.state, State::Following { .. }) && self.left.is_none()
    }

    /// What is wrong in the health that it shows, by its state and whether its work runs.
    pub(crate) fn wrong_health(&self, runs: bool, now: Monotonic) -> Option<&'static str> {
        let health = self.elector.health(now);
        let leads = matches!(self.state, State::Leading(_));
        if health.leads != leads {
            return Some(if leads { "is said to follow" } else { "is said to lead" });
        }
        match (health.is_alive(), runs) {
            (false, false) => Some("is said to hang, and no work runs"),
            (true, true) if self.until.after(GRACE) < now => {
                Some("is not said to hang, and its work runs on")
            }
            _ => None,
        }
    }

    /// Returns `true` if it has released the Lease, and no work runs.
    pub(crate) fn is_released(&self) -> bool {
        matches!(self.state, State::Released) && self.left.is_none()
    }
}

/// A token of a driver with [`Broken::CountedToken`].
pub(crate) fn counted(uid: &str, transitions: i32) -> FencingToken {
    let number = i64::from(transitions) + 1;
    FencingToken { uid: uid.into(), resource_version: number.to_string().into() }
}

/// The name of a state, and of the cause for which the work stops.
fn named(state: &State) -> (&'static str, Option<&'static str>) {
    match state {
        State::Following { .. } => ("Following", None),
        State::Leading(_) => ("Leading", None),
        State::Stopping(_, cause) => {
            let cause = match cause {
                StopCause::ShutDown => "ShutDown",
                StopCause::StepDown => "StepDown",
                StopCause::Preferred(_) => "Preferred",
                StopCause::RenewDeadline => "RenewDeadline",
                StopCause::Taken(_) => "Taken",
                StopCause::Deleted => "Deleted",
                _ => "another cause",
            };
            ("Stopping", Some(cause))
        }
        State::Releasing => ("Releasing", None),
        State::Released => ("Released", None),
        _ => ("another state", None),
    }
}

/// Returns `true` if a Lease has run out by this wall clock.
fn is_over(spec: &LeaseSpec, wall: MicroTime) -> bool {
    let valid = SignedDuration::from_secs(spec.lease_duration_seconds.unwrap_or_default().into());
    spec.renew_time.is_none_or(|renewed| wall.duration_since(renewed) > valid)
}
