//! The steps put together.

use std::borrow::Cow;

use k8s_versioned::MicroTime;
use k8s_versioned::field::FieldErrors;
use serde::Serialize;
use thiserror::Error;

use super::candidate::Absence;
use super::leader::{self, Rank, TieBreak};
use super::lease::{self, Decision, Due, NotDue};
use super::strategy::{self, Basis, Choice, StrategyError, Vote};
use super::{Candidate, Election};
use crate::CoordinatedLeaseStrategy;
use crate::v1::Lease;

/// The outcome of an election.
///
/// Its text is the story: what becomes of each candidate, which rule decided, what happens to the `Lease`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Outcome {
    /// The namespace of the `Lease`.
    pub namespace: String,
    /// The name of the `Lease`.
    pub lease_name: String,
    /// The time of the decision.
    pub now: MicroTime,
    /// The holder of the `Lease` before the decision; `None` if there is none.
    pub holder: Option<String>,
    /// The standings of the candidates, in the order in which they were given.
    pub standings: Vec<StandingOf>,
    /// The strategy that those who take part ask for; `None` if nobody takes part or they disagree.
    pub choice: Option<Choice>,
    /// The best candidate, whether or not it gets the `Lease`; `None` if the strategy leaves that to others.
    pub best: Option<String>,
    /// The reason why an election is due; `None` if it is not.
    pub due: Option<Due>,
    /// The decision about the `Lease`.
    pub decision: Decision,
}

/// A candidate and its standing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct StandingOf {
    /// The candidate's namespace.
    pub namespace: String,
    /// The candidate's name.
    pub candidate: String,
    /// The outcome.
    #[serde(flatten)]
    pub standing: Standing,
}

/// The standing of a candidate.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "standing", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Standing {
    /// It takes no part.
    Absent(Absence),
    /// It was compared with the others.
    Ranked(Rank),
    /// It takes part, but nobody is chosen: only its word on the strategy counts.
    Heard {
        /// The strategies that it asks for, the best first.
        strategies: Vec<CoordinatedLeaseStrategy>,
    },
}

impl Standing {
    /// True if the candidate is one for this `Lease`, alive or not. Others are foreign: they were only given
    /// together with it.
    pub const fn is_foreign(&self) -> bool {
        matches!(self, Self::Absent(Absence::OtherNamespace | Absence::OtherLease { .. }))
    }

    /// True if the candidate takes part.
    pub const fn takes_part(&self) -> bool {
        !matches!(self, Self::Absent(_))
    }
}

/// The reason why an election fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
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
    InvalidLease(#[from] FieldErrors),
}

impl Outcome {
    /// The `Lease` that is written; `None` if nothing is.
    pub fn written(&self) -> Option<&Lease> {
        match &self.decision {
            Decision::Create { lease } | Decision::Update { lease, .. } => Some(lease),
            Decision::NotDue { .. } | Decision::Unchanged | Decision::Failed { .. } => None,
        }
    }

    /// The candidates that take part.
    pub fn participants(&self) -> impl Iterator<Item = &StandingOf> {
        let standings = self.standings.iter();
        standings.filter(|of| of.standing.takes_part())
    }

    /// The candidates that are not for this `Lease`.
    pub fn foreign(&self) -> impl Iterator<Item = &StandingOf> {
        let standings = self.standings.iter();
        standings.filter(|of| of.standing.is_foreign())
    }

    /// The best candidate and those that agree with it in everything, by name; none if it is alone.
    ///
    /// A server takes the one that it sees first, and may see another order each time: right after it has
    /// given the `Lease` to one, it can name another as the preferred holder.
    pub fn tied(&self) -> Vec<&str> {
        let by_order = |of: &&StandingOf| {
            matches!(
                &of.standing,
                Standing::Ranked(
                    Rank::Best { by: Some(TieBreak::Order), .. }
                        | Rank::Beaten { by: TieBreak::Order, .. }
                )
            )
        };
        let tied = self.standings.iter().filter(by_order);
        tied.map(|of| of.candidate.as_str()).collect()
    }

    /// Two candidates of one binary version that contradict each other although later ones decide. A server
    /// that sees them before any later one stops there and writes nothing.
    pub fn disputed(&self) -> Option<&[Vote; 2]> {
        match &self.choice.as_ref()?.basis {
            Basis::HighestBinaryVersion { disputed, .. } => disputed.as_ref(),
            _ => None,
        }
    }

    /// The error, if the election fails.
    pub fn error(&self) -> Option<&ElectionError> {
        match &self.decision {
            Decision::Failed { error } => Some(error),
            _ => None,
        }
    }
}

/// The results of the first three steps.
struct Found {
    choice: Result<Choice, StrategyError>,
    ranks: Option<Vec<Rank>>,
    best: Option<String>,
}

pub(super) fn decide(election: &Election<'_>) -> Outcome {
    let absences: Vec<Option<Absence>> =
        election.candidates.iter().map(|candidate| candidate.absence(election)).collect();
    let participants = participants(election.candidates, &absences);
    let found = find(&participants);
    let holder = election.lease.and_then(|lease| lease::holder(&lease.spec));
    let due = when_due(election, holder, &participants, &found);
    let decision = match &due {
        Ok(_) => elect(election, &found),
        Err(decision) => decision.clone(),
    };
    Outcome {
        namespace: election.namespace.to_owned(),
        lease_name: election.lease_name.to_owned(),
        now: election.now,
        holder: holder.map(str::to_owned),
        standings: standings(election, absences, found.ranks),
        choice: found.choice.ok(),
        best: found.best,
        due: due.ok(),
        decision,
    }
}

/// The candidates that take part: not copied where all do. Row: elect.
fn participants<'c, 'a>(
    candidates: &'c [Candidate<'a>],
    absences: &[Option<Absence>],
) -> Cow<'c, [Candidate<'a>]> {
    if absences.iter().all(Option::is_none) {
        return Cow::Borrowed(candidates);
    }
    let candidates = candidates.iter().zip(absences);
    let present = candidates.filter(|(_, absence)| absence.is_none());
    present.map(|(candidate, _)| *candidate).collect()
}

fn find(participants: &[Candidate<'_>]) -> Found {
    let choice = strategy::choose(participants);
    let picks = choice.as_ref().is_ok_and(|choice| lease::picks_leader(&choice.strategy));
    let ranks = picks.then(|| leader::oldest_emulation_version(participants));
    let best = ranks.iter().flatten().position(|rank| matches!(rank, Rank::Best { .. }));
    let best = best.and_then(|best| participants.get(best));
    Found { choice, best: best.map(|best| best.name.to_owned()), ranks }
}

/// The reason why an election is due, or the decision if it is not.
fn when_due(
    election: &Election<'_>,
    holder: Option<&str>,
    participants: &[Candidate<'_>],
    found: &Found,
) -> Result<Due, Decision> {
    let not_due = |reason| Err(Decision::NotDue { reason });
    if participants.is_empty() {
        return not_due(NotDue::NoCandidates);
    }
    if let Some(due) = lease::due_anyway(election, participants) {
        return Ok(due);
    }
    let choice = match &found.choice {
        Ok(choice) => choice,
        Err(error) => {
            let error = error.clone().into();
            return Err(Decision::Failed { error });
        }
    };
    if !lease::picks_leader(&choice.strategy) {
        return not_due(NotDue::OtherStrategy);
    }
    match found.best.as_deref() {
        None => not_due(NotDue::NobodyToCompare),
        best if best == holder => not_due(NotDue::BestHolds),
        Some(_) => Ok(worse_holder(holder.unwrap_or_default(), participants)),
    }
}

fn worse_holder(holder: &str, participants: &[Candidate<'_>]) -> Due {
    let takes_part = participants.iter().any(|one| one.name == holder);
    let holder = holder.to_owned();
    if takes_part { Due::NotTheBest { holder } } else { Due::NotACandidate { holder } }
}

/// The decision when an election is due.
fn elect(election: &Election<'_>, found: &Found) -> Decision {
    let decision = match &found.choice {
        Err(error) => Err(error.clone().into()),
        Ok(choice) if lease::picks_leader(&choice.strategy) && found.best.is_none() => {
            Err(ElectionError::NobodyEligible)
        }
        Ok(choice) => lease::write(election, &choice.strategy, found.best.as_deref()),
    };
    decision.unwrap_or_else(|error| Decision::Failed { error })
}

/// The standings of all candidates; `ranks` are those of the candidates that take part, in their order.
fn standings(
    election: &Election<'_>,
    absences: Vec<Option<Absence>>,
    ranks: Option<Vec<Rank>>,
) -> Vec<StandingOf> {
    let mut ranks = ranks.into_iter().flatten();
    let candidates = election.candidates.iter().zip(absences);
    let standings = candidates.map(|(candidate, absence)| {
        let standing = match absence {
            Some(absence) => Standing::Absent(absence),
            None => ranks.next().map_or_else(
                || Standing::Heard { strategies: candidate.preference.strategies().to_vec() },
                Standing::Ranked,
            ),
        };
        StandingOf {
            namespace: candidate.namespace.to_owned(),
            candidate: candidate.name.to_owned(),
            standing,
        }
    });
    standings.collect()
}
