//! The fourth step: whether an election is due, and what becomes of the `Lease`.

use jiff::SignedDuration;
use k8s_versioned::MicroTime;

use super::candidate::since;
use super::outcome::ElectionError;
use super::{Candidate, Election};
use crate::CoordinatedLeaseStrategy::{self, OldestEmulationVersion};
use crate::meta::v1::ObjectMeta;
use crate::v1::{Lease, LeaseSpec};
use crate::validation;

/// For how many seconds an elector gives a `Lease` to the leader.
pub const DURATION_SECONDS: i32 = 5;

/// Why an election is due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Due {
    /// There is no `Lease`.
    NoLease,
    /// The `Lease` has no `renewTime`, so that it counts as expired.
    NoRenewTime,
    /// The `Lease` has no `leaseDurationSeconds`, so that it counts as expired.
    NoDuration,
    /// The `Lease` has expired.
    Expired {
        /// When it was last renewed.
        renewed: MicroTime,
        /// For how many seconds.
        seconds: i32,
    },
    /// Nobody holds the `Lease`.
    NoHolder,
    /// A candidate has given no sign of life for more than 15 minutes.
    Silent {
        /// The candidate.
        candidate: String,
    },
    /// The holder is not the best candidate.
    NotTheBest {
        /// The holder.
        holder: String,
    },
}

/// Why an election is not due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotDue {
    /// Nobody takes part.
    NoCandidates,
    /// The `Lease` is held, and the strategy leaves it to others whether by the right one.
    OtherStrategy,
    /// The `Lease` is held, and no candidate can be compared with the holder.
    NobodyToCompare,
    /// The best candidate holds the `Lease`.
    BestHolds,
}

/// What the election does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Nothing, as no election is due.
    NotDue(NotDue),
    /// It creates the `Lease`.
    Create(Box<Lease>),
    /// It changes the `Lease`.
    Update {
        /// The `Lease` as it becomes.
        lease: Box<Lease>,
        /// What changes.
        changes: Vec<Change>,
    },
    /// Nothing, as the `Lease` says it all already.
    Unchanged,
    /// Nothing, as something is wrong.
    Failed(ElectionError),
}

/// A change of a `Lease`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// It gets another strategy.
    Strategy {
        /// The strategy that it had, if any.
        before: Option<String>,
    },
    /// It is handed to the leader; `preferredHolder` and `acquireTime` are cleared.
    Holder {
        /// Who held it; empty if nobody did.
        before: String,
    },
    /// The holder is asked to give it up for the leader, by `preferredHolder`.
    PreferredHolder {
        /// The holder.
        holder: String,
    },
}

/// Why an election is due that does not depend on who is the best.
pub(super) fn due(election: &Election<'_>, candidates: &[Candidate<'_>]) -> Option<Due> {
    let Some(lease) = election.lease else {
        return Some(Due::NoLease);
    };
    let silent = |candidate: &&Candidate<'_>| candidate.is_silent(election.now);
    expiry(&lease.spec, election.now)
        .or_else(|| holder(&lease.spec).is_empty().then_some(Due::NoHolder))
        .or_else(|| {
            candidates.iter().find(silent).map(|candidate| Due::Silent {
                candidate: candidate.name.to_owned(),
            })
        })
}

/// Whether and how a `Lease` has expired.
fn expiry(spec: &LeaseSpec, now: MicroTime) -> Option<Due> {
    let Some(renewed) = spec.renew_time else {
        return Some(Due::NoRenewTime);
    };
    let Some(seconds) = spec.lease_duration_seconds else {
        return Some(Due::NoDuration);
    };
    let expired = since(renewed, now) > SignedDuration::from_secs(seconds.into());
    expired.then_some(Due::Expired { renewed, seconds })
}

/// The holder; empty if there is none.
pub(super) fn holder(spec: &LeaseSpec) -> &str {
    spec.holder_identity.as_deref().unwrap_or_default()
}

/// What becomes of the `Lease` when an election is due.
///
/// `leader` is `None` where the strategy leaves the choice to others.
pub(super) fn write(
    election: &Election<'_>,
    strategy: &CoordinatedLeaseStrategy,
    leader: Option<&str>,
) -> Decision {
    let decision = match election.lease {
        None => Decision::Create(Box::new(created(election, strategy, leader))),
        Some(lease) => match updated(lease, election.now, strategy, leader) {
            Ok(decision) => decision,
            Err(error) => return Decision::Failed(error),
        },
    };
    let verdict = match &decision {
        Decision::Create(lease) => validation::check_created(lease),
        Decision::Update { lease, .. } => validation::check_changed(lease),
        _ => Ok(()),
    };
    match verdict {
        Ok(()) => decision,
        Err(errors) => Decision::Failed(ElectionError::InvalidLease(errors)),
    }
}

fn created(
    election: &Election<'_>,
    strategy: &CoordinatedLeaseStrategy,
    leader: Option<&str>,
) -> Lease {
    Lease {
        metadata: ObjectMeta::default()
            .with_name(election.lease_name)
            .with_namespace(election.namespace),
        spec: LeaseSpec {
            holder_identity: leader.map(str::to_owned),
            lease_duration_seconds: Some(DURATION_SECONDS),
            renew_time: Some(election.now),
            strategy: Some(strategy.clone()),
            ..LeaseSpec::default()
        },
    }
}

fn updated(
    existing: &Lease,
    now: MicroTime,
    strategy: &CoordinatedLeaseStrategy,
    leader: Option<&str>,
) -> Result<Decision, ElectionError> {
    let mut lease = existing.clone();
    let mut changes = Vec::new();
    if lease.spec.strategy.as_ref() != Some(strategy) {
        let before = lease.spec.strategy.replace(strategy.clone());
        let before = before.map(|strategy| strategy.as_str().to_owned());
        changes.push(Change::Strategy { before });
    }
    if let Some(leader) = leader {
        changes.extend(change_holder(&mut lease.spec, now, leader)?);
    }
    Ok(if changes.is_empty() {
        Decision::Unchanged
    } else {
        let lease = Box::new(lease);
        Decision::Update { lease, changes }
    })
}

/// Hands the `Lease` to the leader if it is free, or else asks the holder for it.
fn change_holder(
    spec: &mut LeaseSpec,
    now: MicroTime,
    leader: &str,
) -> Result<Option<Change>, ElectionError> {
    let Some(holder) = spec.holder_identity.clone() else {
        return Err(ElectionError::HolderAbsent);
    };
    let free = holder.is_empty() || (expiry(spec, now).is_some() && holder != leader);
    if free {
        spec.preferred_holder = None;
        spec.holder_identity = Some(leader.to_owned());
        spec.renew_time = Some(now);
        spec.lease_duration_seconds = Some(DURATION_SECONDS);
        spec.acquire_time = None;
        Ok(Some(Change::Holder { before: holder }))
    } else if holder != leader && spec.preferred_holder.as_deref() != Some(leader) {
        spec.preferred_holder = Some(leader.to_owned());
        Ok(Some(Change::PreferredHolder { holder }))
    } else {
        Ok(None)
    }
}

/// Whether the strategy is the one by which an elector picks a leader.
pub(super) fn picks_leader(strategy: &CoordinatedLeaseStrategy) -> bool {
    *strategy == OldestEmulationVersion
}
