//! The settings of an elector.

use std::collections::BTreeMap;
use std::time::Duration;

use k8s_coordination::CoordinatedLeaseStrategy;
use k8s_coordination::conversion::{AnyLeaseCandidate, AnyVersion};
use k8s_coordination::meta::v1::ObjectMeta;
use k8s_coordination::prelude::HasSpec;

/// The largest clock drift, 10 %. A clock with a larger drift is broken.
pub(crate) const MOST_DRIFT: u32 = 100_000;

/// A candidate in the newest version.
pub(crate) type NewestCandidate = <AnyLeaseCandidate as AnyVersion>::Newest;

/// The settings of an elector. [`LeaderElector::new`](crate::LeaderElector::new) checks them.
///
/// The times must be in this order: lease duration less the margin for drift > renew deadline > 1.2 × retry period.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Settings {
    /// The namespace of the Lease.
    pub namespace: String,
    /// The name of the Lease.
    pub lease_name: String,
    /// The `holderIdentity` of this process, which must be unique. In a coordinated election it is also the name of
    /// the candidate, so two coordinated electors of a process in one namespace need two identities.
    pub identity: String,
    /// The time after a renewal during which no other process takes the Lease, in whole seconds. Default: 15 s.
    pub lease_duration: Duration,
    /// The time without a successful renewal after which the work is stopped. Default: 10 s.
    pub renew_deadline: Duration,
    /// The time between two attempts. Default: 2 s.
    pub retry_period: Duration,
    /// The maximum rate by which a clock may run fast or slow, in millionths. Default: 10,000, which is 1 %.
    ///
    /// It decides the margin by which a term ends before the other processes may take the Lease: 297 ms of 15 s.
    pub clock_drift: u32,
    /// Waits for one lease duration before leading with a Lease that did not exist when the elector first read it.
    ///
    /// Without this, a process that starts just after the Lease was deleted can lead while the former holder still leads.
    /// With it, the very first start takes one duration longer. Default: `false`.
    pub wait_for_absent: bool,
    /// Our candidate in a coordinated election; `None` for plain election. Default: `None`.
    pub candidate: Option<CandidateSettings>,
    /// The labels of a Lease that the elector creates. A Lease that exists keeps its own. Default: none.
    pub labels: BTreeMap<String, String>,
    /// Requests and answers are protobuf, which has 57 % of the bytes of JSON; the watch of the Lease is JSON until the program
    /// changes its request. A server that refuses it (406, 415) gets JSON from the next attempt on, until the elector ends.
    /// Default: `false`.
    pub protobuf: bool,
    /// The seed of the random waits between attempts. With the same seed, processes that start together send all
    /// their requests together. Default: random.
    pub seed: u64,
}

/// The candidate in a coordinated election, in which the API server picks the leader.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct CandidateSettings {
    /// The version of the program, such as `1.36.0`.
    pub binary_version: String,
    /// The version that the program behaves as. The lowest is elected.
    pub emulation_version: String,
    /// The rule by which the leader is picked. With a custom strategy the server picks no leader: another program has to
    /// write the holder. Default: `OldestEmulationVersion`.
    pub strategy: CoordinatedLeaseStrategy,
    /// Falls back to plain election if the server has no coordinated election at the start. Default: `true`.
    ///
    /// Without it the elector waits until the server has one. All candidates for the Lease should have the same value.
    pub fall_back: bool,
}

impl Settings {
    /// Settings for plain election with the usual times.
    pub fn new(
        namespace: impl Into<String>,
        lease_name: impl Into<String>,
        identity: impl Into<String>,
    ) -> Self {
        Self {
            namespace: namespace.into(),
            lease_name: lease_name.into(),
            identity: identity.into(),
            lease_duration: Duration::from_secs(15),
            renew_deadline: Duration::from_secs(10),
            retry_period: Duration::from_secs(2),
            clock_drift: 10_000,
            wait_for_absent: false,
            candidate: None,
            labels: BTreeMap::new(),
            protobuf: false,
            seed: fastrand::u64(..),
        }
    }

    /// Adds a label for a Lease that the elector creates.
    #[must_use]
    pub fn with_label(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.labels.insert(name.into(), value.into());
        self
    }

    /// Sends requests as protobuf.
    #[must_use]
    pub fn with_protobuf(mut self) -> Self {
        self.protobuf = true;
        self
    }

    /// Sets the candidate, for coordinated election.
    #[must_use]
    pub fn with_candidate(mut self, candidate: CandidateSettings) -> Self {
        self.candidate = Some(candidate);
        self
    }
}

impl CandidateSettings {
    /// A candidate with this binary and emulation version and the strategy `OldestEmulationVersion`.
    pub fn new(version: impl Into<String>) -> Self {
        let version = version.into();
        Self {
            binary_version: version.clone(),
            emulation_version: version,
            strategy: CoordinatedLeaseStrategy::OldestEmulationVersion,
            fall_back: true,
        }
    }

    /// Sets the version that the program behaves as.
    #[must_use]
    pub fn with_emulation_version(mut self, version: impl Into<String>) -> Self {
        self.emulation_version = version.into();
        self
    }

    /// The candidate as an object, without `renewTime`.
    pub(crate) fn object(&self, settings: &Settings) -> NewestCandidate {
        type Spec = <NewestCandidate as HasSpec>::Spec;
        let metadata = ObjectMeta::default()
            .with_name(&*settings.identity)
            .with_namespace(&*settings.namespace);
        let (lease_name, version) = (&*settings.lease_name, &*self.binary_version);
        let spec = Spec::new(lease_name, version, self.strategy.clone())
            .with_emulation_version(&*self.emulation_version);
        NewestCandidate::new(spec).with_metadata(metadata)
    }
}
