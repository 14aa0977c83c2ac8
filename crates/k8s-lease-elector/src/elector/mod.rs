//! The state machine: events go in, requests to send and the state come out.

mod acquire;
mod candidate;
mod coordinate;
mod machine;
mod observed;
mod phase;
pub(crate) mod record;
mod release;
mod renew;
mod retry;
mod server_clock;
mod slot;
pub(crate) mod timing;

use std::time::Duration;

use candidate::CandidateRegistration;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::requests::{self, RequestError, Watch};
use k8s_coordination::v1::Lease;
pub use machine::LeaderElector;
use phase::{Phase, Purpose};

use crate::{
    Call, CallError, CallId, ElectorAnswer, ElectorRequest, ElectorVerb, Health, Monotonic, Now,
    State, StopCause, request,
};

/// An event for the elector.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum ElectorEvent {
    /// A request was answered, or failed.
    Answered(CallId, ElectorAnswer),
    /// A watch saw the Lease; `None` if it was deleted.
    Lease(Option<Box<Lease>>),
    /// A watch saw our candidate; `None` if it was deleted.
    Candidate(Option<Box<AnyLeaseCandidate>>),
    /// The work has stopped, as [`State::Stopping`] asks.
    WorkStopped,
    /// The work ended without being asked to stop, or panicked: the elector shuts down.
    WorkEnded {
        /// Whether it panicked.
        panicked: bool,
    },
    /// The program steps down: the elector stops the work, releases the Lease so that another process can take it, and
    /// then follows for this time.
    StepDown(Duration),
    /// The program shuts down: the elector stops the work, then releases the Lease.
    ShutDown,
}

/// The next step of the caller.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Send this request, then poll again. The answer is an [`ElectorEvent`].
    Send(Call),
    /// Wait until this time or the next event, whichever comes first.
    Wait(Monotonic),
    /// The elector is done.
    Finished,
}

/// Later than any time that counts: in 136 years.
const NEVER: Monotonic = Monotonic::since_start(Duration::from_secs(u32::MAX as u64));

impl LeaderElector {
    /// The next step. Poll again after each request, after each event, and when a wait is over; then read the
    /// [`state`](Self::state).
    pub fn poll(&mut self, now: Now) -> Step {
        self.pass_time(now.monotonic);
        if matches!(self.phase, Phase::Finished) {
            return Step::Finished;
        }
        let (id, timeout) = (CallId(self.calls + 1), self.timing().timeout);
        let registration =
            self.registration.as_mut().and_then(|registration| registration.poll(id, now, timeout));
        let Some(verb) = registration.or_else(|| self.next_request(id, now, timeout)) else {
            return Step::Wait(self.wake_up(now.monotonic));
        };
        self.calls += 1;
        let namespace = self.namespace.clone();
        let request = ElectorRequest { namespace, verb, protobuf: self.settings.protobuf };
        Step::Send(Call { id, request, timeout })
    }

    /// Handles an event. The effect shows in [`state`](Self::state) and in the requests to send.
    pub fn handle(&mut self, event: ElectorEvent, now: Now) {
        self.check_term(now.monotonic);
        match event {
            ElectorEvent::Answered(id, answer) => self.receive(id, answer, now),
            ElectorEvent::Lease(lease) => self.saw_lease(lease.map(|lease| *lease), now.monotonic),
            ElectorEvent::Candidate(candidate) => {
                if let Some(registration) = &mut self.registration {
                    registration.on_watch(candidate.map(|candidate| *candidate), now);
                }
            }
            ElectorEvent::WorkStopped => self.work_stopped(now.monotonic),
            ElectorEvent::StepDown(rest) => self.step_down(rest, now.monotonic),
            ElectorEvent::WorkEnded { panicked: false } => {
                self.shut_down(StopCause::WorkEnded, now.monotonic);
            }
            ElectorEvent::WorkEnded { panicked: true } => {
                self.shut_down(StopCause::WorkPanicked, now.monotonic);
            }
            ElectorEvent::ShutDown => self.shut_down(StopCause::ShutDown, now.monotonic),
        }
    }

    /// Whether this process follows, contends or leads, at this instant.
    pub fn state(&self, now: Monotonic) -> State {
        match &self.phase {
            Phase::Holding(holding) if holding.begun => holding.state(now),
            Phase::Releasing(_) if self.is_known_ours() => State::Releasing,
            Phase::Finished => State::Released,
            // A release ends only a Lease of ours.
            Phase::Following | Phase::Holding(_) | Phase::Releasing(_) => {
                let leader = self.observed.lease().and_then(|lease| lease.spec.holder());
                let own = leader == Some(&self.settings.identity);
                State::Following { leader: leader.map(str::to_owned), own }
            }
        }
    }

    /// The health, for a health check.
    pub fn health(&self, now: Monotonic) -> Health {
        let more =
            self.registration.as_ref().map_or(0, |registration| registration.slot.failures.count);
        let (leads, stops) = match self.state(now) {
            State::Stopping(_, cause) => (false, Some(cause)),
            state => (matches!(state, State::Leading(_)), None),
        };
        Health {
            leads,
            stops,
            not_renewed_for: self.holding().map(|holding| now.since(holding.renewed)),
            failures: self.slot.failures.count.saturating_add(more),
            last_error: self.lease_error().or_else(|| self.candidate_error()).cloned(),
            fell_back: self.settings.candidate.is_some()
                && !self.probes_coordination
                && !self.is_coordinated(),
            identity_is_shared: self.identity_is_shared,
            late: self.timing().retry_period * 2,
            over: self.timing().validity,
        }
    }

    /// The error of the last request about the Lease, if it failed.
    pub fn lease_error(&self) -> Option<&CallError> {
        self.slot.failures.last_error.as_ref()
    }

    /// The error of the last request about our candidate, if it failed; `None` in plain election.
    pub fn candidate_error(&self) -> Option<&CallError> {
        self.registration.as_ref()?.slot.failures.last_error.as_ref()
    }

    /// The watch of the Lease. It is optional: its events only make the elector faster.
    ///
    /// # Errors
    ///
    /// The request cannot be built. With settings that were checked, that does not happen.
    pub fn lease_watch(&self) -> Result<requests::Request<Watch<Lease>>, RequestError> {
        request::watch_lease(&self.namespace, &self.lease_name)
    }

    /// Returns `true` if the server has our candidate, so that it can elect this process.
    pub fn is_candidate(&self) -> bool {
        self.registration.as_ref().is_some_and(CandidateRegistration::is_stored)
    }
}

impl LeaderElector {
    /// Does what is due now without an event.
    fn pass_time(&mut self, now: Monotonic) {
        self.check_term(now);
        if let Some(expired) = self.slot.expire(now) {
            self.fail(CallError::late(), expired.sent, now);
        }
        if let Some(registration) = &mut self.registration {
            registration.expire(now);
        }
        if let Phase::Holding(holding) = &mut self.phase {
            holding.begun |= holding.claim.from <= now;
        }
        self.check_release(now);
        self.move_candidate(now);
    }

    fn wake_up(&self, now: Monotonic) -> Monotonic {
        let own = match &self.phase {
            Phase::Holding(holding) => {
                let change = Some(holding.next_change()).filter(|change| now < *change);
                let idle = self.slot.is_idle() && !holding.renews(now);
                let request = if idle { NEVER } else { self.slot.wake_up() };
                request.min(change.unwrap_or(NEVER))
            }
            Phase::Following if now < self.follows_until => {
                self.slot.wake_up().min(self.follows_until)
            }
            Phase::Following => self.slot.wake_up(),
            Phase::Releasing(until) if self.has_candidate_to_delete() => *until,
            Phase::Releasing(until) => self.slot.wake_up().min(*until),
            Phase::Finished => NEVER,
        };
        let candidate = self.registration.as_ref().and_then(CandidateRegistration::wake_up);
        candidate.map_or(own, |candidate| candidate.min(own)).max(now)
    }
}

/// Requests and answers.
impl LeaderElector {
    /// The next request about the Lease, if one is due.
    fn next_request(&mut self, id: CallId, now: Now, timeout: Duration) -> Option<ElectorVerb> {
        if !self.slot.is_due(now.monotonic) {
            return None;
        }
        let (purpose, verb) = match &self.phase {
            Phase::Following if self.probes_coordination => {
                (Purpose::Probe, ElectorVerb::TryLease(self.trial(now).into()))
            }
            Phase::Following if self.observed.is_fresh() && self.may_claim(now.monotonic) => {
                (Purpose::Claim, self.claim(now))
            }
            Phase::Following => self.read(),
            Phase::Holding(holding) if holding.renews(now.monotonic) => self.renewal(holding, now),
            Phase::Releasing(_) if !self.has_candidate_to_delete() => self.release_request(now),
            _ => return None,
        };
        if let ElectorVerb::CreateLease(lease) | ElectorVerb::ReplaceLease(lease) = &verb {
            self.last_written = self.last_written.max(lease.spec.renew_time);
        }
        self.slot.send(id, purpose, now.monotonic, timeout);
        Some(verb)
    }

    fn receive(&mut self, id: CallId, mut answer: ElectorAnswer, now: Now) {
        if let ElectorAnswer::Failed(CallError { retry_after: Some(asked), .. }) = &mut answer {
            // A proxy can ask for years. After a lease duration the Lease can be free, so the elector looks again.
            *asked = (*asked).min(self.settings.lease_duration);
        }
        if let Some(registration) = &mut self.registration
            && let Some(error) = registration.check_lease(&answer)
        {
            answer = ElectorAnswer::Failed(error);
        }
        let error = match &answer {
            ElectorAnswer::Failed(error) => Some(error.clone()),
            _ => None,
        };
        if error.as_ref().is_some_and(|error| error.unsupported) {
            self.settings.protobuf = false;
        }
        if let Some(registration) = &mut self.registration
            && registration.receive(id, &answer, now)
        {
            // While the elector looks for a version, a server that lacks one decides nothing.
            if answer != ElectorAnswer::NotServed {
                registration.slot.count(error);
            }
            self.check_served();
        } else if let Some(under_way) = self.slot.receive(id) {
            let before = self.slot.failures.count;
            let is_read = matches!(under_way.purpose, Purpose::Read);
            self.answered(under_way.purpose, under_way.sent, answer, now.monotonic);
            // Some answers are failures only for the request: these are counted then. After a read that a write follows, the
            // write decides: a server that allows only to read is not healthy.
            let decides = !is_read || !self.observed.is_fresh();
            if error.is_some() || (decides && self.slot.failures.count == before) {
                self.slot.count(error);
            }
        }
    }

    fn answered(
        &mut self,
        purpose: Purpose,
        sent: Monotonic,
        answer: ElectorAnswer,
        now: Monotonic,
    ) {
        match (purpose, answer) {
            (Purpose::CheckPreferred(preferred), answer) => {
                self.on_preferred_read(preferred, &answer, now);
            }
            (_, ElectorAnswer::NotServed) => {
                let error = CallError::new("the server does not serve `coordination.k8s.io/v1`");
                let hint = "is this an API server? Check `server` in the kubeconfig, and the proxy before it";
                self.fail(error.with_hint(hint), sent, now);
            }
            (Purpose::Probe, answer) => self.on_probe(answer, sent, now),
            (Purpose::Read, ElectorAnswer::Lease(lease)) => self.on_read(Some(*lease), sent, now),
            (Purpose::Read, ElectorAnswer::NotFound) => self.on_read(None, sent, now),
            (Purpose::Claim, ElectorAnswer::Lease(lease)) => self.claimed(*lease, sent, now),
            (Purpose::Renew, ElectorAnswer::Lease(lease)) => self.renewed(*lease, sent, now),
            (Purpose::Release, ElectorAnswer::Lease(lease)) => {
                self.claim = None;
                self.observed.observe(Some(*lease), &self.settings, now);
            }
            (Purpose::Claim, ElectorAnswer::NotFound) if self.observed.lease().is_none() => {
                self.fail(CallError::no_namespace(), sent, now);
            }
            (_, ElectorAnswer::Conflict | ElectorAnswer::NotFound) => {
                self.observed.mark_stale();
                let next = self.retry_at(sent, now);
                self.slot.retry_at_once_or(now, next);
            }
            (_, ElectorAnswer::Failed(error)) => self.failed(&error, sent, now),
            _ => self.fail(CallError::other_answer(), sent, now),
        }
    }

    /// Takes the Lease as it was read, and decides.
    fn on_read(&mut self, lease: Option<Lease>, sent: Monotonic, now: Monotonic) {
        self.detect_shared_identity(lease.as_ref());
        self.observed.observe(lease, &self.settings, now);
        match &self.phase {
            Phase::Following if self.may_claim(now) => {}
            Phase::Following => {
                self.observed.mark_stale();
                // A watch may have asked for another read since: this answer can be older than the Lease that it saw.
                let next = if self.slot.next > sent { now } else { self.retry_at(now, now) };
                self.slot.schedule(next);
            }
            Phase::Holding(holding) => match self.lost(holding) {
                Some(cause) => self.stop(cause, now),
                None => self.keep_to_record(),
            },
            Phase::Releasing(_) if self.may_be_ours(now) && self.is_known_ours() => {}
            Phase::Releasing(_) => self.claim = None,
            Phase::Finished => {}
        }
    }

    /// Takes the Lease that a watch saw. A watch can be late, so it only decides when to read.
    fn saw_lease(&mut self, lease: Option<Lease>, now: Monotonic) {
        match &self.phase {
            Phase::Following => {
                self.detect_shared_identity(lease.as_ref());
                self.observed.observe(lease, &self.settings, now);
                self.observed.mark_stale();
                if self.may_claim(now) {
                    self.slot.make_due(now);
                }
            }
            Phase::Holding(holding) if holding.renews(now) && self.is_news(holding, lease) => {
                self.observed.mark_stale();
                self.slot.make_due(now);
            }
            _ => {}
        }
    }
}
