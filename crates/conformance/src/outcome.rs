//! Findings of checks.

use std::borrow::Cow;

use serde::Serialize;

/// The result of a check for one place in a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// The place: a JSON pointer; empty for the whole recording.
    pub pointer: String,
    /// The outcome.
    pub outcome: Outcome,
}

/// The outcome of a check.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// It is as it should be.
    Passed,
    /// It is not: at least one mismatch.
    Failed(Vec<Mismatch>),
    /// The check has nothing to say about it, for this reason.
    ///
    /// Reports count by reason: it should be the same text for the same thing.
    NotApplicable(Cow<'static, str>),
}

impl Finding {
    /// The place is as it should be.
    pub fn passed(pointer: impl Into<String>) -> Self {
        Self::new(pointer, Outcome::Passed)
    }

    /// The check has nothing to say about the place.
    pub fn not_applicable(
        pointer: impl Into<String>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::new(pointer, Outcome::NotApplicable(reason.into()))
    }

    /// The place fails with these mismatches, and passes if there are none.
    pub fn of_mismatches(pointer: impl Into<String>, mismatches: Vec<Mismatch>) -> Self {
        let outcome =
            if mismatches.is_empty() { Outcome::Passed } else { Outcome::Failed(mismatches) };
        Self::new(pointer, outcome)
    }

    fn new(pointer: impl Into<String>, outcome: Outcome) -> Self {
        Self { pointer: pointer.into(), outcome }
    }
}

/// Something that is not as it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Mismatch {
    /// The place in the recording: a JSON pointer.
    pub pointer: String,
    /// The value that should be there.
    pub expected: String,
    /// The value that is there.
    pub found: String,
    /// A hint.
    pub advice: Cow<'static, str>,
}
