//! The record: the fields of a Lease that decide who leads, read and written.

use std::time::Duration;

use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::{Lease, LeaseSpec};

use crate::settings::MOST_DRIFT;
use crate::{FencingToken, Monotonic, Now, Settings};

/// The duration that the server writes for the holder that it elects.
pub(crate) const SERVER_DURATION: Duration = Duration::from_secs(Election::DURATION_SECONDS as u64);

/// The number of terms before this one; 0 if the record does not have it.
pub(crate) fn transitions(lease: &Lease) -> i32 {
    lease.spec.lease_transitions.unwrap_or_default()
}

/// The duration; `None` if the record does not have it.
pub(crate) fn duration(lease: &Lease) -> Option<Duration> {
    let seconds = u64::try_from(lease.spec.lease_duration_seconds?).ok()?;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// The candidate for which the holder should give the Lease up.
pub(crate) fn preferred_holder(lease: &Lease) -> Option<&str> {
    let preferred = lease.spec.preferred_holder.as_deref();
    preferred.filter(|preferred| !preferred.is_empty())
}

/// The name of a term whose holder has written this Lease.
pub(crate) fn token(lease: &Lease) -> FencingToken {
    let text = |field: &Option<String>| field.as_deref().unwrap_or_default().into();
    FencingToken {
        uid: text(&lease.metadata.uid),
        resource_version: text(&lease.metadata.resource_version),
    }
}

/// What a record shows of a term.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Mark {
    /// The Lease object; `None` if it is still to be created.
    uid: Option<String>,
    transitions: i32,
    acquire_time: Option<MicroTime>,
}

impl Mark {
    pub(crate) fn new(lease: &Lease) -> Self {
        Self {
            uid: lease.metadata.uid.clone(),
            transitions: transitions(lease),
            acquire_time: lease.spec.acquire_time,
        }
    }

    /// Returns `true` if the record is of this term. The number does not prove that: some clients take a Lease without counting.
    pub(crate) fn is_on(&self, lease: &Lease) -> bool {
        let acquired = lease.spec.acquire_time == self.acquire_time;
        acquired && transitions(lease) == self.transitions && self.is_of_object(lease)
    }

    /// Returns `true` if no term of a client that counts began between this one and the record.
    fn is_last_counted(&self, lease: &Lease) -> bool {
        let counts = self.transitions < i32::MAX;
        counts && transitions(lease) == self.transitions && self.is_of_object(lease)
    }

    fn is_of_object(&self, lease: &Lease) -> bool {
        self.uid.is_none() || self.uid == lease.metadata.uid
    }

    /// Returns `true` if an attempt on this Lease would write the same number: both attempts are one.
    pub(crate) fn is_same_attempt(&self, lease: &Lease) -> bool {
        self.transitions == transitions(lease) && self.uid == lease.metadata.uid
    }

    /// Makes the Lease show this term.
    pub(crate) fn put_on(&self, lease: &mut Lease) {
        lease.spec.acquire_time = self.acquire_time;
    }
}

/// A new Lease with this process as its holder.
pub(crate) fn created(settings: &Settings, now: MicroTime, transitions: i32) -> Lease {
    let mut metadata =
        ObjectMeta::default().with_name(&*settings.lease_name).with_namespace(&*settings.namespace);
    metadata.labels.clone_from(&settings.labels);
    let spec = LeaseSpec::default()
        .with_holder_identity(&*settings.identity)
        .with_lease_duration_seconds(seconds(settings.lease_duration))
        .with_acquire_time(now)
        .with_renew_time(now)
        .with_lease_transitions(transitions);
    Lease::default().with_metadata(metadata).with_spec(spec)
}

/// The Lease taken over in a new term. The fields of other clients stay.
pub(crate) fn taken(mut lease: Lease, by: &str, duration: Duration, now: MicroTime) -> Lease {
    lease.spec.holder_identity = Some(by.to_owned());
    lease.spec.acquire_time = Some(now);
    lease.spec.lease_transitions = Some(transitions(&lease).saturating_add(1));
    renewed(lease, duration, now)
}

/// The most by which a renewal may be ahead of a wall clock that stands still.
const MOST_AHEAD: Duration = Duration::from_secs(1);

/// The Lease renewed, at a later time than before, so that other processes see a change even if they miss some renewals: where the
/// wall clock stands still, the times count on. A time far ahead of the wall clock is not kept.
pub(crate) fn renewed(mut lease: Lease, duration: Duration, now: MicroTime) -> Lease {
    let counted = lease.spec.renew_time.map(|last| last.saturating_add(Duration::from_micros(1)));
    let stands = |counted: &MicroTime| (now..=now.saturating_add(MOST_AHEAD)).contains(counted);
    lease.spec.renew_time = Some(counted.filter(stands).unwrap_or(now));
    lease.spec.lease_duration_seconds = Some(seconds(duration));
    lease
}

/// A released Lease. Servers refuse a duration of 0.
pub(crate) fn released(mut lease: Lease, now: MicroTime) -> Lease {
    lease.spec.holder_identity = Some(String::new());
    lease.spec.acquire_time = Some(now);
    renewed(lease, Duration::from_secs(1), now)
}

fn seconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)
}

// The server's wall clock, known from the times that the server writes.

/// The server's wall clock. In a coordinated election the server decides by it, so the elector writes its times.
#[derive(Clone, Copy, Debug)]
pub(super) struct ServerClock(Option<(MicroTime, Monotonic)>);

impl ServerClock {
    /// The clock by a time that the server wrote after this process sent a request. The answer may have come much later.
    pub(super) fn new(written: Option<Time>, sent: Monotonic) -> Self {
        Self(written.map(|written| (MicroTime::from(written), sent)))
    }

    /// Sets the clock forward to a time that the server wrote, if the clock is behind it.
    pub(super) fn at_least(&mut self, written: MicroTime, now: Now) {
        if self.show(now) < written {
            self.0 = Some((written, now.monotonic));
        }
    }

    /// The time on the server's clock; the time on our own wall clock if the server never wrote one.
    pub(super) fn show(&self, now: Now) -> MicroTime {
        self.0.map_or(now.wall, |(written, at)| written.saturating_add(now.monotonic.since(at)))
    }
}

// The times for a Lease of one duration.

const MILLION: u32 = 1_000_000;

/// The times for a Lease of one duration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// The duration less the margin for drift ρ. Our clock, if it is slow, shows `validity` after `validity / (1 - ρ)`.
    /// Another clock, if it is fast, shows the duration after `duration / (1 + ρ)`. Both are the same time.
    pub(crate) validity: Duration,
    pub(crate) renew_deadline: Duration,
    pub(crate) retry_period: Duration,
    /// The longest wait for an answer.
    pub(crate) timeout: Duration,
}

impl Timing {
    /// The times for the term of this record.
    pub(crate) fn for_record(settings: &Settings, lease: &Lease) -> Self {
        Self::new(settings, duration(lease).unwrap_or(settings.lease_duration))
    }

    /// The times for a Lease of this duration. In a coordinated election the server chooses the duration: then the deadline
    /// is at most two thirds of it, and the period at most a fifth.
    pub(crate) fn new(settings: &Settings, duration: Duration) -> Self {
        let drift = settings.clock_drift.min(MOST_DRIFT);
        let (mut renew_deadline, mut retry_period) =
            (settings.renew_deadline, settings.retry_period);
        if duration != settings.lease_duration {
            renew_deadline = renew_deadline.min(duration * 2 / 3);
            retry_period = retry_period.min(duration / 5);
        }
        Self {
            validity: duration.saturating_mul(MILLION - drift) / (MILLION + drift),
            renew_deadline,
            retry_period,
            timeout: (renew_deadline / 2).max(Duration::from_secs(1)),
        }
    }
}

// The record as it was last seen, and the time of its last change by our clock.

/// The record as it was last seen.
///
/// Only our monotonic clock counts. The times in the record come from other clocks: a new one shows only that the record
/// has changed.
#[derive(Clone, Debug, Default)]
pub(super) struct Observed {
    /// The Lease as it was last seen.
    lease: Option<Lease>,
    /// Whether our last request read or wrote the Lease, so that a write may rest on it.
    fresh: bool,
    /// The time at which the record was first seen as it is.
    since: Monotonic,
    /// The time after `since` in which no other process takes the Lease.
    valid_for: Duration,
    /// The longest duration that a record was seen to have.
    longest: Duration,
    /// The last record that was seen without a holder.
    released: Option<Mark>,
    /// Whether another process was seen to hold it.
    others: bool,
    /// The transitions in the last record.
    transitions: Option<i32>,
}

impl Observed {
    pub(super) fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }

    /// The Lease on which a write may rest.
    pub(super) fn fresh(&self) -> Option<&Lease> {
        self.lease().filter(|_| self.fresh)
    }

    /// Returns `true` if our last request read or wrote the Lease, or found that it does not exist.
    pub(super) fn is_fresh(&self) -> bool {
        self.fresh
    }

    /// Makes the elector read the Lease again before a write: it may have changed.
    pub(super) fn mark_stale(&mut self) {
        self.fresh = false;
    }

    /// Takes the Lease, or `None` if it does not exist. A change of its metadata, such as a label, does not change the record.
    pub(super) fn observe(&mut self, lease: Option<Lease>, settings: &Settings, now: Monotonic) {
        if self.lease.as_ref().map(record) != lease.as_ref().map(record) {
            self.since = now;
            self.valid_for = Duration::ZERO;
            if let Some(lease) = &lease {
                self.note(lease, settings);
            }
        }
        self.lease = lease;
        self.fresh = true;
    }

    fn note(&mut self, lease: &Lease, settings: &Settings) {
        let duration = duration(lease).unwrap_or(settings.lease_duration);
        self.longest = self.longest.max(duration);
        self.transitions = Some(transitions(lease));
        if let Some(holder) = lease.spec.holder() {
            self.valid_for = duration;
            self.others |= holder != settings.identity;
        } else {
            self.released = Some(Mark::new(lease));
        }
    }

    /// The time from which the Lease may be taken if its holder does not renew it.
    pub(super) fn free_from(&self) -> Monotonic {
        self.since.after(self.valid_for)
    }

    /// The time from which the holder that the server elected may lead.
    ///
    /// The server decides by wall clocks, so the former leader may still lead: one duration later its term is over. There is
    /// no wait if no process led before, or if the last term is known to be over.
    pub(super) fn lead_from(
        &self,
        over: Option<&Mark>,
        settings: &Settings,
        now: Monotonic,
    ) -> Monotonic {
        let Some(lease) = &self.lease else {
            return now;
        };
        let first = transitions(lease) == 0 && !self.others && !settings.wait_for_absent;
        let mut known = over.into_iter().chain(&self.released);
        if first || known.any(|mark| mark.is_last_counted(lease)) {
            now
        } else {
            self.since.after(self.longest)
        }
    }

    /// The time between creating the Lease and leading. The holder of a deleted Lease may lead for as long as the Lease would
    /// have been valid.
    pub(super) fn wait_after_creation(&self, settings: &Settings) -> Duration {
        if self.transitions.is_some() || settings.wait_for_absent {
            self.longest.max(settings.lease_duration)
        } else {
            Duration::ZERO
        }
    }

    /// The transitions of a Lease to create.
    pub(super) fn next_transitions(&self) -> i32 {
        self.transitions.map_or(0, |count| count.saturating_add(1))
    }
}

/// What the record is, with all digits of its times.
fn record(lease: &Lease) -> (&LeaseSpec, Option<&str>) {
    (&lease.spec, lease.metadata.uid.as_deref())
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use k8s_coordination::v1::{Lease, LeaseSpec};

    use super::renewed;

    #[test]
    fn a_renewal_always_changes_the_record() {
        let now = "2026-01-02T03:04:05.999999Z".parse().unwrap();
        let renew = |lease| renewed(lease, Duration::from_secs(15), now);
        let time = |lease: &Lease| lease.spec.renew_time.unwrap().to_string();
        let first = renew(Lease::default());
        assert_eq!(time(&first), "2026-01-02T03:04:05.999999Z");
        let second = renew(first);
        assert_eq!(time(&second), "2026-01-02T03:04:06.000000Z");
        // Not the first time again: another process may have seen the first record, and not the second.
        assert_eq!(time(&renew(second)), "2026-01-02T03:04:06.000001Z");
    }

    #[test]
    fn a_renewal_does_not_follow_a_clock_that_was_far_ahead() {
        let renew = |last: &str| {
            let lease = Lease::default()
                .with_spec(LeaseSpec::default().with_renew_time(last.parse().unwrap()));
            let now = "2026-01-02T03:04:05.000000Z".parse().unwrap();
            renewed(lease, Duration::from_secs(15), now).spec.renew_time.unwrap().to_string()
        };
        assert_eq!(renew("2026-01-02T03:04:04.999999Z"), "2026-01-02T03:04:05.000000Z");
        assert_eq!(renew("2026-01-02T03:04:05.999999Z"), "2026-01-02T03:04:06.000000Z");
        assert_eq!(renew("2026-01-02T03:04:06.000000Z"), "2026-01-02T03:04:05.000000Z");
    }
}

#[cfg(test)]
mod server_clock_tests {
    use std::time::Duration;

    use super::ServerClock;
    use crate::{Monotonic, Now};

    #[test]
    fn the_servers_clock_advances_by_our_monotonic_one() {
        let now = |seconds, wall: &str| Now {
            monotonic: Monotonic::since_start(Duration::from_secs(seconds)),
            wall: wall.parse().unwrap(),
        };
        let start = now(100, "1999-01-01T00:00:00Z");
        let unknown = ServerClock::new(None, start.monotonic);
        assert_eq!(unknown.show(start), start.wall);
        let mut clock = ServerClock::new("2026-01-02T03:04:05Z".parse().ok(), start.monotonic);
        let later = now(107, "2040-01-01T00:00:00Z");
        assert_eq!(clock.show(later).to_string(), "2026-01-02T03:04:12.000000Z");
        for (written, shown) in [("11.9", "12.000000"), ("12.1", "12.100000")] {
            let time = |seconds| format!("2026-01-02T03:04:{seconds}Z");
            clock.at_least(time(written).parse().unwrap(), later);
            assert_eq!(clock.show(later).to_string(), time(shown));
        }
    }
}
