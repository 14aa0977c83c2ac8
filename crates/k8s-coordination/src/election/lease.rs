//! The fourth step: the reason why an election is due, and the change of the `Lease`.

use std::fmt::{self, Display, Formatter};

use jiff::SignedDuration;
use k8s_versioned::{MicroTime, Quoted};
use serde::{Serialize, Serializer};

use super::{Election, ElectionError};
use crate::conversion::AnyLeaseCandidateRef;
use crate::meta::v1::ObjectMeta;
use crate::v1::{Lease, LeaseSpec};
use crate::{CoordinatedLeaseStrategy, validation};

/// The reason why an election is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Due {
    /// There is no `Lease`.
    NoLease,
    /// The `Lease` has no `renewTime`, so that it counts as expired.
    NoRenewTime,
    /// The `Lease` has no `leaseDurationSeconds`, so that it counts as expired.
    NoDuration,
    /// The `Lease` has expired.
    Expired {
        /// The `renewTime`.
        renewed: MicroTime,
        /// The `leaseDurationSeconds`.
        seconds: i32,
    },
    /// The `Lease` has no holder.
    NoHolder,
    /// An eligible candidate was last renewed [long ago](Election::PING_AFTER).
    NotRenewed {
        /// The name of the candidate.
        candidate: String,
    },
    /// The holder is an eligible candidate, but not the best.
    NotTheBest {
        /// The `holderIdentity` of the Lease.
        holder: String,
    },
    /// The holder is not an eligible candidate.
    NotEligible {
        /// The `holderIdentity` of the Lease.
        holder: String,
    },
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
            Self::NoHolder => f.write_str("the Lease has no holder"),
            Self::NotRenewed { candidate } => {
                let (candidate, minutes) = (Quoted(candidate), Election::PING_AFTER.as_mins());
                write!(f, "{candidate} was last renewed more than {minutes} minutes ago")
            }
            Self::NotTheBest { holder } => {
                write!(f, "the holder, {}, is not the best candidate", Quoted(holder))
            }
            Self::NotEligible { holder } => {
                write!(f, "the holder, {}, is not an eligible candidate", Quoted(holder))
            }
        }
    }
}

/// The decision of the election. In the first four variants no election is due, and nothing is written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Decision<'a> {
    /// No candidate is eligible.
    NoCandidates,
    /// The `Lease` is held, and its holder is chosen by others: the strategy is a custom one.
    OtherStrategy,
    /// The `Lease` is held, and no candidate can be compared with the holder.
    NoneComparable,
    /// The best candidate holds the `Lease`.
    BestHolds,
    /// The `Lease` is created.
    Create {
        /// The new `Lease`.
        lease: Box<Lease>,
    },
    /// The `Lease` is changed: its strategy, its holder, or its preferred holder.
    Update {
        /// The `Lease` before.
        before: &'a Lease,
        /// The `Lease` after.
        lease: Box<Lease>,
    },
    /// An election is due, and every candidate was pinged and has not answered. Nothing is written.
    Unanswered,
    /// An election is due, and the `Lease` is right already. Nothing is written.
    Unchanged,
    /// The election fails. Nothing is written.
    Failed {
        /// The error. It is serialized as a text.
        #[serde(serialize_with = "as_text")]
        error: ElectionError,
    },
}

fn as_text<S: Serializer>(error: &ElectionError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// The reason why an election is due, independent of the best candidate.
pub(super) fn due_anyway(
    election: &Election<'_>,
    candidates: &[AnyLeaseCandidateRef<'_>],
) -> Option<Due> {
    let Some(lease) = election.lease else {
        return Some(Due::NoLease);
    };
    let old = |candidate: &&AnyLeaseCandidateRef<'_>| candidate.needs_ping(election.now);
    expiry(&lease.spec, election.now)
        .or_else(|| lease.spec.holder().is_none().then_some(Due::NoHolder))
        .or_else(|| {
            candidates
                .iter()
                .find(old)
                .map(|candidate| Due::NotRenewed { candidate: candidate.name().to_owned() })
        })
}

/// The reason why a `Lease` counts as expired; `None` if it does not.
fn expiry(spec: &LeaseSpec, now: MicroTime) -> Option<Due> {
    let Some(renewed) = spec.renew_time else {
        return Some(Due::NoRenewTime);
    };
    let Some(seconds) = spec.lease_duration_seconds else {
        return Some(Due::NoDuration);
    };
    let expired = now.duration_since(renewed) > SignedDuration::from_secs(seconds.into());
    expired.then_some(Due::Expired { renewed, seconds })
}

impl LeaseSpec {
    /// The holder. An empty name, which a holder writes to release the `Lease`, counts as absent.
    pub fn holder(&self) -> Option<&str> {
        let holder = self.holder_identity.as_deref();
        holder.filter(|holder| !holder.is_empty())
    }
}

/// The decision when an election is due.
///
/// `best` is `None` where the strategy leaves the choice to others.
///
/// # Errors
///
/// A server would crash on the `Lease`, or reject it.
pub(super) fn write<'a>(
    election: &Election<'a>,
    strategy: &CoordinatedLeaseStrategy,
    best: Option<&str>,
) -> Result<Decision<'a>, ElectionError> {
    let Some(before) = election.lease else {
        let lease = Box::new(created(election, strategy, best));
        validation::check_written(&lease, true)?;
        return Ok(Decision::Create { lease });
    };
    let mut lease = Box::new(before.clone());
    lease.spec.strategy = Some(strategy.clone());
    if let Some(best) = best {
        change_holder(&mut lease.spec, election.now, best)?;
    }
    if lease.spec == before.spec {
        return Ok(Decision::Unchanged);
    }
    validation::check_written(&lease, false)?;
    Ok(Decision::Update { before, lease })
}

fn created(
    election: &Election<'_>,
    strategy: &CoordinatedLeaseStrategy,
    best: Option<&str>,
) -> Lease {
    let metadata =
        ObjectMeta::default().with_name(election.lease_name).with_namespace(election.namespace);
    let spec = LeaseSpec {
        holder_identity: best.map(str::to_owned),
        lease_duration_seconds: Some(Election::DURATION_SECONDS),
        renew_time: Some(election.now),
        strategy: Some(strategy.clone()),
        ..LeaseSpec::default()
    };
    Lease::default().with_metadata(metadata).with_spec(spec)
}

/// Hands the `Lease` to the best candidate if it is free, or else asks the holder for it.
fn change_holder(spec: &mut LeaseSpec, now: MicroTime, best: &str) -> Result<(), ElectionError> {
    let Some(holder) = spec.holder_identity.as_deref() else {
        return Err(ElectionError::HolderAbsent);
    };
    if holder == best {
        return Ok(());
    }
    if holder.is_empty() || expiry(spec, now).is_some() {
        spec.preferred_holder = None;
        spec.holder_identity = Some(best.to_owned());
        spec.renew_time = Some(now);
        spec.lease_duration_seconds = Some(Election::DURATION_SECONDS);
        spec.acquire_time = None;
    } else {
        spec.preferred_holder = Some(best.to_owned());
    }
    Ok(())
}
