//! Outcomes for programs.

use k8s_coordination::election;
use serde::Serialize;

/// The outcome of an election, and the text for people.
#[derive(Serialize)]
pub(super) struct Outcome<'a> {
    #[serde(flatten)]
    outcome: &'a election::Outcome,
    story: String,
}

impl<'a> Outcome<'a> {
    pub(super) fn of(outcome: &'a election::Outcome) -> Self {
        Self {
            outcome,
            story: outcome.to_string(),
        }
    }
}
