//! The second step: the strategy on which the candidates agree.

mod highest_binary_version;
mod preference_graph;

use serde::Serialize;

use super::{Candidate, ElectionError};
use crate::CoordinatedLeaseStrategy::{self, OldestEmulationVersion};

/// The strategy of a set of candidates, and the rule that decided.
pub(super) struct Choice {
    pub(super) strategy: CoordinatedLeaseStrategy,
    pub(super) basis: Basis,
}

impl Choice {
    /// True if an elector picks a leader by the strategy. It leaves any other to the one who defined it.
    pub(super) fn picks_leader(&self) -> bool {
        self.strategy == OldestEmulationVersion
    }
}

/// The rule that decided on a strategy.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rule", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Basis {
    /// All candidates ask for it first.
    Unanimous,
    /// `v1alpha1`: the one strategy that no list puts behind another.
    Preferences {
        /// The candidates that put it first.
        first: Vec<String>,
        /// Candidates that put another strategy first, one that some list ranks below it.
        others: Vec<Vote>,
    },
    /// Later versions: the candidates with the highest `binaryVersion` ask for it.
    HighestBinaryVersion {
        /// The version.
        version: String,
        /// The candidates that have it.
        highest: Vec<String>,
        /// Candidates that have a lower one and ask for another strategy.
        overruled: Vec<Vote>,
        /// Two candidates that have the same lower version and ask for different strategies. A server that sees
        /// them before any candidate with a higher version elects no leader.
        disputed: Option<[Vote; 2]>,
    },
}

/// A candidate and the strategy that it asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Vote {
    /// The candidate.
    pub candidate: String,
    /// The strategy that it puts first; an empty one if it has none.
    pub strategy: CoordinatedLeaseStrategy,
}

impl Vote {
    pub(super) fn of(candidate: &Candidate<'_>) -> Self {
        Self { candidate: candidate.name().to_owned(), strategy: candidate.strategy().into() }
    }
}

/// The strategy that a set of candidates asks for; `None` if the set is empty.
///
/// # Errors
///
/// The candidates contradict each other.
pub(super) fn choose(candidates: &[Candidate<'_>]) -> Option<Result<Choice, ElectionError>> {
    if candidates.is_empty() {
        None
    } else if is_newer_rule(candidates) {
        highest_binary_version::choose(candidates)
    } else {
        Some(preference_graph::choose(candidates))
    }
}

/// True if the rule of the later versions applies: one candidate of such a version is enough.
fn is_newer_rule(candidates: &[Candidate<'_>]) -> bool {
    !candidates.iter().all(|candidate| matches!(candidate, Candidate::V1alpha1(_)))
}
