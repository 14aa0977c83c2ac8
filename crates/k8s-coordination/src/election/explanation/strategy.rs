//! The reason for the strategy.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use crate::CoordinatedLeaseStrategy;
use crate::election::{Basis, Outcome, Vote};

pub(super) struct Because<'a>(pub(super) &'a Basis, pub(super) &'a Outcome<'a>);

impl Display for Because<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Basis::Unanimous if self.1.eligible().count() == 1 => {
                f.write_str("the only candidate asks for it.")
            }
            Basis::Unanimous => f.write_str("all ask for it."),
            Basis::Preferences { first, others } => write_preferences(f, first, others),
            Basis::HighestBinaryVersion { version, highest, overruled, disputed } => {
                let (version, highest) = (Quoted(version), names(highest));
                write!(f, "asked for by {highest} with the highest binary version, {version}. ")?;
                write!(f, "Overruled: {}.", votes(overruled))?;
                disputed.as_ref().map_or(Ok(()), |pair| write_disputed(f, pair))
            }
        }
    }
}

fn write_preferences(f: &mut Formatter<'_>, first: &[String], others: &[Vote]) -> fmt::Result {
    let verb = |count: usize| if count == 1 { "puts" } else { "put" };
    let (first_verb, other_verb) = (verb(first.len()), verb(others.len()));
    let (first, others) = (names(first), votes(others));
    write!(f, "{first} {first_verb} it first, and no list puts another before it; ")?;
    write!(f, "{others} {other_verb} first what others rank below it.")
}

fn write_disputed(f: &mut Formatter<'_>, [a, b]: &[Vote; 2]) -> fmt::Result {
    let [a, b] = [a, b].map(|vote| Quoted(&vote.candidate));
    write!(
        f,
        " A server that sees {a} and {b} before any candidate with a later binary version elects no leader: \
         these two have the same binary version and disagree."
    )
}

/// Strategies, the best first.
pub(super) struct Strategies<'a>(pub(super) &'a [CoordinatedLeaseStrategy]);

impl Display for Strategies<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, strategy) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", then " };
            write!(f, "{separator}{}", Quoted(strategy.as_str()))?;
        }
        Ok(())
    }
}

/// Names as a sentence lists them: `a, b and c`.
fn names(names: &[String]) -> String {
    listed(names.iter().map(|name| Quoted(name).to_string()))
}

/// Votes as a sentence lists them, each with its strategy.
fn votes(votes: &[Vote]) -> String {
    listed(votes.iter().map(|vote| {
        let (candidate, strategy) = (Quoted(&vote.candidate), Quoted(vote.strategy.as_str()));
        format!("{candidate} ({strategy})")
    }))
}

fn listed(items: impl Iterator<Item = String>) -> String {
    let items: Vec<String> = items.collect();
    match items.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
        None => String::new(),
    }
}
