//! The explanation of an outcome.
//!
//! Texts of objects are written with [`Quoted`]: any client may write a candidate, and its fields must
//! not look like lines of the explanation. Each part is written in time linear in its size.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::quoted::listed;
use k8s_versioned::{Quoted, SemanticVersion};

use super::{
    Basis, CandidateOutcome, Decision, Due, Election, ElectionOutcome, Standing, TieBreak, Vote,
};
use crate::v1::Lease;

impl Display for ElectionOutcome<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let lease = format!("{}/{}", self.namespace, self.lease_name);
        writeln!(f, "Lease {} at {}: {}.", Quoted(&lease), self.now, self.headline())?;
        let best = Best::from_outcome(self);
        for candidate in &self.candidates {
            // No `writeln!`, which takes longer. Hot path, row `elect, with the explanation` of the benches.
            f.write_str("- ")?;
            write_candidate(f, candidate, &best)?;
            f.write_str("\n")?;
        }
        if let (Some(strategy), Some(basis)) = (&self.strategy, &self.basis) {
            let (strategy, because) = (Quoted(strategy.as_str()), self.because(basis));
            writeln!(f, "The strategy is {strategy}: {because}")?;
        }
        if let Some(due) = &self.due {
            writeln!(f, "An election is due: {due}.")?;
        }
        self.decided().iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl ElectionOutcome<'_> {
    /// Returns `true` if the time of the `Lease` is over, so that its holder no longer leads.
    fn has_expired(&self) -> bool {
        matches!(self.due, Some(Due::Expired { .. } | Due::NoRenewTime | Due::NoDuration))
    }

    /// Returns `true` if the best candidate holds the `Lease`.
    fn best_holds(&self) -> bool {
        self.best.is_some() && self.best == self.holder
    }

    /// The first line: the holder of the `Lease` after the election. After the end of the `Lease` only the holder itself
    /// decides if it still leads.
    fn headline(&self) -> String {
        let best = self.best.map(Quoted);
        let may = if self.has_expired() { "may keep it" } else { "keeps it" };
        let keeps = self.holder.map(|holder| format!("{} {may}", Quoted(holder)));
        let and_keeps = keeps.as_ref().map_or_else(String::new, |keeps| format!("; {keeps}"));
        match (&self.decision, best) {
            (Decision::NoCandidates, _) => format!("no candidate is eligible{and_keeps}"),
            (Decision::Unanswered, _) => format!("no candidate has answered{and_keeps}"),
            (Decision::Failed { .. }, _) if keeps.is_none() => "no candidate is elected".to_owned(),
            (Decision::Create { .. }, None) => "it has no holder yet".to_owned(),
            (Decision::Create { .. }, Some(best)) => format!("{best} is elected"),
            (Decision::Update { before, lease }, Some(best))
                if before.spec.holder_identity != lease.spec.holder_identity =>
            {
                format!("{best} is elected")
            }
            (Decision::Update { .. } | Decision::Unchanged, Some(best)) if !self.best_holds() => {
                format!("{best} is to take it over")
            }
            (_, Some(best)) if self.best_holds() && !self.has_expired() => format!("{best} leads"),
            _ => keeps.unwrap_or_else(|| "it has no holder".to_owned()),
        }
    }

    /// The reason for the strategy.
    fn because(&self, basis: &Basis) -> String {
        match basis {
            Basis::Unanimous if self.eligible().count() == 1 => {
                "the only candidate asks for it.".to_owned()
            }
            Basis::Unanimous => "all ask for it.".to_owned(),
            Basis::Preferences { first, others } => {
                let verb = |count: usize| if count == 1 { "puts" } else { "put" };
                format!(
                    "{} {} it first, and no list puts another before it; {} {} first what others rank below it.",
                    names(first),
                    verb(first.len()),
                    votes(others),
                    verb(others.len())
                )
            }
            Basis::HighestBinaryVersion { version, highest, overruled, disputed } => format!(
                "asked for by {} with the highest binary version, {}. Overruled: {}.{}",
                names(highest),
                Quoted(version),
                votes(overruled),
                disputed.as_ref().map_or_else(String::new, dispute)
            ),
        }
    }

    /// The last lines: what is written, or why nothing is.
    fn decided(&self) -> Vec<String> {
        let not_due = |reason| vec![format!("No election is due: {reason}.")];
        match &self.decision {
            Decision::NoCandidates => not_due("no candidate is eligible"),
            Decision::OtherStrategy => {
                not_due("the Lease is held, and this strategy leaves the choice to others")
            }
            Decision::NoneComparable => {
                not_due("the Lease is held, and no candidate has versions that can be read")
            }
            Decision::BestHolds => not_due("the best candidate holds the Lease"),
            Decision::Create { lease } => {
                let holder = lease.spec.holder().map(Quoted).map_or_else(
                    || "without a holder: the owner of the strategy names one".to_owned(),
                    |holder| format!("held by {holder} for {} seconds", Election::DURATION_SECONDS),
                );
                vec![format!("The Lease is created, {holder}.")]
            }
            Decision::Failed { error } => {
                vec![format!("Nothing is written: {}.", error.to_string().replace('\n', "; "))]
            }
            Decision::Unanswered => {
                vec!["Nothing is written until a candidate answers.".to_owned()]
            }
            Decision::Unchanged => vec![self.own_renewal().unwrap_or_else(|| self.unchanged())],
            Decision::Update { before, lease } => {
                let mut lines = self.changes(before, lease);
                lines.extend(self.own_renewal());
                lines
            }
        }
    }

    fn unchanged(&self) -> String {
        let because = match self.best.map(Quoted) {
            None => "it has this strategy".to_owned(),
            Some(_) if self.best_holds() => "the best candidate holds it".to_owned(),
            Some(best) => format!("it names {best} as its preferred holder already"),
        };
        format!("The Lease stays as it is: {because}.")
    }

    /// An elector leaves an expired `Lease` with its holder if that is the best.
    fn own_renewal(&self) -> Option<String> {
        let best = self.best.filter(|_| self.best_holds() && self.has_expired()).map(Quoted)?;
        Some(format!("The Lease stays with {best}, which has to renew it itself."))
    }

    fn changes(&self, before: &Lease, after: &Lease) -> Vec<String> {
        let (before, after) = (&before.spec, &after.spec);
        let mut lines = Vec::new();
        if before.strategy != after.strategy {
            let [was, is] = [before, after].map(|spec| spec.strategy.as_ref());
            let is = Quoted(is.map_or("", |is| is.as_str()));
            let was = was.map_or_else(
                || "had none".to_owned(),
                |was| format!("was {}", Quoted(was.as_str())),
            );
            lines.push(format!("The Lease's strategy becomes {is}; it {was}."));
        }
        let [best, holder] = [self.best, self.holder].map(|name| Quoted(name.unwrap_or_default()));
        if before.holder_identity != after.holder_identity {
            let seconds = Election::DURATION_SECONDS;
            lines.push(format!("The Lease is handed over to {best} for {seconds} seconds."));
        } else if before.preferred_holder != after.preferred_holder {
            lines.push(format!(
                "The Lease names {best} as its preferred holder; {holder} is to give it up."
            ));
        }
        lines
    }
}

/// The texts of the best candidate, made once: the line of every other candidate repeats them.
#[derive(Default)]
struct Best {
    name: String,
    emulation: String,
    binary: String,
    /// The end of the line of a candidate whose emulation version is later. Most lines end so.
    beats_emulation: String,
}

impl Best {
    fn from_outcome(outcome: &ElectionOutcome<'_>) -> Self {
        let is_best =
            |outcome: &&CandidateOutcome<'_>| matches!(outcome.standing, Standing::Best { .. });
        let Some(best) = outcome.candidates.iter().find(is_best).map(|outcome| outcome.candidate)
        else {
            return Self::default();
        };
        let name = Quoted(best.name()).to_string();
        let emulation = Compared(best.emulation_version()).to_string();
        let binary = Compared(best.binary_version()).to_string();
        let beats_emulation = format!(" is later than {emulation} of {name}");
        Self { name, emulation, binary, beats_emulation }
    }
}

/// Writes the line of a candidate, which compares it with the best.
fn write_candidate(
    f: &mut Formatter<'_>,
    outcome: &CandidateOutcome<'_>,
    best: &Best,
) -> fmt::Result {
    Quoted(outcome.candidate.name()).fmt(f)?;
    write_standing(f, outcome, best)?;
    // No election is due, or it would be `Standing::Silent`.
    match outcome.candidate.unanswered_ping().filter(|_| outcome.standing.is_eligible()) {
        Some(asked) => write!(f, "; it was asked at {asked} and has not answered"),
        None => Ok(()),
    }
}

fn write_standing(
    f: &mut Formatter<'_>,
    outcome: &CandidateOutcome<'_>,
    best: &Best,
) -> fmt::Result {
    let CandidateOutcome { candidate, standing } = outcome;
    let ineligible = match standing {
        Standing::NotCompared { strategies: [] } => return f.write_str(" asks for no strategy"),
        Standing::NotCompared { strategies } => {
            let quoted = strategies.iter().map(|strategy| Quoted(strategy.as_str()).to_string());
            return write!(f, " asks for {}", quoted.collect::<Vec<_>>().join(", then "));
        }
        Standing::Unreadable { field, value: "" } => {
            return write!(f, " cannot be elected: it has no `{field}`");
        }
        Standing::Unreadable { field, value } => {
            let value = Quoted(value);
            return write!(f, " cannot be elected: its `{field}`, {value}, cannot be read");
        }
        Standing::Silent { asked } => {
            return write!(f, " was asked at {asked} and has not answered");
        }
        Standing::Best { by } => return write_best(f, *by, best),
        Standing::Beaten { by } => return write_beaten(f, *by, outcome, best),
        Standing::OtherNamespace => {
            format!("it is in namespace {}", Quoted(candidate.namespace()))
        }
        Standing::OtherLease { lease_name } => {
            format!("it is a candidate for Lease {}", Quoted(lease_name))
        }
        Standing::Unnamed => "it has no name".to_owned(),
        Standing::NeverRenewed => "it has no `renewTime`".to_owned(),
        Standing::Expired { renewed } => {
            let minutes = Election::VALID_FOR.as_mins();
            format!("its `renewTime`, {renewed}, is more than {minutes} minutes ago")
        }
    };
    write!(f, " is not eligible: {ineligible}")
}

/// A version as it was compared, quoted.
struct Compared<'a>(Option<&'a str>);

impl Display for Compared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let text = self.0.unwrap_or_default();
        // Nearly every version is written as it would be shown. Hot path, row `elect, with the explanation` of the benches.
        if text.parse::<SemanticVersion>().is_ok() {
            return Quoted(text).fmt(f);
        }
        let version = SemanticVersion::parse_tolerant(text).unwrap_or_default();
        Quoted(&version.to_string()).fmt(f)
    }
}

fn write_best(f: &mut Formatter<'_>, by: Option<TieBreak>, own: &Best) -> fmt::Result {
    let (emulation, binary) = (&own.emulation, &own.binary);
    f.write_str(" wins: ")?;
    match by {
        None => f.write_str("there is no other candidate to compare it with"),
        Some(TieBreak::EmulationVersion) => {
            write!(f, "it has the earliest emulation version, {emulation}")
        }
        Some(TieBreak::BinaryVersion) => write!(
            f,
            "of those with emulation version {emulation} it has the earliest binary version, {binary}"
        ),
        Some(TieBreak::CreationTimestamp) => {
            f.write_str("of those with these versions it was created first")
        }
        Some(TieBreak::Order) => f.write_str("of equal candidates it is the first"),
    }
}

fn write_beaten(
    f: &mut Formatter<'_>,
    by: TieBreak,
    outcome: &CandidateOutcome<'_>,
    best: &Best,
) -> fmt::Result {
    let Best { name, binary, beats_emulation, .. } = best;
    f.write_str(" loses: ")?;
    match by {
        // No `write!`, which takes longer. Hot path, row `elect, with the explanation` of the benches.
        TieBreak::EmulationVersion => {
            f.write_str("its emulation version ")?;
            Compared(outcome.candidate.emulation_version()).fmt(f)?;
            f.write_str(beats_emulation)
        }
        TieBreak::BinaryVersion => {
            let own = Compared(outcome.candidate.binary_version());
            write!(
                f,
                "it has the emulation version of {name}, but its binary version {own} is later than {binary}"
            )
        }
        TieBreak::CreationTimestamp => {
            write!(f, "it has the versions of {name}, but it was created later")
        }
        TieBreak::Order => write!(
            f,
            "it equals {name} in all that is compared, and comes after it \
             (a server can see them in another order)"
        ),
    }
}

/// A server that sees its candidates in another order may elect nobody.
fn dispute([a, b]: &[Vote; 2]) -> String {
    let [a, b] = [a, b].map(|vote| Quoted(&vote.candidate));
    format!(
        " A server that sees {a} and {b} before any candidate with a later binary version elects no leader: \
         these two have the same binary version and disagree."
    )
}

/// Names as a sentence lists them: `a, b and c`.
fn names(names: &[String]) -> String {
    listed(names.iter().map(|name| Quoted(name).to_string()), "and")
}

/// Votes as a sentence lists them, each with its strategy.
fn votes(votes: &[Vote]) -> String {
    let votes = votes.iter().map(|vote| {
        let (candidate, strategy) = (Quoted(&vote.candidate), Quoted(vote.strategy.as_str()));
        format!("{candidate} ({strategy})")
    });
    listed(votes, "and")
}
