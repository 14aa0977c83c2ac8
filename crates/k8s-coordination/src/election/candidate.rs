//! The first step: the eligible candidates.

use jiff::SignedDuration;
use k8s_versioned::{MicroTime, Time};

use super::{Election, Standing};
use crate::CoordinatedLeaseStrategy;
use crate::candidate_spec::CandidateSpec;
use crate::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use crate::meta::v1::ObjectMeta;
use crate::{v1alpha1, v1alpha2, v1beta1};

/// A candidate of any version, borrowed. An election can have candidates of several versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Candidate<'a> {
    /// Of `v1alpha1`.
    V1alpha1(&'a v1alpha1::LeaseCandidate),
    /// Of `v1alpha2`.
    V1alpha2(&'a v1alpha2::LeaseCandidate),
    /// Of `v1beta1`.
    V1beta1(&'a v1beta1::LeaseCandidate),
}

impl<'a> Candidate<'a> {
    /// The time for which a candidate is eligible after its `renewTime`.
    pub const VALID_FOR: SignedDuration = SignedDuration::from_mins(30);

    /// The time after its `renewTime` from which an elector pings a candidate.
    pub const PING_AFTER: SignedDuration = SignedDuration::from_mins(15);

    /// The version of the object.
    pub fn version(self) -> LeaseCandidateVersion {
        match self {
            Self::V1alpha1(_) => LeaseCandidateVersion::V1alpha1,
            Self::V1alpha2(_) => LeaseCandidateVersion::V1alpha2,
            Self::V1beta1(_) => LeaseCandidateVersion::V1beta1,
        }
    }

    /// The object's metadata.
    pub fn metadata(self) -> &'a ObjectMeta {
        match self {
            Self::V1alpha1(candidate) => &candidate.metadata,
            Self::V1alpha2(candidate) => &candidate.metadata,
            Self::V1beta1(candidate) => &candidate.metadata,
        }
    }

    fn spec(self) -> CandidateSpec<'a> {
        match self {
            Self::V1alpha1(candidate) => (&candidate.spec).into(),
            Self::V1alpha2(candidate) => (&candidate.spec).into(),
            Self::V1beta1(candidate) => (&candidate.spec).into(),
        }
    }

    /// `metadata.namespace`; empty where it is absent.
    pub fn namespace(self) -> &'a str {
        self.metadata().namespace.as_deref().unwrap_or_default()
    }

    /// `metadata.name`, by which the `Lease` names its holder; empty where it is absent.
    pub fn name(self) -> &'a str {
        self.metadata().name.as_deref().unwrap_or_default()
    }

    /// `metadata.creationTimestamp`; absent counts as the oldest.
    pub fn creation_timestamp(self) -> Option<Time> {
        self.metadata().creation_timestamp
    }

    /// `spec.leaseName`.
    pub fn lease_name(self) -> &'a str {
        self.spec().lease_name
    }

    /// `spec.binaryVersion`; empty where it is absent.
    pub fn binary_version(self) -> &'a str {
        self.spec().binary_version
    }

    /// `spec.emulationVersion`; empty where it is absent.
    pub fn emulation_version(self) -> &'a str {
        self.spec().emulation_version
    }

    /// `spec.preferredStrategies`, the best first, or `spec.strategy` alone.
    pub fn strategies(self) -> &'a [CoordinatedLeaseStrategy] {
        self.spec().preference.strategies()
    }

    /// The strategy that it puts first, as text; empty where there is none.
    pub(super) fn strategy(self) -> &'a str {
        self.spec().preference.first()
    }

    /// `spec.renewTime`.
    pub fn renew_time(self) -> Option<MicroTime> {
        self.spec().renew_time
    }

    /// True if an elector pings it, because it was renewed too long ago.
    pub(super) fn needs_ping(self, now: MicroTime) -> bool {
        self.renew_time().is_some_and(|renewed| now.duration_since(renewed) > Self::PING_AFTER)
    }

    /// The standing before candidates are compared.
    pub(super) fn standing(self, election: &Election<'_>) -> Standing<'a> {
        if self.namespace() != election.namespace {
            return Standing::OtherNamespace;
        }
        let CandidateSpec { lease_name, renew_time, preference, .. } = self.spec();
        if lease_name != election.lease_name {
            return Standing::OtherLease { lease_name };
        }
        if self.name().is_empty() {
            return Standing::Unnamed;
        }
        let Some(renewed) = renew_time else {
            return Standing::NeverRenewed;
        };
        if election.now.duration_since(renewed) > Self::VALID_FOR {
            return Standing::Expired { renewed };
        }
        Standing::NotCompared { strategies: preference.strategies() }
    }
}

impl<'a> From<&'a v1alpha1::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1alpha1::LeaseCandidate) -> Self {
        Self::V1alpha1(candidate)
    }
}

impl<'a> From<&'a v1alpha2::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1alpha2::LeaseCandidate) -> Self {
        Self::V1alpha2(candidate)
    }
}

impl<'a> From<&'a v1beta1::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1beta1::LeaseCandidate) -> Self {
        Self::V1beta1(candidate)
    }
}

impl<'a> From<&'a AnyLeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a AnyLeaseCandidate) -> Self {
        match candidate {
            AnyLeaseCandidate::V1alpha1(candidate) => Self::V1alpha1(candidate),
            AnyLeaseCandidate::V1alpha2(candidate) => Self::V1alpha2(candidate),
            AnyLeaseCandidate::V1beta1(candidate) => Self::V1beta1(candidate),
        }
    }
}
