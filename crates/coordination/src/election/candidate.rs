//! The first step: who takes part.

use jiff::SignedDuration;
use k8s_versioned::{MicroTime, Time};
use serde::Serialize;

use super::{Election, Preference};
use crate::candidate_spec::CandidateSpec;
use crate::conversion::AnyLeaseCandidate;
use crate::meta::v1::ObjectMeta;
use crate::{v1alpha1, v1alpha2, v1beta1};

/// For how long a candidate takes part after a sign of life.
pub const VALID_FOR: SignedDuration = SignedDuration::from_mins(30);

/// After what time without one an elector asks a candidate for a sign of life.
pub const ASK_AFTER: SignedDuration = SignedDuration::from_mins(15);

/// The fields of a candidate that an election uses, borrowed from an object of any version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
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
    /// A candidate without versions and times.
    pub const fn new(
        namespace: &'a str,
        name: &'a str,
        lease_name: &'a str,
        preference: Preference<'a>,
    ) -> Self {
        Self {
            namespace,
            name,
            creation_timestamp: None,
            lease_name,
            binary_version: "",
            emulation_version: "",
            preference,
            renew_time: None,
        }
    }

    fn of(metadata: &'a ObjectMeta, spec: CandidateSpec<'a>) -> Self {
        Self {
            namespace: metadata.namespace.as_deref().unwrap_or_default(),
            name: metadata.name.as_deref().unwrap_or_default(),
            creation_timestamp: metadata.creation_timestamp,
            lease_name: spec.lease_name,
            binary_version: spec.binary_version,
            emulation_version: spec.emulation_version,
            preference: spec.preference,
            renew_time: spec.renew_time,
        }
    }

    /// True if an elector asks it for a sign of life, because the last one is too long ago.
    pub(super) fn is_silent(&self, now: MicroTime) -> bool {
        self.age(now).is_some_and(|age| age > ASK_AFTER)
    }

    /// The reason why it is absent; `None` if it takes part.
    pub fn absence(&self, election: &Election<'_>) -> Option<Absence> {
        if self.namespace != election.namespace {
            return Some(Absence::OtherNamespace);
        }
        if self.lease_name != election.lease_name {
            return Some(Absence::OtherLease { lease_name: self.lease_name.to_owned() });
        }
        if self.name.is_empty() {
            return Some(Absence::Unnamed);
        }
        let Some(renewed) = self.renew_time else {
            return Some(Absence::NeverRenewed);
        };
        (election.now.duration_since(renewed) > VALID_FOR).then_some(Absence::Expired { renewed })
    }

    /// The time since the last sign of life; negative if that lies ahead.
    fn age(&self, now: MicroTime) -> Option<SignedDuration> {
        self.renew_time.map(|renewed| now.duration_since(renewed))
    }
}

/// The reason why a candidate is absent.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(tag = "absence", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Absence {
    /// It is in another namespace than the `Lease`.
    OtherNamespace,
    /// It contends for another `Lease`.
    OtherLease {
        /// The name of that `Lease`.
        lease_name: String,
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
        Self::of(&candidate.metadata, (&candidate.spec).into())
    }
}

impl<'a> From<&'a v1alpha2::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1alpha2::LeaseCandidate) -> Self {
        Self::of(&candidate.metadata, (&candidate.spec).into())
    }
}

impl<'a> From<&'a v1beta1::LeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a v1beta1::LeaseCandidate) -> Self {
        Self::of(&candidate.metadata, (&candidate.spec).into())
    }
}

/// An election can have candidates of several versions.
impl<'a> From<&'a AnyLeaseCandidate> for Candidate<'a> {
    fn from(candidate: &'a AnyLeaseCandidate) -> Self {
        Self::of(candidate.metadata(), candidate.spec())
    }
}
