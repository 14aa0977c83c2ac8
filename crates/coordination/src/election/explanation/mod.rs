//! The story of an outcome.
//!
//! Texts of objects are written with [`Quoted`]: anyone may write a candidate, and its fields must
//! not pass for lines of the story. Each part is told in time linear in its size.

mod due;
mod headline;
mod standing;
mod strategy;

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use super::lease::{Change, DURATION_SECONDS, Decision, Due, holder};
use super::outcome::Outcome;
use crate::v1::Lease;

use headline::Headline;
use standing::{Best, Told};
use strategy::Because;

impl Display for Outcome<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lease = format!("{}/{}", self.namespace, self.lease_name);
        let (lease, now) = (Quoted(&lease), self.now);
        writeln!(f, "Lease {lease} at {now}: {}.", Headline(self))?;
        let best = Best::of(self);
        for standing in &self.standings {
            // No `writeln!`, which takes longer. Row: elect, with the explanation.
            f.write_str("- ")?;
            Told(standing, &best).fmt(f)?;
            f.write_str("\n")?;
        }
        if let Some(choice) = &self.choice {
            let strategy = Quoted(choice.strategy.as_str());
            let because = Because(&choice.basis, self);
            writeln!(f, "The strategy is {strategy}: {because}")?;
        }
        if let Some(due) = &self.due {
            writeln!(f, "An election is due: {due}.")?;
        }
        self.write_decision(f)
    }
}

impl Outcome<'_> {
    /// True if the time of the `Lease` is over, so that its holder no longer leads.
    fn has_expired(&self) -> bool {
        matches!(self.due, Some(Due::Expired { .. } | Due::NoRenewTime | Due::NoDuration))
    }

    /// True if the best candidate holds the `Lease`.
    fn best_holds(&self) -> bool {
        self.best.is_some() && self.best == self.holder
    }

    fn write_decision(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.decision {
            Decision::NotDue { reason } => writeln!(f, "No election is due: {reason}."),
            Decision::Create { lease } => writeln!(f, "The Lease is created, {}.", Held(lease)),
            Decision::Failed { error } => {
                let error = error.to_string().replace('\n', "; ");
                writeln!(f, "Nothing is written: {error}.")
            }
            Decision::Unchanged => self.write_unchanged(f),
            Decision::Update { changes, .. } => {
                let mut changes = changes.iter();
                changes.try_for_each(|change| self.write_change(f, change))?;
                self.write_own_renewal(f)
            }
        }
    }

    fn write_unchanged(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.best_holds() && self.has_expired() {
            return self.write_own_renewal(f);
        }
        f.write_str("The Lease stays as it is: ")?;
        match self.best.map(Quoted) {
            None => writeln!(f, "it has this strategy."),
            Some(_) if self.best_holds() => writeln!(f, "the best candidate holds it."),
            Some(best) => writeln!(f, "it names {best} as its preferred holder already."),
        }
    }

    /// An elector leaves an expired `Lease` with its holder if that is the best.
    fn write_own_renewal(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.best.map(Quoted) {
            Some(best) if self.best_holds() && self.has_expired() => {
                writeln!(f, "The Lease stays with {best}, which has to renew it itself.")
            }
            _ => Ok(()),
        }
    }

    fn write_change(&self, f: &mut Formatter<'_>, change: &Change) -> fmt::Result {
        let best = Quoted(self.best.unwrap_or_default());
        match change {
            Change::Strategy { before, after } => {
                let after = Quoted(after.as_str());
                write!(f, "The Lease's strategy becomes {after}; it ")?;
                match before {
                    Some(before) => writeln!(f, "was {}.", Quoted(before.as_str())),
                    None => writeln!(f, "had none."),
                }
            }
            Change::Holder { .. } => {
                writeln!(f, "The Lease is handed over to {best} for {DURATION_SECONDS} seconds.")
            }
            Change::PreferredHolder { holder } => {
                let holder = Quoted(holder);
                writeln!(
                    f,
                    "The Lease names {best} as its preferred holder; {holder} is to give it up."
                )
            }
        }
    }
}

/// The holder of a `Lease` that is created.
struct Held<'a>(&'a Lease);

impl Display for Held<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match holder(&self.0.spec).map(Quoted) {
            None => f.write_str("without a holder: whoever defined the strategy names one"),
            Some(holder) => write!(f, "held by {holder} for {DURATION_SECONDS} seconds"),
        }
    }
}
