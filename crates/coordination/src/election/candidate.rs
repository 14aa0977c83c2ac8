//! The first step: who takes part.

use jiff::SignedDuration;
use k8s_versioned::{MicroTime, Time};
use serde::Serialize;

use super::{Election, Preference};
use crate::candidate_spec::CandidateSpec;
use crate::conversion::{AnyLeaseCandidate, LeaseCandidateVersion};
use crate::meta::v1::ObjectMeta;
use crate::{v1alpha1, v1alpha2, v1beta1};

/// For how long a candidate takes part after a sign of life.
pub const VALID_FOR: SignedDuration = SignedDuration::from_mins(30);

/// After what time without one an elector asks a candidate for a sign of life.
pub const ASK_AFTER: SignedDuration = SignedDuration::from_mins(15);

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

    /// `spec.preferredStrategies` or `spec.strategy`. Which of them it is tells the version's rule.
    pub fn preference(self) -> Preference<'a> {
        self.spec().preference
    }

    /// `spec.renewTime`.
    pub fn renew_time(self) -> Option<MicroTime> {
        self.spec().renew_time
    }

    /// True if an elector asks it for a sign of life, because the last one is too long ago.
    pub(super) fn is_silent(self, now: MicroTime) -> bool {
        self.renew_time().is_some_and(|renewed| now.duration_since(renewed) > ASK_AFTER)
    }

    /// The reason why it is absent; `None` if it takes part.
    pub fn absence(self, election: &Election<'_>) -> Option<Absence<'a>> {
        if self.namespace() != election.namespace {
            return Some(Absence::OtherNamespace);
        }
        let CandidateSpec { lease_name, renew_time, .. } = self.spec();
        if lease_name != election.lease_name {
            return Some(Absence::OtherLease { lease_name });
        }
        if self.name().is_empty() {
            return Some(Absence::Unnamed);
        }
        let Some(renewed) = renew_time else {
            return Some(Absence::NeverRenewed);
        };
        (election.now.duration_since(renewed) > VALID_FOR).then_some(Absence::Expired { renewed })
    }
}

/// The reason why a candidate is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "absence", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Absence<'a> {
    /// It is in another namespace than the `Lease`.
    OtherNamespace,
    /// It contends for another `Lease`.
    OtherLease {
        /// The name of that `Lease`.
        lease_name: &'a str,
    },
    /// It has no name, so that no `Lease` could name it as its holder.
    Unnamed,
    /// It has no `renewTime`.
    NeverRenewed,
    /// Its `renewTime` is [too long](VALID_FOR) ago.
    Expired {
        /// The `renewTime`.
        renewed: MicroTime,
    },
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
