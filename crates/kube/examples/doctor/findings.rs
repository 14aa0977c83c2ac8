//! What can be wrong with Leases and candidates.

use std::fmt;
use std::time::Duration;

use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{ElectionError, Outcome, Rank, Standing};
use k8s_coordination::k8s_versioned::Quoted;
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::Lease;

use super::common::cluster as common;

/// What is looked at.
pub(crate) struct Cluster<'a> {
    pub(crate) leases: &'a [Lease],
    pub(crate) candidates: &'a [AnyLeaseCandidate],
    pub(crate) now: MicroTime,
    /// From how many seconds on a time in the future is a wrong clock.
    pub(crate) skew: u64,
}

/// Something that is wrong with an object.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    object: String,
    problem: String,
    advice: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: {}\n  hint: {}",
            self.object, self.problem, self.advice
        )
    }
}

/// Everything that is wrong, Lease by Lease.
pub(crate) fn of(cluster: &Cluster<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lease in cluster.leases {
        stopped(cluster, lease, &mut findings);
        preferred_is_gone(cluster, lease, &mut findings);
        for (field, time) in [
            ("spec.acquireTime", lease.spec.acquire_time),
            ("spec.renewTime", lease.spec.renew_time),
        ] {
            ahead(
                cluster,
                &name("Lease", &lease.metadata),
                field,
                time,
                &mut findings,
            );
        }
    }
    for candidate in cluster.candidates {
        let object = name("LeaseCandidate", candidate.metadata());
        let time = candidate.renew_time().copied();
        ahead(cluster, &object, "spec.renewTime", time, &mut findings);
    }
    elections(cluster, &mut findings);
    findings
}

fn name(kind: &str, metadata: &ObjectMeta) -> String {
    let namespace = metadata.namespace.as_deref().unwrap_or_default();
    let name = metadata.name.as_deref().unwrap_or_default();
    format!("{kind} {}", Quoted(&format!("{namespace}/{name}")))
}

/// How long after its end a Lease counts as left behind rather than as changing hands.
const GRACE: Duration = Duration::from_secs(60);

/// By how many seconds a Lease is over, if it is.
fn over_by(cluster: &Cluster<'_>, lease: &Lease) -> Option<Duration> {
    let renewed = lease.spec.renew_time?;
    let seconds = u64::try_from(lease.spec.lease_duration_seconds?).ok()?;
    let end = renewed.saturating_add(Duration::from_secs(seconds));
    Duration::try_from(cluster.now.duration_since(end))
        .ok()
        .filter(|over| !over.is_zero())
}

fn holder(lease: &Lease) -> Option<&str> {
    lease
        .spec
        .holder_identity
        .as_deref()
        .filter(|holder| !holder.is_empty())
}

fn stopped(cluster: &Cluster<'_>, lease: &Lease, findings: &mut Vec<Finding>) {
    let Some(holder) = holder(lease) else { return };
    if let Some(over) = over_by(cluster, lease).filter(|over| *over > GRACE) {
        let (holder, seconds) = (Quoted(holder), over.as_secs());
        findings.push(Finding {
            object: name("Lease", &lease.metadata),
            problem: format!("its holder {holder} stopped renewing: it ended {seconds} s ago"),
            advice: "does the program still run, and does it reach the API server? If it is gone for good, delete the Lease",
        });
    }
}

fn preferred_is_gone(cluster: &Cluster<'_>, lease: &Lease, findings: &mut Vec<Finding>) {
    let preferred = lease.spec.preferred_holder.as_deref();
    let Some(preferred) = preferred.filter(|preferred| !preferred.is_empty()) else {
        return;
    };
    let is_it = |candidate: &AnyLeaseCandidate| {
        candidate.metadata().name.as_deref() == Some(preferred)
            && candidate.metadata().namespace == lease.metadata.namespace
            && Some(candidate.lease_name()) == lease.metadata.name.as_deref()
    };
    if !cluster.candidates.iter().any(is_it) {
        findings.push(Finding {
            object: name("Lease", &lease.metadata),
            problem: format!(
                "it waits for its preferred holder {}, which is no candidate",
                Quoted(preferred)
            ),
            advice: "the election stalls: remove `preferredHolder`, or start the candidate again",
        });
    }
}

fn ahead(
    cluster: &Cluster<'_>,
    object: &str,
    field: &str,
    time: Option<MicroTime>,
    findings: &mut Vec<Finding>,
) {
    let ahead = time.map_or(0, |time| time.duration_since(cluster.now).as_secs());
    if u64::try_from(ahead).is_ok_and(|ahead| ahead > cluster.skew) {
        findings.push(Finding {
            object: object.to_owned(),
            problem: format!("{field} lies {ahead} s in the future"),
            advice: "a clock is wrong: that of the writer, or that of this machine",
        });
    }
}

/// One election for each Lease that somebody is a candidate for.
fn elections(cluster: &Cluster<'_>, findings: &mut Vec<Finding>) {
    for (outcome, lease) in common::elections(cluster.candidates, cluster.leases, cluster.now) {
        unreadable(&outcome, findings);
        disputed(&outcome, findings);
        nobody_elects(cluster, &outcome, lease, findings);
        erased(cluster, &outcome, lease, findings);
    }
}

fn unreadable(outcome: &Outcome, findings: &mut Vec<Finding>) {
    for standing in &outcome.standings {
        if let Standing::Ranked(Rank::Unreadable { field, value }) = &standing.standing {
            let full = format!("{}/{}", standing.namespace, standing.candidate);
            findings.push(Finding {
                object: format!("LeaseCandidate {}", Quoted(&full)),
                problem: format!(
                    "{field} {} cannot be read: it cannot be elected",
                    Quoted(value)
                ),
                advice: "write a semantic version such as `1.36.0`",
            });
        }
    }
}

fn disputed(outcome: &Outcome, findings: &mut Vec<Finding>) {
    if let Some(error @ ElectionError::Strategy(_)) = outcome.error() {
        findings.push(Finding {
            object: lease_of(outcome),
            problem: format!("its candidates dispute the strategy: {error}"),
            advice: "nobody is elected until they agree: let all candidates of one version ask for the same strategy",
        });
    }
}

fn lease_of(outcome: &Outcome) -> String {
    format!(
        "Lease {}",
        Quoted(&format!("{}/{}", outcome.namespace, outcome.lease_name))
    )
}

/// An election is due, has a winner, and has been due for long.
fn nobody_elects(
    cluster: &Cluster<'_>,
    outcome: &Outcome,
    lease: Option<&Lease>,
    findings: &mut Vec<Finding>,
) {
    let is_late = match lease {
        None => true,
        Some(lease) => {
            lease.spec.strategy.is_some()
                && (holder(lease).is_none()
                    || over_by(cluster, lease).is_some_and(|over| over > GRACE))
        }
    };
    if is_late && outcome.written().is_some() {
        let winner = outcome
            .best
            .as_deref()
            .map_or("the strategy".to_owned(), |best| Quoted(best).to_string());
        findings.push(Finding {
            object: lease_of(outcome),
            problem: format!("nobody elects: {winner} should have been written into it"),
            advice: "is `--feature-gates=CoordinatedLeaderElection=true` set on every API server?",
        });
    }
}

/// The Lease is held, and has no strategy although there are candidates for it.
fn erased(
    cluster: &Cluster<'_>,
    outcome: &Outcome,
    lease: Option<&Lease>,
    findings: &mut Vec<Finding>,
) {
    let Some(lease) = lease.filter(|lease| lease.spec.strategy.is_none()) else {
        return;
    };
    let (Some(holder), None, Some(_)) = (holder(lease), over_by(cluster, lease), &outcome.choice)
    else {
        return;
    };
    let writer = last_writer(lease).map_or(String::new(), |(manager, time)| {
        format!("; {} wrote it last, at {time}", Quoted(manager))
    });
    findings.push(Finding {
        object: lease_of(outcome),
        problem: format!(
            "it has candidates and no strategy: its holder {} is a plain client that erased it, or the feature gate is \
             off{writer}",
            Quoted(holder)
        ),
        advice: "let all programs that use this Lease use coordinated election, or none",
    });
}

/// The manager that wrote a Lease last, by its managed fields.
fn last_writer(lease: &Lease) -> Option<(&str, Time)> {
    let entries = lease.metadata.managed_fields.iter();
    let writers = entries.filter_map(|entry| Some((entry.manager.as_deref()?, entry.time?)));
    writers.max_by_key(|(_, time)| *time)
}
