//! The record: the fields of a Lease that decide who leads, read and written.

use std::time::Duration;

use k8s_coordination::election::Election;
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta};
use k8s_coordination::v1::{Lease, LeaseSpec};

use crate::{FencingToken, Settings};

/// The duration that the server writes for the holder that it elects.
pub(crate) const SERVER_DURATION: Duration = Duration::from_secs(Election::DURATION_SECONDS as u64);

/// The holder of a Lease; `None` if the identity is absent or empty.
pub(crate) fn holder(lease: &Lease) -> Option<&str> {
    let holder = lease.spec.holder_identity.as_deref();
    holder.filter(|holder| !holder.is_empty())
}

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

/// The name of the term in the record.
pub(crate) fn token(lease: &Lease) -> FencingToken {
    FencingToken { uid: uid(lease).into(), transitions: transitions(lease) }
}

/// Returns `true` if the record names this term.
pub(crate) fn is_about(lease: &Lease, token: &FencingToken) -> bool {
    *uid(lease) == *token.uid && transitions(lease) == token.transitions
}

fn uid(lease: &Lease) -> &str {
    lease.metadata.uid.as_deref().unwrap_or_default()
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

/// The Lease renewed. The time of a renewal always differs from the one before, so that other processes see a change.
pub(crate) fn renewed(mut lease: Lease, duration: Duration, now: MicroTime) -> Lease {
    let same = lease.spec.renew_time == Some(now);
    lease.spec.renew_time = Some(now.saturating_add(Duration::from_micros(same.into())));
    lease.spec.lease_duration_seconds = Some(seconds(duration));
    lease
}

/// The Lease given back. Servers refuse a duration of 0.
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

    use k8s_coordination::v1::Lease;

    use super::renewed;

    #[test]
    fn a_renewal_always_changes_the_record() {
        let now = "2026-01-02T03:04:05.999999Z".parse().unwrap();
        let renew = |lease| renewed(lease, Duration::from_secs(15), now);
        let time = |lease: &Lease| lease.spec.renew_time.unwrap().to_string();
        let first = renew(Lease::default());
        assert_eq!(time(&first), "2026-01-02T03:04:05.999999Z");
        assert_eq!(time(&renew(first)), "2026-01-02T03:04:06.000000Z");
    }
}
