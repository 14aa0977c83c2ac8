//! The record: what a Lease says, what was seen of it, and what is written into it.

use std::time::Duration;

use k8s_coordination::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use k8s_coordination::election::lease::DURATION_SECONDS;
use k8s_coordination::k8s_versioned::MicroTime;
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::v1::{Lease, LeaseSpec};
use k8s_coordination::{v1alpha1, v1alpha2, v1beta1};

use crate::time::unlike;
use crate::{CandidateSettings, FencingToken, Monotonic, Settings};

/// Who holds a Lease. An absent or empty identity is nobody's.
pub(crate) fn holder(lease: &Lease) -> Option<&str> {
    let holder = lease.spec.holder_identity.as_deref();
    holder.filter(|holder| !holder.is_empty())
}

/// How often the Lease has passed from one holder to another; never, where it does not say.
pub(crate) fn transitions(lease: &Lease) -> i32 {
    lease.spec.lease_transitions.unwrap_or_default()
}

/// For how long the Lease is valid after a renewal; `None` where it does not say.
pub(crate) fn duration(lease: &Lease) -> Option<Duration> {
    let seconds = u64::try_from(lease.spec.lease_duration_seconds?).ok()?;
    (seconds > 0).then(|| Duration::from_secs(seconds))
}

/// For whom the holder should give the Lease up.
pub(crate) fn preferred_holder(lease: &Lease) -> Option<&str> {
    let preferred = lease.spec.preferred_holder.as_deref();
    preferred.filter(|preferred| !preferred.is_empty())
}

/// The name of the term that the record is about.
pub(crate) fn token(lease: &Lease) -> FencingToken {
    FencingToken {
        uid: uid(lease).into(),
        transitions: transitions(lease),
    }
}

/// Whether the record is about this term.
pub(crate) fn is_about(lease: &Lease, token: &FencingToken) -> bool {
    *uid(lease) == *token.uid && transitions(lease) == token.transitions
}

fn uid(lease: &Lease) -> &str {
    lease.metadata.uid.as_deref().unwrap_or_default()
}

/// What was seen of the Lease, and by our clock when it was last seen to change.
///
/// Only this clock counts. The times in the record are those of another clock: they tell that the record changed, and
/// nothing else.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The Lease as it was last seen.
    lease: Option<Lease>,
    /// When it was first seen so.
    since: Monotonic,
    /// For how long nobody else may take it from then.
    wait: Duration,
    /// The longest duration that a record was seen to have.
    longest: Duration,
    /// The last record that was seen to be nobody's.
    freed: Option<FencingToken>,
    /// Whether somebody else was seen to hold it.
    others: bool,
    /// How often it had passed on, when it was last seen.
    transitions: Option<i32>,
    /// Whether anything was seen at all.
    seen: bool,
}

impl View {
    pub(crate) fn lease(&self) -> Option<&Lease> {
        self.lease.as_ref()
    }

    /// Takes note of what is seen, absence included. A change of labels and the like is none of the record.
    pub(crate) fn observe(&mut self, lease: Option<Lease>, settings: &Settings, now: Monotonic) {
        if !self.seen || !is_same(self.lease.as_ref(), lease.as_ref()) {
            if let Some(lease) = &lease {
                self.note(lease, settings);
            }
            let held = lease.as_ref().filter(|lease| holder(lease).is_some());
            let held_for = |lease| duration(lease).unwrap_or(settings.lease_duration);
            self.wait = held.map_or(Duration::ZERO, held_for);
            self.since = now;
            self.seen = true;
        }
        self.lease = lease;
    }

    fn note(&mut self, lease: &Lease, settings: &Settings) {
        let duration = duration(lease).unwrap_or(settings.lease_duration);
        self.longest = self.longest.max(duration);
        self.transitions = Some(transitions(lease));
        match holder(lease) {
            None => self.freed = Some(token(lease)),
            Some(holder) => self.others |= holder != settings.identity,
        }
    }

    /// When a Lease that nobody renews may be taken.
    pub(crate) fn free_from(&self) -> Monotonic {
        self.since.after(self.wait)
    }

    /// From when the one whom the server elected may lead. Whoever led before may not know yet that the Lease has
    /// passed on, as the server judges by wall clocks: so one duration later, unless nobody led before, or the last
    /// term is known to be over.
    pub(crate) fn lead_from(
        &self,
        over: Option<&FencingToken>,
        settings: &Settings,
        now: Monotonic,
    ) -> Monotonic {
        let Some(lease) = &self.lease else {
            return now;
        };
        let first = transitions(lease) == 0 && !self.others && !settings.wait_for_absent;
        let known = over.into_iter().chain(&self.freed);
        if first || known.into_iter().any(|token| is_about(lease, token)) {
            now
        } else {
            self.since.after(self.longest)
        }
    }

    /// How long the one who creates the Lease waits before it leads. Whoever held a Lease that was deleted believes in
    /// it for as long as it would have been valid.
    pub(crate) fn wait_after_creation(&self, settings: &Settings) -> Duration {
        if self.transitions.is_some() || settings.wait_for_absent {
            self.longest.max(settings.lease_duration)
        } else {
            Duration::ZERO
        }
    }

    /// How often the next holder of a Lease that has to be created says that it has passed on.
    pub(crate) fn next_transitions(&self) -> i32 {
        self.transitions.map_or(0, |count| count.saturating_add(1))
    }

    /// Whether anything was seen at all.
    pub(crate) fn is_known(&self) -> bool {
        self.seen
    }
}

/// Whether two records are the same, to the last digit of their times.
fn is_same(old: Option<&Lease>, new: Option<&Lease>) -> bool {
    match (old, new) {
        (None, None) => true,
        (Some(old), Some(new)) => old.spec == new.spec && old.metadata.uid == new.metadata.uid,
        _ => false,
    }
}

/// A new Lease, ours.
pub(crate) fn created(settings: &Settings, now: MicroTime, transitions: i32) -> Lease {
    let metadata = ObjectMeta::default()
        .with_name(&*settings.lease_name)
        .with_namespace(&*settings.namespace);
    let spec = LeaseSpec::default()
        .with_holder_identity(&*settings.identity)
        .with_lease_duration_seconds(seconds(settings.lease_duration))
        .with_acquire_time(now)
        .with_renew_time(now)
        .with_lease_transitions(transitions);
    Lease::default().with_metadata(metadata).with_spec(spec)
}

/// The Lease taken over in a new term. What others wrote into it stays.
pub(crate) fn taken(mut lease: Lease, settings: &Settings, now: MicroTime) -> Lease {
    let spec = &mut lease.spec;
    spec.holder_identity = Some(settings.identity.clone());
    spec.acquire_time = Some(now);
    spec.lease_transitions = Some(spec.lease_transitions.unwrap_or_default().saturating_add(1));
    renewed(lease, Some(settings.lease_duration), now)
}

/// The Lease that the server gave us, as the first write of the new term. Its duration stays.
pub(crate) fn accepted(lease: Lease, settings: &Settings, now: MicroTime) -> Lease {
    let duration = duration(&lease).unwrap_or(SERVER_DURATION);
    let taken = taken(lease, settings, now);
    renewed(taken, Some(duration), now)
}

/// The Lease renewed: nothing but the time changes, and the duration where one is given.
pub(crate) fn renewed(mut lease: Lease, duration: Option<Duration>, now: MicroTime) -> Lease {
    lease.spec.renew_time = Some(unlike(now, lease.spec.renew_time));
    if let Some(duration) = duration {
        lease.spec.lease_duration_seconds = Some(seconds(duration));
    }
    lease
}

/// The Lease given back. Servers refuse a duration of 0.
pub(crate) fn released(mut lease: Lease, now: MicroTime) -> Lease {
    lease.spec.holder_identity = Some(String::new());
    lease.spec.acquire_time = Some(now);
    renewed(lease, Some(Duration::from_secs(1)), now)
}

/// What the server gives to whom it elects.
pub(crate) const SERVER_DURATION: Duration = Duration::from_secs(DURATION_SECONDS as u64);

fn seconds(duration: Duration) -> i32 {
    i32::try_from(duration.as_secs()).unwrap_or(i32::MAX)
}

/// Our candidate in a version of the API, with what others wrote into its metadata.
pub(crate) fn candidate(
    settings: (&Settings, &CandidateSettings),
    version: LeaseCandidateVersion,
    there: Option<&AnyLeaseCandidate>,
    renew_time: MicroTime,
) -> AnyLeaseCandidate {
    let newest = newest(settings, there, renew_time);
    match version {
        LeaseCandidateVersion::V1beta1 => newest.into(),
        LeaseCandidateVersion::V1alpha2 => v1alpha2::LeaseCandidate::new(newest.spec.into())
            .with_metadata(newest.metadata)
            .into(),
        LeaseCandidateVersion::V1alpha1 => oldest(newest).into(),
    }
}

fn newest(
    (settings, candidate): (&Settings, &CandidateSettings),
    there: Option<&AnyLeaseCandidate>,
    renew_time: MicroTime,
) -> v1beta1::LeaseCandidate {
    let own = || {
        ObjectMeta::default()
            .with_name(&*settings.identity)
            .with_namespace(&*settings.namespace)
    };
    let metadata = there.map_or_else(own, |there| there.metadata().clone());
    let mut spec = v1beta1::LeaseCandidateSpec::new(
        &*settings.lease_name,
        &*candidate.binary_version,
        candidate.strategy.clone(),
    )
    .with_emulation_version(&*candidate.emulation_version)
    .with_renew_time(renew_time);
    spec.ping_time = there.and_then(|there| there.ping_time().copied());
    v1beta1::LeaseCandidate::new(spec).with_metadata(metadata)
}

fn oldest(newest: v1beta1::LeaseCandidate) -> v1alpha1::LeaseCandidate {
    let new = newest.spec;
    let mut spec = v1alpha1::LeaseCandidateSpec::new(new.lease_name, [new.strategy])
        .with_binary_version(new.binary_version);
    spec.emulation_version = new.emulation_version;
    spec.ping_time = new.ping_time;
    spec.renew_time = new.renew_time;
    v1alpha1::LeaseCandidate::new(spec).with_metadata(newest.metadata)
}
