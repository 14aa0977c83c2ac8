//! The fourth step: whether an election is due, and what becomes of the `Lease`.

use jiff::SignedDuration;
use k8s_versioned::MicroTime;
use serde::{Serialize, Serializer};

use super::outcome::ElectionError;
use super::{Candidate, Election};
use crate::CoordinatedLeaseStrategy::{self, OldestEmulationVersion};
use crate::meta::v1::ObjectMeta;
use crate::v1::{Lease, LeaseSpec};
use crate::validation;

/// For how many seconds an elector gives a `Lease` to its holder.
pub const DURATION_SECONDS: i32 = 5;

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
        /// For how many seconds.
        seconds: i32,
    },
    /// Nobody holds the `Lease`.
    NoHolder,
    /// A candidate has given no sign of life [for long](super::candidate::ASK_AFTER).
    Silent {
        /// The candidate.
        candidate: String,
    },
    /// The holder is a candidate that takes part, but not the best.
    NotTheBest {
        /// The holder.
        holder: String,
    },
    /// The holder is no candidate that takes part.
    NotACandidate {
        /// The holder.
        holder: String,
    },
}

/// The reason why an election is not due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub enum NotDue {
    /// Nobody takes part.
    NoCandidates,
    /// The `Lease` is held, and with this strategy others choose the holder.
    OtherStrategy,
    /// The `Lease` is held, and no candidate can be compared with the holder.
    NobodyToCompare,
    /// The best candidate holds the `Lease`.
    BestHolds,
}

/// The decision of the election.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "action", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Decision {
    /// Nothing, as no election is due.
    NotDue {
        /// The reason.
        reason: NotDue,
    },
    /// It creates the `Lease`.
    Create {
        /// The `Lease`.
        lease: Box<Lease>,
    },
    /// It changes the `Lease`.
    Update {
        /// The `Lease` as it becomes.
        lease: Box<Lease>,
        /// The changes.
        changes: Vec<Change>,
    },
    /// Nothing, as the `Lease` says it all already.
    Unchanged,
    /// Nothing, as something is wrong.
    Failed {
        /// The error. It is serialized as a text.
        #[serde(serialize_with = "as_text")]
        error: ElectionError,
    },
}

fn as_text<S: Serializer>(error: &ElectionError, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(error)
}

/// A change of a `Lease`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "camelCase", rename_all_fields = "camelCase")]
#[non_exhaustive]
pub enum Change {
    /// It gets another strategy.
    Strategy {
        /// The strategy that it had, if any.
        before: Option<CoordinatedLeaseStrategy>,
        /// The strategy that it gets.
        after: CoordinatedLeaseStrategy,
    },
    /// It is handed to the best candidate; `preferredHolder` and `acquireTime` are cleared.
    Holder {
        /// The holder before; empty if there was none.
        before: String,
    },
    /// The holder is asked to give it up for the best candidate, by `preferredHolder`.
    PreferredHolder {
        /// The holder.
        holder: String,
    },
}

/// The reason why an election is due, independent of the best candidate.
pub(super) fn due_anyway(election: &Election<'_>, candidates: &[Candidate<'_>]) -> Option<Due> {
    let Some(lease) = election.lease else {
        return Some(Due::NoLease);
    };
    let silent = |candidate: &&Candidate<'_>| candidate.is_silent(election.now);
    expiry(&lease.spec, election.now)
        .or_else(|| holder(&lease.spec).is_none().then_some(Due::NoHolder))
        .or_else(|| {
            candidates
                .iter()
                .find(silent)
                .map(|candidate| Due::Silent { candidate: candidate.name().to_owned() })
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

/// The holder of a `Lease`. An empty name counts as absent.
pub(super) fn holder(spec: &LeaseSpec) -> Option<&str> {
    let holder = spec.holder_identity.as_deref();
    holder.filter(|holder| !holder.is_empty())
}

/// The decision when an election is due.
///
/// `best` is `None` where the strategy leaves the choice to others.
///
/// # Errors
///
/// A server would crash on the `Lease`, or reject it.
pub(super) fn write(
    election: &Election<'_>,
    strategy: &CoordinatedLeaseStrategy,
    best: Option<&str>,
) -> Result<Decision, ElectionError> {
    let decision = match election.lease {
        None => Decision::Create { lease: Box::new(created(election, strategy, best)) },
        Some(lease) => updated(lease, election.now, strategy, best)?,
    };
    match &decision {
        Decision::Create { lease } => validation::check_created(lease)?,
        Decision::Update { lease, .. } => validation::check_changed(lease)?,
        _ => {}
    }
    Ok(decision)
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
        lease_duration_seconds: Some(DURATION_SECONDS),
        renew_time: Some(election.now),
        strategy: Some(strategy.clone()),
        ..LeaseSpec::default()
    };
    Lease::default().with_metadata(metadata).with_spec(spec)
}

fn updated(
    existing: &Lease,
    now: MicroTime,
    strategy: &CoordinatedLeaseStrategy,
    best: Option<&str>,
) -> Result<Decision, ElectionError> {
    let mut lease = existing.clone();
    let mut changes = Vec::new();
    if lease.spec.strategy.as_ref() != Some(strategy) {
        let before = lease.spec.strategy.replace(strategy.clone());
        let after = strategy.clone();
        changes.push(Change::Strategy { before, after });
    }
    if let Some(best) = best {
        changes.extend(change_holder(&mut lease.spec, now, best)?);
    }
    Ok(if changes.is_empty() {
        Decision::Unchanged
    } else {
        let lease = Box::new(lease);
        Decision::Update { lease, changes }
    })
}

/// Hands the `Lease` to the best candidate if it is free, or else asks the holder for it.
fn change_holder(
    spec: &mut LeaseSpec,
    now: MicroTime,
    best: &str,
) -> Result<Option<Change>, ElectionError> {
    let Some(holder) = spec.holder_identity.clone() else {
        return Err(ElectionError::HolderAbsent);
    };
    let free = holder.is_empty() || (expiry(spec, now).is_some() && holder != best);
    if free {
        spec.preferred_holder = None;
        spec.holder_identity = Some(best.to_owned());
        spec.renew_time = Some(now);
        spec.lease_duration_seconds = Some(DURATION_SECONDS);
        spec.acquire_time = None;
        Ok(Some(Change::Holder { before: holder }))
    } else if holder != best && spec.preferred_holder.as_deref() != Some(best) {
        spec.preferred_holder = Some(best.to_owned());
        Ok(Some(Change::PreferredHolder { holder }))
    } else {
        Ok(None)
    }
}

/// True if the strategy is the one by which an elector picks a leader.
pub(super) fn picks_leader(strategy: &CoordinatedLeaseStrategy) -> bool {
    *strategy == OldestEmulationVersion
}
