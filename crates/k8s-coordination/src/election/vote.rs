//! What a candidate asks for.

use serde::Serialize;

use crate::CoordinatedLeaseStrategy;
use crate::conversion::AnyLeaseCandidateRef;

/// A candidate and the strategy that it asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Vote {
    /// The name of the candidate.
    pub candidate: String,
    /// Its preferred strategy; empty if it has none.
    pub strategy: CoordinatedLeaseStrategy,
}

impl Vote {
    pub(super) fn from_candidate(candidate: &AnyLeaseCandidateRef<'_>) -> Self {
        Self { candidate: candidate.name().to_owned(), strategy: candidate.strategy().into() }
    }
}
