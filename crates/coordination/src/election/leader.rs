//! The third step: the leader by `OldestEmulationVersion`.

use std::cmp::Ordering;

use k8s_versioned::SemanticVersion;
use k8s_versioned::Time;
use serde::Serialize;

use super::Candidate;

/// The rank of a candidate in the choice of a leader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "rank", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Rank {
    /// Its `emulationVersion` or `binaryVersion` cannot be read, so that it cannot be compared.
    Unreadable {
        /// The field.
        field: &'static str,
        /// The value; empty where it is absent.
        value: String,
    },
    /// It wins.
    Best {
        /// The rule by which it wins over the one that comes next; `None` if nobody else can be compared.
        by: Option<TieBreak>,
        /// Its `emulationVersion`.
        emulation_version: SemanticVersion,
        /// Its `binaryVersion`.
        binary_version: SemanticVersion,
    },
    /// It loses.
    Beaten {
        /// The rule by which the best wins over it.
        by: TieBreak,
        /// Its `emulationVersion`.
        emulation_version: SemanticVersion,
        /// Its `binaryVersion`.
        binary_version: SemanticVersion,
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

/// The ranks of the candidates by `OldestEmulationVersion`, in their order. At most one is the best.
///
/// The strategies that they ask for play no part.
pub(super) fn oldest_emulation_version(candidates: &[Candidate<'_>]) -> Vec<Rank> {
    let read: Vec<_> = candidates.iter().map(Comparable::read).collect();
    let best = lowest(&read, None);
    let next = best.and_then(|(place, _)| lowest(&read, Some(place)));
    let next = next.map(|(_, next)| next.clone());
    let best = best.map(|(place, best)| (place, best.clone()));
    let ranks = read.into_iter().enumerate();
    let ranks = ranks.map(|(place, read)| match (read, &best) {
        (Err(Unreadable { field, value }), _) => Rank::Unreadable { field, value },
        (Ok(this), Some((best_place, best))) if place != *best_place => Rank::Beaten {
            by: this.compare(best).1,
            emulation_version: this.emulation,
            binary_version: this.binary,
        },
        (Ok(this), _) => Rank::Best {
            by: next.as_ref().map(|next| this.compare(next).1),
            emulation_version: this.emulation,
            binary_version: this.binary,
        },
    });
    ranks.collect()
}

/// The first of the lowest, and its place.
fn lowest(
    read: &[Result<Comparable, Unreadable>],
    except: Option<usize>,
) -> Option<(usize, &Comparable)> {
    let readable =
        read.iter().enumerate().filter_map(|(place, read)| Some((place, read.as_ref().ok()?)));
    let eligible = readable.filter(|(place, _)| Some(*place) != except);
    eligible.min_by(|(_, a), (_, b)| a.compare(b).0)
}

/// A version that cannot be read.
struct Unreadable {
    field: &'static str,
    value: String,
}

/// The values that are compared.
#[derive(Clone)]
struct Comparable {
    emulation: SemanticVersion,
    binary: SemanticVersion,
    created: Option<Time>,
}

impl Comparable {
    fn read(candidate: &Candidate<'_>) -> Result<Self, Unreadable> {
        Ok(Self {
            emulation: read("emulationVersion", candidate.emulation_version)?,
            binary: read("binaryVersion", candidate.binary_version)?,
            created: candidate.creation_timestamp,
        })
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

fn read(field: &'static str, text: &str) -> Result<SemanticVersion, Unreadable> {
    SemanticVersion::parse_tolerant(text).map_err(|_| Unreadable { field, value: text.to_owned() })
}
