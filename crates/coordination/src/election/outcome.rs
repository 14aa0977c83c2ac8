//! The steps put together.

use k8s_versioned::field::FieldErrors;
use k8s_versioned::{MicroTime, SemanticVersion};
use serde::{Serialize, Serializer};
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
/// Its text is the story: what becomes of each candidate, which rule decided, what happens to the `Lease`. It borrows
/// the objects that the election was about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Outcome<'a> {
    /// The namespace of the `Lease`.
    pub namespace: &'a str,
    /// The name of the `Lease`.
    pub lease_name: &'a str,
    /// The time of the decision.
    pub now: MicroTime,
    /// The holder of the `Lease` before the decision; `None` if there is none.
    pub holder: Option<&'a str>,
    /// The standings of the candidates, in the order in which they were given.
    pub standings: Vec<StandingOf<'a>>,
    /// The strategy that those who take part ask for; `None` if nobody takes part or they disagree.
    pub choice: Option<Choice>,
    /// The best candidate, whether or not it gets the `Lease`; `None` if the strategy leaves that to others.
    pub best: Option<&'a str>,
    /// The reason why an election is due; `None` if it is not.
    pub due: Option<Due>,
    /// The decision about the `Lease`.
    pub decision: Decision,
}

/// A candidate and its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct StandingOf<'a> {
    /// The candidate.
    pub candidate: Candidate<'a>,
    /// The outcome.
    pub standing: Standing<'a>,
}

/// Written with the name of the candidate, and with the versions by which it was compared.
impl Serialize for StandingOf<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let candidate = self.candidate;
        let is_compared =
            matches!(self.standing, Standing::Ranked(Rank::Best { .. } | Rank::Beaten { .. }));
        let version = |text| SemanticVersion::parse_tolerant(text).ok().filter(|_| is_compared);
        let written = Written {
            namespace: candidate.namespace(),
            candidate: candidate.name(),
            standing: self.standing,
            emulation_version: version(candidate.emulation_version()),
            binary_version: version(candidate.binary_version()),
        };
        written.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    namespace: &'a str,
    candidate: &'a str,
    #[serde(flatten)]
    standing: Standing<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    emulation_version: Option<SemanticVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_version: Option<SemanticVersion>,
}

/// The standing of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "standing", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Standing<'a> {
    /// It takes no part.
    Absent(Absence<'a>),
    /// It was compared with the others.
    Ranked(Rank<'a>),
    /// It takes part, but nobody is chosen: only its word on the strategy counts.
    Heard {
        /// The strategies that it asks for, the best first.
        strategies: &'a [CoordinatedLeaseStrategy],
    },
}

impl Standing<'_> {
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

impl<'a> Outcome<'a> {
    /// The `Lease` that is written; `None` if nothing is.
    pub fn written(&self) -> Option<&Lease> {
        match &self.decision {
            Decision::Create { lease } | Decision::Update { lease, .. } => Some(lease),
            Decision::NotDue { .. } | Decision::Unchanged | Decision::Failed { .. } => None,
        }
    }

    /// The candidates that take part.
    pub fn participants(&self) -> impl Iterator<Item = &StandingOf<'a>> {
        let standings = self.standings.iter();
        standings.filter(|of| of.standing.takes_part())
    }

    /// The best candidate and those that agree with it in everything, by name; none if it is alone.
    ///
    /// A server takes the one that it sees first, and may see another order each time: right after it has
    /// given the `Lease` to one, it can name another as the preferred holder.
    pub fn tied(&self) -> Vec<&'a str> {
        let by_order = |of: &&StandingOf<'_>| {
            matches!(
                &of.standing,
                Standing::Ranked(
                    Rank::Best { by: Some(TieBreak::Order), .. }
                        | Rank::Beaten { by: TieBreak::Order, .. }
                )
            )
        };
        let tied = self.standings.iter().filter(by_order);
        tied.map(|of| of.candidate.name()).collect()
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

/// The findings about a strategy and a leader.
struct Found<'a> {
    choice: Result<Choice, StrategyError>,
    best: Option<&'a str>,
}

pub(super) fn decide<'a>(election: &Election<'a>) -> Outcome<'a> {
    let mut standings: Vec<_> =
        election.candidates.iter().map(|&candidate| stand(election, candidate)).collect();
    let participants: Vec<Candidate<'_>> =
        standings.iter().filter(|of| of.standing.takes_part()).map(|of| of.candidate).collect();
    let choice = strategy::choose(&participants);
    let picks = choice.as_ref().is_ok_and(|choice| lease::picks_leader(&choice.strategy));
    let best = if picks { leader::oldest_emulation_version(&mut standings) } else { None };
    let found = Found { choice, best: best.map(Candidate::name) };
    let holder = election.lease.and_then(|lease| lease::holder(&lease.spec));
    let due = when_due(election, holder, &participants, &found);
    let decision = match &due {
        Ok(_) => elect(election, &found),
        Err(decision) => decision.clone(),
    };
    Outcome {
        namespace: election.namespace,
        lease_name: election.lease_name,
        now: election.now,
        holder,
        standings,
        choice: found.choice.ok(),
        best: found.best,
        due: due.ok(),
        decision,
    }
}

/// The standing before anybody is compared.
fn stand<'a>(election: &Election<'a>, candidate: Candidate<'a>) -> StandingOf<'a> {
    let heard = || Standing::Heard { strategies: candidate.preference().strategies() };
    let standing = candidate.absence(election).map_or_else(heard, Standing::Absent);
    StandingOf { candidate, standing }
}

/// The reason why an election is due, or the decision if it is not.
fn when_due(
    election: &Election<'_>,
    holder: Option<&str>,
    participants: &[Candidate<'_>],
    found: &Found<'_>,
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
    match found.best {
        None => not_due(NotDue::NobodyToCompare),
        best if best == holder => not_due(NotDue::BestHolds),
        Some(_) => Ok(worse_holder(holder.unwrap_or_default(), participants)),
    }
}

fn worse_holder(holder: &str, participants: &[Candidate<'_>]) -> Due {
    let takes_part = participants.iter().any(|one| one.name() == holder);
    let holder = holder.to_owned();
    if takes_part { Due::NotTheBest { holder } } else { Due::NotACandidate { holder } }
}

/// The decision when an election is due.
fn elect(election: &Election<'_>, found: &Found<'_>) -> Decision {
    let decision = match &found.choice {
        Err(error) => Err(error.clone().into()),
        Ok(choice) if lease::picks_leader(&choice.strategy) && found.best.is_none() => {
            Err(ElectionError::NobodyEligible)
        }
        Ok(choice) => lease::write(election, &choice.strategy, found.best),
    };
    decision.unwrap_or_else(|error| Decision::Failed { error })
}
