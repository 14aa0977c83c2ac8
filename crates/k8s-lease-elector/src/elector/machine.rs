//! The data of the state machine, and what every part of it asks.

use std::sync::Arc;
use std::time::Duration;

use fastrand::Rng;
use k8s_coordination::conversion::LeaseCandidateVersion;
use k8s_coordination::meta::v1::MicroTime;
use k8s_coordination::v1::Lease;

use super::candidate::CandidateRegistration;
use super::observed::Observed;
use super::phase::{Claim, Holding, Phase, Purpose};
use super::record::{self, Mark};
use super::slot::RequestSlot;
use super::timing::Timing;
use crate::{ElectorVerb, Monotonic, Now, Settings, SettingsErrors};

/// An elector: events go in, requests to send and the state come out.
///
/// It sends no request, has no clock and starts no task. [`poll`](Self::poll) returns the next step, [`handle`](Self::handle)
/// takes an event, and [`state`](Self::state), to be read after either, says whether the work may run.
#[derive(Clone, Debug)]
pub struct LeaderElector {
    pub(super) settings: Settings,
    pub(super) namespace: Arc<str>,
    pub(super) lease_name: Arc<str>,
    pub(super) rng: Rng,
    pub(super) phase: Phase,
    pub(super) observed: Observed,
    /// The last attempt to take the Lease, until its result is known.
    pub(super) claim: Option<Claim>,
    /// Our last term, once it is over.
    pub(super) last_term: Option<Mark>,
    /// The latest `renewTime` that we wrote, also where the answer was lost.
    pub(super) last_written: Option<MicroTime>,
    /// Whether another process was seen to renew a Lease in our name.
    pub(super) identity_is_shared: bool,
    pub(super) slot: RequestSlot<Purpose>,
    /// Our candidate; `None` in plain election.
    pub(super) registration: Option<CandidateRegistration>,
    /// Whether the elector still has to find out if the server has coordinated election.
    pub(super) probes_coordination: bool,
    pub(super) calls: u64,
    pub(super) shutting_down: bool,
    /// The time to follow after the Lease was released, while the elector steps down.
    pub(super) steps_down_for: Option<Duration>,
    /// The end of the time in which the elector only follows, after it stepped down.
    pub(super) follows_until: Monotonic,
}

impl LeaderElector {
    /// An elector, before its first request.
    ///
    /// # Errors
    ///
    /// All errors in the settings.
    pub fn new(settings: Settings, now: Now) -> Result<Self, SettingsErrors> {
        settings.check(now.wall)?;
        Ok(Self {
            namespace: settings.namespace.as_str().into(),
            lease_name: settings.lease_name.as_str().into(),
            rng: Rng::with_seed(settings.seed),
            phase: Phase::Following,
            observed: Observed::default(),
            claim: None,
            last_term: None,
            last_written: None,
            identity_is_shared: false,
            slot: RequestSlot::new(now.monotonic),
            registration: None,
            probes_coordination: settings.candidate.is_some(),
            calls: 0,
            shutting_down: false,
            steps_down_for: None,
            follows_until: Monotonic::default(),
            settings,
        })
    }

    /// The version in which to watch our candidate; `None` in plain election, and while the elector looks for a version that
    /// the server serves.
    pub fn candidate_version(&self) -> Option<LeaseCandidateVersion> {
        self.registration.as_ref().and_then(CandidateRegistration::served_version)
    }

    pub(super) fn is_coordinated(&self) -> bool {
        self.registration.is_some()
    }

    pub(super) fn holding(&self) -> Option<&Holding> {
        match &self.phase {
            Phase::Holding(holding) => Some(holding),
            _ => None,
        }
    }

    pub(super) fn timing(&self) -> Timing {
        match &self.phase {
            Phase::Holding(holding) => holding.timing,
            _ if self.is_coordinated() => Timing::new(&self.settings, record::SERVER_DURATION),
            _ => Timing::new(&self.settings, self.settings.lease_duration),
        }
    }

    /// The duration to write: from the settings; in a coordinated election, from the record.
    pub(super) fn duration(&self, lease: &Lease) -> Duration {
        if self.is_coordinated() {
            record::duration(lease).unwrap_or(record::SERVER_DURATION)
        } else {
            self.settings.lease_duration
        }
    }

    /// The time to write, by our wall clock; in a coordinated election, by the server's.
    pub(super) fn wall(&self, now: Now) -> MicroTime {
        let registration = self.registration.as_ref();
        registration.map_or(now.wall, |registration| registration.clock.show(now))
    }

    /// Returns `true` if the holder of this Lease has our identity, in any term.
    pub(super) fn is_ours(&self, lease: &Lease) -> bool {
        lease.spec.holder() == Some(&self.settings.identity)
    }

    pub(super) fn read(&self) -> (Purpose, ElectorVerb) {
        (Purpose::Read, ElectorVerb::ReadLease(self.lease_name.clone()))
    }
}
