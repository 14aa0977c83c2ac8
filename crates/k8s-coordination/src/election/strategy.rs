//! The second step: the strategy on which the candidates agree.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use k8s_versioned::SemanticVersion;
use serde::Serialize;

use super::{ElectionError, Vote};
use crate::CoordinatedLeaseStrategy::{self, OldestEmulationVersion};
use crate::conversion::{AnyLeaseCandidateRef, ListOrFirst};

/// The strategy of a set of candidates, and the rule that decided.
pub(super) struct Choice {
    pub(super) strategy: CoordinatedLeaseStrategy,
    pub(super) basis: Basis,
}

impl Choice {
    /// Returns `true` if an elector picks a leader by the strategy. It leaves any other to the one who defined it.
    pub(super) fn picks_leader(&self) -> bool {
        self.strategy == OldestEmulationVersion
    }
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
        /// Candidates that put another strategy first, which some list ranks below it.
        others: Vec<Vote>,
    },
    /// Later versions: the candidates with the highest `binaryVersion` ask for it.
    HighestBinaryVersion {
        /// The highest `binaryVersion`.
        version: String,
        /// The candidates that have it.
        highest: Vec<String>,
        /// Candidates that have a lower one and ask for another strategy.
        overruled: Vec<Vote>,
        /// Two candidates that have the same lower version and ask for different strategies. A server that sees
        /// them before any candidate with a higher version elects no leader.
        disputed: Option<[Vote; 2]>,
    },
}

/// The strategy that a set of candidates asks for; `None` if the set is empty.
///
/// # Errors
///
/// The candidates contradict each other.
pub(super) fn choose(
    candidates: &[AnyLeaseCandidateRef<'_>],
) -> Option<Result<Choice, ElectionError>> {
    if candidates.is_empty() {
        None
    } else if is_newer_rule(candidates) {
        by_highest_version(candidates)
    } else {
        Some(by_preferences(candidates))
    }
}

/// Returns `true` if the rule of the versions with one strategy applies: one candidate of such a version is enough.
fn is_newer_rule(candidates: &[AnyLeaseCandidateRef<'_>]) -> bool {
    let one =
        |of: &AnyLeaseCandidateRef<'_>| matches!(of.preferred_strategies(), ListOrFirst::First(_));
    candidates.iter().any(one)
}

/// For each strategy those that it is preferred to, with the candidate.
///
/// Sorted by name, so that nothing depends on the order of the candidates.
type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

/// The rule of `v1alpha1`: the lists of all candidates make a graph, and its one root is the strategy.
fn by_preferences(candidates: &[AnyLeaseCandidateRef<'_>]) -> Result<Choice, ElectionError> {
    let graph = graph(candidates)?;
    let roots = roots(&graph);
    if let Some(cycle) = find_cycle(&graph) {
        return Err(ElectionError::Cycle { votes: cycle });
    }
    let mut each = roots.iter().copied();
    match (each.next(), each.next()) {
        (Some(root), None) => {
            Ok(Choice { strategy: root.into(), basis: preferences(root, candidates) })
        }
        // A root is in no list but at its start.
        _ => Err(ElectionError::Unrelated {
            votes: candidates
                .iter()
                .filter(|candidate| roots.contains(candidate.strategy()))
                .map(Vote::from_candidate)
                .collect(),
        }),
    }
}

/// An edge from each strategy of a list to the next one.
fn graph<'a>(candidates: &[AnyLeaseCandidateRef<'a>]) -> Result<Graph<'a>, ElectionError> {
    let mut graph = Graph::new();
    for candidate in candidates {
        let strategies = candidate.preferred_strategies().as_slice();
        let Some(last) = strategies.last() else {
            return Err(ElectionError::NoPreference { candidate: candidate.name().to_owned() });
        };
        for (better, worse) in strategies.iter().zip(strategies.iter().skip(1)) {
            let edges = graph.entry(better.as_str()).or_default();
            let by = edges.entry(worse.as_str()).or_insert(candidate.name());
            *by = candidate.name().min(by);
        }
        graph.entry(last.as_str()).or_default();
    }
    Ok(graph)
}

/// The strategies that nothing is preferred to.
fn roots<'a>(graph: &Graph<'a>) -> BTreeSet<&'a str> {
    let outranked: BTreeSet<_> = graph.values().flat_map(BTreeMap::keys).collect();
    let roots = graph.keys().filter(|strategy| !outranked.contains(strategy));
    roots.copied().collect()
}

/// A cycle of preferences, if there is one.
fn find_cycle(graph: &Graph<'_>) -> Option<Vec<Vote>> {
    let on_cycles = strategies_on_cycles(graph);
    // Each of these is preferred to another of them, so following the preferences ends in a cycle.
    let mut at = *on_cycles.first()?;
    let mut places = BTreeMap::new();
    let mut path = Vec::new();
    loop {
        if let Some(start) = places.insert(at, path.len()) {
            return Some(path.split_off(start));
        }
        let mut edges = graph.get(at)?.iter();
        let (worse, candidate) = edges.find(|(worse, _)| on_cycles.contains(*worse))?;
        path.push(Vote { candidate: (*candidate).to_owned(), strategy: at.into() });
        at = worse;
    }
}

/// The strategies that remain when the ones that are not preferred to any that remains are removed, again and
/// again. None remains if there is no cycle.
fn strategies_on_cycles<'a>(graph: &Graph<'a>) -> BTreeSet<&'a str> {
    let mut above: BTreeMap<&str, Vec<&'a str>> = BTreeMap::new();
    for (better, edges) in graph {
        for worse in edges.keys() {
            above.entry(worse).or_default().push(better);
        }
    }
    let below = |(strategy, edges): (&&'a str, &BTreeMap<_, _>)| (*strategy, edges.len());
    let mut remaining: BTreeMap<&'a str, usize> = graph.iter().map(below).collect();
    let free = remaining.iter().filter(|(_, below)| **below == 0);
    let mut free: Vec<&'a str> = free.map(|(strategy, _)| *strategy).collect();
    while let Some(end) = free.pop() {
        remaining.remove(end);
        for better in above.get(end).into_iter().flatten() {
            if let Some(below) = remaining.get_mut(better) {
                *below -= 1;
                if *below == 0 {
                    free.push(better);
                }
            }
        }
    }
    remaining.into_keys().collect()
}

fn preferences(root: &str, candidates: &[AnyLeaseCandidateRef<'_>]) -> Basis {
    let votes = candidates.iter().map(Vote::from_candidate);
    let (first, others): (Vec<_>, Vec<_>) = votes.partition(|vote| vote.strategy.as_str() == root);
    if others.is_empty() {
        return Basis::Unanimous;
    }
    Basis::Preferences { first: first.into_iter().map(|vote| vote.candidate).collect(), others }
}

/// A candidate and its binary version. One that is empty or cannot be read counts as `0.0.0`.
struct Ranked<'a> {
    version: SemanticVersion,
    candidate: AnyLeaseCandidateRef<'a>,
}

impl Ranked<'_> {
    fn strategy(&self) -> &str {
        self.candidate.strategy()
    }

    fn has_version_of(&self, other: &Self) -> bool {
        self.version.cmp_precedence(&other.version) == Ordering::Equal
    }
}

/// The rule of the later versions: the highest `binaryVersion` decides.
fn by_highest_version(
    candidates: &[AnyLeaseCandidateRef<'_>],
) -> Option<Result<Choice, ElectionError>> {
    let strategy = candidates.first()?.strategy();
    // No version matters then. Hot path, row `elect` of the benches.
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

/// The candidates, the highest version first; candidates of one version stay in their order.
fn ranked<'a>(candidates: &[AnyLeaseCandidateRef<'a>]) -> Vec<Ranked<'a>> {
    let mut ranked: Vec<_> = candidates
        .iter()
        .map(|&candidate| Ranked {
            version: SemanticVersion::parse_tolerant(
                candidate.binary_version().unwrap_or_default(),
            )
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
    disputed
        .next()
        .map(|(a, b)| [Vote::from_candidate(&a.candidate), Vote::from_candidate(&b.candidate)])
}

fn votes<'r, 'a: 'r>(ranked: impl IntoIterator<Item = &'r Ranked<'a>>) -> Vec<Vote> {
    ranked.into_iter().map(|ranked| Vote::from_candidate(&ranked.candidate)).collect()
}

fn names(ranked: &[Ranked<'_>]) -> Vec<String> {
    ranked.iter().map(|ranked| ranked.candidate.name().to_owned()).collect()
}
