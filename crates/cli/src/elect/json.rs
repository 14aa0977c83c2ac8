//! Outcomes for programs.

use k8s_coordination::election::leader::Rank;
use k8s_coordination::election::{self, Decision, Standing, StandingOf};
use k8s_coordination::v1::Lease;
use k8s_versioned::MicroTime;
use serde::Serialize;

/// The outcome of an election. What there is none of is `null`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Outcome<'a> {
    namespace: &'a str,
    lease_name: &'a str,
    now: MicroTime,
    /// Who holds the lease before.
    holder: Option<&'a str>,
    /// The best candidate.
    leader: Option<&'a str>,
    strategy: Option<&'a str>,
    decision: &'static str,
    error: Option<String>,
    /// The lease that is written.
    lease: Option<&'a Lease>,
    candidates: Vec<Candidate<'a>>,
    /// The text for people.
    story: String,
}

#[derive(Serialize)]
struct Candidate<'a> {
    namespace: &'a str,
    name: &'a str,
    standing: &'static str,
}

impl<'a> Outcome<'a> {
    pub(super) fn of(outcome: &'a election::Outcome) -> Self {
        let choice = outcome.choice.as_ref();
        Self {
            namespace: &outcome.namespace,
            lease_name: &outcome.lease_name,
            now: outcome.now,
            holder: outcome.holder.as_deref(),
            leader: outcome.leader.as_deref(),
            strategy: choice.map(|choice| choice.strategy.as_str()),
            decision: decision(&outcome.decision),
            error: outcome.error().map(ToString::to_string),
            lease: outcome.written(),
            candidates: outcome.standings.iter().map(Candidate::of).collect(),
            story: outcome.to_string(),
        }
    }
}

impl<'a> Candidate<'a> {
    fn of(of: &'a StandingOf) -> Self {
        Self {
            namespace: &of.namespace,
            name: &of.candidate,
            standing: standing(&of.standing),
        }
    }
}

fn decision(decision: &Decision) -> &'static str {
    match decision {
        Decision::NotDue(_) => "notDue",
        Decision::Create(_) => "create",
        Decision::Update { .. } => "update",
        Decision::Unchanged => "unchanged",
        Decision::Failed(_) => "failed",
    }
}

fn standing(standing: &Standing) -> &'static str {
    match standing {
        Standing::Absent { .. } => "absent",
        Standing::Heard { .. } => "heard",
        Standing::Ranked { rank, .. } => match rank {
            Rank::Best(_) => "best",
            Rank::Beaten(_) => "beaten",
            Rank::Unreadable { .. } => "unreadable",
        },
    }
}
