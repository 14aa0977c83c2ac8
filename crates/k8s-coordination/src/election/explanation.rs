//! The explanation of an outcome.
//!
//! Texts of objects are written with [`Quoted`]: any client may write a candidate, and its fields must
//! not look like lines of the explanation. Each part is written in time linear in its size.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::{Quoted, SemanticVersion};

use super::{Basis, CandidateOutcome, Decision, Due, Election, Outcome, Standing, TieBreak, Vote};
use crate::CoordinatedLeaseStrategy;
use crate::conversion::AnyLeaseCandidateRef;
use crate::v1::Lease;

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
    /// Returns `true` if the time of the `Lease` is over, so that its holder no longer leads.
    fn has_expired(&self) -> bool {
        matches!(self.due, Some(Due::Expired { .. } | Due::NoRenewTime | Due::NoDuration))
    }

    /// Returns `true` if the best candidate holds the `Lease`.
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
            Decision::Unanswered => writeln!(f, "Nothing is written until a candidate answers."),
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
        match self.0.spec.holder().map(Quoted) {
            None => f.write_str("without a holder: the owner of the strategy names one"),
            Some(holder) => {
                write!(f, "held by {holder} for {} seconds", Election::DURATION_SECONDS)
            }
        }
    }
}

/// The first line: the holder of the `Lease` after the election.
struct Headline<'a>(&'a Outcome<'a>);

impl Display for Headline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let outcome = self.0;
        let [best, holder] = [outcome.best, outcome.holder].map(|name| name.map(Quoted));
        match (&outcome.decision, best, holder) {
            (Decision::NoCandidates, _, None) => f.write_str("no candidate is eligible"),
            (Decision::NoCandidates, _, Some(_)) => {
                write!(f, "no candidate is eligible; {}", Keeps(outcome))
            }
            (Decision::Unanswered, _, None) => f.write_str("no candidate has answered"),
            (Decision::Unanswered, _, Some(_)) => {
                write!(f, "no candidate has answered; {}", Keeps(outcome))
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
    fn of(outcome: &Outcome<'_>) -> Self {
        let is_best = |of: &&CandidateOutcome<'_>| matches!(of.standing, Standing::Best { .. });
        let Some(best) = outcome.candidates.iter().find(is_best).map(|of| of.candidate) else {
            return Self::default();
        };
        let name = Quoted(best.name()).to_string();
        let emulation = Compared(best.emulation_version()).to_string();
        let binary = Compared(best.binary_version()).to_string();
        let beats_emulation = format!(" is later than {emulation} of {name}");
        Self { name, emulation, binary, beats_emulation }
    }
}

/// The line of a candidate, which compares it with the best.
struct Line<'a>(&'a CandidateOutcome<'a>, &'a Best);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let CandidateOutcome { candidate, standing } = self.0;
        Quoted(candidate.name()).fmt(f)?;
        self.write_standing(f)?;
        // No election is due, or it would be `Standing::Silent`.
        match candidate.unanswered_ping().filter(|_| standing.is_eligible()) {
            Some(asked) => write!(f, "; it was asked at {asked} and has not answered"),
            None => Ok(()),
        }
    }
}

impl Line<'_> {
    fn write_standing(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(CandidateOutcome { candidate, standing }, best) = self;
        match standing {
            Standing::NotCompared { strategies: [] } => f.write_str(" asks for no strategy"),
            Standing::NotCompared { strategies } => {
                write!(f, " asks for {}", Strategies(strategies))
            }
            Standing::Unreadable { field, value } => write_unreadable(f, field, value),
            Standing::Silent { asked } => {
                write!(f, " was asked at {asked} and has not answered")
            }
            Standing::Best { by } => write_best(f, *by, best),
            Standing::Beaten { by } => write_beaten(f, *by, *candidate, best),
            _ => {
                f.write_str(" is not eligible: ")?;
                write_ineligible(f, standing, candidate.namespace())
            }
        }
    }
}

/// A version as it was compared, quoted.
struct Compared<'a>(Option<&'a str>);

impl Display for Compared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Nearly every version is written as it would be shown. Row: elect, with the explanation.
        let text = self.0.unwrap_or_default();
        if text.parse::<SemanticVersion>().is_ok() {
            return Quoted(text).fmt(f);
        }
        let version = SemanticVersion::parse_tolerant(text).unwrap_or_default();
        Quoted(&version.to_string()).fmt(f)
    }
}

fn write_ineligible(
    f: &mut Formatter<'_>,
    standing: &Standing<'_>,
    namespace: &str,
) -> fmt::Result {
    match standing {
        Standing::OtherNamespace => write!(f, "it is in namespace {}", Quoted(namespace)),
        Standing::OtherLease { lease_name } => {
            write!(f, "it is a candidate for Lease {}", Quoted(lease_name))
        }
        Standing::Unnamed => f.write_str("it has no name"),
        Standing::NeverRenewed => f.write_str("it has no `renewTime`"),
        Standing::Expired { renewed } => {
            let minutes = Election::VALID_FOR.as_mins();
            write!(f, "its `renewTime`, {renewed}, is more than {minutes} minutes ago")
        }
        _ => Ok(()),
    }
}

fn write_unreadable(f: &mut Formatter<'_>, field: &str, value: &str) -> fmt::Result {
    f.write_str(" cannot be elected: ")?;
    if value.is_empty() {
        write!(f, "it has no `{field}`")
    } else {
        write!(f, "its `{field}`, {}, cannot be read", Quoted(value))
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
    own: AnyLeaseCandidateRef<'_>,
    best: &Best,
) -> fmt::Result {
    let Best { name, binary, beats_emulation, .. } = best;
    f.write_str(" loses: ")?;
    match by {
        // No `write!`, which takes longer. Row: elect, with the explanation.
        TieBreak::EmulationVersion => {
            f.write_str("its emulation version ")?;
            Compared(own.emulation_version()).fmt(f)?;
            f.write_str(beats_emulation)
        }
        TieBreak::BinaryVersion => {
            let own = Compared(own.binary_version());
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

/// The reason for the strategy.
struct Because<'a>(&'a Basis, &'a Outcome<'a>);

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
struct Strategies<'a>(&'a [CoordinatedLeaseStrategy]);

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
