//! The third step: the leader by `OldestEmulationVersion`.

use std::cmp::Ordering;

use k8s_versioned::{SemanticVersion, Time};

use super::{CandidateOutcome, Standing, TieBreak};
use crate::conversion::AnyLeaseCandidateRef;

/// Compares the eligible candidates by `OldestEmulationVersion`. Returns the best, if any can be compared.
///
/// The strategies that they ask for do not matter.
pub(super) fn oldest_emulation_version<'a>(
    candidates: &mut [CandidateOutcome<'a>],
) -> Option<AnyLeaseCandidateRef<'a>> {
    let mut best: Option<(usize, Comparable)> = None;
    for (place, outcome) in eligible(candidates) {
        match (Comparable::read(outcome.candidate), &best) {
            (Err(unreadable), _) => outcome.standing = unreadable,
            (Ok(this), Some((_, best))) if this.compare(best).0.is_ge() => {
                outcome.standing = this.beaten_by(best);
            }
            (Ok(this), _) => best = Some((place, this)),
        }
    }
    let (place, best) = best?;
    // Those before it were compared with others, or with none.
    for (_, outcome) in eligible(candidates).take_while(|(other, _)| *other < place) {
        if let Ok(this) = Comparable::read(outcome.candidate) {
            outcome.standing = this.beaten_by(&best);
        }
    }
    let by = closest(candidates);
    let outcome = candidates.get_mut(place)?;
    outcome.standing = Standing::Best { by };
    Some(outcome.candidate)
}

/// The rule by which the best wins over the next best, which equals it in the most rules.
fn closest(candidates: &[CandidateOutcome<'_>]) -> Option<TieBreak> {
    let rules = candidates.iter().filter_map(|outcome| match outcome.standing {
        Standing::Beaten { by } => Some(by),
        _ => None,
    });
    rules.max()
}

/// The eligible candidates, with their places.
fn eligible<'s, 'a>(
    candidates: &'s mut [CandidateOutcome<'a>],
) -> impl Iterator<Item = (usize, &'s mut CandidateOutcome<'a>)> {
    candidates.iter_mut().enumerate().filter(|(_, outcome)| outcome.standing.is_eligible())
}

/// The values that are compared.
struct Comparable {
    emulation: SemanticVersion,
    binary: SemanticVersion,
    created: Option<Time>,
}

impl Comparable {
    /// # Errors
    ///
    /// The standing of a candidate whose versions cannot be read.
    fn read(candidate: AnyLeaseCandidateRef<'_>) -> Result<Self, Standing<'_>> {
        Ok(Self {
            emulation: read("emulationVersion", candidate.emulation_version())?,
            binary: read("binaryVersion", candidate.binary_version())?,
            created: candidate.created(),
        })
    }

    fn beaten_by(&self, best: &Self) -> Standing<'static> {
        Standing::Beaten { by: self.compare(best).1 }
    }

    /// The order of two candidates, and the rule that decides it.
    fn compare(&self, other: &Self) -> (Ordering, TieBreak) {
        let different = |ordering: Ordering, by| ordering.is_ne().then_some((ordering, by));
        let emulation = self.emulation.cmp_precedence(&other.emulation);
        different(emulation, TieBreak::EmulationVersion)
            .or_else(|| {
                let binary = self.binary.cmp_precedence(&other.binary);
                different(binary, TieBreak::BinaryVersion)
            })
            .or_else(|| {
                let created = self.created.cmp(&other.created);
                different(created, TieBreak::CreationTimestamp)
            })
            .unwrap_or((Ordering::Equal, TieBreak::Order))
    }
}

fn read<'a>(field: &'static str, value: Option<&'a str>) -> Result<SemanticVersion, Standing<'a>> {
    let value = value.unwrap_or_default();
    SemanticVersion::parse_tolerant(value).map_err(|_| Standing::Unreadable { field, value })
}
