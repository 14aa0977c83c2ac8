//! The second step: which strategy the candidates agree on.

mod highest_binary_version;
mod preference_graph;

use k8s_versioned::Quoted;
use k8s_versioned::SemanticVersion;
use serde::Serialize;
use thiserror::Error;

use super::{Candidate, Preference};
use crate::CoordinatedLeaseStrategy;

/// The strategy of a set of candidates, and why it is that one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Choice {
    /// The strategy.
    pub strategy: CoordinatedLeaseStrategy,
    /// The rule that decided, and how.
    pub basis: Basis,
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
        /// Those that put another strategy first, one that some list ranks below it.
        others: Vec<Vote>,
    },
    /// Later versions: what the candidates with the highest `binaryVersion` ask for.
    HighestBinaryVersion {
        /// The version.
        version: SemanticVersion,
        /// The candidates that have it.
        highest: Vec<String>,
        /// Those that have a lower one and ask for something else.
        overruled: Vec<Vote>,
        /// Two of those with a lower one that have the same version and contradict each other. A server that
        /// sees them before any candidate with a later version elects nobody.
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
        Self {
            candidate: candidate.name().to_owned(),
            strategy: candidate.preference().first().into(),
        }
    }
}

/// That a candidate prefers one strategy to another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Step {
    /// The candidate.
    pub candidate: String,
    /// The preferred strategy.
    pub better: CoordinatedLeaseStrategy,
    /// The next strategy.
    pub worse: CoordinatedLeaseStrategy,
}

/// The reason why candidates do not agree on a strategy. The owners of the candidates have to correct it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StrategyError {
    /// There are no candidates.
    #[error("there are no candidates")]
    NoCandidates,
    /// `v1alpha1`: a candidate has no preferences.
    #[error("{} asks for no strategy: give it a preference", Quoted(candidate))]
    NoPreference {
        /// The candidate.
        candidate: String,
    },
    /// `v1alpha1`: the preferences go round in a circle.
    #[error("the preferences contradict each other: {}", steps(circle))]
    Circle {
        /// The preferences, each of which starts where the one before ends.
        circle: Vec<Step>,
    },
    /// `v1alpha1`: candidates put different strategies first, and no list compares these.
    #[error("no list of preferences says which of these is better: {}", asked(votes))]
    Unrelated {
        /// The strategies that they put first.
        votes: Vec<Vote>,
    },
    /// Later versions: candidates with the highest `binaryVersion` ask for different strategies.
    #[error(
        "binary version {} is the highest, and those who have it disagree: {}",
        Quoted(&version.to_string()),
        asked(votes)
    )]
    Conflict {
        /// The version.
        version: SemanticVersion,
        /// The strategies that they ask for.
        votes: Vec<Vote>,
    },
}

/// Which strategy a set of candidates asks for.
///
/// # Errors
///
/// There are no candidates, or they contradict each other.
pub(super) fn choose(candidates: &[Candidate<'_>]) -> Result<Choice, StrategyError> {
    if candidates.is_empty() {
        return Err(StrategyError::NoCandidates);
    }
    if is_newer_rule(candidates) {
        highest_binary_version::choose(candidates)
    } else {
        preference_graph::choose(candidates)
    }
}

/// True if the rule of the later versions applies: one candidate of such a version suffices.
fn is_newer_rule(candidates: &[Candidate<'_>]) -> bool {
    candidates.iter().any(|candidate| matches!(candidate.preference(), Preference::One(_)))
}

fn steps(circle: &[Step]) -> String {
    let steps = circle.iter().map(|step| {
        let [better, worse] = [&step.better, &step.worse].map(|strategy| Quoted(strategy.as_str()));
        let candidate = Quoted(&step.candidate);
        format!("{candidate} prefers {better} to {worse}")
    });
    steps.collect::<Vec<_>>().join(", ")
}

fn asked(votes: &[Vote]) -> String {
    let votes = votes.iter().map(|vote| {
        let (candidate, strategy) = (Quoted(&vote.candidate), Quoted(vote.strategy.as_str()));
        format!("{candidate} asks for {strategy}")
    });
    votes.collect::<Vec<_>>().join(", ")
}
