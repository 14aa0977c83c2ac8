//! The line of each candidate.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::{Quoted, SemanticVersion};

use super::strategy::Strategies;
use crate::election::{Candidate, CandidateOutcome, Outcome, Standing, TieBreak};

/// The texts of the best candidate, made once: the line of every other candidate repeats them.
#[derive(Default)]
pub(super) struct Best {
    name: String,
    emulation: String,
    binary: String,
    /// The end of the line of a candidate whose emulation version is later. Most lines end so.
    beats_emulation: String,
}

impl Best {
    pub(super) fn of(outcome: &Outcome<'_>) -> Self {
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
pub(super) struct Line<'a>(pub(super) &'a CandidateOutcome<'a>, pub(super) &'a Best);

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(CandidateOutcome { candidate, standing }, best) = self;
        Quoted(candidate.name()).fmt(f)?;
        match standing {
            Standing::NotCompared { strategies: [] } => f.write_str(" asks for no strategy"),
            Standing::NotCompared { strategies } => {
                write!(f, " asks for {}", Strategies(strategies))
            }
            Standing::Unreadable { field, value } => write_unreadable(f, field, value),
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
struct Compared<'a>(&'a str);

impl Display for Compared<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Nearly every version is written as it would be shown. Row: elect, with the explanation.
        if self.0.parse::<SemanticVersion>().is_ok() {
            return Quoted(self.0).fmt(f);
        }
        let version = SemanticVersion::parse_tolerant(self.0).unwrap_or_default();
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
            let minutes = Candidate::VALID_FOR.as_mins();
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
    own: Candidate<'_>,
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
                "its emulation version is that of {name}, but its binary version {own} is later than {binary}"
            )
        }
        TieBreak::CreationTimestamp => {
            write!(f, "its versions are those of {name}, but it was created later")
        }
        TieBreak::Order => write!(
            f,
            "it equals {name} in all that is compared, and comes after it \
             (a server can see them in another order)"
        ),
    }
}
