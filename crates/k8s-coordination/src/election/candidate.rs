//! The first step: the eligible candidates, and the standing of each.

use k8s_versioned::{MicroTime, SemanticVersion, Time};
use serde::{Serialize, Serializer};

use super::Election;
use crate::CoordinatedLeaseStrategy;
use crate::conversion::AnyLeaseCandidateRef;

impl<'a> AnyLeaseCandidateRef<'a> {
    /// `metadata.namespace`; empty where it is absent.
    pub fn namespace(self) -> &'a str {
        self.metadata().namespace.as_deref().unwrap_or_default()
    }

    /// `metadata.name`, by which the `Lease` names its holder; empty where it is absent.
    pub fn name(self) -> &'a str {
        self.metadata().name.as_deref().unwrap_or_default()
    }

    /// `metadata.creationTimestamp`; absent counts as the oldest.
    pub(super) fn created(self) -> Option<Time> {
        self.metadata().creation_timestamp
    }

    /// The strategy that it puts first, as text; empty where there is none.
    pub(super) fn strategy(self) -> &'a str {
        let first = self.preferred_strategies().as_slice().first();
        first.map_or("", CoordinatedLeaseStrategy::as_str)
    }

    /// Returns `true` if an elector pings it, because it was renewed too long ago.
    pub(super) fn needs_ping(self, now: MicroTime) -> bool {
        let old = |renewed: &MicroTime| now.duration_since(*renewed) > Election::PING_AFTER;
        self.renew_time().is_some_and(old)
    }

    /// The ping that the candidate has not answered: its `pingTime` is later than its `renewTime`.
    pub fn unanswered_ping(self) -> Option<MicroTime> {
        let renewed = self.renew_time();
        self.ping_time().filter(|ping| renewed.is_none_or(|renewed| *ping > renewed)).copied()
    }

    /// The standing before candidates are compared.
    pub(super) fn standing(self, election: &Election<'_>) -> Standing<'a> {
        if self.namespace() != election.namespace {
            return Standing::OtherNamespace;
        }
        let lease_name = self.lease_name();
        if lease_name != election.lease_name {
            return Standing::OtherLease { lease_name };
        }
        if self.name().is_empty() {
            return Standing::Unnamed;
        }
        let Some(renewed) = self.renew_time().copied() else {
            return Standing::NeverRenewed;
        };
        if election.now.duration_since(renewed) > Election::VALID_FOR {
            return Standing::Expired { renewed };
        }
        Standing::NotCompared { strategies: self.preferred_strategies().as_slice() }
    }
}

/// A candidate and its standing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct CandidateOutcome<'a> {
    /// The candidate, of any version.
    pub candidate: AnyLeaseCandidateRef<'a>,
    /// Whether it can win, and the reason if it cannot.
    pub standing: Standing<'a>,
}

/// The standing of a candidate: not eligible, eligible, or compared with the others.
///
/// The first six are not eligible: an elector ignores them. It counts a silent candidate only when it decides whether an
/// election is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "standing", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Standing<'a> {
    /// It is in another namespace than the `Lease`.
    OtherNamespace,
    /// It is a candidate for another `Lease`.
    OtherLease {
        /// The name of that `Lease`.
        lease_name: &'a str,
    },
    /// It has no name, so that no `Lease` could name it as its holder.
    Unnamed,
    /// It has no `renewTime`.
    NeverRenewed,
    /// Its `renewTime` is [too long](Election::VALID_FOR) ago.
    Expired {
        /// The `renewTime`.
        renewed: MicroTime,
    },
    /// An election is due, an elector has pinged it, and it has not answered.
    Silent {
        /// The `pingTime`.
        asked: MicroTime,
    },
    /// It is eligible, and was not compared: the election picks no leader.
    NotCompared {
        /// The strategies that it asks for, the best first.
        strategies: &'a [CoordinatedLeaseStrategy],
    },
    /// Its `emulationVersion` or `binaryVersion` cannot be read, so that it cannot be compared.
    Unreadable {
        /// The name of the field, as in JSON.
        field: &'static str,
        /// The value; empty where it is absent.
        value: &'a str,
    },
    /// It wins.
    Best {
        /// The rule by which it wins over the next best; `None` if no other candidate can be compared.
        by: Option<TieBreak>,
    },
    /// It loses.
    Beaten {
        /// The rule by which the best wins over it.
        by: TieBreak,
    },
}

/// The rule that decides between two candidates. The variants are in the order of the comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum TieBreak {
    /// The lower `emulationVersion` is better.
    EmulationVersion,
    /// The lower `binaryVersion` is better.
    BinaryVersion,
    /// The older `metadata.creationTimestamp` is better; it has whole seconds.
    CreationTimestamp,
    /// They are equal in all of these: the first one is taken.
    Order,
}

impl Standing<'_> {
    /// Returns `true` if the candidate is eligible.
    pub const fn is_eligible(&self) -> bool {
        !matches!(
            self,
            Self::OtherNamespace
                | Self::OtherLease { .. }
                | Self::Unnamed
                | Self::NeverRenewed
                | Self::Expired { .. }
                | Self::Silent { .. }
        )
    }

    /// Returns `true` if it equals the best candidate in all that is compared, or is the best and has such equals.
    pub(super) const fn is_tied(&self) -> bool {
        matches!(
            self,
            Self::Best { by: Some(TieBreak::Order) } | Self::Beaten { by: TieBreak::Order }
        )
    }
}

/// Written with the name of the candidate, and with the versions by which it was compared.
impl Serialize for CandidateOutcome<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { candidate, standing } = *self;
        let is_compared = matches!(standing, Standing::Best { .. } | Standing::Beaten { .. });
        let version = |text: Option<&str>| {
            SemanticVersion::parse_tolerant(text.unwrap_or_default()).ok().filter(|_| is_compared)
        };
        let written = Written {
            namespace: candidate.namespace(),
            name: candidate.name(),
            standing,
            emulation_version: version(candidate.emulation_version()),
            binary_version: version(candidate.binary_version()),
        };
        written.serialize(serializer)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    namespace: &'a str,
    name: &'a str,
    #[serde(flatten)]
    standing: Standing<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    emulation_version: Option<SemanticVersion>,
    #[serde(skip_serializing_if = "Option::is_none")]
    binary_version: Option<SemanticVersion>,
}
