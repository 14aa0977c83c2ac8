//! Outcomes for programs.

use k8s_coordination::election;
use serde::Serialize;

/// The member that only reports of elections have.
#[derive(Serialize)]
pub(super) struct Elections<'a> {
    elections: Vec<Outcome<'a>>,
}

/// The outcome of an election, and the text for people.
#[derive(Serialize)]
struct Outcome<'a> {
    #[serde(flatten)]
    outcome: &'a election::Outcome,
    story: String,
}

impl<'a> Elections<'a> {
    pub(super) fn of(outcomes: &'a [election::Outcome]) -> Self {
        let outcome =
            |outcome: &'a election::Outcome| Outcome { outcome, story: outcome.to_string() };
        Self { elections: outcomes.iter().map(outcome).collect() }
    }
}
