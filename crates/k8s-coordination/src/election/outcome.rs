//! The steps put together.

use k8s_versioned::MicroTime;
use serde::Serialize;

use super::lease::{self, Decision, Due};
use super::ranking;
use super::strategy::{self, Basis, Choice};
use super::{CandidateOutcome, Election, ElectionError, Standing, Vote};
use crate::CoordinatedLeaseStrategy;
use crate::conversion::AnyLeaseCandidateRef;
use crate::v1::Lease;

/// The outcome of an election. It borrows the objects of the election.
///
/// Its text explains it: the standing of each candidate, the rule that decided, the change of the `Lease`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ElectionOutcome<'a> {
    /// The namespace of the `Lease`.
    pub namespace: &'a str,
    /// The name of the `Lease`.
    pub lease_name: &'a str,
    /// The time of the decision.
    pub now: MicroTime,
    /// The holder of the `Lease` before the decision; `None` if there is none.
    pub holder: Option<&'a str>,
    /// The candidates with their standings, in the order in which they were given.
    pub candidates: Vec<CandidateOutcome<'a>>,
    /// The strategy that the eligible candidates ask for; `None` if there are none or they disagree.
    pub strategy: Option<CoordinatedLeaseStrategy>,
    /// The rule that decided on the strategy; `None` if there is no strategy.
    pub basis: Option<Basis>,
    /// The best candidate, even if it does not get the `Lease`; `None` if the strategy picks none.
    pub best: Option<&'a str>,
    /// The reason why an election is due; `None` if it is not.
    pub due: Option<Due>,
    /// The decision about the `Lease`.
    pub decision: Decision<'a>,
}

impl<'a> ElectionOutcome<'a> {
    /// The `Lease` that is written; `None` if none is.
    pub fn written(&self) -> Option<&Lease> {
        match &self.decision {
            Decision::Create { lease } | Decision::Update { lease, .. } => Some(lease),
            _ => None,
        }
    }

    /// Returns the eligible candidates.
    pub fn eligible(&self) -> impl Iterator<Item = &CandidateOutcome<'a>> {
        self.candidates.iter().filter(|outcome| outcome.standing.is_eligible())
    }

    /// The names of the best candidate and of all candidates that tie with it; empty if there are none.
    ///
    /// A server takes the one that it sees first, and may see another order each time: right after it has
    /// given the `Lease` to one, it can name another as the preferred holder.
    pub fn tied(&self) -> Vec<&'a str> {
        let tied = self.candidates.iter().filter(|outcome| outcome.standing.is_tied());
        tied.map(|outcome| outcome.candidate.name()).collect()
    }

    /// Two candidates of one binary version that ask for different strategies although a higher version decides. A
    /// server that sees them before any higher version stops there and writes nothing.
    pub fn disputed(&self) -> Option<&[Vote; 2]> {
        match self.basis.as_ref()? {
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

impl<'a> Election<'a> {
    /// Decides which candidate leads, and what is written to the `Lease`.
    pub fn outcome(&self) -> ElectionOutcome<'a> {
        decide(self)
    }
}

fn decide<'a>(election: &Election<'a>) -> ElectionOutcome<'a> {
    let candidates = election
        .candidates
        .iter()
        .map(|&candidate| CandidateOutcome { candidate, standing: candidate.standing(election) });
    let mut outcome = ElectionOutcome {
        namespace: election.namespace,
        lease_name: election.lease_name,
        now: election.now,
        holder: election.lease.and_then(|lease| lease.spec.holder()),
        candidates: candidates.collect(),
        strategy: None,
        basis: None,
        best: None,
        due: None,
        decision: Decision::NoCandidates,
    };
    let eligible = candidates_of(&outcome);
    let Some(mut comparison) = Comparison::among(&mut outcome.candidates, &eligible) else {
        return outcome;
    };
    outcome.decision = match comparison.due(election, outcome.holder, &eligible) {
        Err(decision) => decision,
        Ok(due) => {
            outcome.due = Some(due);
            if silence(&mut outcome.candidates, election) {
                let answered = candidates_of(&outcome);
                let Some(without_silent) = Comparison::among(&mut outcome.candidates, &answered)
                else {
                    outcome.decision = Decision::Unanswered;
                    return outcome;
                };
                comparison = without_silent;
            }
            comparison.elect(election)
        }
    };
    outcome.best = comparison.best;
    if let Ok(Choice { strategy, basis }) = comparison.choice {
        (outcome.strategy, outcome.basis) = (Some(strategy), Some(basis));
    }
    outcome
}

fn candidates_of<'a>(outcome: &ElectionOutcome<'a>) -> Vec<AnyLeaseCandidateRef<'a>> {
    outcome.eligible().map(|outcome| outcome.candidate).collect()
}

/// Marks the eligible candidates that have not answered a ping. Returns `false`, without a change, if there are none.
fn silence(candidates: &mut [CandidateOutcome<'_>], election: &Election<'_>) -> bool {
    let silent = |outcome: &CandidateOutcome<'_>| {
        outcome.candidate.unanswered_ping().filter(|_| outcome.standing.is_eligible())
    };
    if !candidates.iter().any(|outcome| silent(outcome).is_some()) {
        return false;
    }
    for outcome in candidates {
        outcome.standing = match silent(outcome) {
            Some(asked) => Standing::Silent { asked },
            None => outcome.candidate.standing(election),
        };
    }
    true
}

/// The findings about a strategy and a leader.
struct Comparison<'a> {
    choice: Result<Choice, ElectionError>,
    best: Option<&'a str>,
}

impl<'a> Comparison<'a> {
    /// Compares the eligible candidates; `None` if there are none.
    fn among(
        candidates: &mut [CandidateOutcome<'a>],
        eligible: &[AnyLeaseCandidateRef<'a>],
    ) -> Option<Self> {
        let choice = strategy::choose(eligible)?;
        let picks = choice.as_ref().is_ok_and(Choice::picks_leader);
        let best = if picks { ranking::oldest_emulation_version(candidates) } else { None };
        Some(Self { choice, best: best.map(AnyLeaseCandidateRef::name) })
    }

    /// The reason why an election is due.
    ///
    /// # Errors
    ///
    /// It is not: the decision then.
    fn due(
        &self,
        election: &Election<'a>,
        holder: Option<&str>,
        eligible: &[AnyLeaseCandidateRef<'_>],
    ) -> Result<Due, Decision<'a>> {
        if let Some(due) = lease::due_anyway(election, eligible) {
            return Ok(due);
        }
        match (&self.choice, self.best) {
            (Err(error), _) => Err(Decision::Failed { error: error.clone() }),
            (Ok(choice), _) if !choice.picks_leader() => Err(Decision::OtherStrategy),
            (Ok(_), None) => Err(Decision::NoneComparable),
            (Ok(_), best) if best == holder => Err(Decision::BestHolds),
            (Ok(_), Some(_)) => Ok(worse_holder(holder.unwrap_or_default(), eligible)),
        }
    }

    /// The decision when an election is due.
    fn elect(&self, election: &Election<'a>) -> Decision<'a> {
        let decision = match &self.choice {
            Err(error) => Err(error.clone()),
            Ok(choice) if choice.picks_leader() && self.best.is_none() => {
                Err(ElectionError::NoneComparable)
            }
            Ok(choice) => lease::write(election, &choice.strategy, self.best),
        };
        decision.unwrap_or_else(|error| Decision::Failed { error })
    }
}

fn worse_holder(holder: &str, eligible: &[AnyLeaseCandidateRef<'_>]) -> Due {
    let is_eligible = eligible.iter().any(|one| one.name() == holder);
    let holder = holder.to_owned();
    if is_eligible { Due::NotTheBest { holder } } else { Due::NotEligible { holder } }
}
