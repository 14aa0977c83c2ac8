//! One form for the specs of all versions of `LeaseCandidate`.

use k8s_versioned::MicroTime;

use crate::{CoordinatedLeaseStrategy, v1alpha1, v1alpha2, v1beta1};

/// The strategies that a candidate asks for.
///
/// Its two forms are the two generations of the API, which differ in validation and in election.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Preference<'a> {
    /// Many, the best first: `preferredStrategies` of `v1alpha1`.
    List(&'a [CoordinatedLeaseStrategy]),
    /// One: `strategy` of the later versions.
    One(&'a CoordinatedLeaseStrategy),
}

impl<'a> Preference<'a> {
    /// The strategy that comes first, as text; empty where there is none.
    pub(crate) fn first(self) -> &'a str {
        let first = self.strategies().first();
        first.map_or("", CoordinatedLeaseStrategy::as_str)
    }

    /// The strategies, the best first.
    pub(crate) fn strategies(self) -> &'a [CoordinatedLeaseStrategy] {
        match self {
            Self::List(strategies) => strategies,
            Self::One(strategy) => std::slice::from_ref(strategy),
        }
    }
}

/// The fields of a spec that rules look at. An absent version is an empty one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CandidateSpec<'a> {
    pub(crate) lease_name: &'a str,
    pub(crate) binary_version: &'a str,
    pub(crate) emulation_version: &'a str,
    pub(crate) preference: Preference<'a>,
    pub(crate) renew_time: Option<MicroTime>,
}

impl<'a> From<&'a v1alpha1::LeaseCandidateSpec> for CandidateSpec<'a> {
    fn from(spec: &'a v1alpha1::LeaseCandidateSpec) -> Self {
        Self {
            lease_name: &spec.lease_name,
            binary_version: spec.binary_version.as_deref().unwrap_or_default(),
            emulation_version: spec.emulation_version.as_deref().unwrap_or_default(),
            preference: Preference::List(&spec.preferred_strategies),
            renew_time: spec.renew_time,
        }
    }
}

impl<'a> From<&'a v1alpha2::LeaseCandidateSpec> for CandidateSpec<'a> {
    fn from(spec: &'a v1alpha2::LeaseCandidateSpec) -> Self {
        Self {
            lease_name: &spec.lease_name,
            binary_version: &spec.binary_version,
            emulation_version: spec.emulation_version.as_deref().unwrap_or_default(),
            preference: Preference::One(&spec.strategy),
            renew_time: spec.renew_time,
        }
    }
}

impl<'a> From<&'a v1beta1::LeaseCandidateSpec> for CandidateSpec<'a> {
    fn from(spec: &'a v1beta1::LeaseCandidateSpec) -> Self {
        Self {
            lease_name: &spec.lease_name,
            binary_version: &spec.binary_version,
            emulation_version: spec.emulation_version.as_deref().unwrap_or_default(),
            preference: Preference::One(&spec.strategy),
            renew_time: spec.renew_time,
        }
    }
}
