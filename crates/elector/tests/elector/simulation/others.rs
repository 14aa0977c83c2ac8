//! Other protocols: an elector that keeps the rules, in short, and others that break one of them each.
//!
//! They show that the simulation notices: each wrong protocol is caught, and the story says how.

use std::time::Duration;

use jiff::SignedDuration;
use k8s_lease_elector::k8s_coordination::meta::v1::ObjectMeta;
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::{Answer, Event, Monotonic, Now, Verb};

use super::participant::{Id, Next, Participant, Sent, Work};
use super::schedule::{DRIFT, Fault, Kind, Schedule};
use super::shrink::{shrink, told, violation};
use crate::model::{LEASE, NAMESPACE};

/// The rule that a protocol breaks.
type Broken = u8;

/// It keeps all rules.
const NONE: Broken = 0;
/// It writes with a merge patch, without a `resourceVersion`.
const MERGE_PATCH: Broken = 1;
/// It judges by its wall clock and by the `renewTime` of another machine.
const WALL_CLOCK: Broken = 2;
/// It gives the Lease back, waits for the answer, and only then tells the work to stop.
const RELEASE_FIRST: Broken = 3;
/// It counts the term from the time at which the answer came.
const FROM_THE_ANSWER: Broken = 4;

/// An elector in short: reads, judges, writes, waits.
struct Other<const BROKEN: Broken> {
    identity: &'static str,
    duration: Duration,
    period: Duration,
    seen: Option<Lease>,
    since: Monotonic,
    /// Until when it believes to lead.
    until: Monotonic,
    calls: u64,
    under_way: Option<(u64, Doing, Monotonic)>,
    next: Monotonic,
    todo: Doing,
    shuts_down: bool,
    stopped: bool,
    released: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Read,
    Write,
    Release,
}

impl<const BROKEN: Broken> Other<BROKEN> {
    fn is_ours(&self) -> bool {
        let holder = self.seen.as_ref().and_then(|lease| lease.spec.holder_identity.as_deref());
        holder == Some(self.identity)
    }

    fn wanted(&self, now: Now) -> Lease {
        let there = self.seen.clone();
        let mut lease = there.unwrap_or_else(|| {
            let metadata = ObjectMeta::default().with_name(LEASE).with_namespace(NAMESPACE);
            Lease::default().with_metadata(metadata)
        });
        let count =
            lease.spec.lease_transitions.map_or(0, |count| count + i32::from(!self.is_ours()));
        let spec = LeaseSpec::default()
            .with_holder_identity(self.identity)
            .with_lease_duration_seconds(i32::try_from(self.duration.as_secs()).unwrap())
            .with_renew_time(now.wall)
            .with_lease_transitions(count);
        lease.spec = spec;
        lease
    }

    /// The write over a Lease that was read.
    fn write(lease: Lease) -> Sent {
        if BROKEN == MERGE_PATCH {
            Sent::Patch(Box::new(lease.spec))
        } else {
            Sent::Verb(Verb::ReplaceLease(lease.into()))
        }
    }

    /// True if the Lease may be taken from its holder.
    fn is_free(&self, now: Now) -> bool {
        let Some(lease) = &self.seen else { return true };
        let spec = &lease.spec;
        let held = spec.holder_identity.as_ref().is_some_and(|holder| !holder.is_empty());
        let seconds = spec.lease_duration_seconds.unwrap_or_default();
        if BROKEN == WALL_CLOCK {
            let valid = SignedDuration::from_secs(seconds.into());
            let expired = |renewed| now.wall.duration_since(renewed) > valid;
            !held || spec.renew_time.is_none_or(expired)
        } else {
            let valid = Duration::from_secs(seconds.unsigned_abs().into());
            !held || self.since.after(valid) <= now.monotonic
        }
    }

    fn later(&mut self, now: Monotonic) {
        self.todo = Doing::Read;
        self.next = now.after(self.period);
    }
}

impl<const BROKEN: Broken> Participant for Other<BROKEN> {
    const WAITS: bool = false;

    fn start(schedule: &Schedule, process: usize, _life: u64, now: Now) -> Self {
        let settings = schedule.settings(process, 0);
        Self {
            identity: Schedule::name(process),
            duration: settings.lease_duration,
            period: settings.retry_period,
            seen: None,
            since: now.monotonic,
            until: Monotonic::default(),
            calls: 0,
            under_way: None,
            next: now.monotonic,
            todo: Doing::Read,
            shuts_down: false,
            stopped: false,
            released: false,
        }
    }

    fn next(&mut self, now: Now) -> Next {
        if let Some((_, doing, sent)) = self.under_way {
            let until = sent.after(Duration::from_secs(2));
            if now.monotonic < until {
                return Next::Wait(until);
            }
            self.under_way = None;
            self.released |= doing == Doing::Release;
            self.later(now.monotonic);
        }
        let holds = now.monotonic < self.until;
        if self.shuts_down && !self.released && (BROKEN == RELEASE_FIRST || self.stopped || !holds)
        {
            self.todo = Doing::Release;
            self.next = now.monotonic;
        }
        if self.released && (self.stopped || !holds) {
            return Next::Finished;
        }
        if self.released || now.monotonic < self.next {
            return Next::Wait(self.next.max(now.monotonic.after(self.period)));
        }
        let sent = match (self.todo, &self.seen) {
            (Doing::Read, _) => Sent::Verb(Verb::ReadLease(LEASE.into())),
            (Doing::Write, None) => Sent::Verb(Verb::CreateLease(self.wanted(now).into())),
            (Doing::Write, Some(_)) => Self::write(self.wanted(now)),
            (Doing::Release, _) if !self.is_ours() => {
                self.released = true;
                return Next::Wait(now.monotonic);
            }
            (Doing::Release, _) => {
                let mut lease = self.wanted(now);
                lease.spec.holder_identity = Some(String::new());
                Self::write(lease)
            }
        };
        self.calls += 1;
        self.under_way = Some((self.calls, self.todo, now.monotonic));
        Next::Send(Id::Other(self.calls), sent)
    }

    fn answer(&mut self, id: Id, answer: Answer, now: Now) {
        let Id::Other(id) = id else {
            return;
        };
        let Some((_, doing, sent)) = self.under_way.take_if(|(number, ..)| *number == id) else {
            return;
        };
        let lease = match answer {
            Answer::Lease(lease) => Some(*lease),
            Answer::NotFound => None,
            _ => {
                self.released |= doing == Doing::Release;
                self.later(now.monotonic);
                return;
            }
        };
        if lease.as_ref().map(|lease| &lease.spec) != self.seen.as_ref().map(|lease| &lease.spec) {
            self.since = now.monotonic;
        }
        self.seen = lease;
        if doing == Doing::Read {
            let free = self.is_free(now);
            let leads = self.is_ours() && now.monotonic < self.until;
            self.until = if leads { self.until } else { Monotonic::default() };
            if free || leads {
                (self.todo, self.next) = (Doing::Write, now.monotonic);
            } else {
                self.later(now.monotonic);
            }
            return;
        }
        if doing == Doing::Write {
            let margin = self.duration * 2 * DRIFT / 1_000_000;
            let begins = if BROKEN == FROM_THE_ANSWER { now.monotonic } else { sent };
            self.until = begins.after(self.duration.saturating_sub(margin));
        }
        self.released |= doing == Doing::Release;
        self.later(now.monotonic);
    }

    fn event(&mut self, event: Event, _now: Now) {
        match event {
            Event::ShutDown => self.shuts_down = true,
            Event::WorkStopped => self.stopped = true,
            _ => {}
        }
    }

    fn work(&self) -> Work {
        if self.until == Monotonic::default() {
            Work::None
        } else if self.shuts_down && (self.released || BROKEN != RELEASE_FIRST) {
            Work::Stop
        } else {
            Work::Run(None)
        }
    }

    fn believes(&self, now: Monotonic) -> bool {
        now < self.until && !self.stopped
    }

    fn is_released(&self) -> bool {
        self.released && self.stopped
    }
}

/// The first of many schedules in which two believe to lead, as small as it gets.
fn caught<const BROKEN: Broken>() -> Option<String> {
    let two = |schedule: &Schedule| {
        let violation = violation::<Other<BROKEN>>(schedule);
        violation.is_some_and(|violation| violation.contains("both believe"))
    };
    let deletes = |fault: &Fault| matches!(fault.kind, Kind::DeleteLease);
    let plain = |schedule: &Schedule| !schedule.coordinated && !schedule.faults.iter().any(deletes);
    let found = (0..2_000).map(Schedule::new).filter(plain).find(two)?;
    Some(told::<Other<BROKEN>>(&shrink(found, &two)))
}

#[test]
fn who_keeps_the_rules_is_not_caught() {
    assert_eq!(caught::<NONE>(), None);
}

#[test]
fn a_merge_patch_is_caught() {
    insta::assert_snapshot!(caught::<MERGE_PATCH>().unwrap());
}

#[test]
fn the_wall_clock_is_caught() {
    insta::assert_snapshot!(caught::<WALL_CLOCK>().unwrap());
}

#[test]
fn releasing_before_stopping_is_caught() {
    insta::assert_snapshot!(caught::<RELEASE_FIRST>().unwrap());
}

#[test]
fn counting_from_the_answer_is_caught() {
    insta::assert_snapshot!(caught::<FROM_THE_ANSWER>().unwrap());
}
