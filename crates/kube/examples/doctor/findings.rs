//! The problems of Leases and candidates.

use std::fmt;
use std::time::Duration;

use k8s_coordination::Quoted;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{ElectionError, Outcome, Rank, Standing, StandingOf};
use k8s_coordination::meta::v1::{MicroTime, Time};
use k8s_coordination::v1::Lease;

use super::common::cluster as common;

/// The objects of a cluster.
pub(crate) struct Cluster<'a> {
    pub(crate) leases: &'a [Lease],
    pub(crate) candidates: &'a [AnyLeaseCandidate],
    pub(crate) now: MicroTime,
    /// A time that lies more seconds than this in the future is that of a wrong clock.
    pub(crate) skew: u64,
}

/// A problem of an object.
#[derive(Debug, PartialEq)]
pub(crate) struct Finding {
    object: String,
    problem: String,
    advice: &'static str,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (object, problem, advice) = (&self.object, &self.problem, self.advice);
        write!(f, "{object}: {problem}\n  hint: {advice}")
    }
}

impl Finding {
    fn new(
        kind: &str,
        (namespace, name): (&str, &str),
        problem: String,
        advice: &'static str,
    ) -> Self {
        let object = format!("{kind} {}", Quoted(&format!("{namespace}/{name}")));
        Self { object, problem, advice }
    }

    fn of_lease(lease: &Lease, problem: String, advice: &'static str) -> Self {
        let text = |text: &'_ Option<String>| text.clone().unwrap_or_default();
        let (namespace, name) = (text(&lease.metadata.namespace), text(&lease.metadata.name));
        Self::new("Lease", (&namespace, &name), problem, advice)
    }

    fn of_election(outcome: &Outcome, problem: String, advice: &'static str) -> Self {
        Self::new("Lease", (&outcome.namespace, &outcome.lease_name), problem, advice)
    }
}

/// All problems, Lease by Lease.
pub(crate) fn of(cluster: &Cluster<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for lease in cluster.leases {
        findings.extend(stopped(cluster, lease));
        findings.extend(preferred_is_gone(cluster, lease));
        let times = [
            ("spec.acquireTime", lease.spec.acquire_time),
            ("spec.renewTime", lease.spec.renew_time),
        ];
        for (field, time) in times {
            let finding = |problem| Finding::of_lease(lease, problem, WRONG_CLOCK);
            findings.extend(ahead(cluster, field, time).map(finding));
        }
    }
    for candidate in cluster.candidates {
        let metadata = candidate.metadata();
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let (namespace, name) = (text(&metadata.namespace), text(&metadata.name));
        let finding =
            |problem| Finding::new("LeaseCandidate", (&namespace, &name), problem, WRONG_CLOCK);
        let time = candidate.renew_time().copied();
        findings.extend(ahead(cluster, "spec.renewTime", time).map(finding));
    }
    for (outcome, lease) in common::elections(cluster.candidates, cluster.leases, cluster.now) {
        findings.extend(unreadable(&outcome));
        findings.extend(disputed(&outcome));
        findings.extend(nobody_elects(cluster, &outcome, lease));
        findings.extend(erased(cluster, &outcome, lease));
    }
    findings
}

/// The time after its end from which a Lease counts as left behind.
const GRACE: Duration = Duration::from_secs(60);

/// The time since the end of a Lease, if it has ended.
fn over_by(cluster: &Cluster<'_>, lease: &Lease) -> Option<Duration> {
    let renewed = lease.spec.renew_time?;
    let seconds = u64::try_from(lease.spec.lease_duration_seconds?).ok()?;
    let end = renewed.saturating_add(Duration::from_secs(seconds));
    let over = Duration::try_from(cluster.now.duration_since(end)).ok();
    over.filter(|over| !over.is_zero())
}

fn is_left_behind(cluster: &Cluster<'_>, lease: &Lease) -> bool {
    over_by(cluster, lease).is_some_and(|over| over > GRACE)
}

fn holder(lease: &Lease) -> Option<&str> {
    let holder = lease.spec.holder_identity.as_deref();
    holder.filter(|holder| !holder.is_empty())
}

fn stopped(cluster: &Cluster<'_>, lease: &Lease) -> Option<Finding> {
    let holder = Quoted(holder(lease)?);
    let seconds = over_by(cluster, lease).filter(|over| *over > GRACE)?.as_secs();
    Some(Finding::of_lease(
        lease,
        format!("its holder {holder} stopped renewing: it ended {seconds} s ago"),
        "does the program still run, and does it reach the API server? If it is gone for good, delete the Lease",
    ))
}

fn preferred_is_gone(cluster: &Cluster<'_>, lease: &Lease) -> Option<Finding> {
    let preferred = lease.spec.preferred_holder.as_deref();
    let preferred = preferred.filter(|preferred| !preferred.is_empty())?;
    let is_it = |candidate: &AnyLeaseCandidate| {
        candidate.metadata().name.as_deref() == Some(preferred)
            && candidate.metadata().namespace == lease.metadata.namespace
            && Some(candidate.lease_name()) == lease.metadata.name.as_deref()
    };
    let waits = !cluster.candidates.iter().any(is_it);
    let preferred = Quoted(preferred);
    waits.then(|| {
        Finding::of_lease(
            lease,
            format!("it waits for its preferred holder {preferred}, which is no candidate"),
            "the election stalls: remove `preferredHolder`, or start the candidate again",
        )
    })
}

const WRONG_CLOCK: &str = "a clock is wrong: that of the writer, or that of this machine";

/// The problem of a time in the future.
fn ahead(cluster: &Cluster<'_>, field: &str, time: Option<MicroTime>) -> Option<String> {
    let ahead = u64::try_from(time?.duration_since(cluster.now).as_secs()).ok()?;
    (ahead > cluster.skew).then(|| format!("{field} lies {ahead} s in the future"))
}

fn unreadable(outcome: &Outcome) -> Vec<Finding> {
    let unreadable = |standing: &StandingOf| match &standing.standing {
        Standing::Ranked(Rank::Unreadable { field, value }) => Some(Finding::new(
            "LeaseCandidate",
            (&standing.namespace, &standing.candidate),
            format!("{field} {} cannot be read: it cannot be elected", Quoted(value)),
            "write a semantic version such as `1.36.0`",
        )),
        _ => None,
    };
    outcome.standings.iter().filter_map(unreadable).collect()
}

fn disputed(outcome: &Outcome) -> Option<Finding> {
    let Some(error @ ElectionError::Strategy(_)) = outcome.error() else {
        return None;
    };
    Some(Finding::of_election(
        outcome,
        format!("its candidates dispute the strategy: {error}"),
        "nobody is elected until they agree: let all candidates of one version ask for the same strategy",
    ))
}

/// An election is due, has a winner, and has been due for long.
fn nobody_elects(
    cluster: &Cluster<'_>,
    outcome: &Outcome,
    lease: Option<&Lease>,
) -> Option<Finding> {
    let is_late = lease.is_none_or(|lease| {
        lease.spec.strategy.is_some() && (holder(lease).is_none() || is_left_behind(cluster, lease))
    });
    outcome.written().filter(|_| is_late)?;
    let best = outcome.best.as_deref().map(|best| Quoted(best).to_string());
    let winner = best.unwrap_or("the strategy".to_owned());
    Some(Finding::of_election(
        outcome,
        format!("nobody elects: {winner} should have been written into it"),
        "is `--feature-gates=CoordinatedLeaderElection=true` set on every API server?",
    ))
}

/// The Lease is held, and has no strategy although there are candidates for it.
fn erased(cluster: &Cluster<'_>, outcome: &Outcome, lease: Option<&Lease>) -> Option<Finding> {
    let lease =
        lease.filter(|lease| lease.spec.strategy.is_none() && over_by(cluster, lease).is_none())?;
    let (holder, _) = (Quoted(holder(lease)?), outcome.choice.as_ref()?);
    let writer = last_writer(lease).map_or(String::new(), |(manager, time)| {
        format!("; {} wrote it last, at {time}", Quoted(manager))
    });
    Some(Finding::of_election(
        outcome,
        format!(
            "it has candidates and no strategy: its holder {holder} is a plain client that erased it, or the feature \
             gate is off{writer}"
        ),
        "let all programs that use this Lease use coordinated election, or none",
    ))
}

/// The manager that wrote a Lease last, by its managed fields.
fn last_writer(lease: &Lease) -> Option<(&str, Time)> {
    let entries = lease.metadata.managed_fields.iter();
    let writers = entries.filter_map(|entry| Some((entry.manager.as_deref()?, entry.time?)));
    writers.max_by_key(|(_, time)| *time)
}
