//! The rule of `v1alpha1`: the lists of all candidates make a graph, and its one root is the strategy.

use std::collections::{BTreeMap, BTreeSet};

use super::{Basis, Choice, Vote};
use crate::election::{Candidate, ElectionError};

/// For each strategy those that it is preferred to, with the candidate.
///
/// Sorted by name, so that nothing depends on the order of the candidates.
type Graph<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

pub(super) fn choose(candidates: &[Candidate<'_>]) -> Result<Choice, ElectionError> {
    let graph = graph(candidates)?;
    let roots = roots(&graph);
    if let Some(circle) = circle(&graph) {
        return Err(ElectionError::Circle { votes: circle });
    }
    let mut each = roots.iter().copied();
    match (each.next(), each.next()) {
        (Some(root), None) => Ok(Choice { strategy: root.into(), basis: basis(root, candidates) }),
        // A root is in no list but at its start.
        _ => Err(ElectionError::Unrelated {
            votes: candidates
                .iter()
                .filter(|candidate| roots.contains(candidate.strategy()))
                .map(Vote::of)
                .collect(),
        }),
    }
}

/// An edge from each strategy of a list to the next one.
fn graph<'a>(candidates: &[Candidate<'a>]) -> Result<Graph<'a>, ElectionError> {
    let mut graph = Graph::new();
    for candidate in candidates {
        let strategies = candidate.strategies();
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

/// A circle in the graph, if there is one.
fn circle(graph: &Graph<'_>) -> Option<Vec<Vote>> {
    let knotted = without_free_ends(graph);
    // Each of these is preferred to another of them, so that following the first of those ends in a circle.
    let mut at = *knotted.first()?;
    let mut places = BTreeMap::new();
    let mut path = Vec::new();
    loop {
        if let Some(start) = places.insert(at, path.len()) {
            return Some(path.split_off(start));
        }
        let mut edges = graph.get(at)?.iter();
        let (worse, candidate) = edges.find(|(worse, _)| knotted.contains(*worse))?;
        path.push(Vote { candidate: (*candidate).to_owned(), strategy: at.into() });
        at = worse;
    }
}

/// The strategies that remain when those that are preferred to nothing that remains are removed, again and
/// again. None remains if there is no circle.
fn without_free_ends<'a>(graph: &Graph<'a>) -> BTreeSet<&'a str> {
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

fn basis(root: &str, candidates: &[Candidate<'_>]) -> Basis {
    let votes = candidates.iter().map(Vote::of);
    let (first, others): (Vec<_>, Vec<_>) = votes.partition(|vote| vote.strategy.as_str() == root);
    if others.is_empty() {
        return Basis::Unanimous;
    }
    Basis::Preferences { first: first.into_iter().map(|vote| vote.candidate).collect(), others }
}
