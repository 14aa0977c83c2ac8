//! Other protocols: an elector that keeps the rules, in short, and others that break one of them each.
//!
//! They show that the simulation notices: each wrong protocol is caught, and the story says how.

use std::marker::PhantomData;
use std::time::Duration;

use jiff::SignedDuration;
use k8s_lease_elector::k8s_coordination::meta::v1::ObjectMeta;
use k8s_lease_elector::k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_lease_elector::{Answer, Event, Monotonic, Now, Verb};

use super::participant::{Id, Next, Participant, Sent, Work};
use super::schedule::{DRIFT, Kind, Schedule};
use super::shrink::{shrink, told, violation};
use crate::model::{LEASE, NAMESPACE};

/// The rules of a protocol. The defaults are right.
trait Rules {
    /// How a Lease is written over one that was read.
    fn write(lease: Lease) -> Sent {
        Sent::Verb(Verb::ReplaceLease(lease.into()))
    }

    /// Whether a Lease that was last seen to change at a time may be taken from its holder.
    fn is_free(lease: &Lease, since: Monotonic, now: Now) -> bool {
        let seconds = lease.spec.lease_duration_seconds.unwrap_or_default();
        since.after(Duration::from_secs(seconds.unsigned_abs().into())) <= now.monotonic
    }

    /// From when the duration of a term counts.
    fn begins(sent: Monotonic, _answered: Monotonic) -> Monotonic {
        sent
    }

    /// Whether the Lease is given back before the work is told to stop.
    const RELEASES_FIRST: bool = false;
}

/// Keeps the rules.
struct Right;

impl Rules for Right {}

/// Writes with a merge patch, without a `resourceVersion`.
struct MergePatch;

impl Rules for MergePatch {
    fn write(lease: Lease) -> Sent {
        Sent::Patch(Box::new(lease.spec))
    }
}

/// Judges by the wall clock and the `renewTime` of another machine.
struct WallClock;

impl Rules for WallClock {
    fn is_free(lease: &Lease, _since: Monotonic, now: Now) -> bool {
        let seconds = lease.spec.lease_duration_seconds.unwrap_or_default();
        let valid = SignedDuration::from_secs(seconds.into());
        lease
            .spec
            .renew_time
            .is_none_or(|renewed| now.wall.duration_since(renewed) > valid)
    }
}

/// Gives the Lease back, waits for the answer, and only then tells the work to stop.
struct ReleaseFirst;

impl Rules for ReleaseFirst {
    const RELEASES_FIRST: bool = true;
}

/// Counts the term from when the answer came.
struct FromTheAnswer;

impl Rules for FromTheAnswer {
    fn begins(_sent: Monotonic, answered: Monotonic) -> Monotonic {
        answered
    }
}

/// An elector in short: reads, judges, writes, waits.
struct Other<R> {
    identity: &'static str,
    duration: Duration,
    period: Duration,
    rules: PhantomData<R>,
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

impl<R> Other<R> {
    fn is_ours(&self) -> bool {
        let holder = self
            .seen
            .as_ref()
            .and_then(|lease| lease.spec.holder_identity.as_deref());
        holder == Some(self.identity)
    }

    fn wanted(&self, now: Now) -> Lease {
        let there = self.seen.clone();
        let mut lease = there.unwrap_or_else(|| {
            let metadata = ObjectMeta::default()
                .with_name(LEASE)
                .with_namespace(NAMESPACE);
            Lease::default().with_metadata(metadata)
        });
        let count = lease
            .spec
            .lease_transitions
            .map_or(0, |count| count + i32::from(!self.is_ours()));
        let spec = LeaseSpec::default()
            .with_holder_identity(self.identity)
            .with_lease_duration_seconds(i32::try_from(self.duration.as_secs()).unwrap())
            .with_renew_time(now.wall)
            .with_lease_transitions(count);
        lease.spec = spec;
        lease
    }

    fn later(&mut self, now: Monotonic) {
        self.todo = Doing::Read;
        self.next = now.after(self.period);
    }
}

impl<R: Rules> Participant for Other<R> {
    const WAITS: bool = false;

    fn start(schedule: &Schedule, process: usize, _life: u64, now: Now) -> Self {
        let settings = schedule.settings(process, 0);
        Self {
            identity: Schedule::name(process),
            duration: settings.lease_duration,
            period: settings.retry_period,
            rules: PhantomData,
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
        if self.shuts_down && !self.released && (R::RELEASES_FIRST || self.stopped || !holds) {
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
            (Doing::Write, Some(_)) => R::write(self.wanted(now)),
            (Doing::Release, _) if !self.is_ours() => {
                self.released = true;
                return Next::Wait(now.monotonic);
            }
            (Doing::Release, _) => {
                let mut lease = self.wanted(now);
                lease.spec.holder_identity = Some(String::new());
                R::write(lease)
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
            let free = self.seen.as_ref().is_none_or(|lease| {
                let held = lease
                    .spec
                    .holder_identity
                    .as_ref()
                    .is_some_and(|holder| !holder.is_empty());
                !held || R::is_free(lease, self.since, now)
            });
            let leads = self.is_ours() && now.monotonic < self.until;
            self.until = if leads {
                self.until
            } else {
                Monotonic::default()
            };
            if free || leads {
                (self.todo, self.next) = (Doing::Write, now.monotonic);
            } else {
                self.later(now.monotonic);
            }
            return;
        }
        if doing == Doing::Write {
            let margin = self.duration * 2 * DRIFT / 1_000_000;
            self.until = R::begins(sent, now.monotonic).after(self.duration.saturating_sub(margin));
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
        } else if self.shuts_down && (self.released || !R::RELEASES_FIRST) {
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
fn caught<R: Rules>(schedules: u64) -> Option<String> {
    let two = |schedule: &Schedule| {
        let violation = violation::<Other<R>>(schedule);
        violation.is_some_and(|violation| violation.contains("both believe"))
    };
    let plain = |schedule: &Schedule| {
        let deletes = schedule
            .faults
            .iter()
            .any(|fault| matches!(fault.kind, Kind::DeleteLease));
        !schedule.coordinated && !deletes
    };
    let found = (0..schedules).map(Schedule::new).filter(plain).find(two)?;
    Some(told::<Other<R>>(&shrink(found, &two)))
}

#[test]
fn who_keeps_the_rules_is_not_caught() {
    assert_eq!(caught::<Right>(2_000), None);
}

#[test]
fn a_merge_patch_is_caught() {
    insta::assert_snapshot!(caught::<MergePatch>(2_000).unwrap());
}

#[test]
fn the_wall_clock_is_caught() {
    insta::assert_snapshot!(caught::<WallClock>(2_000).unwrap());
}

#[test]
fn releasing_before_stopping_is_caught() {
    insta::assert_snapshot!(caught::<ReleaseFirst>(2_000).unwrap());
}

#[test]
fn counting_from_the_answer_is_caught() {
    insta::assert_snapshot!(caught::<FromTheAnswer>(2_000).unwrap());
}
