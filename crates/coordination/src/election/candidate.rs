//! The first step: who takes part.

use jiff::SignedDuration;
use k8s_versioned::{MicroTime, Time};

use super::{Election, Preference};
use crate::candidate_spec::CandidateSpec;
use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::ObjectMeta;
use crate::{v1alpha1, v1alpha2, v1beta1};

/// For how long a candidate takes part after a sign of life.
pub const VALIDITY: SignedDuration = SignedDuration::from_mins(30);

/// After what time an elector asks a candidate for another sign of life.
pub const SILENCE: SignedDuration = SignedDuration::from_mins(15);

/// For how long an elector waits for an answer.
pub const ANSWER: SignedDuration = SignedDuration::from_secs(5);

/// What an election looks at in a candidate, borrowed from an object of any version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Candidate<'a> {
    /// `metadata.namespace`.
    pub namespace: &'a str,
    /// `metadata.name`, by which the `Lease` names its holder.
    pub name: &'a str,
    /// `metadata.creationTimestamp`; absent counts as the oldest.
    pub creation_timestamp: Option<Time>,
    /// `spec.leaseName`.
    pub lease_name: &'a str,
    /// `spec.binaryVersion`; empty where it is absent.
    pub binary_version: &'a str,
    /// `spec.emulationVersion`; empty where it is absent.
    pub emulation_version: &'a str,
    /// `spec.preferredStrategies` or `spec.strategy`. Which of them it is tells the version's rule.
    pub preference: Preference<'a>,
    /// `spec.renewTime`.
    pub renew_time: Option<MicroTime>,
}

impl<'a> Candidate<'a> {
    fn new(metadata: &'a ObjectMeta, spec: CandidateSpec<'a>, renewed: Option<MicroTime>) -> Self {
        Self {
            namespace: metadata.namespace.as_deref().unwrap_or_default(),
            name: metadata.name.as_deref().unwrap_or_default(),
            creation_timestamp: metadata.creation_timestamp,
            lease_name: spec.lease_name,
            binary_version: spec.binary_version,
            emulation_version: spec.emulation_version,
            preference: spec.preference,
            renew_time: renewed,
        }
    }

    /// Whether it has given a sign of life within the last 5 seconds, as an elector that has asked it wants.
    pub fn has_answered(&self, now: MicroTime) -> bool {
        self.age(now).is_some_and(|age| age < ANSWER)
    }

    /// Whether an elector that sees it wants a sign of life, after 15 minutes without one.
    pub(super) fn is_silent(&self, now: MicroTime) -> bool {
        self.age(now).is_some_and(|age| age > SILENCE)
    }

    /// Why it takes no part, if it does not.
    pub fn absence(&self, election: &Election<'_>) -> Option<Absence> {
        if self.namespace != election.namespace {
            return Some(Absence::OtherNamespace);
        }
        if self.lease_name != election.lease_name {
            return Some(Absence::OtherLease);
        }
        let Some(age) = self.age(election.now) else {
            return Some(Absence::NeverRenewed);
        };
        (age > VALIDITY).then_some(Absence::Expired)
    }

    /// How long the last sign of life is ago; negative if it lies ahead.
    fn age(&self, now: MicroTime) -> Option<SignedDuration> {
        self.renew_time.map(|renewed| since(renewed, now))
    }
}

/// How long a time is ago.
pub(super) fn since(time: MicroTime, now: MicroTime) -> SignedDuration {
    now.timestamp().duration_since(time.timestamp())
}

/// Why a candidate takes no part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Absence {
    /// It is in another namespace than the `Lease`.
    OtherNamespace,
    /// It contends for another `Lease`.
    OtherLease,
    /// It has no `renewTime`.
    NeverRenewed,
    /// Its `renewTime` is more than 30 minutes ago.
    Expired,
}

impl<'a> From<&'a v1alpha1::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1alpha1::LeaseCandidate) -> Self {
        let spec = &candidate.spec;
        Self::new(&candidate.metadata, spec.into(), spec.renew_time)
    }
}

impl<'a> From<&'a v1alpha2::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1alpha2::LeaseCandidate) -> Self {
        let spec = &candidate.spec;
        Self::new(&candidate.metadata, spec.into(), spec.renew_time)
    }
}

impl<'a> From<&'a v1beta1::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1beta1::LeaseCandidate) -> Self {
        let spec = &candidate.spec;
        Self::new(&candidate.metadata, spec.into(), spec.renew_time)
    }
}

/// An election can have candidates of several versions.
impl<'a> From<&'a AnyLeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a AnyLeaseCandidate) -> Self {
        match candidate {
            AnyLeaseCandidate::V1alpha1(candidate) => candidate.into(),
            AnyLeaseCandidate::V1alpha2(candidate) => candidate.into(),
            AnyLeaseCandidate::V1beta1(candidate) => candidate.into(),
        }
    }
}
