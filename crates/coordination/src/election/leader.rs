//! The third step: the leader by `OldestEmulationVersion`.

use std::cmp::Ordering;

use k8s_versioned::SemanticVersion;
use k8s_versioned::Time;
use serde::Serialize;

use super::{Candidate, Standing, StandingOf};

/// The rank of a candidate in the choice of a leader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rank", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Rank<'a> {
    /// Its `emulationVersion` or `binaryVersion` cannot be read, so that it cannot be compared.
    Unreadable {
        /// The field.
        field: &'static str,
        /// The value; empty where it is absent.
        value: &'a str,
    },
    /// It wins.
    Best {
        /// The rule by which it wins over the one that comes next; `None` if nobody else can be compared.
        by: Option<TieBreak>,
    },
    /// It loses.
    Beaten {
        /// The rule by which the best wins over it.
        by: TieBreak,
    },
}

/// The rule that decides between two candidates. The variants are in the order of the comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum TieBreak {
    /// The lower `emulationVersion` is better.
    EmulationVersion,
    /// The lower `binaryVersion` is better.
    BinaryVersion,
    /// The older `metadata.creationTimestamp` is better; it has whole seconds.
    CreationTimestamp,
    /// They agree in everything: the one that comes first is taken.
    Order,
}

/// Ranks those who take part by `OldestEmulationVersion`. Returns the best, if any can be compared.
///
/// The strategies that they ask for play no part.
pub(super) fn oldest_emulation_version<'a>(
    standings: &mut [StandingOf<'a>],
) -> Option<Candidate<'a>> {
    let mut best: Option<(usize, Comparable)> = None;
    for (place, of) in participants(standings) {
        match (Comparable::read(of.candidate), &best) {
            (Err(unreadable), _) => of.standing = Standing::Ranked(unreadable),
            (Ok(this), Some((_, best))) if this.compare(best).0.is_ge() => {
                of.standing = this.beaten_by(best);
            }
            (Ok(this), _) => best = Some((place, this)),
        }
    }
    let (place, best) = best?;
    // Those before it were compared with others, or with none.
    for (_, of) in participants(standings).take_while(|(other, _)| *other < place) {
        if let Ok(this) = Comparable::read(of.candidate) {
            of.standing = this.beaten_by(&best);
        }
    }
    let by = closest(standings);
    let of = standings.get_mut(place)?;
    of.standing = Standing::Ranked(Rank::Best { by });
    Some(of.candidate)
}

/// The rule by which the best wins over the one that comes next, which agrees with it in the most rules.
fn closest(standings: &[StandingOf<'_>]) -> Option<TieBreak> {
    let rules = standings.iter().filter_map(|of| match of.standing {
        Standing::Ranked(Rank::Beaten { by }) => Some(by),
        _ => None,
    });
    rules.max()
}

/// Those who take part, with their places.
fn participants<'s, 'a>(
    standings: &'s mut [StandingOf<'a>],
) -> impl Iterator<Item = (usize, &'s mut StandingOf<'a>)> {
    standings.iter_mut().enumerate().filter(|(_, of)| of.standing.takes_part())
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
    /// The rank of a candidate whose versions cannot be read.
    fn read(candidate: Candidate<'_>) -> Result<Self, Rank<'_>> {
        Ok(Self {
            emulation: read("emulationVersion", candidate.emulation_version())?,
            binary: read("binaryVersion", candidate.binary_version())?,
            created: candidate.creation_timestamp(),
        })
    }

    fn beaten_by(&self, best: &Self) -> Standing<'static> {
        Standing::Ranked(Rank::Beaten { by: self.compare(best).1 })
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

fn read<'a>(field: &'static str, value: &'a str) -> Result<SemanticVersion, Rank<'a>> {
    SemanticVersion::parse_tolerant(value).map_err(|_| Rank::Unreadable { field, value })
}
