//! The rule of `v1alpha2` and `v1beta1`: the highest `binaryVersion` decides.

use std::cmp::Ordering;

use k8s_versioned::SemanticVersion;

use super::{Basis, Choice, Vote};
use crate::election::{Candidate, ElectionError};

/// A candidate and its binary version. One that is empty or cannot be read counts as `0.0.0`.
struct Ranked<'a> {
    version: SemanticVersion,
    candidate: Candidate<'a>,
}

impl Ranked<'_> {
    fn strategy(&self) -> &str {
        self.candidate.strategy()
    }

    fn has_version_of(&self, other: &Self) -> bool {
        self.version.cmp_precedence(&other.version) == Ordering::Equal
    }
}

pub(super) fn choose(candidates: &[Candidate<'_>]) -> Option<Result<Choice, ElectionError>> {
    let strategy = candidates.first()?.strategy();
    // No version matters then. Row: elect.
    if candidates.iter().all(|other| other.strategy() == strategy) {
        return Some(Ok(Choice { strategy: strategy.into(), basis: Basis::Unanimous }));
    }
    among_versions(&ranked(candidates))
}

/// The choice among candidates in order, the highest version first.
fn among_versions(ranked: &[Ranked<'_>]) -> Option<Result<Choice, ElectionError>> {
    let first = ranked.first()?;
    let (strategy, version) = (first.strategy(), first.version.to_string());
    let end = ranked.partition_point(|other| other.has_version_of(first));
    let (highest, lower) = ranked.split_at_checked(end)?;
    if highest.iter().any(|other| other.strategy() != strategy) {
        return Some(Err(ElectionError::Conflict { version, votes: votes(highest) }));
    }
    let overruled = votes(lower.iter().filter(|other| other.strategy() != strategy));
    let (highest, disputed) = (names(highest), disputed(lower));
    let basis = Basis::HighestBinaryVersion { version, highest, overruled, disputed };
    Some(Ok(Choice { strategy: strategy.into(), basis }))
}

/// The candidates, the highest version first; those of one version stay in their order.
fn ranked<'a>(candidates: &[Candidate<'a>]) -> Vec<Ranked<'a>> {
    let mut ranked: Vec<_> = candidates
        .iter()
        .map(|&candidate| Ranked {
            version: SemanticVersion::parse_tolerant(candidate.binary_version())
                .unwrap_or_default(),
            candidate,
        })
        .collect();
    ranked.sort_by(|a, b| b.version.cmp_precedence(&a.version));
    ranked
}

/// The first two neighbours that have the same version and ask for different strategies.
fn disputed(ranked: &[Ranked<'_>]) -> Option<[Vote; 2]> {
    let pairs = ranked.iter().zip(ranked.iter().skip(1));
    let mut disputed = pairs.filter(|(a, b)| a.has_version_of(b) && a.strategy() != b.strategy());
    disputed.next().map(|(a, b)| [Vote::of(&a.candidate), Vote::of(&b.candidate)])
}

fn votes<'r, 'a: 'r>(ranked: impl IntoIterator<Item = &'r Ranked<'a>>) -> Vec<Vote> {
    ranked.into_iter().map(|ranked| Vote::of(&ranked.candidate)).collect()
}

fn names(ranked: &[Ranked<'_>]) -> Vec<String> {
    ranked.iter().map(|ranked| ranked.candidate.name().to_owned()).collect()
}
