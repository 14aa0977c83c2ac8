//! The reason why an election fails.

use k8s_versioned::Quoted;
use k8s_versioned::field::FieldErrors;
use thiserror::Error;

use super::Vote;

/// The reason why an election fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ElectionError {
    /// `v1alpha1`: a candidate has no preferences.
    #[error("{} asks for no strategy: give it a preference", Quoted(candidate))]
    NoPreference {
        /// The name of the candidate.
        candidate: String,
    },
    /// `v1alpha1`: the preferences contradict each other.
    #[error("the preferences contradict each other: {}", cycle(votes))]
    Cycle {
        /// Each candidate prefers its strategy to the strategy of the next one, and the last one to the strategy of the first.
        votes: Vec<Vote>,
    },
    /// `v1alpha1`: candidates put different strategies first, and no list compares these.
    #[error("no list of preferences says which of these is better: {}", asked(votes))]
    Unrelated {
        /// The strategies that they put first.
        votes: Vec<Vote>,
    },
    /// Later versions: candidates with the highest `binaryVersion` ask for different strategies.
    #[error(
        "binary version {} is the highest, and the candidates that have it disagree: {}",
        Quoted(version),
        asked(votes)
    )]
    Conflict {
        /// The version that the candidates have in common.
        version: String,
        /// The strategies that they ask for.
        votes: Vec<Vote>,
    },
    /// No candidate has two versions that can be read.
    #[error(
        "no candidate has a valid `binaryVersion` and a valid `emulationVersion`, such as `1.31.0`"
    )]
    NoneComparable,
    /// The `Lease` exists and has no `holderIdentity`: a server crashes on it.
    #[error(
        "the Lease has no `holderIdentity`, on which API servers crash: write an empty one, or delete the Lease"
    )]
    HolderAbsent,
    /// A server would reject the `Lease` that the election leads to.
    #[error("the Lease cannot be written: {0}")]
    InvalidLease(#[from] FieldErrors),
}

impl ElectionError {
    /// Returns `true` if the candidates disagree on a strategy. Their owners must change what they ask for.
    pub fn is_about_strategy(&self) -> bool {
        matches!(
            self,
            Self::NoPreference { .. }
                | Self::Cycle { .. }
                | Self::Unrelated { .. }
                | Self::Conflict { .. }
        )
    }
}

fn cycle(votes: &[Vote]) -> String {
    let next = votes.iter().cycle().skip(1);
    let preferences = votes.iter().zip(next).map(|(vote, next)| {
        let [better, worse] = [vote, next].map(|vote| Quoted(vote.strategy.as_str()));
        format!("{} prefers {better} to {worse}", Quoted(&vote.candidate))
    });
    preferences.collect::<Vec<_>>().join(", ")
}

fn asked(votes: &[Vote]) -> String {
    let votes = votes.iter().map(|vote| {
        let (candidate, strategy) = (Quoted(&vote.candidate), Quoted(vote.strategy.as_str()));
        format!("{candidate} asks for {strategy}")
    });
    votes.collect::<Vec<_>>().join(", ")
}
