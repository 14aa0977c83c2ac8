//! Candidates of whichever version.

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::Candidate;

/// What an election looks at.
pub(crate) fn borrowed(candidate: &AnyLeaseCandidate) -> Candidate<'_> {
    match candidate {
        AnyLeaseCandidate::V1alpha1(candidate) => candidate.into(),
        AnyLeaseCandidate::V1alpha2(candidate) => candidate.into(),
        AnyLeaseCandidate::V1beta1(candidate) => candidate.into(),
    }
}
