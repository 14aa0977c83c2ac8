//! The first line: the holder of the `Lease` after the election.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use crate::election::{Decision, Outcome};

pub(super) struct Headline<'a>(pub(super) &'a Outcome<'a>);

impl Display for Headline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let outcome = self.0;
        let [best, holder] = [outcome.best, outcome.holder].map(|name| name.map(Quoted));
        match (&outcome.decision, best, holder) {
            (Decision::NoCandidates, _, None) => f.write_str("no candidate is eligible"),
            (Decision::NoCandidates, _, Some(_)) => {
                write!(f, "no candidate is eligible; {}", Keeps(outcome))
            }
            (Decision::Failed { .. }, _, None) => f.write_str("no candidate is elected"),
            (Decision::Create { .. }, None, _) => f.write_str("it has no holder yet"),
            (Decision::Create { .. }, Some(best), _) => write!(f, "{best} is elected"),
            (Decision::Update { before, lease }, Some(best), _)
                if before.spec.holder_identity != lease.spec.holder_identity =>
            {
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
            (_, _, None) => f.write_str("it has no holder"),
        }
    }
}

/// The holder stays. After the end of the `Lease` only the holder itself decides if it still leads.
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
