//! The steps put together.

use k8s_versioned::MicroTime;
use k8s_versioned::field::FieldErrors;
use thiserror::Error;

use super::candidate::Absence;
use super::leader::{self, Rank};
use super::lease::{self, Decision, Due, NotDue};
use super::strategy::{self, Choice, StrategyError};
use super::{Candidate, Election};
use crate::v1::Lease;

/// What an election decides.
///
/// Its text is the story: what becomes of each candidate, which rule decided, what happens to the `Lease`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The namespace of the `Lease`.
    pub namespace: String,
    /// The name of the `Lease`.
    pub lease_name: String,
    /// The time of the decision.
    pub now: MicroTime,
    /// Who holds the `Lease` when the decision is taken; `None` if nobody does.
    pub holder: Option<String>,
    /// What became of the candidates, in the order in which they were given.
    pub standings: Vec<StandingOf>,
    /// The strategy that those who take part ask for; `None` if nobody takes part or they disagree.
    pub choice: Option<Choice>,
    /// The best candidate, whether or not it gets the `Lease`; `None` if the strategy leaves that to others.
    pub leader: Option<String>,
    /// Why an election is due; `None` if it is not.
    pub due: Option<Due>,
    /// What happens to the `Lease`.
    pub decision: Decision,
}

/// What became of one candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StandingOf {
    /// The candidate's namespace.
    pub namespace: String,
    /// The candidate's name.
    pub candidate: String,
    /// What became of it.
    pub standing: Standing,
}

/// What became of a candidate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Standing {
    /// It takes no part.
    Absent {
        /// Why.
        absence: Absence,
        /// The Lease that it contends for.
        lease_name: String,
        /// Its last sign of life.
        renewed: Option<MicroTime>,
    },
    /// It was compared with the others.
    Ranked {
        /// How it came off.
        rank: Rank,
        /// Its `emulationVersion`.
        emulation_version: String,
        /// Its `binaryVersion`.
        binary_version: String,
    },
    /// It takes part, but nobody is chosen: only its word on the strategy counts.
    Heard {
        /// The strategies that it asks for, the best first.
        strategies: Vec<String>,
    },
}

/// Why an election fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ElectionError {
    /// The candidates do not agree on a strategy.
    #[error(transparent)]
    Strategy(#[from] StrategyError),
    /// No candidate has two versions that can be read.
    #[error("no candidate has both versions in a form that can be read, such as `1.31.0`")]
    NobodyEligible,
    /// The `Lease` exists and has no `holderIdentity`: a server crashes on it.
    #[error(
        "the Lease has no `holderIdentity`, on which API servers crash: write an empty one, or delete the Lease"
    )]
    HolderAbsent,
    /// A server would reject what is to be written.
    #[error("the Lease cannot be written: {0}")]
    InvalidLease(FieldErrors),
}

impl Outcome {
    /// The `Lease` that is written; `None` if nothing is.
    pub fn written(&self) -> Option<&Lease> {
        match &self.decision {
            Decision::Create(lease) | Decision::Update { lease, .. } => Some(lease),
            Decision::NotDue(_) | Decision::Unchanged | Decision::Failed(_) => None,
        }
    }

    /// What is wrong, if something is.
    pub fn error(&self) -> Option<&ElectionError> {
        match &self.decision {
            Decision::Failed(error) => Some(error),
            _ => None,
        }
    }
}

/// What the first three steps found.
struct Found {
    choice: Result<Choice, StrategyError>,
    ranks: Option<Vec<Rank>>,
    leader: Option<String>,
}

pub(super) fn decide(election: &Election<'_>) -> Outcome {
    let participants: Vec<Candidate<'_>> = election
        .candidates
        .iter()
        .filter(|candidate| candidate.absence(election).is_none())
        .copied()
        .collect();
    let found = find(&participants);
    let due = due(election, &participants, &found);
    let decision = match &due {
        Ok(_) => write(election, &found),
        Err(decision) => decision.clone(),
    };
    Outcome {
        namespace: election.namespace.to_owned(),
        lease_name: election.lease_name.to_owned(),
        now: election.now,
        holder: holder(election),
        standings: standings(election, found.ranks),
        choice: found.choice.ok(),
        leader: found.leader,
        due: due.ok(),
        decision,
    }
}

fn holder(election: &Election<'_>) -> Option<String> {
    let holder = lease::holder(&election.lease?.spec);
    (!holder.is_empty()).then(|| holder.to_owned())
}

fn find(participants: &[Candidate<'_>]) -> Found {
    let choice = strategy::choose(participants);
    let picked = choice
        .as_ref()
        .is_ok_and(|choice| lease::picks_leader(&choice.strategy));
    let ranks = picked.then(|| leader::oldest_emulation_version(participants));
    let best = ranks
        .iter()
        .flatten()
        .position(|rank| matches!(rank, Rank::Best(_)));
    let leader = best.and_then(|best| participants.get(best));
    Found {
        choice,
        leader: leader.map(|leader| leader.name.to_owned()),
        ranks,
    }
}

/// Why an election is due, or what happens because it is not.
fn due(
    election: &Election<'_>,
    participants: &[Candidate<'_>],
    found: &Found,
) -> Result<Due, Decision> {
    if participants.is_empty() {
        return Err(Decision::NotDue(NotDue::NoCandidates));
    }
    if let Some(due) = lease::due(election, participants) {
        return Ok(due);
    }
    let holder = holder(election).unwrap_or_default();
    match (&found.choice, &found.leader) {
        (Err(error), _) => Err(Decision::Failed(error.clone().into())),
        (Ok(choice), _) if !lease::picks_leader(&choice.strategy) => {
            Err(Decision::NotDue(NotDue::OtherStrategy))
        }
        (Ok(_), None) => Err(Decision::NotDue(NotDue::NobodyToCompare)),
        (Ok(_), Some(leader)) if *leader == holder => Err(Decision::NotDue(NotDue::BestHolds)),
        (Ok(_), Some(_)) => Ok(Due::NotTheBest { holder }),
    }
}

fn write(election: &Election<'_>, found: &Found) -> Decision {
    match &found.choice {
        Err(error) => Decision::Failed(error.clone().into()),
        Ok(choice) if lease::picks_leader(&choice.strategy) && found.leader.is_none() => {
            Decision::Failed(ElectionError::NobodyEligible)
        }
        Ok(choice) => lease::write(election, &choice.strategy, found.leader.as_deref()),
    }
}

/// What became of each candidate; `ranks` are of those that take part, in their order.
fn standings(election: &Election<'_>, ranks: Option<Vec<Rank>>) -> Vec<StandingOf> {
    let mut ranks = ranks.into_iter().flatten();
    let mut standing = |candidate: &Candidate<'_>| {
        if let Some(absence) = candidate.absence(election) {
            return Standing::Absent {
                absence,
                lease_name: candidate.lease_name.to_owned(),
                renewed: candidate.renew_time,
            };
        }
        match ranks.next() {
            Some(rank) => Standing::Ranked {
                rank,
                emulation_version: candidate.emulation_version.to_owned(),
                binary_version: candidate.binary_version.to_owned(),
            },
            None => Standing::Heard {
                strategies: candidate.preference.texts(),
            },
        }
    };
    let standings = election.candidates.iter().map(|candidate| StandingOf {
        namespace: candidate.namespace.to_owned(),
        candidate: candidate.name.to_owned(),
        standing: standing(candidate),
    });
    standings.collect()
}
