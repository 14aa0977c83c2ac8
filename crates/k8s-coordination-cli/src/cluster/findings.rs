//! The problems of Leases and candidates.

use std::time::Duration;

use k8s_coordination::Quoted;
use k8s_coordination::conversion::AnyLeaseCandidate;
use k8s_coordination::election::{CandidateOutcome, Decision, ElectionOutcome, Standing};
use k8s_coordination::meta::v1::{MicroTime, ObjectMeta, Time};
use k8s_coordination::v1::Lease;
use k8s_versioned_core::findings::{Finding, Severity};

/// The objects of a cluster.
pub(crate) struct Cluster<'a> {
    pub(crate) leases: &'a [Lease],
    pub(crate) candidates: &'a [AnyLeaseCandidate],
    /// The election for each Lease that has candidates, with the Lease if it exists.
    pub(crate) elections: Vec<(ElectionOutcome<'a>, Option<&'a Lease>)>,
    pub(crate) now: MicroTime,
    /// The most seconds by which a time may be in the future.
    pub(crate) skew: u64,
}

/// The identifier of a problem, the problem, and a hint.
type Problem = (&'static str, String, &'static str);

/// The findings of one object.
fn findings(
    kind: &'static str,
    namespace: &str,
    name: &str,
    problems: impl IntoIterator<Item = Option<Problem>>,
) -> Vec<Finding> {
    let object = format!("{kind} {}", Quoted(&format!("{namespace}/{name}")));
    let finding = |(id, message, hint): Problem| {
        Finding::new(Severity::Error, id, object.as_str(), message).with_hint(hint)
    };
    problems.into_iter().flatten().map(finding).collect()
}

/// The findings of an object with this metadata.
fn findings_of(
    kind: &'static str,
    metadata: &ObjectMeta,
    problems: impl IntoIterator<Item = Option<Problem>>,
) -> Vec<Finding> {
    let (namespace, name) = (metadata.namespace.as_deref(), metadata.name.as_deref());
    findings(kind, namespace.unwrap_or_default(), name.unwrap_or_default(), problems)
}

/// The problems of all objects.
pub(crate) fn all(cluster: &Cluster<'_>) -> Vec<Finding> {
    let mut all = Vec::new();
    for lease in cluster.leases {
        let problems = [
            stopped(cluster, lease),
            preferred_is_gone(cluster, lease),
            ahead(cluster, "spec.acquireTime", lease.spec.acquire_time),
            ahead(cluster, "spec.renewTime", lease.spec.renew_time),
        ];
        all.extend(findings_of("Lease", &lease.metadata, problems));
    }
    for candidate in cluster.candidates {
        let problem = ahead(cluster, "spec.renewTime", candidate.renew_time().copied());
        all.extend(findings_of("LeaseCandidate", candidate.metadata(), [problem]));
    }
    for (outcome, lease) in &cluster.elections {
        for CandidateOutcome { candidate, standing, .. } in &outcome.candidates {
            let problem = unreadable(standing);
            all.extend(findings_of("LeaseCandidate", candidate.metadata(), [problem]));
        }
        let problems = [
            disputed(outcome),
            unanswered(cluster, outcome),
            not_elected(cluster, outcome, *lease),
            erased(cluster, outcome, *lease),
        ];
        all.extend(findings("Lease", outcome.namespace, outcome.lease_name, problems));
    }
    all
}

/// The time after the end of a Lease in which its holder may still renew it.
const GRACE: Duration = Duration::from_secs(60);

/// The time since the end of a Lease, if it has ended.
fn over_by(cluster: &Cluster<'_>, lease: &Lease) -> Option<Duration> {
    let renewed = lease.spec.renew_time?;
    let seconds = u64::try_from(lease.spec.lease_duration_seconds?).ok()?;
    let end = renewed.saturating_add(Duration::from_secs(seconds));
    let over = Duration::try_from(cluster.now.duration_since(end)).ok();
    over.filter(|over| !over.is_zero())
}

fn is_abandoned(cluster: &Cluster<'_>, lease: &Lease) -> bool {
    over_by(cluster, lease).is_some_and(|over| over > GRACE)
}

fn stopped(cluster: &Cluster<'_>, lease: &Lease) -> Option<Problem> {
    let holder = Quoted(lease.spec.holder()?);
    let seconds = over_by(cluster, lease).filter(|over| *over > GRACE)?.as_secs();
    Some((
        "holder-stopped",
        format!("its holder {holder} stopped renewing: it ended {seconds} s ago"),
        "does the program still run, and does it reach the API server? If it is gone permanently, delete the Lease",
    ))
}

fn preferred_is_gone(cluster: &Cluster<'_>, lease: &Lease) -> Option<Problem> {
    let preferred = lease.spec.preferred_holder.as_deref();
    let preferred = preferred.filter(|preferred| !preferred.is_empty())?;
    let is_it = |candidate: &AnyLeaseCandidate| {
        candidate.metadata().name.as_deref() == Some(preferred)
            && candidate.metadata().namespace == lease.metadata.namespace
            && Some(candidate.lease_name()) == lease.metadata.name.as_deref()
    };
    let waits = !cluster.candidates.iter().any(is_it);
    let preferred = Quoted(preferred);
    let problem =
        format!("it waits for its preferred holder {preferred}, which is not a candidate");
    let hint = "the election stalls: remove `preferredHolder`, or start the candidate again";
    waits.then_some(("preferred-holder-is-gone", problem, hint))
}

/// The problem of a time in the future.
fn ahead(cluster: &Cluster<'_>, field: &str, time: Option<MicroTime>) -> Option<Problem> {
    let ahead = u64::try_from(time?.duration_since(cluster.now).as_secs()).ok()?;
    let hint = "a clock is wrong: the writer's, or the one of this machine";
    (ahead > cluster.skew)
        .then(|| ("time-in-the-future", format!("{field} is {ahead} s in the future"), hint))
}

fn unreadable(standing: &Standing<'_>) -> Option<Problem> {
    match standing {
        Standing::Unreadable { field, value } => Some((
            "version-cannot-be-read",
            format!("{field} {} cannot be read: it cannot be elected", Quoted(value)),
            "write a semantic version such as `1.36.0`",
        )),
        _ => None,
    }
}

fn disputed(outcome: &ElectionOutcome<'_>) -> Option<Problem> {
    let error = outcome.error().filter(|error| error.is_about_strategy())?;
    Some((
        "strategy-is-disputed",
        format!("its candidates dispute the strategy: {error}"),
        "no candidate is elected until they agree: let all candidates of one version ask for the same strategy",
    ))
}

/// The time that an API server gives candidates to answer a ping.
const ANSWER: Duration = Duration::from_secs(5);

/// The time since the last ping of a candidate; zero if that is in the future, `None` if there was no ping.
fn since_last_ping(cluster: &Cluster<'_>, outcome: &ElectionOutcome<'_>) -> Option<Duration> {
    let last =
        outcome.candidates.iter().filter_map(|candidate| candidate.candidate.ping_time()).max()?;
    Some(Duration::try_from(cluster.now.duration_since(*last)).unwrap_or_default())
}

/// The problem of an election that is due, and whose candidates have not answered in time.
fn unanswered(cluster: &Cluster<'_>, outcome: &ElectionOutcome<'_>) -> Option<Problem> {
    let asked = |it: &CandidateOutcome<'_>| match it.standing {
        Standing::Silent { asked } => {
            Some(format!("{} was asked at {asked}", Quoted(it.candidate.name())))
        }
        _ => None,
    };
    let asked: Vec<String> = outcome.candidates.iter().filter_map(asked).collect();
    let is_over = since_last_ping(cluster, outcome).is_some_and(|passed| passed > ANSWER);
    let silent = matches!(outcome.decision, Decision::Unanswered);
    (silent && is_over).then(|| {
        (
            "no-candidate-answers",
            format!("no candidate answers the API server: {}", asked.join(", ")),
            "do the programs of the candidates run, and may they update their LeaseCandidate?",
        )
    })
}

/// The problem of an election that is due, has a winner, and has been due for long.
fn not_elected(
    cluster: &Cluster<'_>,
    outcome: &ElectionOutcome<'_>,
    lease: Option<&Lease>,
) -> Option<Problem> {
    let is_late = lease.is_none_or(|lease| {
        lease.spec.strategy.is_some()
            && (lease.spec.holder().is_none() || is_abandoned(cluster, lease))
    });
    outcome.written().filter(|_| is_late)?;
    // After a ping an API server elects within seconds.
    if since_last_ping(cluster, outcome).is_some_and(|passed| passed <= GRACE) {
        return None;
    }
    let is_silent = |it: &CandidateOutcome<'_>| matches!(it.standing, Standing::Silent { .. });
    let hint = if outcome.candidates.iter().any(is_silent) {
        "an API server has pinged a candidate: does its log say why the Lease was not written?"
    } else {
        "is `--feature-gates=CoordinatedLeaderElection=true` set on every API server?"
    };
    let best = outcome.best.map(|best| Quoted(best).to_string());
    let winner = best.unwrap_or("the strategy".to_owned());
    Some((
        "not-elected",
        format!("no API server elects: {winner} should have been written into it"),
        hint,
    ))
}

/// The problem of a held Lease that has candidates and no strategy.
fn erased(
    cluster: &Cluster<'_>,
    outcome: &ElectionOutcome<'_>,
    lease: Option<&Lease>,
) -> Option<Problem> {
    let lease =
        lease.filter(|lease| lease.spec.strategy.is_none() && over_by(cluster, lease).is_none())?;
    let (holder, _) = (Quoted(lease.spec.holder()?), outcome.strategy.as_ref()?);
    let writer = last_writer(lease).map_or(String::new(), |(manager, time)| {
        format!("; {} wrote it last, at {time}", Quoted(manager))
    });
    Some((
        "strategy-is-erased",
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
