//! The first line: the holder of the `Lease` after the election.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use crate::election::lease::{Change, Decision, NotDue};
use crate::election::outcome::Outcome;

pub(super) struct Headline<'a>(pub(super) &'a Outcome<'a>);

impl Display for Headline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let outcome = self.0;
        let [best, holder] = [outcome.best, outcome.holder].map(|name| name.map(Quoted));
        match (&outcome.decision, best, holder) {
            (Decision::NotDue { reason }, _, None) if *reason == NotDue::NoCandidates => {
                f.write_str("nobody contends for it")
            }
            (Decision::NotDue { reason }, _, Some(_)) if *reason == NotDue::NoCandidates => {
                write!(f, "nobody contends for it; {}", Keeps(outcome))
            }
            (Decision::Failed { .. }, _, None) => f.write_str("nobody is elected"),
            (Decision::Create { .. }, None, _) => f.write_str("it has no holder yet"),
            (Decision::Create { .. }, Some(best), _) => write!(f, "{best} is elected"),
            (Decision::Update { changes, .. }, Some(best), _) if hands_over(changes) => {
                write!(f, "{best} is elected")
            }
            (Decision::Update { .. } | Decision::Unchanged, Some(best), _)
                if !outcome.best_holds() =>
            {
                write!(f, "{best} is to take it over")
            }
            (_, Some(best), Some(_)) if outcome.best_holds() && !outcome.has_expired() => {
                write!(f, "{best} leads")
            }
            (_, _, Some(_)) => Keeps(outcome).fmt(f),
            (_, _, None) => f.write_str("nobody holds it"),
        }
    }
}

fn hands_over(changes: &[Change]) -> bool {
    changes.iter().any(|change| matches!(change, Change::Holder { .. }))
}

/// The holder stays. Whether it still leads is up to it when its time is over.
struct Keeps<'a>(&'a Outcome<'a>);

impl Display for Keeps<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let holder = Quoted(self.0.holder.unwrap_or_default());
        if self.0.has_expired() {
            write!(f, "{holder} may keep it")
        } else {
            write!(f, "{holder} keeps it")
        }
    }
}
