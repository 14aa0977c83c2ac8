//! The record: the fields of a Lease that decide who leads, read and written.

use std::time::Duration;

use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta};
use k8s_coordination::v1::{Lease, LeaseSpec};

use crate::{FencingToken, Settings};

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
    pub(super) fn is_last_counted(&self, lease: &Lease) -> bool {
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
