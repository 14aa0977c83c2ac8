//! The line of each candidate.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::Quoted;

use super::strategy::Strategies;
use crate::election::candidate::{Absence, VALID_FOR};
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
}

impl Best {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let mut standings = outcome.standings.iter();
        let best = standings.find_map(|of| match &of.standing {
            Standing::Ranked(Rank::Best { emulation_version, binary_version, .. }) => Some(Self {
                name: Quoted(&of.candidate).to_string(),
                emulation: quoted(emulation_version),
                binary: quoted(binary_version),
            }),
            _ => None,
        });
        best.unwrap_or_default()
    }
}

/// A candidate and what became of it, told with the best one in view.
pub(super) struct Told<'a>(pub(super) &'a StandingOf, pub(super) &'a Best);

impl Display for Told<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self(of, best) = self;
        write!(f, "{} ", Quoted(&of.candidate))?;
        match &of.standing {
            Standing::Heard { strategies } if strategies.is_empty() => {
                f.write_str("asks for no strategy")
            }
            Standing::Heard { strategies } => write!(f, "asks for {}", Strategies(strategies)),
            Standing::Absent(absence) => write_absence(f, absence, &of.namespace),
            Standing::Ranked(Rank::Unreadable { field, value }) => {
                write_unreadable(f, field, value)
            }
            Standing::Ranked(Rank::Best { by, .. }) => write_best(f, *by, best),
            Standing::Ranked(Rank::Beaten { by, emulation_version, binary_version }) => match by {
                TieBreak::EmulationVersion => {
                    let own = emulation_version.to_string();
                    write_later_emulation(f, Quoted(&own), best)
                }
                TieBreak::BinaryVersion => {
                    let own = binary_version.to_string();
                    write_later_binary(f, Quoted(&own), best)
                }
                TieBreak::CreationTimestamp => {
                    let best = &best.name;
                    write!(f, "loses: its versions are those of {best}, but it was created later")
                }
                TieBreak::Order => write_equal(f, best),
            },
        }
    }
}

fn quoted(version: &impl ToString) -> String {
    Quoted(&version.to_string()).to_string()
}

fn write_absence(f: &mut Formatter<'_>, absence: &Absence, namespace: &str) -> fmt::Result {
    f.write_str("is left out: ")?;
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
    f.write_str("cannot be elected: ")?;
    if value.is_empty() {
        write!(f, "it has no `{field}`")
    } else {
        write!(f, "its `{field}`, {}, cannot be read", Quoted(value))
    }
}

fn write_best(f: &mut Formatter<'_>, by: Option<TieBreak>, own: &Best) -> fmt::Result {
    let (emulation, binary) = (&own.emulation, &own.binary);
    f.write_str("wins: ")?;
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

fn write_later_emulation(f: &mut Formatter<'_>, own: Quoted<'_>, best: &Best) -> fmt::Result {
    let Best { name, emulation, .. } = best;
    write!(f, "loses: its emulation version {own} is later than {emulation} of {name}")
}

fn write_later_binary(f: &mut Formatter<'_>, own: Quoted<'_>, best: &Best) -> fmt::Result {
    let Best { name, binary, .. } = best;
    write!(
        f,
        "loses: its emulation version is that of {name}, but its binary version {own} is later than {binary}"
    )
}

fn write_equal(f: &mut Formatter<'_>, best: &Best) -> fmt::Result {
    let name = &best.name;
    write!(
        f,
        "loses: it equals {name} in all that counts and comes after it \
         (a server can see them in another order)"
    )
}
