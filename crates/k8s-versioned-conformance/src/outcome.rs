//! What a check finds in a recording.

use std::borrow::Cow;

use k8s_versioned_findings::{Finding, Severity};

/// The reason why a check does not apply. Reports count by reason, so the same reason should have the same text.
pub type Inapplicable = Cow<'static, str>;

/// The result of a check: the mismatches (none if it passed), or the reason why the check does not apply.
pub type Examined = Result<Vec<Mismatch>, Inapplicable>;

/// The result of a check for one place in a recording.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Examination {
    /// The place: a JSON pointer; empty for the whole recording.
    pub pointer: String,
    /// What the check says about it.
    pub examined: Examined,
}

impl Examination {
    /// The result for a place.
    pub fn new(pointer: impl Into<String>, examined: Examined) -> Self {
        Self { pointer: pointer.into(), examined }
    }

    /// The check does not apply to the place.
    pub fn not_applicable(pointer: impl Into<String>, reason: impl Into<Inapplicable>) -> Self {
        Self::new(pointer, Err(reason.into()))
    }
}

/// A value that is not the expected one.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Mismatch {
    /// The place in the recording: a JSON pointer.
    pub pointer: String,
    /// The expected value.
    pub expected: String,
    /// The value that was found.
    pub found: String,
    /// What to look at, or to change.
    pub hint: Cow<'static, str>,
}

impl Mismatch {
    /// A mismatch at a place, with a hint.
    pub fn new(
        pointer: impl Into<String>,
        expected: impl Into<String>,
        found: impl Into<String>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        let (pointer, expected) = (pointer.into(), expected.into());
        Self { pointer, expected, found: found.into(), hint: hint.into() }
    }
    pub(crate) fn finding(&self, check: &'static str, file: String) -> Finding {
        let message = format!("expected {}, found {}", self.expected, self.found);
        let finding = Finding::new(Severity::Error, check, file, message);
        finding.at(self.pointer.as_str()).with_hint(self.hint.clone())
    }
}
