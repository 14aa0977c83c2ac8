//! The state machine.

use std::sync::Arc;
use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::k8s_versioned::MicroTime;
use k8s_coordination::k8s_versioned::operation::{self, RequestError, Watch};
use k8s_coordination::v1::Lease;

use crate::candidate::{Keeper, NotServed};
use crate::lane::Lane;
use crate::random::Random;
use crate::record::{self, View};
use crate::request::{self, Answer, Call, CallId, Failure, Request, Verb};
use crate::settings::Timing;
use crate::time::ServerClock;
use crate::{Cause, FencingToken, Health, Monotonic, Now, Settings, SettingsErrors, State, Term};

/// What an elector is told.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A request was answered, or failed.
    Answered(CallId, Answer),
    /// A watch saw the Lease, or that it was deleted.
    Lease(Option<Box<Lease>>),
    /// A watch saw our candidate, or that it was deleted.
    Candidate(Option<Box<AnyLeaseCandidate>>),
    /// The work has stopped, as [`State::Stopping`] asks.
    WorkStopped,
    /// The program is to end: stop the work, then give the Lease back.
    ShutDown,
}

/// What to do next.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Send this request, then ask again. The answer comes as an [`Event`].
    Send(Call),
    /// Wait until this time or the next event, whichever comes first.
    Wait(Monotonic),
    /// All is done.
    Finished,
}

/// An elector: events go in, requests to send and the state come out.
///
/// It sends nothing, has no clock and starts nothing. Ask [`poll`](Self::poll) what to do, tell it what happened with
/// [`handle`](Self::handle), and look at [`state`](Self::state) after either: it says whether the work may run.
#[derive(Clone, Debug)]
pub struct LeaderElector {
    settings: Settings,
    namespace: Arc<str>,
    lease_name: Arc<str>,
    random: Random,
    phase: Phase,
    /// What was seen of the Lease.
    view: View,
    /// Whether what was seen is fresh enough to write on it without reading first.
    ready: bool,
    /// The last attempt to take the Lease that may have succeeded without our knowledge.
    claim: Option<Claim>,
    /// Our last term, once it is over.
    over: Option<FencingToken>,
    lane: Lane<Purpose>,
    /// Our candidate; `None` in plain election.
    keeper: Option<Keeper>,
    /// Whether to ask yet if the server has coordinated elections.
    asks: bool,
    clock: ServerClock,
    calls: u64,
    shutting_down: bool,
    failures: u32,
    last_failure: Option<String>,
}

#[derive(Clone, Debug)]
enum Phase {
    Following,
    Holding(Box<Holding>),
    /// The Lease is given back, at the latest by this time.
    Releasing(Monotonic),
    Finished,
}

/// The Lease is ours.
#[derive(Clone, Debug)]
struct Holding {
    term: Term,
    /// How it was taken, and from when it leads.
    claim: Claim,
    /// Whether it leads or has led: the work may run.
    begun: bool,
    /// When the last successful write was sent.
    renewed: Monotonic,
    timing: Timing,
    /// Why the work is being stopped, if it is.
    stopping: Option<Cause>,
    /// Whether the preferred holder was found to be gone since the last renewal.
    looked: bool,
}

impl Holding {
    fn deadline(&self) -> Monotonic {
        self.renewed.after(self.timing.renew_deadline)
    }

    /// Whether the Lease is still to be renewed.
    fn renews(&self, now: Monotonic) -> bool {
        self.stopping.as_ref().is_none_or(Cause::is_voluntary) && self.term.holds(now)
    }
}

/// An attempt to take the Lease, by which a record is recognised as ours when the answer was lost.
#[derive(Clone, Debug)]
struct Claim {
    /// The Lease object; `None` if it was to be created.
    uid: Option<String>,
    transitions: i32,
    acquire_time: Option<MicroTime>,
    /// From when we lead if the claim succeeds,
    from: Monotonic,
    /// and how long after we know that it did.
    wait: Duration,
}

impl Claim {
    fn is(&self, lease: &Lease, identity: &str) -> bool {
        record::holder(lease) == Some(identity)
            && record::transitions(lease) == self.transitions
            && lease.spec.acquire_time == self.acquire_time
            && (self.uid.is_none() || self.uid == lease.metadata.uid)
    }
}

/// What a request of the elector is for.
#[derive(Clone, Debug)]
enum Purpose {
    Read,
    /// To find out whether the server keeps `strategy`.
    Try,
    /// To find out whether the preferred holder is a candidate.
    Look(String),
    Claim,
    Renew,
    Release,
}

impl LeaderElector {
    /// An elector, before its first request.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the settings.
    pub fn new(settings: Settings, now: Now) -> Result<Self, SettingsErrors> {
        settings.check(now.wall)?;
        Ok(Self {
            namespace: settings.namespace.as_str().into(),
            lease_name: settings.lease_name.as_str().into(),
            random: Random::new(settings.seed),
            phase: Phase::Following,
            view: View::default(),
            ready: false,
            claim: None,
            over: None,
            lane: Lane::new(now.monotonic),
            keeper: None,
            asks: settings.candidate.is_some(),
            clock: ServerClock::default(),
            calls: 0,
            shutting_down: false,
            failures: 0,
            last_failure: None,
            settings,
        })
    }

    /// What to do next. Ask again after each request, after each event, and when a wait is over; then look at
    /// [`state`](Self::state).
    pub fn poll(&mut self, now: Now) -> Step {
        self.advance(now);
        let id = CallId(self.calls + 1);
        let verb = self
            .poll_keeper(id, now)
            .or_else(|| self.poll_lease(id, now));
        match verb {
            Some(verb) => {
                self.calls += 1;
                Step::Send(Call {
                    id,
                    request: Request {
                        namespace: self.namespace.clone(),
                        verb,
                    },
                    timeout: self.timing().timeout,
                })
            }
            None if matches!(self.phase, Phase::Finished) => Step::Finished,
            None => Step::Wait(self.wake_up(now.monotonic)),
        }
    }

    /// Takes an event.
    pub fn handle(&mut self, event: Event, now: Now) {
        self.check_term(now.monotonic);
        match event {
            Event::Answered(id, answer) => self.receive(id, answer, now),
            Event::Lease(lease) => self.saw_lease(lease.map(|lease| *lease), now),
            Event::Candidate(candidate) => {
                if let Some(keeper) = &mut self.keeper {
                    let candidate = candidate.map(|candidate| *candidate);
                    keeper.saw(candidate, &self.settings, &mut self.clock, now);
                }
            }
            Event::WorkStopped => self.work_stopped(now.monotonic),
            Event::ShutDown => self.shut_down(now.monotonic),
        }
    }

    /// Where the elector stands.
    pub fn state(&self, now: Monotonic) -> State {
        match &self.phase {
            Phase::Holding(holding) if holding.begun => {
                let term = holding.term.clone();
                let late = || !term.holds(now) || holding.deadline() <= now;
                match &holding.stopping {
                    Some(cause) => State::Stopping(term, cause.clone()),
                    None if late() => State::Stopping(term, Cause::RenewDeadline),
                    None => State::Leading(term),
                }
            }
            Phase::Following | Phase::Holding(_) => State::Following {
                leader: self.leader(),
            },
            Phase::Releasing(_) => State::Releasing,
            Phase::Finished => State::Released,
        }
    }

    fn leader(&self) -> Option<String> {
        self.view
            .lease()
            .and_then(record::holder)
            .map(str::to_owned)
    }

    /// How the elector is, for a health check.
    pub fn health(&self, now: Monotonic) -> Health {
        let holding = match &self.phase {
            Phase::Holding(holding) => Some(holding),
            _ => None,
        };
        Health {
            leads: matches!(self.state(now), State::Leading(_)),
            not_renewed_for: holding.map(|holding| now.since(holding.renewed)),
            failures: self.failures,
            last_failure: self.last_failure.clone(),
            late: self.timing().retry_period * 2,
        }
    }

    /// The watch to keep open on the Lease, if the caller can: it makes the elector quicker, and nothing else.
    ///
    /// # Errors
    ///
    /// The request cannot be built. With settings that were checked, that does not happen.
    pub fn lease_watch(&self) -> Result<operation::Request<Watch<Lease>>, RequestError> {
        request::watch_lease(&self.namespace, &self.lease_name)
    }

    /// The version in which to watch our candidate; `None` in plain election.
    pub fn candidate_version(&self) -> Option<LeaseCandidateVersion> {
        self.keeper.as_ref().map(Keeper::version)
    }

    fn is_coordinated(&self) -> bool {
        self.keeper.is_some()
    }

    fn timing(&self) -> Timing {
        match &self.phase {
            Phase::Holding(holding) => holding.timing,
            _ if self.is_coordinated() => self.settings.timing(record::SERVER_DURATION),
            _ => self.settings.timing(self.settings.lease_duration),
        }
    }

    /// The time to write: in a coordinated election, that of the server's clock.
    fn wall(&self, now: Now) -> MicroTime {
        if self.is_coordinated() {
            self.clock.show(now)
        } else {
            now.wall
        }
    }
}

/// What time brings.
impl LeaderElector {
    fn advance(&mut self, now: Now) {
        self.check_term(now.monotonic);
        if let Some(expired) = self.lane.expire(now.monotonic) {
            self.ready = false;
            self.failed(
                &Failure::new("no answer in time"),
                expired.sent,
                now.monotonic,
            );
        }
        self.check_begin(now.monotonic);
        self.check_release(now.monotonic);
    }

    /// Ends a term that was not renewed in time.
    fn check_term(&mut self, now: Monotonic) {
        let Phase::Holding(holding) = &self.phase else {
            return;
        };
        let late = !holding.term.holds(now) || holding.deadline() <= now;
        if late && holding.stopping.is_none() {
            self.stop(Cause::RenewDeadline, now);
        }
    }

    /// Begins to lead, if it is time.
    fn check_begin(&mut self, now: Monotonic) {
        if let Phase::Holding(holding) = &mut self.phase {
            holding.begun |= holding.claim.from <= now;
        }
    }

    /// Ends the release when there is nothing more to give back, or no time.
    fn check_release(&mut self, now: Monotonic) {
        let Phase::Releasing(until) = self.phase else {
            return;
        };
        let candidate_goes = self.shutting_down && self.keeper.is_some();
        if let Some(keeper) = self.keeper.as_mut().filter(|_| candidate_goes) {
            keeper.leave(now);
        }
        let done = !self.may_be_ours(now) && self.lane.is_idle() && !self.candidate_is_left();
        if done || until <= now {
            self.claim = None;
            self.ready = false;
            if self.shutting_down {
                self.phase = Phase::Finished;
            } else {
                self.phase = Phase::Following;
                self.lane.at(now.after(self.timing().retry_period));
            }
        }
    }

    /// Whether our candidate is to be deleted and still there. It goes before the Lease, so that the server does not
    /// elect it again.
    fn candidate_is_left(&self) -> bool {
        self.shutting_down && self.keeper.as_ref().is_some_and(|keeper| !keeper.is_gone())
    }

    /// Whether the Lease may be in our name, and may be given back: a Lease that nobody holds tells the others that no
    /// term is left, so it must not be given back before its term begins.
    fn may_be_ours(&self, now: Monotonic) -> bool {
        let begins = |claim: &Claim| claim.from <= now && claim.wait.is_zero();
        self.claim.as_ref().is_some_and(begins) || self.is_left_over()
    }

    /// Whether the record is that of our last term.
    fn is_left_over(&self) -> bool {
        let ours = |lease: &Lease| {
            record::holder(lease) == Some(&self.settings.identity)
                && (self.over.as_ref()).is_some_and(|over| record::is_about(lease, over))
        };
        self.view.lease().is_some_and(ours)
    }

    fn wake_up(&self, now: Monotonic) -> Monotonic {
        let lane = match &self.phase {
            Phase::Holding(holding) if holding.renews(now) => {
                let change = match (&holding.stopping, holding.begun) {
                    (Some(_), _) => holding.term.valid_until(),
                    (None, true) => holding.deadline(),
                    (None, false) => holding.claim.from.min(holding.deadline()),
                };
                self.lane.wake_up().min(change)
            }
            Phase::Holding(_) if self.lane.is_idle() => FAR,
            Phase::Following | Phase::Holding(_) => self.lane.wake_up(),
            Phase::Releasing(until) if self.candidate_is_left() => *until,
            Phase::Releasing(until) => self.lane.wake_up().min(*until),
            Phase::Finished => FAR,
        };
        let keeper = self.keeper.as_ref().and_then(Keeper::wake_up);
        keeper.map_or(lane, |keeper| keeper.min(lane)).max(now)
    }
}

/// As good as for ever.
const FAR: Monotonic = Monotonic::since_start(Duration::from_secs(u32::MAX as u64));

/// Requests.
impl LeaderElector {
    fn poll_keeper(&mut self, id: CallId, now: Now) -> Option<Verb> {
        if matches!(self.phase, Phase::Finished) {
            return None;
        }
        let keeper = self.keeper.as_mut()?;
        keeper.poll(id, &self.settings, &self.clock, now)
    }

    fn poll_lease(&mut self, id: CallId, now: Now) -> Option<Verb> {
        if !self.lane.is_due(now.monotonic) {
            return None;
        }
        let (purpose, verb) = match &self.phase {
            Phase::Following => self.next_of_follower(now),
            Phase::Holding(holding) if holding.renews(now.monotonic) => self.next_of_holder(now),
            Phase::Releasing(_) if !self.candidate_is_left() => self.next_of_release(now),
            _ => return None,
        };
        let timeout = self.timing().timeout;
        self.lane.send(id, purpose, now.monotonic, timeout);
        Some(verb)
    }

    fn next_of_follower(&mut self, now: Now) -> (Purpose, Verb) {
        if self.asks {
            return (Purpose::Try, Verb::TryLease(self.trial(now).into()));
        }
        // What a watch saw since the record was read can make the attempt wrong.
        if self.ready && self.may_claim(now.monotonic) {
            return (Purpose::Claim, self.claim(now));
        }
        self.read()
    }

    fn read(&self) -> (Purpose, Verb) {
        (Purpose::Read, Verb::ReadLease(self.lease_name.clone()))
    }

    /// A Lease such as the server's elector writes, for a server to try.
    fn trial(&self, now: Now) -> Lease {
        let mut lease = record::created(&self.settings, now.wall, 0);
        lease.metadata.name = None;
        lease.metadata.generate_name = Some(format!("{}-", self.lease_name));
        let candidate = self.settings.candidate.as_ref();
        lease.spec.strategy = candidate.map(|candidate| candidate.strategy.clone());
        lease
    }

    /// Whether the Lease may be taken now.
    fn may_claim(&self, now: Monotonic) -> bool {
        let ours = |lease: &Lease| record::holder(lease) == Some(&self.settings.identity);
        if self.is_coordinated() {
            return self.view.lease().is_some_and(ours);
        }
        self.view.free_from() <= now || self.is_claimed() || self.is_left_over()
    }

    /// Whether the record is our last attempt, which succeeded without our knowledge.
    fn is_claimed(&self) -> bool {
        let claim = self.claim.as_ref().zip(self.view.lease());
        claim.is_some_and(|(claim, lease)| claim.is(lease, &self.settings.identity))
    }

    /// The write that takes the Lease.
    fn claim(&mut self, now: Now) -> Verb {
        let wall = self.wall(now);
        let coordinated = self.is_coordinated();
        if let Some(lease) = self.view.lease().filter(|_| self.is_claimed()) {
            let duration = (!coordinated).then_some(self.settings.lease_duration);
            return Verb::ReplaceLease(record::renewed(lease.clone(), duration, wall).into());
        }
        let (mut from, mut wait) = (now.monotonic, Duration::ZERO);
        let mut lease = match self.view.lease() {
            None => {
                wait = self.view.wait_after_creation(&self.settings);
                record::created(&self.settings, wall, self.view.next_transitions())
            }
            Some(lease) if coordinated => {
                from = self
                    .view
                    .lead_from(self.over.as_ref(), &self.settings, from);
                record::accepted(lease.clone(), &self.settings, wall)
            }
            Some(lease) => record::taken(lease.clone(), &self.settings, wall),
        };
        // An earlier attempt on the same record may still be on its way: both are one claim.
        let same = self.claim.take().filter(|claim| {
            claim.transitions == record::transitions(&lease) && claim.uid == lease.metadata.uid
        });
        let claim = same.unwrap_or_else(|| Claim {
            uid: lease.metadata.uid.clone(),
            transitions: record::transitions(&lease),
            acquire_time: lease.spec.acquire_time,
            from,
            wait,
        });
        lease.spec.acquire_time = claim.acquire_time;
        self.claim = Some(claim);
        if lease.metadata.resource_version.is_none() {
            Verb::CreateLease(lease.into())
        } else {
            Verb::ReplaceLease(lease.into())
        }
    }

    fn next_of_holder(&self, now: Now) -> (Purpose, Verb) {
        let (Phase::Holding(holding), Some(lease), true) =
            (&self.phase, self.view.lease(), self.ready)
        else {
            return self.read();
        };
        let asked = record::preferred_holder(lease).filter(|preferred| {
            let free = holding.begun && holding.stopping.is_none() && !holding.looked;
            free && self.is_coordinated() && *preferred != self.settings.identity
        });
        if let (Some(preferred), Some(version)) = (asked, self.candidate_version()) {
            let verb = Verb::ReadCandidate(version, preferred.into());
            return (Purpose::Look(preferred.to_owned()), verb);
        }
        let duration = (!self.is_coordinated()).then_some(self.settings.lease_duration);
        let lease = record::renewed(lease.clone(), duration, self.wall(now));
        (Purpose::Renew, Verb::ReplaceLease(lease.into()))
    }

    fn next_of_release(&self, now: Now) -> (Purpose, Verb) {
        match self.view.lease() {
            Some(lease) if self.ready => {
                let lease = record::released(lease.clone(), self.wall(now));
                (Purpose::Release, Verb::ReplaceLease(lease.into()))
            }
            _ => self.read(),
        }
    }
}

/// Answers.
impl LeaderElector {
    fn receive(&mut self, id: CallId, answer: Answer, now: Now) {
        if let Some(keeper) = &mut self.keeper
            && let Some(served) = keeper.receive(id, &answer, &self.settings, &mut self.clock, now)
        {
            if let Err(NotServed) = served {
                self.no_candidates();
            }
            self.count(&answer);
            return;
        }
        if let Some(under_way) = self.lane.receive(id) {
            self.count(&answer);
            self.answered(under_way.what, under_way.sent, answer, now);
        }
    }

    fn count(&mut self, answer: &Answer) {
        if let Answer::Failed(failure) = answer {
            self.failures = self.failures.saturating_add(1);
            self.last_failure = Some(failure.message.clone());
        } else {
            self.failures = 0;
            self.last_failure = None;
        }
    }

    /// The server has no API for candidates.
    fn no_candidates(&mut self) {
        let candidate = self.settings.candidate.as_ref();
        if candidate.is_some_and(|candidate| candidate.fall_back) {
            self.keeper = None;
        } else {
            self.last_failure = Some("the server serves no version of LeaseCandidate".to_owned());
        }
    }

    fn answered(&mut self, purpose: Purpose, sent: Monotonic, answer: Answer, now: Now) {
        match (purpose, answer) {
            (Purpose::Try, answer) => self.tried(&answer, sent, now),
            (Purpose::Look(_), Answer::NotFound | Answer::NotServed) => {
                if let Phase::Holding(holding) = &mut self.phase {
                    holding.looked = true;
                }
            }
            (Purpose::Look(preferred), _) => self.stop(Cause::Preferred(preferred), now.monotonic),
            (Purpose::Read, Answer::Lease(lease)) => self.read_lease(Some(*lease), now),
            (Purpose::Read, Answer::NotFound) => self.read_lease(None, now),
            (Purpose::Claim, Answer::Lease(lease)) => self.claimed(*lease, sent, now.monotonic),
            (Purpose::Renew, Answer::Lease(lease)) => self.renewed(*lease, sent, now.monotonic),
            (Purpose::Release, Answer::Lease(lease)) => {
                self.claim = None;
                self.view
                    .observe(Some(*lease), &self.settings, now.monotonic);
            }
            (_, Answer::Conflict | Answer::NotFound) => {
                self.ready = false;
                let later = self.later(sent, now.monotonic);
                self.lane.hurry(now.monotonic, later);
            }
            (_, Answer::Failed(failure)) => {
                self.ready = false;
                self.failed(&failure, sent, now.monotonic);
            }
            (_, Answer::Candidate(_) | Answer::Deleted | Answer::NotServed) => {
                self.ready = false;
                let failure = Failure::new("an answer to another request");
                self.failed(&failure, sent, now.monotonic);
            }
        }
    }

    /// Settles whether the server has coordinated elections: one with the feature gate off drops `strategy`.
    fn tried(&mut self, answer: &Answer, sent: Monotonic, now: Now) {
        let Some(candidate) = &self.settings.candidate else {
            return;
        };
        let off = match answer {
            Answer::Lease(lease) => {
                self.clock.set(lease.metadata.creation_timestamp, sent);
                lease.spec.strategy.is_none()
            }
            Answer::Failed(failure) if !failure.refused => {
                self.failed(&failure.clone(), sent, now.monotonic);
                return;
            }
            // Who may not create a Lease takes for granted that there are elections, and that the clocks agree.
            _ => false,
        };
        self.asks = false;
        if !(off && candidate.fall_back) {
            self.keeper = Some(Keeper::new(&self.settings, now.monotonic));
        }
    }

    /// When the next attempt is due after one that led nowhere.
    fn later(&mut self, sent: Monotonic, now: Monotonic) -> Monotonic {
        let period = self.timing().retry_period;
        match self.phase {
            Phase::Following => {
                let next = now.after(self.random.lengthen(period));
                let free = self.view.free_from();
                if self.view.is_known() && now < free && !self.is_coordinated() {
                    next.min(free)
                } else {
                    next
                }
            }
            _ => sent.after(period).max(now),
        }
    }

    fn failed(&mut self, failure: &Failure, sent: Monotonic, now: Monotonic) {
        let mut next = self.later(sent, now);
        if let Some(asked) = failure.retry_after {
            next = next.max(now.after(asked));
            if let Phase::Holding(holding) = &self.phase {
                // One more attempt before the renew deadline.
                let last = now.after(holding.deadline().since(now) / 2);
                next = next.min(last.max(now.after(holding.timing.retry_period)));
            }
        }
        self.lane.at(next);
    }

    /// Takes note of the Lease as it is, and decides.
    fn read_lease(&mut self, lease: Option<Lease>, now: Now) {
        self.view.observe(lease, &self.settings, now.monotonic);
        match &self.phase {
            Phase::Following => {
                self.ready = self.may_claim(now.monotonic);
                if !self.ready {
                    let next = self.later(now.monotonic, now.monotonic);
                    self.lane.at(next);
                }
            }
            Phase::Holding(holding) => {
                self.ready = true;
                if let Some(cause) = self.lost(&holding.term) {
                    self.stop(cause, now.monotonic);
                }
            }
            Phase::Releasing(_) => {
                let ours = self.is_claimed() || self.is_left_over();
                self.ready = ours && self.may_be_ours(now.monotonic);
                if !self.ready {
                    self.claim = None;
                }
            }
            Phase::Finished => {}
        }
    }

    /// Why the record is no longer that of our term, if it is not.
    fn lost(&self, term: &Term) -> Option<Cause> {
        let Some(lease) = self.view.lease() else {
            return Some(Cause::Deleted);
        };
        let holder = record::holder(lease);
        let ours = holder == Some(&self.settings.identity) && record::is_about(lease, term.token());
        (!ours).then(|| Cause::Taken(holder.map(str::to_owned)))
    }

    fn claimed(&mut self, lease: Lease, sent: Monotonic, now: Monotonic) {
        let token = record::token(&lease);
        let duration = record::duration(&lease).unwrap_or(self.settings.lease_duration);
        self.view.observe(Some(lease), &self.settings, now);
        let timing = self.settings.timing(duration);
        let until = sent.after(timing.validity);
        let of_use = matches!(self.phase, Phase::Following) && now < until;
        self.ready = false;
        if !of_use || !self.is_claimed() {
            return;
        }
        let Some(mut claim) = self.claim.take() else {
            return;
        };
        claim.from = claim.from.max(now.after(claim.wait));
        claim.wait = Duration::ZERO;
        self.ready = true;
        self.phase = Phase::Holding(Box::new(Holding {
            term: Term::new(token, until),
            claim,
            begun: false,
            renewed: sent,
            timing,
            stopping: None,
            looked: false,
        }));
        self.lane.at(sent.after(timing.retry_period).max(now));
    }

    fn renewed(&mut self, lease: Lease, sent: Monotonic, now: Monotonic) {
        self.view.observe(Some(lease), &self.settings, now);
        let Phase::Holding(holding) = &self.phase else {
            self.ready = self.is_left_over();
            return;
        };
        if let Some(cause) = self.lost(&holding.term) {
            self.stop(cause, now);
            return;
        }
        let Phase::Holding(holding) = &mut self.phase else {
            return;
        };
        self.ready = true;
        if holding.renews(now) {
            holding.term.extend(sent.after(holding.timing.validity));
            holding.renewed = sent;
            holding.looked = false;
            self.lane
                .at(sent.after(holding.timing.retry_period).max(now));
        }
    }

    /// A watch says where to look. It can be late, so that nothing is lost or won by it.
    fn saw_lease(&mut self, lease: Option<Lease>, now: Now) {
        match &self.phase {
            Phase::Following => {
                self.view.observe(lease, &self.settings, now.monotonic);
                self.ready = false;
                if self.may_claim(now.monotonic) {
                    self.lane.at(now.monotonic);
                }
            }
            Phase::Holding(holding) if holding.renews(now.monotonic) => {
                let as_ours = lease.as_ref().is_some_and(|lease| {
                    record::holder(lease) == Some(&self.settings.identity)
                        && record::is_about(lease, holding.term.token())
                        && (record::preferred_holder(lease).is_none() || !self.is_coordinated())
                });
                if !as_ours {
                    self.ready = false;
                    self.lane.at(now.monotonic);
                }
            }
            _ => {}
        }
    }
}

/// The way down.
impl LeaderElector {
    /// The work has to stop.
    fn stop(&mut self, cause: Cause, now: Monotonic) {
        let Phase::Holding(holding) = &mut self.phase else {
            return;
        };
        let lost = matches!(cause, Cause::Taken(_) | Cause::Deleted);
        if lost {
            holding.term.end();
        }
        if !holding.begun {
            // Whoever led before may lead yet: the claim keeps from when we do.
            let kept = matches!(cause, Cause::RenewDeadline).then(|| holding.claim.clone());
            holding.term.end();
            self.claim = kept;
            self.follow(now);
        } else if lost || holding.stopping.is_none() {
            holding.stopping = Some(cause);
        }
    }

    fn work_stopped(&mut self, now: Monotonic) {
        if let Phase::Holding(holding) = &self.phase
            && holding.stopping.is_some()
        {
            self.leave_term(now);
        }
    }

    /// Nothing of ours runs any more in this term.
    fn leave_term(&mut self, now: Monotonic) {
        let Phase::Holding(holding) = &self.phase else {
            return;
        };
        holding.term.end();
        self.over = Some(holding.term.token().clone());
        let voluntary = holding.stopping.as_ref().is_some_and(Cause::is_voluntary);
        if voluntary {
            self.release(now);
        } else {
            self.follow(now);
        }
    }

    /// Nothing is held any more.
    fn follow(&mut self, now: Monotonic) {
        self.ready = false;
        if self.shutting_down {
            self.release(now);
        } else {
            self.phase = Phase::Following;
            self.lane.at(now);
        }
    }

    fn release(&mut self, now: Monotonic) {
        let deadline = self.timing().renew_deadline;
        self.phase = Phase::Releasing(now.after(deadline));
        self.lane.at(now);
        self.check_release(now);
    }

    fn shut_down(&mut self, now: Monotonic) {
        self.shutting_down = true;
        match &mut self.phase {
            Phase::Following => self.release(now),
            Phase::Holding(_) => self.stop(Cause::ShutDown, now),
            Phase::Releasing(_) | Phase::Finished => {}
        }
    }
}
