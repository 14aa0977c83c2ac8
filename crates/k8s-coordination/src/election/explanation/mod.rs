//! The explanation of an outcome.
//!
//! Texts of objects are written with [`Quoted`]: any client may write a candidate, and its fields must
//! not look like lines of the explanation. Each part is written in time linear in its size.

mod due;
mod headline;
mod standing;
mod strategy;

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use super::lease::holder;
use super::{Decision, Due, Election, Outcome};
use crate::v1::Lease;

use headline::Headline;
use standing::{Best, Line};
use strategy::Because;

impl Display for Outcome<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lease = format!("{}/{}", self.namespace, self.lease_name);
        let (lease, now) = (Quoted(&lease), self.now);
        writeln!(f, "Lease {lease} at {now}: {}.", Headline(self))?;
        let best = Best::of(self);
        for candidate in &self.candidates {
            // No `writeln!`, which takes longer. Row: elect, with the explanation.
            f.write_str("- ")?;
            Line(candidate, &best).fmt(f)?;
            f.write_str("\n")?;
        }
        if let (Some(strategy), Some(basis)) = (&self.strategy, &self.basis) {
            let (strategy, because) = (Quoted(strategy.as_str()), Because(basis, self));
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
        let not_due = |f: &mut Formatter<'_>, reason| writeln!(f, "No election is due: {reason}.");
        match &self.decision {
            Decision::NoCandidates => not_due(f, "no candidate is eligible"),
            Decision::OtherStrategy => {
                not_due(f, "the Lease is held, and this strategy leaves the choice to others")
            }
            Decision::NoneComparable => {
                not_due(f, "the Lease is held, and no candidate has versions that can be read")
            }
            Decision::BestHolds => not_due(f, "the best candidate holds the Lease"),
            Decision::Create { lease } => writeln!(f, "The Lease is created, {}.", Held(lease)),
            Decision::Failed { error } => {
                let error = error.to_string().replace('\n', "; ");
                writeln!(f, "Nothing is written: {error}.")
            }
            Decision::Unchanged => self.write_unchanged(f),
            Decision::Update { before, lease } => {
                self.write_changes(f, before, lease)?;
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

    fn write_changes(&self, f: &mut Formatter<'_>, before: &Lease, after: &Lease) -> fmt::Result {
        let (before, after) = (&before.spec, &after.spec);
        if before.strategy != after.strategy {
            let [before, after] = [before, after]
                .map(|spec| spec.strategy.as_ref().map(|strategy| Quoted(strategy.as_str())));
            write!(f, "The Lease's strategy becomes {}; it ", after.unwrap_or(Quoted("")))?;
            match before {
                Some(before) => writeln!(f, "was {before}.")?,
                None => writeln!(f, "had none.")?,
            }
        }
        let [best, holder] = [self.best, self.holder].map(|name| Quoted(name.unwrap_or_default()));
        if before.holder_identity != after.holder_identity {
            let seconds = Election::DURATION_SECONDS;
            writeln!(f, "The Lease is handed over to {best} for {seconds} seconds.")
        } else if before.preferred_holder != after.preferred_holder {
            writeln!(
                f,
                "The Lease names {best} as its preferred holder; {holder} is to give it up."
            )
        } else {
            Ok(())
        }
    }
}

/// The holder of a `Lease` that is created.
struct Held<'a>(&'a Lease);

impl Display for Held<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match holder(&self.0.spec).map(Quoted) {
            None => f.write_str("without a holder: the owner of the strategy names one"),
            Some(holder) => {
                write!(f, "held by {holder} for {} seconds", Election::DURATION_SECONDS)
            }
        }
    }
}
