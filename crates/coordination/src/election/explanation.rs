//! The story of an outcome.

use std::fmt::{self, Display, Formatter};

use k8s_versioned::MicroTime;

use super::candidate::Absence;
use super::leader::{Rank, TieBreak};
use super::lease::{Change, DURATION_SECONDS, Decision, Due, NotDue, holder};
use super::outcome::{Outcome, Standing, StandingOf};
use super::strategy::{Basis, Vote, shown};
use crate::v1::Lease;

impl Display for Outcome {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let (namespace, name, now) = (&self.namespace, &self.lease_name, self.now);
        writeln!(f, "Lease {namespace}/{name} at {now}: {}.", Headline(self))?;
        for standing in &self.standings {
            writeln!(f, "- {}: {}", standing.candidate, Told(standing, self))?;
        }
        if let Some(choice) = &self.choice {
            let strategy = shown(choice.strategy.as_str());
            writeln!(
                f,
                "The strategy is {strategy}: {}",
                Because(&choice.basis, self)
            )?;
        }
        if let Some(due) = &self.due {
            writeln!(f, "An election is due: {due}.")?;
        }
        self.write_decision(f)
    }
}

impl Outcome {
    /// The candidates that take part.
    fn present(&self) -> impl Iterator<Item = &StandingOf> {
        let absent = |of: &&StandingOf| matches!(of.standing, Standing::Absent { .. });
        self.standings.iter().filter(move |of| !absent(of))
    }

    /// The emulation and the binary version of the leader.
    fn leader_versions(&self) -> Option<[&str; 2]> {
        self.standings.iter().find_map(|of| match &of.standing {
            Standing::Ranked {
                rank: Rank::Best(_),
                emulation_version,
                binary_version,
            } => Some([emulation_version.as_str(), binary_version.as_str()]),
            _ => None,
        })
    }

    fn write_decision(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.decision {
            Decision::NotDue(why) => writeln!(f, "No election is due: {why}."),
            Decision::Create(lease) => writeln!(f, "The Lease is created, {}.", Held(lease)),
            Decision::Failed(error) => {
                let error = error.to_string().replace('\n', "; ");
                writeln!(f, "Nothing is written: {error}.")
            }
            Decision::Unchanged => {
                f.write_str("The Lease stays as it is: ")?;
                match self.leader.as_deref() {
                    None => writeln!(f, "it has this strategy."),
                    leader if leader == self.holder.as_deref() => writeln!(f, "the best holds it."),
                    Some(leader) => {
                        writeln!(f, "it names {leader} as its preferred holder already.")
                    }
                }
            }
            Decision::Update { lease, changes } => {
                for change in changes {
                    self.write_change(f, change, lease)?;
                }
                Ok(())
            }
        }
    }

    fn write_change(&self, f: &mut Formatter<'_>, change: &Change, lease: &Lease) -> fmt::Result {
        let leader = self.leader.as_deref().unwrap_or_default();
        match change {
            Change::Strategy { before } => {
                let before = before.as_deref().map_or("none", shown);
                writeln!(f, "The Lease gets this strategy, it had {before}.")
            }
            Change::Holder { .. } => writeln!(f, "The Lease is handed over, {}.", Held(lease)),
            Change::PreferredHolder { holder } => {
                writeln!(
                    f,
                    "The Lease names {leader} as its preferred holder, {holder} is to give it up."
                )
            }
        }
    }
}

/// What one wants to know first.
struct Headline<'a>(&'a Outcome);

impl Display for Headline<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let outcome = self.0;
        let leads = outcome.leader.is_some() && outcome.leader == outcome.holder;
        let leader = outcome.leader.as_deref().unwrap_or("nobody");
        let elected = |changes: &[Change]| {
            let handed_over = |change: &Change| matches!(change, Change::Holder { .. });
            changes.iter().any(handed_over)
        };
        match &outcome.decision {
            Decision::NotDue(NotDue::NoCandidates) => f.write_str("nobody contends for it"),
            Decision::Failed(_) if outcome.due.is_some() => f.write_str("nobody is elected"),
            Decision::Create(_) if outcome.leader.is_none() => f.write_str("it has no holder yet"),
            Decision::Create(_) => write!(f, "{leader} is elected"),
            Decision::Update { changes, .. } if elected(changes) => {
                write!(f, "{leader} is elected")
            }
            Decision::Update { .. } | Decision::Unchanged | Decision::NotDue(_) if leads => {
                write!(f, "{leader} leads")
            }
            Decision::Update { .. } | Decision::Unchanged if outcome.leader.is_some() => {
                write!(f, "{leader} is to take it over")
            }
            Decision::Update { .. } => f.write_str("its strategy changes"),
            Decision::NotDue(_) | Decision::Unchanged | Decision::Failed(_) => {
                f.write_str("nothing changes")
            }
        }
    }
}

/// What became of a candidate, told with the leader in view.
struct Told<'a>(&'a StandingOf, &'a Outcome);

impl Display for Told<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.0.standing {
            Standing::Heard { strategies } if strategies.is_empty() => {
                f.write_str("asks for nothing")
            }
            Standing::Heard { strategies } => {
                let strategies: Vec<_> =
                    strategies.iter().map(|strategy| shown(strategy)).collect();
                write!(f, "asks for {}", strategies.join(", then "))
            }
            Standing::Absent {
                absence,
                lease_name,
                renewed,
            } => self.write_absent(f, *absence, lease_name, *renewed),
            Standing::Ranked {
                rank,
                emulation_version,
                binary_version,
            } => match rank {
                Rank::Unreadable { field, value } if value.is_empty() => {
                    write!(f, "cannot be elected, it has no `{field}`")
                }
                Rank::Unreadable { field, value } => {
                    write!(
                        f,
                        "cannot be elected, its `{field}` {value:?} cannot be read"
                    )
                }
                Rank::Best(by) => write_best(f, *by, [emulation_version, binary_version]),
                Rank::Beaten(by) => self.write_beaten(f, *by, [emulation_version, binary_version]),
            },
        }
    }
}

fn write_best(f: &mut Formatter<'_>, by: Option<TieBreak>, versions: [&str; 2]) -> fmt::Result {
    let [emulation, binary] = versions;
    match by {
        None => f.write_str("wins, there is nobody to compare it with"),
        Some(TieBreak::EmulationVersion) => {
            write!(
                f,
                "wins, it has the earliest emulation version, {emulation}"
            )
        }
        Some(TieBreak::BinaryVersion) => write!(
            f,
            "wins, of those with emulation version {emulation} it has the earliest binary version, {binary}"
        ),
        Some(TieBreak::CreationTimestamp) => {
            f.write_str("wins, of those with these versions it was created first")
        }
        Some(TieBreak::Order) => f.write_str("wins, of those that are equal it comes first"),
    }
}

impl Told<'_> {
    fn write_absent(
        &self,
        f: &mut Formatter<'_>,
        absence: Absence,
        lease_name: &str,
        renewed: Option<MicroTime>,
    ) -> fmt::Result {
        match (absence, renewed) {
            (Absence::OtherNamespace, _) => {
                write!(f, "left out, it is in namespace {}", self.0.namespace)
            }
            (Absence::OtherLease, _) => write!(f, "left out, it contends for Lease {lease_name}"),
            (_, None) => f.write_str("left out, it has given no sign of life"),
            (_, Some(renewed)) => {
                write!(
                    f,
                    "left out, its last sign of life, at {renewed}, is more than 30 minutes ago"
                )
            }
        }
    }

    fn write_beaten(&self, f: &mut Formatter<'_>, by: TieBreak, own: [&str; 2]) -> fmt::Result {
        let leader = self.1.leader.as_deref().unwrap_or_default();
        let [emulation, binary] = own;
        let [best_emulation, best_binary] = self.1.leader_versions().unwrap_or_default();
        match by {
            TieBreak::EmulationVersion => write!(
                f,
                "loses, its emulation version {emulation} is later than {best_emulation} of {leader}"
            ),
            TieBreak::BinaryVersion => write!(
                f,
                "loses, its emulation version is that of {leader}, \
                 but its binary version {binary} is later than {best_binary}"
            ),
            TieBreak::CreationTimestamp => {
                write!(
                    f,
                    "loses, its versions are those of {leader}, but it was created later"
                )
            }
            TieBreak::Order => write!(
                f,
                "loses, it equals {leader} in all that counts and comes after it \
                 (a server can see them in another order)"
            ),
        }
    }
}

/// Why it is this strategy.
struct Because<'a>(&'a Basis, &'a Outcome);

impl Display for Because<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            Basis::Unanimous if self.1.present().count() == 1 => {
                f.write_str("the only candidate asks for it.")
            }
            Basis::Unanimous => f.write_str("all ask for it."),
            Basis::Preferences { first, others } => {
                let (first, others) = (first.join(", "), Votes(others));
                write!(
                    f,
                    "put first by {first}, and by no list behind another. Others: {others}."
                )
            }
            Basis::HighestBinaryVersion {
                version,
                highest,
                overruled,
                disputed,
            } => {
                let highest = highest.join(", ");
                write!(
                    f,
                    "asked for by {highest} with the highest binary version, {version}. "
                )?;
                write!(f, "Overruled: {}.", Votes(overruled))?;
                let Some([a, b]) = disputed else {
                    return Ok(());
                };
                write!(
                    f,
                    " A server that sees {} and {} before them elects nobody: \
                     these two have the same binary version and disagree.",
                    a.candidate, b.candidate
                )
            }
        }
    }
}

struct Held<'a>(&'a Lease);

impl Display for Held<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match holder(&self.0.spec) {
            "" => f.write_str("without a holder: whoever defined the strategy names one"),
            holder => write!(f, "held by {holder} for {DURATION_SECONDS} seconds"),
        }
    }
}

struct Votes<'a>(&'a [Vote]);

impl Display for Votes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for (index, vote) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(
                f,
                "{separator}{} ({})",
                vote.candidate,
                shown(&vote.strategy)
            )?;
        }
        Ok(())
    }
}

impl Display for Due {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoLease => f.write_str("there is no Lease"),
            Self::NoRenewTime => f.write_str("the Lease has no `renewTime` and counts as expired"),
            Self::NoDuration => {
                f.write_str("the Lease has no `leaseDurationSeconds` and counts as expired")
            }
            Self::Expired { renewed, seconds } => {
                write!(
                    f,
                    "the Lease was renewed at {renewed} for {seconds} seconds and has expired"
                )
            }
            Self::NoHolder => f.write_str("nobody holds the Lease"),
            Self::Silent { candidate } => {
                write!(
                    f,
                    "{candidate} has given no sign of life for more than 15 minutes"
                )
            }
            Self::NotTheBest { holder } => {
                write!(
                    f,
                    "the holder of the Lease, {holder}, is not the best candidate"
                )
            }
        }
    }
}

impl Display for NotDue {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoCandidates => "no candidate takes part",
            Self::OtherStrategy => {
                "the Lease is held, and this strategy leaves the choice to others"
            }
            Self::NobodyToCompare => {
                "the Lease is held, and no candidate has versions that can be read"
            }
            Self::BestHolds => "the best candidate holds the Lease",
        })
    }
}
