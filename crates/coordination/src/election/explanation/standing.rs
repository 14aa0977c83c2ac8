//! The line of each candidate.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::{Quoted, SemanticVersion};

use super::strategy::Strategies;
use crate::election::candidate::{Absence, Candidate, VALID_FOR};
use crate::election::leader::{Rank, TieBreak};
use crate::election::outcome::{Outcome, Standing, StandingOf};

/// The best candidate, as the others' lines name it.
///
/// Its texts are made once: each line repeats them, and there can be as many lines as the texts are long.
#[derive(Default)]
pub(super) struct Best {
    name: String,
    emulation: String,
    binary: String,
    /// The end of the line of one whose emulation version is later, as those of most are.
    beats_emulation: String,
}

impl Best {
    pub(super) fn of(outcome: &Outcome<'_>) -> Self {
        let mut standings = outcome.standings.iter();
        let best = standings
            .find(|of| matches!(of.standing, Standing::Ranked(Rank::Best { .. })))
            .map(|of| of.candidate);
        let Some(best) = best else {
            return Self::default();
        };
        let name = Quoted(best.name()).to_string();
        let emulation = Compared(best.emulation_version()).to_string();
        let binary = Compared(best.binary_version()).to_string();
        let beats_emulation = format!(" is later than {emulation} of {name}");
        Self { name, emulation, binary, beats_emulation }
    }
}

/// A candidate and what became of it, told with the best one in view.
pub(super) struct Told<'a>(pub(super) &'a StandingOf<'a>, pub(super) &'a Best);

impl Display for Told<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(StandingOf { candidate, standing, .. }, best) = self;
        Quoted(candidate.name()).fmt(f)?;
        match standing {
            Standing::Heard { strategies: [] } => f.write_str(" asks for no strategy"),
            Standing::Heard { strategies } => write!(f, " asks for {}", Strategies(strategies)),
            Standing::Absent(absence) => write_absence(f, absence, candidate.namespace()),
            Standing::Ranked(Rank::Unreadable { field, value }) => {
                write_unreadable(f, field, value)
            }
            Standing::Ranked(Rank::Best { by, .. }) => write_best(f, *by, best),
            Standing::Ranked(Rank::Beaten { by }) => write_beaten(f, *by, *candidate, best),
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

fn write_absence(f: &mut Formatter<'_>, absence: &Absence<'_>, namespace: &str) -> fmt::Result {
    f.write_str(" is left out: ")?;
    match absence {
        Absence::OtherNamespace => write!(f, "it is in namespace {}", Quoted(namespace)),
        Absence::OtherLease { lease_name } => {
            write!(f, "it contends for Lease {}", Quoted(lease_name))
        }
        Absence::Unnamed => f.write_str("it has no name"),
        Absence::NeverRenewed => f.write_str("it has given no sign of life"),
        Absence::Expired { renewed } => {
            let minutes = VALID_FOR.as_mins();
            write!(f, "its last sign of life, at {renewed}, is more than {minutes} minutes ago")
        }
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
        None => f.write_str("there is nobody to compare it with"),
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
        Some(TieBreak::Order) => f.write_str("of those that are equal it comes first"),
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
            "it equals {name} in all that counts and comes after it \
             (a server can see them in another order)"
        ),
    }
}
